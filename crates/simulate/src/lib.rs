//! The simulator: serves recorded agents, thousands from one process, with simulated network
//! faults.
//!
//! ```text
//! FILE ─► recording ─► Playback ─► Entity (the real engine and applications), one per agent
//!                                     ▲
//! transport ─► Handler ─► FaultInjector ─┘   selects the agent, loses and delays messages
//! ```
//! Over SSH, TLS and DTLS, agents accept clients with a key or certificate configured in `secure`.
//! An agent's values come from its recording only, and are constant unless the recording varies
//! them.

mod access;
mod agent_set;
pub mod arguments;
mod delay;
mod error;
mod faults;
mod handler;
pub mod manual;
mod playback;
pub mod program;
pub mod recording;
mod secure;
pub mod serve;
mod users;
mod workers;
