//! Reports of the lab.
//!
//! ```text
//! samples.jsonl ─ sample ─▶ samples ─ statistics ─▶ document ─ html, markdown, csv ─▶ files
//!                                     papers ──────────┘
//! ```
//! Everything is pure: the same samples give the same octets.

pub mod document;
pub mod papers;
pub mod sample;
pub mod samples;
pub mod statistics;
pub mod unit;
