//! The poller: asks thousands of agents for the same objects, again and again, from one thread and a few sockets.
//!
//! ```text
//! file ── configuration ──▶ Plan ──▶ Poller (no I/O, no clock) ◀──▶ driver (sockets, signals) ──▶ output
//! ```
//! [`Poller`] decides who is asked what and when; one silent or slow agent costs the others nothing.

pub mod arguments;
pub mod configuration;
pub mod driver;
pub mod manual;
mod output;
mod plan;
mod poller;
mod prometheus;
mod resolver;
mod signals;
pub mod sockets;
mod stderr;

pub use output::OutputFormat;
pub use plan::{Credential, Network, ObjectGroup, PollPlan, PrometheusConfig, Target, User};
pub use poller::{Change, Delta, Peer, PeerEndpoint, PollResult, Poller, ResultSubject, Variable};
