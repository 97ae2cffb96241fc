//! XML as NETCONF uses it (RFC 6241 §3), without I/O.
//!
//! ```text
//! octets ── xml::Tokenizer ──▶ events ── read::DataReader ──▶ edit of a data tree
//! octets ◀── xml::Writer ◀── write::TreeWriter ◀── data tree
//! ```
//! [`xml`] reads and writes XML of any vocabulary: a tokenizer that takes octets in any pieces, and
//! a writer. [`read`] and [`mod@write`] need a schema, and know which XML stands for which data.

mod progress;
pub mod read;
#[cfg(test)]
mod test_schema;
pub mod write;
pub mod xml;

pub use progress::Progress;
