//! Who asks, as far as a sentence may say it: a community is a secret, a user's name is not.

use std::fmt;

use portreeve_smi::{MessageProcessingModel, SecurityLevel};

/// As whom a session asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionIdentity {
    /// With a community.
    Community {
        /// SNMPv1 or SNMPv2c.
        version: MessageProcessingModel,
    },
    /// As a user.
    User {
        /// usmUserName, as text.
        name: String,
        /// How the messages are protected.
        level: SecurityLevel,
    },
    /// As whom the secure session has proven this side to be.
    Transport,
}

impl SessionIdentity {
    /// The user's name, empty for a community.
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
            Self::Transport => f.write_str("the name that this session's identity has at the agent"),
        }
    }
}
