//! The identity of a session, as explanations show it: user names are included, communities are
//! not.

use std::fmt;

use portreeve_smi::{MessageProcessingModel, SecurityLevel};

/// The identity with which a session sends requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionIdentity {
    /// The requests contain a community.
    Community {
        /// The version of the messages: SNMPv1 or SNMPv2c.
        version: MessageProcessingModel,
    },
    /// The requests are sent for a USM user.
    User {
        /// The user's name as text.
        name: String,
        /// The security level of the messages.
        level: SecurityLevel,
    },
    /// The identity that the secure session has authenticated.
    Transport,
}

impl SessionIdentity {
    /// Returns the text that follows the word `user` in an explanation: the name of a USM user, or
    /// `of this session` for a secure session. Empty for a community.
    pub(super) fn name(self) -> String {
        match self {
            Self::Community { .. } => String::new(),
            Self::User { name, .. } => name,
            Self::Transport => "of this session".to_owned(),
        }
    }

    pub(super) fn level(&self) -> SecurityLevel {
        match self {
            Self::Community { .. } => SecurityLevel::NoAuthNoPriv,
            Self::User { level, .. } => *level,
            Self::Transport => SecurityLevel::AuthPriv,
        }
    }
}

impl fmt::Display for SessionIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Community { .. } => f.write_str("this community"),
            Self::User { name, level } => write!(f, "{name} at {level}"),
            Self::Transport => f.write_str("the securityName of this session"),
        }
    }
}
