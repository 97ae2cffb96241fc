//! SSH keys and the files that list them. Used by client and server.

mod addresses;
mod authorized;
mod expiry;
mod file;
mod options;
mod principals;
mod revoked;
mod strength;

pub use addresses::{AddressList, AddressListError};
pub use authorized::{AuthorizedKey, AuthorizedKeys, RejectedLine};
pub use file::{KeyFileError, require_private};
pub(crate) use file::{READABLE_BY_OTHERS, read_text};
pub use options::{KeyOptionError, KeyOptions};
pub use principals::Principal;
pub use revoked::{RevocationListError, RevokedKeys};
/// An OpenSSH certificate.
pub use russh::keys::Certificate;
/// A public key without its comment.
pub use russh::keys::ssh_key::public::KeyData;
pub(crate) use strength::{is_certified_strongly, is_short_rsa};

use portreeve_channel::{Fingerprint, HashAlgorithm};
use russh::keys::HashAlg;

/// Returns the key type, and the length in bits of an RSA key.
pub fn algorithm_and_bits(key: &KeyData) -> (String, Option<u32>) {
    let bits = match key {
        KeyData::Rsa(key) => Some(key.key_size()),
        _ => None,
    };
    (key.algorithm().as_str().to_owned(), bits)
}

/// Returns the SHA-256 fingerprint of a key.
pub fn fingerprint(key: &KeyData) -> Fingerprint {
    Fingerprint::from_hash(HashAlgorithm::Sha256, key.fingerprint(HashAlg::Sha256).as_bytes())
}
