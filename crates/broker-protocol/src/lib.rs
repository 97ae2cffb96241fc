//! How a command borrows a secure session: from a process of its own that holds it, because commands link neither TLS
//! nor SSH.
//!
//! ```text
//! command ── Order ─────────────▶ broker ── handshake ──▶ agent
//!         ◀────────── Question ───         (any number: passwords, pass phrases, what the agent asks)
//!         ── Answer ────────────▶
//!         ◀───────── Opened | Failed ──
//!         ── SNMP messages ─────▶        ── in the session ─▶
//!         ◀────────────────────── SNMP messages | Failed
//!         ── Note ──────────────▶          (kept beside the session, shown in the next SessionOpened)
//! ```
//! Both talk over one Unix stream socket: a pair made for the one child, or the socket of a broker that stays. An SNMP
//! message is its own frame; everything else is encoded in BER as well, under application tags, so that one look at a
//! header cuts both. The command ends the conversation by closing its end.
//!
//! [`BrokerConnection`] is the command's end, and finds or starts a broker. The broker's own end is in its program, on [`FrameBuffer`].

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

/// What is written before everything else; a broker of another version does not answer.
const VERSION: i32 = 3;
