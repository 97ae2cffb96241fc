//! Maps the identity that a channel has authenticated to the securityName used for access control.
//!
//! The result depends only on the identity and the active rows. A peer's certificate can only
//! select a name that a configured row allows.

mod certificate;
mod ssh;

use std::sync::Arc;

use portreeve_channel::PeerIdentity;
use portreeve_datastore::StateHandle;
use portreeve_smi::{TransportDomain, controls_display};

use crate::security::SecurityNameMapping;

pub use certificate::certificate_security_name;
pub use ssh::ssh_security_name;

/// The mapping of the transport models. It uses the rows that the datastore contains when a session
/// starts or its identity is checked again.
pub struct LcdSecurityNames {
    state: StateHandle,
}

impl LcdSecurityNames {
    /// Creates a mapping that uses the current rows of `state`.
    #[must_use]
    pub fn new(state: StateHandle) -> Self {
        Self { state }
    }
}

impl SecurityNameMapping for LcdSecurityNames {
    fn security_name(&self, _: TransportDomain, peer: &PeerIdentity) -> Option<Arc<[u8]>> {
        match peer {
            PeerIdentity::Ssh(identity) => ssh_security_name(identity),
            PeerIdentity::Certificate(identity) => {
                let current = self.state.current();
                let rows = current.lcd.tables().certificate_rules();
                certificate_security_name(rows.map(|row| &row.columns), identity)
            }
        }
    }
}

/// Returns the name as a securityName if it is 1 to 32 octets long and contains no characters that
/// control the display, so that it can be used for access control and logged.
fn valid_security_name(name: &str) -> Option<Arc<[u8]>> {
    let fits = (1..=MAX_SECURITY_NAME_LEN).contains(&name.len());
    (fits && !name.chars().any(controls_display)).then(|| name.as_bytes().into())
}

/// The maximum length of a securityName in vacmSecurityToGroupTable, in octets.
const MAX_SECURITY_NAME_LEN: usize = 32;
