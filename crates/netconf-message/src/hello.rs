//! Hellos: the first message of each peer, with its capabilities (RFC 6241 §8.1).

mod capability;
mod error;
mod reader;
mod write;

#[cfg(test)]
mod tests;

pub use capability::{Capability, ModuleCapability};
pub use error::HelloError;
pub use reader::{ClientHello, HelloReader, MAX_CAPABILITIES, MAX_CAPABILITY, MAX_HELLO};
pub use write::write_hello;

use crate::framing::Framing;

/// A version of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// `:base:1.0` (RFC 4741).
    V1_0,
    /// `:base:1.1` (RFC 6241).
    V1_1,
}

impl Version {
    /// Returns the capability that announces this version.
    #[must_use]
    pub fn capability(self) -> &'static str {
        match self {
            Self::V1_0 => "urn:ietf:params:netconf:base:1.0",
            Self::V1_1 => "urn:ietf:params:netconf:base:1.1",
        }
    }

    /// Returns the framing of the messages after the hellos (RFC 6242 §4.1).
    #[must_use]
    pub fn framing(self) -> Framing {
        match self {
            //= rfc6242#4.1-p2
            Self::V1_0 => Framing::EndOfMessage,
            Self::V1_1 => Framing::Chunked,
        }
    }
}
