//! The name mapping of the Secure Shell Transport Model (RFC 5592 §5.1): the user name, exactly as
//! authenticated.

use std::sync::Arc;

use portreeve_channel::SshIdentity;

use super::valid_security_name;

/// Returns the securityName of an SSH user; `None` if the user name is not a valid securityName.
//= rfc5592#5.1-2
#[must_use]
pub fn ssh_security_name(identity: &SshIdentity) -> Option<Arc<[u8]>> {
    valid_security_name(&identity.user)
}

#[cfg(test)]
mod tests;
