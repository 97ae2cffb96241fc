//! The requests that the agent accepts, and its responses.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt, path::PathBuf};

use super::message::Message;

/// A request to the running agent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// Reload the configuration, which must be this file; the path is absolute.
    Reload { file: PathBuf },
    /// Describe the status of the agent.
    Status { format: StatusFormat },
    /// End the NETCONF session with this identifier.
    KillSession { session: u32 },
}

/// The format of a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatusFormat {
    Text,
    Json,
}

impl Request {
    pub(super) fn to_message(&self) -> Message {
        match self {
            Self::Reload { file } => Message::new(RELOAD).with(FILE, file.as_os_str().as_bytes()),
            Self::Status { format: StatusFormat::Text } => Message::new(STATUS),
            Self::Status { format: StatusFormat::Json } => Message::new(STATUS).with(FORMAT, JSON),
            Self::KillSession { session } => {
                Message::new(KILL_SESSION).with(SESSION, session.to_string().as_bytes())
            }
        }
    }

    /// Interprets a message; `None` if this version does not know the request.
    pub(super) fn from_message(message: &Message) -> Option<Self> {
        match &*message.word {
            RELOAD => Some(Self::Reload { file: OsStr::from_bytes(message.get(FILE)?).into() }),
            STATUS => match message.get(FORMAT) {
                None => Some(Self::Status { format: StatusFormat::Text }),
                Some(JSON) => Some(Self::Status { format: StatusFormat::Json }),
                Some(_) => None,
            },
            KILL_SESSION => {
                let session = str::from_utf8(message.get(SESSION)?).ok()?.parse().ok()?;
                Some(Self::KillSession { session })
            }
            _ => None,
        }
    }

    /// The maximum length of an encoded request in octets.
    pub(super) const MAX_LEN: usize = 8 * 1024;
}

/// The outcome of a request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Response {
    /// The new configuration is in effect, except for the settings that need a restart.
    Reloaded(ReloadOutcome),
    /// The status in the requested format.
    Status { text: String },
    /// The NETCONF session has ended.
    Killed,
    /// The request had no effect.
    Refused { reason: String },
    /// An error in the agent has interrupted the request, which had an effect in part.
    Interrupted { reason: String },
    /// The agent does not know the request.
    UnknownRequest,
}

/// The effect of a reload.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReloadOutcome {
    /// One line for each change that is in effect.
    pub(crate) changes: Vec<String>,
    /// The changed settings that need a restart.
    pub(crate) restart_only: Vec<String>,
}

impl Response {
    pub(super) fn to_message(&self) -> Message {
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
            Self::Refused { reason } => {
                Message::new(REFUSED).with(REASON, limited(reason, MAX_REASON_CHARS).as_bytes())
            }
            Self::Interrupted { reason } => {
                Message::new(INTERRUPTED).with(REASON, limited(reason, MAX_REASON_CHARS).as_bytes())
            }
            Self::UnknownRequest => Message::new(UNKNOWN_REQUEST),
        }
    }

    /// Interprets a message; `None` if this version does not know the response.
    pub(super) fn from_message(message: &Message) -> Option<Self> {
        match &*message.word {
            RELOADED => {
                let texts = |field| message.all(field).map(display_text).collect();
                Some(Self::Reloaded(ReloadOutcome { changes: texts(CHANGE), restart_only: texts(RESTART) }))
            }
            STATUS => Some(Self::Status { text: display_text(message.get(TEXT)?) }),
            KILLED => Some(Self::Killed),
            REFUSED => Some(Self::Refused { reason: display_text(message.get(REASON)?) }),
            INTERRUPTED => Some(Self::Interrupted { reason: display_text(message.get(REASON)?) }),
            UNKNOWN_REQUEST => Some(Self::UnknownRequest),
            _ => None,
        }
    }

    /// The maximum length of an encoded response in octets.
    pub(super) const MAX_LEN: usize = 1024 * 1024;
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

const RELOAD: &str = "reload";
const FILE: &str = "file";
const STATUS: &str = "status";
const FORMAT: &str = "format";
const JSON: &[u8] = b"json";
const TEXT: &str = "text";
const KILL_SESSION: &str = "kill-session";
const SESSION: &str = "session";
const KILLED: &str = "killed";
const RELOADED: &str = "reloaded";
const CHANGE: &str = "change";
const RESTART: &str = "restart";
const REFUSED: &str = "refused";
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
    fn request_and_responses_are_unchanged_after_encoding_and_decoding() {
        for request in [
            Request::Reload { file: "/etc/portreeve/portreeved.toml".into() },
            Request::Status { format: StatusFormat::Text },
            Request::Status { format: StatusFormat::Json },
            Request::KillSession { session: u32::MAX },
        ] {
            assert_eq!(Request::from_message(&request.to_message()), Some(request));
        }
        for response in [
            Response::Reloaded(ReloadOutcome::default()),
            Response::Reloaded(ReloadOutcome {
                changes: vec!["usmUserTable: 1 added".into()],
                restart_only: vec!["[[listen]]".into(), "[agent] workers".into()],
            }),
            Response::Status { text: "portreeved 0.1.0\nlisteners\n".into() },
            Response::Refused { reason: "a.toml:1: error: b\n    hint: c".into() },
            Response::Interrupted { reason: "an error in the agent".into() },
            Response::Killed,
            Response::UnknownRequest,
        ] {
            assert_eq!(Response::from_message(&response.to_message()), Some(response));
        }
    }

    #[test]
    fn many_and_long_changes_are_truncated_to_the_maximum_length() {
        let changes = vec!["€🔥".repeat(1000); 10_000];
        let response = Response::Reloaded(ReloadOutcome { changes, restart_only: vec![] });
        assert!(response.to_message().encode().len() <= Response::MAX_LEN);
    }

    #[test]
    fn long_reason_is_truncated_to_the_maximum_length() {
        let response = Response::Refused { reason: "€🔥".repeat(50_000) };
        assert!(response.to_message().encode().len() <= Response::MAX_LEN);
    }

    #[test]
    fn response_does_not_control_the_terminal() {
        let message = Message::new(REFUSED).with(REASON, b"a\x1b[2J\nb\r\x07\xff");
        let expected = Response::Refused { reason: "a[2J\nb\u{fffd}".into() };
        assert_eq!(Response::from_message(&message), Some(expected));
    }

    #[test]
    fn unknown_message_is_not_interpreted() {
        assert_eq!(Request::from_message(&Message::new("stop")), None);
        assert_eq!(Request::from_message(&Message::new(STATUS).with(FORMAT, b"xml")), None);
        assert_eq!(Request::from_message(&Message::new(RELOAD)), None, "the file is missing");
        assert_eq!(Request::from_message(&Message::new(KILL_SESSION).with(SESSION, b"-1")), None);
        assert_eq!(Response::from_message(&Message::new("stopped")), None);
        assert_eq!(Response::from_message(&Message::new(STATUS)), None, "the text is missing");
    }
}
