//! The published figures that the lab reproduces, as data.
//!
//! Each paper is one file. Figures are in the paper's own units and with its own decimals, so that
//! a report can show them as they were printed.

mod value;

pub use value::{PaperUnit, PaperValue};
