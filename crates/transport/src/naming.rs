//! From the identity that a channel has proven to the securityName that access control judges.
//!
//! Pure functions of the identity and the rows in force; what a peer puts into its certificate decides nothing but the
//! name that a row of ours lets it have.

mod certificate;
mod ssh;

use std::sync::Arc;

use portreeve_channel::PeerIdentity;
use portreeve_lcd::LcdHandle;
use portreeve_smi::TransportDomain;

use crate::security::SecurityNameMapping;

pub use certificate::certificate_security_name;
pub use ssh::ssh_security_name;

/// The transport models' naming by the rows of a datastore, as they are when a session begins.
pub struct LcdSecurityNames {
    lcd: LcdHandle,
}

impl LcdSecurityNames {
    /// Names by the rows that `lcd` shares.
    #[must_use]
    pub fn new(lcd: LcdHandle) -> Self {
        Self { lcd }
    }
}

impl SecurityNameMapping for LcdSecurityNames {
    fn security_name(&self, _: TransportDomain, peer: &PeerIdentity) -> Option<Arc<[u8]>> {
        match peer {
            PeerIdentity::Ssh(identity) => ssh_security_name(identity),
            PeerIdentity::Certificate(identity) => {
                let snapshot = self.lcd.snapshot();
                let rows = snapshot.lcd.tables().cert_to_names.active();
                certificate_security_name(rows.map(|row| &row.columns), identity)
            }
        }
    }
}

/// A name that access control can judge and a log can show: 1 to 32 octets of text without control characters.
fn valid_security_name(name: &str) -> Option<Arc<[u8]>> {
    let fits = (1..=MAX_SECURITY_NAME_LEN).contains(&name.len());
    (fits && !name.chars().any(char::is_control)).then(|| name.as_bytes().into())
}

/// The longest securityName that vacmSecurityToGroupTable can hold, in octets.
const MAX_SECURITY_NAME_LEN: usize = 32;
