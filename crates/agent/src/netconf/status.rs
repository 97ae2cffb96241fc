//! The status of NETCONF, for reports.

use portreeve_netconf::Status;

/// The status of NETCONF.
#[derive(Clone, Debug)]
pub(crate) struct NetconfStatus {
    pub(crate) server: Status,
    /// The number of panics, each of which has closed all sessions.
    pub(crate) panics: u64,
}
