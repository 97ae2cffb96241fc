//! Extension of keys for ciphers whose key is longer than the output of the hash.
//!
//! Two drafts define different extensions, and both are in use. Blumenthal
//! (draft-blumenthal-aes-usm-04 §3.1.2.1) appends the hash of the existing octets. Reeder
//! (draft-reeder-snmpv3-usm-3desede-00 §2.1) uses the existing octets as a pass phrase, derives and
//! localizes a key from it, and appends that key. In Net-SNMP, the names of protocols with Reeder's
//! extension end with `-C`, for Cisco.

use crate::AuthProtocol;
use crate::LocalizedKey;
use crate::MasterKey;
use crate::PrivProtocol;
use crate::hash::hash;
use crate::key_octets::KeyOctets;
use crate::password::stretch;

impl MasterKey {
    /// Localizes the key to the engine `engine_id` and adjusts its length to the length that
    /// `privacy` requires. The result is the user's privacy key on that engine. A longer key is
    /// truncated; a shorter key is extended as defined for `privacy`.
    pub fn localize_for(&self, privacy: PrivProtocol, engine_id: &[u8]) -> LocalizedKey {
        extend(self.protocol(), &self.localize(engine_id), privacy, engine_id)
    }
}

/// Adjusts `localized`, a key of `protocol` for the engine `engine_id`, to the length that
/// `privacy` requires.
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
            // DES and AES-128 need no extension: their keys are not longer than the shortest hash.
            PrivProtocol::Des | PrivProtocol::Aes128 | PrivProtocol::Aes192 | PrivProtocol::Aes256 => {
                Self::Blumenthal
            }
            PrivProtocol::TripleDes | PrivProtocol::Aes192Reeder | PrivProtocol::Aes256Reeder => Self::Reeder,
        }
    }
}

#[cfg(test)]
mod tests;
