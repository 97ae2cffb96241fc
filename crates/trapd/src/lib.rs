//! The receiver of notifications: the program in [`program`], and its parts that need no socket.
//!
//! [`HandlerTable`] selects the handlers of a notification, as `traphandle` and `forward` of
//! `snmptrapd.conf` do. [`LineFormat`] is the format language of `-F` and of the directives
//! `format1` and `format2`; [`write_default_line`] is used without it. [`handler_input`] is the
//! standard input of a handler, which [`HandlerPool`] runs. [`SnmptrapdConf`] parses
//! `snmptrapd.conf`. [`write_json_line`] and [`Journal`] write notifications for other programs.
//! [`Forwarder`] sends them to other receivers; the program does not use it yet.

mod default_line;
mod forward;
mod handler_command;
mod handler_input;
mod handler_log;
mod handler_pool;
mod handler_process;
mod handlers;
mod journal;
mod json_line;
mod line_format;
pub mod manual;
mod message_details;
mod notification;
#[allow(clippy::print_stderr, clippy::print_stdout, reason = "a program prints to the terminal")]
pub mod program;
#[cfg(test)]
mod samples;
mod snmptrapd_conf;

pub use default_line::write_default_line;
pub use forward::{
    ForwardCredentials, ForwardDestination, ForwardError, ForwardQueue, ForwardQueueFullError,
    ForwardQueueLimits, ForwardedNotification, Forwarder, InvalidDestinationError,
};
pub use handler_command::HandlerCommand;
pub use handler_input::handler_input;
pub use handler_log::HandlerLog;
pub use handler_pool::{
    DEFAULT_HANDLER_TIMEOUT, HandlerJob, HandlerLimits, HandlerPool, HandlerQueueFullError,
};
pub use handler_process::{HandlerReport, HandlerResult, run_handler};
pub use handlers::{HandlerTable, OidPattern, OidPatternError};
pub use journal::Journal;
pub use json_line::{JsonOptions, write_json_line};
pub use line_format::{LineFormat, LineFormatError};
pub use message_details::MessageDetails;
pub use notification::{CalendarTime, Notification, NotificationKind, ReceptionTime, Security, Source};
pub use snmptrapd_conf::{
    ConfProblem, CreatedUser, EngineUsers, HandlerAction, HandlerDirective, ListenAddress, NameResolver,
    ProblemSeverity, SnmptrapdConf, UserKeySource,
};
