//! Results over HTTP, as Prometheus reads them and as snmp_exporter's users ask for them.
//!
//! ```text
//! client ──▶ http (bounds) ──▶ server: a thread for each connection ──▶ pages ─┬─ request: what may be asked ─▶ scrape
//!                                                                              └─ shared: last results, by the poller
//! ```
//! Nothing here is done by the thread that polls. What it shares is locked only to copy references.

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
