//! Sockets, sessions and timers: moves messages between peers and engines. The only SNMP knowledge
//! here is where a BER message ends.
//!
//! ```text
//! bind(listeners) ──▶ BoundListeners ──▶ run(make_handler) ──▶ worker threads,
//!                                                         each with sockets and a MessageHandler
//! ```
//! A worker is one thread with one current-thread runtime, one [`MessageHandler`], its own UDP or
//! DTLS socket per listener (SO_REUSEPORT) and a share of the TCP connections. Messages are handled
//! one after the other on the thread that read them; over UDP, no memory is allocated per message.
//! All resources that a peer can occupy are bounded by [`Limits`], and all drops and closes are
//! counted in [`SessionStatistics`].

mod bind;
mod clock;
mod datagrams;
mod dtls;
mod framing;
mod handler;
mod handshake_turns;
mod limits;
mod listener;
mod naming;
mod open_sessions;
mod outbox;
mod priority_tasks;
mod protocol;
mod reflection_limit;
mod relay;
mod running;
mod security;
mod services;
mod session_guard;
mod session_limits;
mod session_log;
mod session_source;
mod session_state;
mod snmp_session;
mod ssh;
mod statistics;
mod stream;
mod task_timer;
mod udp;
mod user_log_limiter;
mod when_woken;
mod worker;

pub use bind::{BindError, BoundListeners, bind, supports_address_family};
pub use clock::Clock;
pub use framing::{FramingError, message_length};
pub use handler::{Disposition, MessageHandler, MessageSource, SessionEvent};
pub use limits::Limits;
pub use listener::{Listener, Protocol};
pub use naming::{LcdSecurityNames, certificate_security_name, ssh_security_name};
pub use open_sessions::OpenSessions;
pub use portreeve_sys::LocalAddress;
pub use protocol::{
    Awaited, OUTPUT_PIECE_SIZE, Progress, Received, SessionOutput, SessionProtocol, SessionWaker,
};
pub use relay::{AllowedAccounts, RelayBindError, RelayListener};
pub use running::{RunningTransport, run};
pub use security::{SecurityNameMapping, TransportSecurity};
pub use services::{Service, ServiceTable, SessionService};
pub use session_limits::SessionCount;
pub use session_source::SessionSource;
pub use statistics::{CloseReason, SessionStatistics, StatisticsReading};
pub use user_log_limiter::UserLogLimiter;
pub use worker::{WorkerContext, WorkerWaker};
