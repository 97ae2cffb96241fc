//! Errors of a received hello.

use std::fmt;

use portreeve_yang_text::xml::XmlError;

use super::MAX_HELLO;

/// A reason for closing a session instead of answering its hello.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelloError {
    /// The message is not well-formed XML.
    Xml(XmlError),
    /// The message is longer than [`MAX_HELLO`].
    TooLong,
    /// The message is not a `hello`.
    NotHello,
    /// A client sent a `session-id` (RFC 6241 §8.1).
    SessionId,
    /// No version of the protocol is supported by both peers (RFC 6241 §8.1).
    NoCommonVersion,
}

impl fmt::Display for HelloError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Xml(error) => write!(f, "malformed hello: {error}"),
            Self::TooLong => write!(f, "hello longer than {MAX_HELLO} octets"),
            Self::NotHello => f.write_str("the first message is not a hello"),
            Self::SessionId => f.write_str("the client's hello contains a session-id"),
            Self::NoCommonVersion => f.write_str("the client supports neither :base:1.0 nor :base:1.1"),
        }
    }
}

impl std::error::Error for HelloError {}

impl From<XmlError> for HelloError {
    fn from(error: XmlError) -> Self {
        Self::Xml(error)
    }
}
