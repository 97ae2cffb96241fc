//! The USM protocols that the command line does not name.
//!
//! The defaults are those of Net-SNMP, MD5 and DES, because scripts depend on them. New users have
//! stronger protocols, so an error of authentication or encryption says what was assumed.

use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_smi::SecurityLevel;
use portreeve_snmp_manager::Cause;

use crate::flags::{Settings, Version};

/// The protocols that a command uses although the user has not named them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AssumedProtocols {
    authentication: bool,
    privacy: bool,
}

impl AssumedProtocols {
    /// Finds out which protocols the settings use but do not name.
    pub(crate) fn of(settings: &Settings) -> Self {
        let needs = |level| settings.version == Version::V3 && settings.level >= level;
        Self {
            authentication: needs(SecurityLevel::AuthNoPriv) && settings.auth_protocol.is_none(),
            privacy: needs(SecurityLevel::AuthPriv) && settings.priv_protocol.is_none(),
        }
    }

    /// Returns the hint for a failed request, without the word `hint`. Returns `None` if the cause
    /// is not an assumed protocol.
    pub fn hint(self, cause: &Cause) -> Option<String> {
        let Self { authentication, privacy } = self;
        match cause {
            Cause::WrongAuthentication { .. } if authentication && privacy => Some(format!(
                "-a and -x were not given: {DEFAULT_AUTH} and {DEFAULT_PRIV} were assumed; \
                 try -a {NEW_AUTH} -x {NEW_PRIV}"
            )),
            Cause::WrongAuthentication { .. } if authentication => {
                Some(format!("-a was not given: {DEFAULT_AUTH} was assumed; try -a {NEW_AUTH}"))
            }
            Cause::WrongPrivacy { .. } | Cause::NoReplyToEncrypted { .. } if privacy => {
                Some(format!("-x was not given: {DEFAULT_PRIV} was assumed; try -x {NEW_PRIV}"))
            }
            _ => None,
        }
    }
}

/// The authentication protocol, unless `-a` or `defAuthType` is given.
pub(crate) const DEFAULT_AUTH: AuthProtocol = AuthProtocol::HmacMd5_96;
/// The privacy protocol, unless `-x` or `defPrivType` is given.
pub(crate) const DEFAULT_PRIV: PrivProtocol = PrivProtocol::Des;
/// The protocols that `portreeved init` configures.
const NEW_AUTH: AuthProtocol = AuthProtocol::HmacSha256_192;
const NEW_PRIV: PrivProtocol = PrivProtocol::Aes128;

#[cfg(test)]
mod tests;
