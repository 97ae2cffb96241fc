//! The receiver of notifications: the program in [`program`], and its parts that need no socket.
//!
//! [`HandlerTable`] selects the handlers of a notification, as `traphandle` and `forward` of
//! `snmptrapd.conf` do. [`LineFormat`] is the format language of `-F` and of the directives
//! `format1` and `format2`; [`write_default_line`] is used without it. [`handler_input`] is the
//! standard input of a handler, which [`HandlerPool`] runs. [`SnmptrapdConf`] parses
//! `snmptrapd.conf`. [`write_json_line`] and [`Journal`] write notifications for other programs.
//! [`ForwardQueue`] sends them to another receiver.

pub mod command;
mod default_line;
mod forward;
mod handler;
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
    ForwardCredentials, ForwardDestination, ForwardError, ForwardKind, ForwardQueue, ForwardQueueFullError,
    ForwardQueueLimits, ForwardReport, ForwardedNotification, Forwarder, InvalidDestinationError,
};
pub use handler::{
    DEFAULT_HANDLER_TIMEOUT, HandlerCommand, HandlerJob, HandlerLimits, HandlerLog, HandlerPool,
    HandlerQueueFullError, HandlerReport, HandlerResult, HandlerTable, OidPattern, OidPatternError,
    escaped_handler_input, handler_input, run_handler,
};
pub use journal::{Journal, JournalEntry};
pub use json_line::{JsonOptions, write_json_line};
pub use line_format::{LineFormat, LineFormatError};
pub use message_details::MessageDetails;
pub use notification::{CalendarTime, Notification, NotificationKind, ReceptionTime, Security, Source};
pub use snmptrapd_conf::{
    ConfProblem, CreatedUser, EngineUsers, HandlerAction, HandlerDirective, ListenAddress, NameResolver,
    NamedFile, ProblemSeverity, SnmptrapdConf, TlsDirectives, UserKeySource,
};
