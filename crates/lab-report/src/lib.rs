//! Reports of the lab.
//!
//! ```text
//! samples.jsonl ─ sample ─▶ samples ─ statistics ─▶ document ─ html, markdown, csv ─▶ files
//!                                     papers ──────────┘
//! ```
//! Everything is pure: the same samples give the same octets.

mod cell_text;
pub mod compare;
pub mod csv;
pub mod document;
mod escape;
mod figure_data;
pub mod html;
pub mod markdown;
mod numbering;
pub mod papers;
mod reading;
pub mod sample;
pub mod samples;
pub mod statistics;
pub mod svg;
#[cfg(test)]
mod test_support;
pub mod unit;
