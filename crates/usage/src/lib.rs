//! What a program says about its own use, without any form: help texts, manual pages and completions are made of it.
//!
//! A program defines each of its options once, parses by that definition and hands the same out as [`OptionEntry`]s. Text
//! may hold `` `words` `` between backticks, which are shown as they are to be typed.
//!
//! ```
//! use portreeve_usage::{Completes, Flag};
//!
//! let by = Flag::long("by", "what tells agents apart").with("address|port");
//! assert_eq!(by.written(), "--by address|port");
//! assert_eq!(by.completes(), Completion::Words(vec!["address", "port"]));
//! ```

mod flag;
mod help;
mod page;

pub use flag::{Completion, Flag};
pub use help::{format_row, format_table};
pub use page::{Block, Command, OptionEntry, OptionGroup, OptionLetter, Page, Section};
