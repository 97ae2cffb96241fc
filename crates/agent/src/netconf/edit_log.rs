//! Log lines about changes over NETCONF. Values are not logged, because they can be keys.

use std::{fmt, time::Instant};

use portreeve_netconf::{Datastore, EditLog};
use portreeve_transport::UserLogLimiter;

use crate::set_log::QuotedName;

/// Writes one line for each change, at a limited rate for each user.
pub(super) struct EditLogger {
    accepted: UserLogLimiter,
    /// A separate limiter, because a user can cause any number of refused changes.
    refused: UserLogLimiter,
}

impl Default for EditLogger {
    fn default() -> Self {
        let limiter = || UserLogLimiter::per_second(MAX_LOG_LINES_PER_SECOND);
        Self { accepted: limiter(), refused: limiter() }
    }
}

impl EditLogger {
    /// Writes a line about a change, or counts it as suppressed.
    pub(super) fn log(&self, edit: &EditLog) {
        let limiter = if edit.failure.is_none() { &self.accepted } else { &self.refused };
        let Some(suppressed) = limiter.allow(edit.user.as_bytes(), Instant::now()) else { return };
        tracing::info!(
            user = %QuotedName(edit.user.as_bytes()),
            session = edit.session,
            peer = %edit.address,
            operation = %edit.operation.as_str(),
            datastore = edit.datastore.map(|datastore| tracing::field::display(datastore_name(datastore))),
            changes = edit.changes,
            paths = %PathList(&edit.paths),
            reason = edit.failure.as_deref(),
            suppressed = (suppressed > 0).then_some(suppressed),
            "{}",
            if edit.failure.is_none() { EDIT_ACCEPTED } else { EDIT_REFUSED }
        );
    }
}

/// Returns the name of a datastore.
pub(crate) fn datastore_name(datastore: Datastore) -> &'static str {
    match datastore {
        Datastore::Running => "running",
        Datastore::Candidate => "candidate",
    }
}

/// The paths of a change, separated by commas.
struct PathList<'a>(&'a [String]);

impl fmt::Display for PathList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, path) in self.0.iter().enumerate() {
            let separator = if position == 0 { "" } else { "," };
            // A path contains the keys of its entries, and a refused one what the peer has sent.
            let shown = path.as_bytes().get(..MAX_PATH_LEN).unwrap_or(path.as_bytes());
            let ellipsis = if shown.len() < path.len() { "…" } else { "" };
            write!(f, "{separator}{}{ellipsis}", QuotedName(shown))?;
        }
        Ok(())
    }
}

const EDIT_ACCEPTED: &str = "NETCONF change accepted";
const EDIT_REFUSED: &str = "NETCONF change refused";

/// The maximum number of octets of a path in a line.
const MAX_PATH_LEN: usize = 256;
/// The maximum number of lines per second about accepted changes of one user, and about refused
/// ones.
const MAX_LOG_LINES_PER_SECOND: u32 = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_paths_are_cut() {
        let paths = ["/a:b".to_owned(), format!("/{}", "c".repeat(1000))];
        let text = PathList(&paths).to_string();
        assert_eq!(text, format!("/a:b,/{}…", "c".repeat(MAX_PATH_LEN - 1)));
    }
}
