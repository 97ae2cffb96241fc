//! Computes the hash of an authentication protocol over octets that are passed in parts.

use md5::Md5;
use md5::digest::Digest;
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512};
use zeroize::Zeroize;

use crate::AuthProtocol;
use crate::key_octets::KeyOctets;

/// Hashes the concatenation of `parts`; the result has `protocol.key_len()` octets.
pub(crate) fn hash<'a>(protocol: AuthProtocol, parts: impl IntoIterator<Item = &'a [u8]>) -> KeyOctets {
    match protocol {
        AuthProtocol::HmacMd5_96 => digest::<Md5>(parts),
        AuthProtocol::HmacSha96 => digest::<Sha1>(parts),
        AuthProtocol::HmacSha224_128 => digest::<Sha224>(parts),
        AuthProtocol::HmacSha256_192 => digest::<Sha256>(parts),
        AuthProtocol::HmacSha384_256 => digest::<Sha384>(parts),
        AuthProtocol::HmacSha512_384 => digest::<Sha512>(parts),
    }
}

fn digest<'a, D: Digest>(parts: impl IntoIterator<Item = &'a [u8]>) -> KeyOctets {
    let mut state = D::new();
    for part in parts {
        state.update(part);
    }
    let mut output = state.finalize();
    let octets = KeyOctets::new(&output);
    output.as_mut_slice().zeroize();
    octets
}
