//! The poller: reads the same objects from thousands of agents periodically, with one thread and a
//! few sockets.
//!
//! ```text
//! file ─ configuration ─▶ PollPlan ─▶ Poller (no I/O) ◀─▶ driver (sockets, signals) ─▶ output
//! ```
//! [`Poller`] schedules the requests; a silent or slow agent does not delay the others.

pub mod arguments;
pub mod configuration;
pub mod driver;
pub mod manual;
mod output;
mod plan;
mod poller;
pub mod program;
mod prometheus;
mod resolver;
mod signals;
pub mod sockets;
mod stderr;

pub use output::OutputFormat;
pub use plan::{Credential, Network, ObjectGroup, PollPlan, PrometheusConfig, Target, User};
pub use poller::{Change, Delta, Peer, PeerEndpoint, PollResult, Poller, ResultSubject, Variable};
