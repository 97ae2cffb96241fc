//! Definitions of options and their help texts. `--help`, manual pages and shell completions are
//! generated from them.
//!
//! A program defines each option once, parses its command line with that definition and returns it
//! as an [`OptionEntry`]. Text in backticks, such as `` `words` ``, is literal input and is shown
//! in bold.
//!
//! ```
//! use portreeve_usage::{Completion, Flag};
//!
//! let by = Flag::long("by", "distinguish agents by address or port").with_value("address|port");
//! assert_eq!(by.syntax(), "--by address|port");
//! assert_eq!(by.completion(), Completion::Words(vec!["address", "port"]));
//! ```

mod flag;
mod help;
mod page;
mod print;

pub use flag::{Completion, Flag};
pub use help::{format_row, format_table};
pub use page::{Block, Command, OptionEntry, OptionGroup, OptionLetter, Page, Section};
pub use print::print;
