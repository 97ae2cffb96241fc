//! State data that the server itself provides: monitoring (RFC 6022) and the YANG library
//! (RFC 8525).

mod builder;
mod library;
mod monitoring;

pub(crate) use library::{content_id, library_tree};
pub(crate) use monitoring::{Monitoring, monitoring_tree};
