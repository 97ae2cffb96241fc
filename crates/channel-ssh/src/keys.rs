//! What files say of keys, and the keys themselves. For both ends.

mod addresses;
mod authorized;
mod expiry;
mod file;
mod options;
mod principals;
mod revoked;

pub use addresses::{AddressList, AddressListError};
pub use authorized::{AuthorizedKey, AuthorizedKeys, RejectedLine};
pub use file::{KeyFileError, require_private};
pub(crate) use file::{READABLE_BY_OTHERS, read_text};
pub use options::{KeyOptionError, KeyOptions};
pub use principals::Principal;
pub use revoked::{RevocationListError, RevokedKeys};
/// A certificate of OpenSSH's kind.
pub use russh::keys::Certificate;
/// A public key without its comment.
pub use russh::keys::ssh_key::public::KeyData;

use portreeve_channel::{Fingerprint, HashAlgorithm};
use russh::keys::HashAlg;

/// What kind of key it is, and how long an RSA key is, in bits.
pub fn algorithm_and_bits(key: &KeyData) -> (String, Option<u32>) {
    let bits = match key {
        KeyData::Rsa(key) => Some(key.key_size()),
        _ => None,
    };
    (key.algorithm().as_str().to_owned(), bits)
}

/// The SHA-256 that a key is known by.
pub fn fingerprint(key: &KeyData) -> Fingerprint {
    Fingerprint::from_hash(HashAlgorithm::Sha256, key.fingerprint(HashAlg::Sha256).as_bytes())
}
