//! The protocol by which a command uses a secure session of the broker. The broker is a process of
//! its own, because commands link neither TLS nor SSH.
//!
//! ```text
//! command ── Request ───────────▶ broker ── handshake ──▶ agent
//!         ◀──────────── Prompt ───         (any number: passwords, pass phrases, server prompts)
//!         ── PromptResponse ────▶
//!         ◀───────── Opened | Failed ──
//!         ── SNMP messages ─────▶        ── in the session ─▶
//!         ◀────────────────────── SNMP messages | Failed
//!         ── Note ──────────────▶          (stored with the session, sent in the next Opened)
//! ```
//! Both communicate over one Unix stream socket: a socket pair for a child process, or the socket
//! of a broker that keeps running. An SNMP message is its own frame. All other frames are encoded
//! in BER as well, with application tags, so that the same header parser splits both. The command
//! ends the connection by closing its side.
//!
//! [`BrokerConnection`] is the command's side, and finds or starts a broker. The broker's side is
//! in its own crate, on top of [`FrameBuffer`].

mod connection;
mod failure;
mod frame;
mod frame_buffer;
mod opened;
mod prompt;
mod request;
mod response;
mod socket_path;

pub use connection::{BrokerConnection, PromptHandler};
pub use frame::{Frame, FrameError};
pub use frame_buffer::FrameBuffer;
pub use opened::SessionOpened;
pub use prompt::{LoginTarget, PromptRequest};
pub use request::{SessionOption, SessionRequest, Transport};
pub use response::PromptResponse;
pub use socket_path::{SocketPath, check_peer};

/// The protocol version at the start of requests. A broker of another version closes the
/// connection.
const VERSION: i32 = 3;
