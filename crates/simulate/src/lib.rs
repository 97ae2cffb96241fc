//! Agents that were recorded, served again: by the thousand, from one process, and as badly connected as is wanted.
//!
//! ```text
//! FILE ─► recording ─► Playback ─► Entity (the real engine and applications), one per agent
//!                                     ▲
//! transport ─► Handler ─► Faults ─────┘   which agent? is the datagram lost? when does the answer leave?
//! ```
//! Over SSH, TLS and DTLS whoever has a key that `secure` lets in asks like everybody else.
//! Nothing is invented: an agent answers what its recording has, for ever the same where that says nothing else.

mod access;
mod agent_set;
pub mod arguments;
mod delay;
mod error;
mod faults;
mod handler;
pub mod manual;
mod playback;
pub mod recording;
mod secure;
pub mod serve;
mod users;
mod workers;
