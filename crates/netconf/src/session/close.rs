//! Reasons to close a session.

use std::fmt;

use portreeve_netconf_message::framing::FramingError;
use portreeve_netconf_message::hello::HelloError;

/// A reason to close a session at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseReason {
    /// The framing is violated.
    Framing(FramingError),
    /// The hello of the client is not acceptable.
    Hello(HelloError),
    /// A message is not well-formed, and its client does not know the error `malformed-message`.
    Malformed,
    /// The data of a reply could not be written to the end.
    Data,
    /// The session has ended already.
    Ended,
}

impl fmt::Display for CloseReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Framing(error) => write!(f, "invalid framing: {error}"),
            Self::Hello(error) => error.fmt(f),
            Self::Malformed => f.write_str("malformed message"),
            Self::Data => f.write_str("reply cannot be completed"),
            Self::Ended => f.write_str("session has ended"),
        }
    }
}

impl std::error::Error for CloseReason {}

//= rfc6242#4.2-p3
impl From<FramingError> for CloseReason {
    fn from(error: FramingError) -> Self {
        Self::Framing(error)
    }
}

impl From<HelloError> for CloseReason {
    fn from(error: HelloError) -> Self {
        Self::Hello(error)
    }
}
