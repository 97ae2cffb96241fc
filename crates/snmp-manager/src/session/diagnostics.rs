//! Accessors for the explanation of failed requests.

use portreeve_secret::Secret;
use portreeve_smi::MessageProcessingModel;

use super::{Security, Session};
use crate::explain::{ClockHistory, Evidence, SessionIdentity};

impl Session {
    pub(crate) fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    pub(crate) fn version(&self) -> MessageProcessingModel {
        self.security.version()
    }

    pub(crate) fn identity(&self) -> SessionIdentity {
        match &self.security {
            Security::Community(community) => SessionIdentity::Community { version: community.version },
            Security::Usm(usm) => SessionIdentity::User {
                name: String::from_utf8_lossy(&usm.user.name).into_owned(),
                level: usm.level,
            },
            Security::Tsm(_) => SessionIdentity::Transport,
        }
    }

    /// Returns the context name of the requests as text.
    pub(crate) fn context_name(&self) -> String {
        match &self.security {
            Security::Community(_) => String::new(),
            Security::Usm(usm) => String::from_utf8_lossy(&usm.context_name).into_owned(),
            Security::Tsm(tsm) => String::from_utf8_lossy(&tsm.context_name).into_owned(),
        }
    }

    pub(crate) fn community(&self) -> Option<&Secret> {
        match &self.security {
            Security::Community(community) => Some(&community.community),
            Security::Usm(_) | Security::Tsm(_) => None,
        }
    }

    pub(crate) fn clock_history(&self) -> Option<&ClockHistory> {
        match &self.security {
            Security::Community(_) | Security::Tsm(_) => None,
            Security::Usm(usm) => Some(&usm.clock_history),
        }
    }

    pub(crate) fn is_engine_configured(&self) -> bool {
        matches!(&self.security, Security::Usm(usm) if usm.configured)
    }
}
