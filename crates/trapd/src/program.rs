//! The program: receives notifications over all transports, and writes them.
//!
//! ```text
//! transport ─► ReceivingHandler: engine, access rules ─► Queue ─► writer thread: lines, one sync
//!     ▲              ▲                                                │             │
//!     └── response ──┴───────────── results of informs ◄──────────────┘             ▼
//!                                                   Actions: threads that run handlers or forward
//! ```
//! One worker serves all transports, so that one engine has the clocks of all senders. An inform is
//! acknowledged when it is on disk. The memory for notifications is bounded by `queue-size`: what
//! does not fit is discarded and counted for its source.

mod actions;
mod addresses;
pub mod arguments;
mod forwarding;
mod handlers;
mod interval_count;
mod journal_thread;
mod kernel_drops;
mod keys;
mod message_handler;
mod output_file;
mod outputs;
mod queue;
mod queue_usage;
mod sender_clocks;
mod sender_config;
mod service;
mod settings;
mod source_log;
mod state_directory;
mod time;
mod writer;
mod writer_thread;

pub use service::run;
