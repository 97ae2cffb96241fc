//! Results over HTTP, for Prometheus and with the interface of snmp_exporter.
//!
//! ```text
//! client ─▶ http (limits) ─▶ server (threads) ─▶ pages ─┬─▶ request (authorization) ─▶ scrape
//!                                                       └─▶ shared (last results of the poller)
//! ```
//! The polling thread does no work here. Its shared state is locked only to copy references.

mod exposition;
mod http;
mod pages;
mod request;
mod scrape;
mod server;
mod shared;
mod text;

pub(crate) use server::serve;
pub(crate) use shared::{ReloadRequest, SharedState};
