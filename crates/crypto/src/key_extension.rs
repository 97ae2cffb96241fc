//! What to do when a cipher's key is longer than the hash that makes it.
//!
//! Two drafts answered differently and both are in use. Blumenthal (draft-blumenthal-aes-usm-04 §3.1.2.1) appends the
//! hash of what there is. Reeder (draft-reeder-snmpv3-usm-3desede-00 §2.1) treats what there is as a pass phrase,
//! derives and localizes a key from it, and appends that. Net-SNMP calls the second `-C`, after Cisco.

use crate::AuthProtocol;
use crate::LocalizedKey;
use crate::MasterKey;
use crate::PrivProtocol;
use crate::hash::hash;
use crate::key_octets::KeyOctets;
use crate::password::stretch;

impl MasterKey {
    /// Binds the key to the engine `engine_id` and gives it the length that `privacy` wants: the user's privacy key
    /// there. A key that is too long is cut, one that is too short is extended the way `privacy` is defined with.
    pub fn localize_for(&self, privacy: PrivProtocol, engine_id: &[u8]) -> LocalizedKey {
        extend(self.protocol(), &self.localize(engine_id), privacy, engine_id)
    }
}

/// Gives `localized`, made by `protocol` for `engine_id`, the length that `privacy` wants.
fn extend(
    protocol: AuthProtocol,
    localized: &LocalizedKey,
    privacy: PrivProtocol,
    engine_id: &[u8],
) -> LocalizedKey {
    let wanted = privacy.key_len();
    let mut key = KeyOctets::new(&[]);
    key.append(localized.expose(), wanted);
    while key.as_slice().len() < wanted {
        let more = match Extension::of(privacy) {
            Extension::Blumenthal => hash(protocol, [key.as_slice()]),
            Extension::Reeder => {
                let master = MasterKey::new(protocol, stretch(protocol, key.as_slice()));
                master.localize(engine_id).0
            }
        };
        key.append(more.as_slice(), wanted);
    }
    LocalizedKey(key)
}

enum Extension {
    Blumenthal,
    Reeder,
}

impl Extension {
    fn of(privacy: PrivProtocol) -> Self {
        match privacy {
            // The keys of DES and AES-128 are no longer than the shortest hash: nothing is ever extended.
            PrivProtocol::Des | PrivProtocol::Aes128 | PrivProtocol::Aes192 | PrivProtocol::Aes256 => {
                Self::Blumenthal
            }
            PrivProtocol::TripleDes | PrivProtocol::Aes192Reeder | PrivProtocol::Aes256Reeder => Self::Reeder,
        }
    }
}

#[cfg(test)]
mod tests;
