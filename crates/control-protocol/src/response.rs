//! The responses of the agent.

use crate::{
    message::Message,
    notification::{NotificationOutcome, SUBMITTED},
};

/// The outcome of a request.
#[derive(Debug, PartialEq, Eq)]
pub enum Response {
    /// The new configuration is in effect, except for the settings that need a restart.
    Reloaded(ReloadOutcome),
    /// The status of the agent.
    Status {
        /// The status in the requested format.
        text: String,
    },
    /// The NETCONF session has ended.
    Killed,
    /// The notification is sent to its targets.
    Submitted(NotificationOutcome),
    /// The request had no effect.
    Refused {
        /// The reason, with hints in lines of their own.
        reason: String,
    },
    /// Too many requests wait. The request had no effect and can be sent again.
    Busy,
    /// An error has interrupted the request, which may have had an effect in part.
    Interrupted {
        /// The error, with hints in lines of their own.
        reason: String,
    },
    /// The agent does not know the request.
    UnknownRequest,
}

/// The effect of a reload.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReloadOutcome {
    /// One line for each change that is in effect.
    pub changes: Vec<String>,
    /// The changed settings that need a restart.
    pub restart_only: Vec<String>,
}

impl Response {
    /// Returns the octets of the response. Long texts are truncated.
    pub fn encode(&self) -> Vec<u8> {
        self.to_message().encode()
    }

    /// Decodes a complete response; `None` if this version does not know it.
    pub fn decode(octets: &[u8]) -> Option<Self> {
        Self::from_message(&Message::decode(octets)?)
    }

    fn to_message(&self) -> Message {
        match self {
            Self::Reloaded(ReloadOutcome { changes, restart_only }) => {
                let message =
                    changes.iter().take(MAX_CHANGES).fold(Message::new(RELOADED), |message, change| {
                        message.with(CHANGE, limited(change, MAX_CHANGE_CHARS).as_bytes())
                    });
                restart_only
                    .iter()
                    .fold(message, |message, setting| message.with(RESTART, setting.as_bytes()))
            }
            Self::Status { text } => Message::new(STATUS).with(TEXT, text.as_bytes()),
            Self::Killed => Message::new(KILLED),
            Self::Submitted(outcome) => outcome.to_message(),
            Self::Refused { reason } => {
                Message::new(REFUSED).with(REASON, limited(reason, MAX_REASON_CHARS).as_bytes())
            }
            Self::Busy => Message::new(BUSY),
            Self::Interrupted { reason } => {
                Message::new(INTERRUPTED).with(REASON, limited(reason, MAX_REASON_CHARS).as_bytes())
            }
            Self::UnknownRequest => Message::new(UNKNOWN_REQUEST),
        }
    }

    fn from_message(message: &Message) -> Option<Self> {
        match &*message.word {
            RELOADED => {
                let texts = |field| message.all(field).map(display_text).collect();
                Some(Self::Reloaded(ReloadOutcome { changes: texts(CHANGE), restart_only: texts(RESTART) }))
            }
            STATUS => Some(Self::Status { text: display_text(message.get(TEXT)?) }),
            KILLED => Some(Self::Killed),
            SUBMITTED => NotificationOutcome::from_message(message).map(Self::Submitted),
            REFUSED => Some(Self::Refused { reason: display_text(message.get(REASON)?) }),
            BUSY => Some(Self::Busy),
            INTERRUPTED => Some(Self::Interrupted { reason: display_text(message.get(REASON)?) }),
            UNKNOWN_REQUEST => Some(Self::UnknownRequest),
            _ => None,
        }
    }

    /// The maximum length of an encoded response in octets: the status of some ten thousand targets
    /// of notifications.
    pub const MAX_LEN: usize = 16 * 1024 * 1024;
}

/// Returns the beginning of a text.
fn limited(text: &str, max_chars: usize) -> String {
    text.chars().take(max_chars).collect()
}

/// Returns a text that does not control the terminal: the agent may run under another account than
/// the command.
fn display_text(octets: &[u8]) -> String {
    let is_printed = |character: &char| *character == '\n' || !character.is_control();
    String::from_utf8_lossy(octets).chars().filter(is_printed).collect()
}

pub(crate) const STATUS: &str = "status";
const TEXT: &str = "text";
const KILLED: &str = "killed";
const RELOADED: &str = "reloaded";
const CHANGE: &str = "change";
const RESTART: &str = "restart";
const REFUSED: &str = "refused";
const BUSY: &str = "busy";
const INTERRUPTED: &str = "interrupted";
const REASON: &str = "reason";
const UNKNOWN_REQUEST: &str = "unknown-request";
/// The maximum number of characters, of at most four octets each, in a reason.
const MAX_REASON_CHARS: usize = 15_000;
/// The maximum number of changes in a response. There is one for each table, scalar and file.
const MAX_CHANGES: usize = 500;
/// The maximum number of characters of a change, which may contain a path.
const MAX_CHANGE_CHARS: usize = 300;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn response_is_unchanged_after_encoding_and_decoding() {
        for response in [
            Response::Reloaded(ReloadOutcome::default()),
            Response::Reloaded(ReloadOutcome {
                changes: vec!["usmUserTable: 1 added".into()],
                restart_only: vec!["[[listen]]".into(), "[agent] workers".into()],
            }),
            Response::Status { text: "portreeved 0.1.0\nlisteners\n".into() },
            Response::Submitted(NotificationOutcome { informs: 1, ..Default::default() }),
            Response::Refused { reason: "a.toml:1: error: b\n    hint: c".into() },
            Response::Busy,
            Response::Interrupted { reason: "an error in the agent".into() },
            Response::Killed,
            Response::UnknownRequest,
        ] {
            assert_eq!(Response::decode(&response.encode()), Some(response));
        }
    }

    #[test]
    fn many_and_long_changes_are_truncated_to_the_maximum_length() {
        let changes = vec!["€🔥".repeat(1000); 10_000];
        let response = Response::Reloaded(ReloadOutcome { changes, restart_only: vec![] });
        assert!(response.encode().len() <= Response::MAX_LEN);
    }

    #[test]
    fn long_reason_is_truncated_to_the_maximum_length() {
        let response = Response::Refused { reason: "€🔥".repeat(50_000) };
        assert!(response.encode().len() <= Response::MAX_LEN);
    }

    #[test]
    fn response_does_not_control_the_terminal() {
        let expected = Response::Refused { reason: "a[2J\nb\u{fffd}".into() };
        assert_eq!(Response::decode(b"refused\0reason=a\x1b[2J\nb\r\x07\xff\0"), Some(expected));
    }

    #[test]
    fn unknown_response_is_not_interpreted() {
        for octets in [&b"stopped\0"[..], b"status\0", b"submitted\0traps=1\0", b"refused\0"] {
            assert_eq!(Response::decode(octets), None, "{octets:?}");
        }
    }
}
