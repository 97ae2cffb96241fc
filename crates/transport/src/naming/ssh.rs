//! The Secure Shell Transport Model's naming (RFC 5592 §5.1): the user's name, exactly as it was authenticated.

use std::sync::Arc;

use portreeve_channel::SshIdentity;

use super::valid_security_name;

/// The securityName of an SSH user; `None` for a name that access control cannot have.
//= rfc5592#5.1-2
#[must_use]
pub fn ssh_security_name(identity: &SshIdentity) -> Option<Arc<[u8]>> {
    valid_security_name(&identity.user)
}

#[cfg(test)]
mod tests;
