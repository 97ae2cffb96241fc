//! Sockets, sessions and timers: what moves messages between peers and engines, and knows no more of SNMP than
//! where a BER message ends.
//!
//! ```text
//! bind(listeners) ──▶ Bound ──▶ run(make_handler) ──▶ worker threads, each: its sockets, its MessageHandler
//! ```
//! A worker is one thread with one current-thread runtime, one [`MessageHandler`], a UDP or DTLS socket of its own per
//! listener (SO_REUSEPORT) and a share of the TCP connections. Messages are handled one after the other on the thread
//! that read them; over UDP nothing is allocated per message. Everything a peer can occupy is bounded by
//! [`Limits`], and everything that is dropped or closed is counted in [`SessionStatistics`].

mod admission;
mod bind;
mod clock;
mod conversation;
mod datagrams;
mod dtls;
mod framing;
mod handler;
mod limits;
mod listener;
mod naming;
mod outbox;
mod relay;
mod running;
mod security;
mod ssh;
mod statistics;
mod stream;
mod told;
mod udp;
mod unproven;
mod worker;

pub use bind::{BindError, Bound, bind, has_family_of};
pub use clock::Clock;
pub use framing::{FramingError, message_length};
pub use handler::{Disposition, MessageHandler, SessionEvent, Source};
pub use limits::Limits;
pub use listener::{Listener, Protocol};
pub use naming::{NamesByRows, certificate_security_name, ssh_security_name};
pub use portreeve_sys::LocalAddress;
pub use relay::{Accounts, RelayBindError, RelayListener};
pub use running::{RunningTransport, run};
pub use security::{Security, SecurityNames};
pub use statistics::{CloseReason, SessionStatistics, StatisticsReading};
pub use worker::{WorkerContext, WorkerWaker};
