//! The requests that the agent accepts, and its responses.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt, path::PathBuf};

use super::message::Message;

/// A request to the running agent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Request {
    /// Reload the configuration, which must be this file; the path is absolute.
    Reload { file: PathBuf },
}

impl Request {
    pub(super) fn to_message(&self) -> Message {
        match self {
            Self::Reload { file } => Message::new(RELOAD).with(FILE, file.as_os_str().as_bytes()),
        }
    }

    /// Interprets a message; `None` if this version does not know the request.
    pub(super) fn from_message(message: &Message) -> Option<Self> {
        match &*message.word {
            RELOAD => Some(Self::Reload { file: OsStr::from_bytes(message.get(FILE)?).into() }),
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
    Reloaded { restart_only: Vec<String> },
    /// The request had no effect.
    Refused { reason: String },
    /// The agent does not know the request.
    UnknownRequest,
}

impl Response {
    pub(super) fn to_message(&self) -> Message {
        match self {
            Self::Reloaded { restart_only } => restart_only
                .iter()
                .fold(Message::new(RELOADED), |message, setting| message.with(RESTART, setting.as_bytes())),
            Self::Refused { reason } => {
                let reason: String = reason.chars().take(MAX_REASON_CHARS).collect();
                Message::new(REFUSED).with(REASON, reason.as_bytes())
            }
            Self::UnknownRequest => Message::new(UNKNOWN_REQUEST),
        }
    }

    /// Interprets a message; `None` if this version does not know the response.
    pub(super) fn from_message(message: &Message) -> Option<Self> {
        match &*message.word {
            RELOADED => {
                let restart_only = message.all(RESTART).map(display_text).collect();
                Some(Self::Reloaded { restart_only })
            }
            REFUSED => Some(Self::Refused { reason: display_text(message.get(REASON)?) }),
            UNKNOWN_REQUEST => Some(Self::UnknownRequest),
            _ => None,
        }
    }

    /// The maximum length of an encoded response in octets.
    pub(super) const MAX_LEN: usize = 64 * 1024;
}

/// Returns a text that does not control the terminal: the agent may run under another account than
/// the command.
fn display_text(octets: &[u8]) -> String {
    let is_printed = |character: &char| *character == '\n' || !character.is_control();
    String::from_utf8_lossy(octets).chars().filter(is_printed).collect()
}

const RELOAD: &str = "reload";
const FILE: &str = "file";
const RELOADED: &str = "reloaded";
const RESTART: &str = "restart";
const REFUSED: &str = "refused";
const REASON: &str = "reason";
const UNKNOWN_REQUEST: &str = "unknown-request";
/// The maximum number of characters, of at most four octets each, in a reason.
const MAX_REASON_CHARS: usize = 15_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_and_responses_are_unchanged_after_encoding_and_decoding() {
        let request = Request::Reload { file: "/etc/portreeve/portreeved.toml".into() };
        assert_eq!(Request::from_message(&request.to_message()), Some(request));
        for response in [
            Response::Reloaded { restart_only: vec![] },
            Response::Reloaded { restart_only: vec!["[[listen]]".into(), "[agent] workers".into()] },
            Response::Refused { reason: "a.toml:1: error: b\n    hint: c".into() },
            Response::UnknownRequest,
        ] {
            assert_eq!(Response::from_message(&response.to_message()), Some(response));
        }
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
        assert_eq!(Request::from_message(&Message::new("status")), None);
        assert_eq!(Request::from_message(&Message::new(RELOAD)), None, "the file is missing");
        assert_eq!(Response::from_message(&Message::new("status")), None);
    }
}
