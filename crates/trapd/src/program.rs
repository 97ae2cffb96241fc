//! The program: receives notifications over all transports, and writes them.
//!
//! ```text
//! transport ─► ReceivingHandler: engine, access rules ─► Queue ─► writer thread: lines, one sync
//!     ▲              ▲                                                │
//!     └── response ──┴───────────── results of informs ◄──────────────┘
//! ```
//! One worker serves all transports, so that one engine has the clocks of all senders. An inform is
//! acknowledged when it is on disk. The memory for notifications is bounded by `queue-size`: what
//! does not fit is discarded and counted for its source.

pub mod arguments;
mod handler;
mod handlers;
mod queue;
mod sender_config;
mod service;
mod settings;
mod time;
mod writer;

pub use service::run;
