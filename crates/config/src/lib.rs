//! Parses the configuration file: TOML text, turned into a [`Config`] that is always valid.
//!
//! ```text
//! text ── toml ──▶ tables ── raw: values and positions ──▶ build: checks ──▶ Config ──▶ rows
//!                             └────── options: key definitions ──────┘            (for the lcd)
//! ```
//! Every problem is reported with its line, the value, the accepted values and a hint; parsing
//! continues after each problem. [`options`] defines each option once: the reader, the problems and
//! the commented [`template`] derive from it. Weak choices must be enabled explicitly in `[weak]`.
//!
//! ```
//! use portreeve_config::{NoFiles, parse};
//!
//! let parsed = parse("[agent]\nworker = 2\n", "portreeved.toml".as_ref(), &NoFiles);
//! let rejected = parsed.err().unwrap();
//! let text = rejected.to_string();
//! assert!(text.starts_with("portreeved.toml:2: error: [agent] has no key `worker`"));
//! assert!(text.contains("hint: did you mean `workers`?"));
//! ```

mod build;
mod config;
pub mod document;
mod files;
mod forward;
mod lines;
mod load;
pub mod options;
mod problem;
mod raw;
mod reader;
mod receiver;
mod rows;
pub mod template;

pub use config::{
    Agent, Config, FileReference, KeySource, Limits, Listener, Log, Netconf, Notifications, NotifyTarget,
    Pam, Relay, RelayUsers, Services, Ssh, SshWindow, System, Tls, TlsVersions, User, Yang,
};
pub use files::{DiskFiles, Files, NoFiles};
pub use forward::{Forward, ForwardAddress, ForwardSecurity, ForwardSession};
pub use lines::ConfigLines;
pub use load::{ConfigError, LoadedConfig, load, load_state_dir, parse};
pub use problem::{Problem, Problems, Severity, TextPosition};
pub use reader::{Located, Reader, display_escaped, report_unknown};
pub use receiver::{
    Accept, Handler, HandlerInput, RECEIVER_SECTIONS, ReceiverConfig, ReceiverOutput, Sender, load_receiver,
    parse_receiver,
};
