//! The requests that the agent accepts.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt, path::PathBuf};

use crate::{
    message::Message,
    notification::{NOTIFY, SubmittedNotification},
    response::STATUS,
};

/// A request to the running agent.
#[derive(Debug, PartialEq, Eq)]
pub enum Request {
    /// Reload the configuration.
    Reload {
        /// The configuration file of the agent, as an absolute path.
        file: PathBuf,
    },
    /// Describe the status of the agent.
    Status {
        /// The format of the status.
        format: StatusFormat,
    },
    /// End a NETCONF session.
    KillSession {
        /// The identifier of the session.
        session: u32,
    },
    /// Send a notification to the targets of the agent.
    Notify(SubmittedNotification),
}

/// The format of a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum StatusFormat {
    Text,
    Json,
}

impl Request {
    /// Returns the octets of the request.
    pub fn encode(&self) -> Vec<u8> {
        self.to_message().encode()
    }

    /// Decodes a complete request; `None` if this version does not know it.
    pub fn decode(octets: &[u8]) -> Option<Self> {
        Self::from_message(&Message::decode(octets)?)
    }

    fn to_message(&self) -> Message {
        match self {
            Self::Reload { file } => Message::new(RELOAD).with(FILE, file.as_os_str().as_bytes()),
            Self::Status { format: StatusFormat::Text } => Message::new(STATUS),
            Self::Status { format: StatusFormat::Json } => Message::new(STATUS).with(FORMAT, JSON),
            Self::KillSession { session } => {
                Message::new(KILL_SESSION).with(SESSION, session.to_string().as_bytes())
            }
            Self::Notify(notification) => notification.to_message(),
        }
    }

    fn from_message(message: &Message) -> Option<Self> {
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
            NOTIFY => SubmittedNotification::from_message(message).map(Self::Notify),
            _ => None,
        }
    }

    /// The maximum length of an encoded request in octets. The digits of a notification take twice
    /// the length of its variables.
    pub const MAX_LEN: usize = 2 * SubmittedNotification::MAX_VARIABLES_LEN + 8 * 1024;
}

const RELOAD: &str = "reload";
const FILE: &str = "file";
const FORMAT: &str = "format";
const JSON: &[u8] = b"json";
const KILL_SESSION: &str = "kill-session";
const SESSION: &str = "session";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_is_unchanged_after_encoding_and_decoding() {
        for request in [
            Request::Reload { file: "/etc/portreeve/portreeved.toml".into() },
            Request::Status { format: StatusFormat::Text },
            Request::Status { format: StatusFormat::Json },
            Request::KillSession { session: u32::MAX },
            Request::Notify(SubmittedNotification { up_time: Some(42), ..Default::default() }),
        ] {
            assert_eq!(Request::decode(&request.encode()), Some(request));
        }
    }

    #[test]
    fn longest_notification_fits_into_a_request() {
        let notification = SubmittedNotification {
            context_name: vec![b'c'; 255],
            up_time: Some(u32::MAX),
            variables: vec![0xff; SubmittedNotification::MAX_VARIABLES_LEN],
        };
        assert!(Request::Notify(notification).encode().len() <= Request::MAX_LEN);
    }

    #[test]
    fn truncated_request_is_rejected() {
        let notification = SubmittedNotification { variables: vec![0x30, 0], ..Default::default() };
        let octets = Request::Notify(notification.clone()).encode();
        for length in 0..octets.len() {
            assert_eq!(Request::decode(&octets[..length]), None, "{length}");
        }
        assert_eq!(Request::decode(&octets), Some(Request::Notify(notification)));
    }

    #[test]
    fn unknown_request_is_not_interpreted() {
        for octets in
            [&b"stop\0"[..], b"status\0format=xml\0", b"reload\0", b"kill-session\0session=-1\0", b"notify\0"]
        {
            assert_eq!(Request::decode(octets), None, "{octets:?}");
        }
    }
}
