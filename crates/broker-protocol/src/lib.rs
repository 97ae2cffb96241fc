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
//!         ── Note ──────────────▶          (kept beside the session, shown in the next Opened)
//! ```
//! Both talk over one Unix stream socket: a pair made for the one child, or the socket of a broker that stays. An SNMP
//! message is its own frame; everything else is encoded in BER as well, under application tags, so that one look at a
//! header cuts both. The command ends the conversation by closing its end.
//!
//! [`Line`] is the command's end, and finds or starts a broker. The broker's own end is in its program, on [`Inbox`].

mod answer;
mod failed;
mod frame;
mod inbox;
mod line;
mod opened;
mod order;
mod question;
mod rendezvous;

pub use answer::Answer;
pub use frame::{Frame, FrameError};
pub use inbox::Inbox;
pub use line::{Ask, Line};
pub use opened::Opened;
pub use order::{Key, Order, Transport};
pub use question::{Login, Question};
pub use rendezvous::{Rendezvous, check_peer};

/// What is written before everything else; a broker of another version does not answer.
const VERSION: i32 = 3;
