//! Handlers: programs that are run for notifications.
//!
//! ```text
//! snmpTrapOID ─► HandlerTable ─► handler_input ─► HandlerPool: run_handler ─► HandlerLog
//! ```

mod command;
mod environment;
mod input;
mod log;
mod pool;
mod process;
mod table;

pub use command::HandlerCommand;
pub(crate) use input::translated;
pub use input::{escaped_handler_input, handler_input};
pub use log::HandlerLog;
pub use pool::{DEFAULT_HANDLER_TIMEOUT, HandlerJob, HandlerLimits, HandlerPool, HandlerQueueFullError};
pub use process::{HandlerReport, HandlerResult, run_handler};
pub use table::{HandlerTable, OidPattern, OidPatternError};
