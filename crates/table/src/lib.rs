//! Text tables with aligned columns that fit the width of the terminal.
//!
//! Without a terminal, rows are neither wrapped nor shortened, so that `grep` and other programs
//! find each complete row on one line.
//!
//! ```
//! use portreeve_table::Table;
//!
//! let mut table = Table::new(1, &["work", "per second"]);
//! table.add_row(vec!["get".into(), "1 000".into()]);
//! assert_eq!(table.unwrapped(), "work  per second\nget        1 000\n");
//! ```

mod number;
mod table;
mod width;

pub use number::grouped;
pub use table::Table;
pub use width::line_width;
