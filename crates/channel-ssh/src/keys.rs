//! What files say of keys, and the keys themselves. For both ends.

mod addresses;
mod authorized;
mod expiry;
mod file;
mod options;
mod principals;
mod revoked;

pub use addresses::{AddressList, BadAddress};
pub use authorized::{AuthorizedKey, AuthorizedKeys, RefusedLine};
pub use file::{FileProblem, require_private};
pub(crate) use file::{OPEN_KEY, read_text};
pub use options::{KeyOptions, OptionProblem};
pub use principals::Principal;
pub use revoked::{BadRevocation, RevokedKeys};
/// A certificate of OpenSSH's kind.
pub use russh::keys::Certificate;
/// A public key without its comment.
pub use russh::keys::ssh_key::public::KeyData;

use portreeve_channel::{Fingerprint, HashAlgorithm};
use russh::keys::HashAlg;

/// What kind of key it is, and how long an RSA key is, in bits.
pub fn kind(key: &KeyData) -> (String, Option<u32>) {
    let bits = match key {
        KeyData::Rsa(key) => Some(key.key_size()),
        _ => None,
    };
    (key.algorithm().as_str().to_owned(), bits)
}

/// The SHA-256 that a key is known by.
pub fn fingerprint(key: &KeyData) -> Fingerprint {
    Fingerprint::of_hash(HashAlgorithm::Sha256, key.fingerprint(HashAlg::Sha256).as_bytes())
}
