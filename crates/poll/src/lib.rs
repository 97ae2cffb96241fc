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
mod tell;

pub use output::Form;
pub use plan::{Credential, Group, Network, Plan, Prometheus, Target, User};
pub use poller::{About, Change, Delta, Peer, Place, Poller, Report, Variable};
