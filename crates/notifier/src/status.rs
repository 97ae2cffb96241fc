//! Results of submissions, and the condition of all targets.

use std::fmt;

use portreeve_snmp_apps::{InvalidNotificationError, QueueStatus};

/// The targets of a submitted notification, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Submitted {
    /// The targets that get a trap.
    pub traps: usize,
    /// The targets in whose queues the notification is, durably.
    pub informs: usize,
    /// The targets to which it must not be sent.
    pub withheld: usize,
    /// The targets whose queues are full.
    pub discarded: usize,
}

/// The reason why a notification is not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubmitError {
    /// The variables are not those of a notification.
    Invalid(InvalidNotificationError),
    /// The notification could not be stored for the targets of informs.
    NotStored(String),
    /// Too many notifications wait, or the notifier has stopped.
    Busy,
}

impl fmt::Display for SubmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(error) => write!(f, "invalid notification: {error}"),
            Self::NotStored(reason) => write!(f, "the notification cannot be stored: {reason}"),
            Self::Busy => f.write_str("too many notifications wait"),
        }
    }
}

impl std::error::Error for SubmitError {}

/// The condition of the notifier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotifierStatus {
    /// The targets for which there was a notification since the start.
    pub targets: Vec<TargetStatus>,
    /// The number of times that a notification was not sent to a target because of its filter, the
    /// notify view of its principal, or a missing row.
    pub withheld: u64,
    /// The number of the agent's own notifications that were discarded before a target was
    /// selected, because too many waited.
    pub discarded: u64,
    /// The number of writes to the disk that failed.
    pub write_failures: u64,
    /// The number of writes that are not finished.
    pub waiting_writes: usize,
}

/// The condition of one target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TargetStatus {
    /// snmpTargetAddrName.
    pub name: Vec<u8>,
    /// The transport and address of the last connection or attempt; empty before the first.
    pub address: String,
    /// True if a connection or session is open.
    pub is_connected: bool,
    /// The number of traps that were sent.
    pub traps_sent: u64,
    /// The number of traps that could not be sent.
    pub traps_discarded: u64,
    /// The number of authenticationFailure notifications that were discarded, because too many of
    /// them waited.
    pub authentication_failures_discarded: u64,
    /// The queue of informs.
    pub queue: QueueStatus,
    /// The time of the last error, in seconds since 1970, and the error.
    pub last_error: Option<(u64, String)>,
}
