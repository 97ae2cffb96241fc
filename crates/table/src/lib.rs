//! Rows of cells as lines of text: aligned, and no wider than the terminal that shows them.
//!
//! Where there is no terminal nothing is broken and nothing left out, so that programs and people who `grep` find each row
//! whole in a line of its own.
//!
//! ```
//! use portreeve_table::Table;
//!
//! let mut table = Table::new(1, &["work", "per second"]);
//! table.row(vec!["get".into(), "1 000".into()]);
//! assert_eq!(table.whole(), "work  per second\nget        1 000\n");
//! ```

mod table;
mod width;

pub use table::Table;
pub use width::line_width;
