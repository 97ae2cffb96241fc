//! Which algorithms are spoken: nothing that an auditor would warn of.

use std::borrow::Cow;

use russh::{
    Preferred, compression, kex,
    keys::{Algorithm, EcdsaCurve, HashAlg},
    mac,
};

use crate::ciphers;

/// Those we take, the best first.
pub(crate) fn preferred() -> Preferred {
    Preferred {
        kex: Cow::Borrowed(&[
            kex::MLKEM768X25519_SHA256,
            kex::CURVE25519,
            kex::CURVE25519_PRE_RFC_8731,
            kex::EXTENSION_SUPPORT_AS_CLIENT,
            kex::EXTENSION_SUPPORT_AS_SERVER,
            kex::EXTENSION_OPENSSH_STRICT_KEX_AS_CLIENT,
            kex::EXTENSION_OPENSSH_STRICT_KEX_AS_SERVER,
        ]),
        // RSA is for users' keys; there are no such host keys to be chosen.
        key: Cow::Borrowed(&[
            Algorithm::Ed25519,
            Algorithm::Ecdsa { curve: EcdsaCurve::NistP256 },
            Algorithm::Ecdsa { curve: EcdsaCurve::NistP384 },
            Algorithm::Ecdsa { curve: EcdsaCurve::NistP521 },
            Algorithm::SkEd25519,
            Algorithm::SkEcdsaSha2NistP256,
            Algorithm::Rsa { hash: Some(HashAlg::Sha512) },
            Algorithm::Rsa { hash: Some(HashAlg::Sha256) },
        ]),
        host_key_certificates: Cow::Borrowed(&[]),
        cipher: Cow::Borrowed(ciphers::preferred()),
        // The ciphers authenticate by themselves; the list may not be empty.
        mac: Cow::Borrowed(&[mac::HMAC_SHA512_ETM, mac::HMAC_SHA256_ETM]),
        compression: Cow::Borrowed(&[compression::NONE]),
    }
}
