//! The library's cipher suites with a faster mask for record numbers (RFC 9147 §4.2.3).
//!
//! The mask takes one AES block for each record. The library expands the key for both directions
//! and wipes it octet by octet each time, which costs more than encrypting the record.

use std::sync::LazyLock;

use dimpl::CryptoError;
use dimpl::crypto::{
    Cipher, CryptoProvider, Dtls13CipherSuite, HashAlgorithm, SupportedDtls13CipherSuite, aws_lc_rs,
};
use portreeve_crypto::aes_block;

/// Returns the crypto provider of all channels.
pub(super) fn provider() -> CryptoProvider {
    CryptoProvider { dtls13_cipher_suites: &SUITES, ..aws_lc_rs::default_provider() }
}

/// A suite of the library whose mask key is an AES key.
#[derive(Debug)]
struct FastMaskSuite(&'static dyn SupportedDtls13CipherSuite);

impl SupportedDtls13CipherSuite for FastMaskSuite {
    fn suite(&self) -> Dtls13CipherSuite {
        self.0.suite()
    }

    fn hash_algorithm(&self) -> HashAlgorithm {
        self.0.hash_algorithm()
    }

    fn key_len(&self) -> usize {
        self.0.key_len()
    }

    fn iv_len(&self) -> usize {
        self.0.iv_len()
    }

    fn tag_len(&self) -> usize {
        self.0.tag_len()
    }

    fn min_protected_fragment_len(&self) -> usize {
        self.0.min_protected_fragment_len()
    }

    fn create_cipher(&self, key: &[u8]) -> Result<Box<dyn Cipher>, CryptoError> {
        self.0.create_cipher(key)
    }

    fn encrypt_sn(&self, key: &[u8], sample: &[u8; 16]) -> [u8; 16] {
        aes_block(key, *sample).unwrap_or_else(|_| self.0.encrypt_sn(key, sample))
    }
}

/// The library's suites in its order of preference.
static SUITES: LazyLock<Vec<&'static dyn SupportedDtls13CipherSuite>> = LazyLock::new(|| {
    let with_fast_mask = |&suite: &&'static dyn SupportedDtls13CipherSuite| {
        let fast = FAST_MASK_SUITES.iter().find(|fast| fast.suite() == suite.suite());
        fast.map_or(suite, |fast| fast as _)
    };
    aws_lc_rs::default_provider().dtls13_cipher_suites.iter().map(with_fast_mask).collect()
});

static FAST_MASK_SUITES: LazyLock<Vec<FastMaskSuite>> = LazyLock::new(|| {
    let suites = aws_lc_rs::default_provider().dtls13_cipher_suites.iter().copied();
    suites.filter(|suite| AES.contains(&suite.suite())).map(FastMaskSuite).collect()
});

const AES: [Dtls13CipherSuite; 2] =
    [Dtls13CipherSuite::AES_128_GCM_SHA256, Dtls13CipherSuite::AES_256_GCM_SHA384];

#[cfg(test)]
mod tests {
    use dimpl::crypto::aws_lc_rs;

    use super::provider;

    #[test]
    fn cipher_suites_and_record_number_masks_match_aws_lc_rs() {
        let (ours, library) = (provider(), aws_lc_rs::default_provider());
        assert_eq!(ours.dtls13_cipher_suites.len(), library.dtls13_cipher_suites.len());
        for (ours, library) in ours.dtls13_cipher_suites.iter().zip(library.dtls13_cipher_suites) {
            assert_eq!(ours.suite(), library.suite());
            assert_eq!((ours.key_len(), ours.iv_len()), (library.key_len(), library.iv_len()));
            let key: Vec<u8> = (1..=ours.key_len() as u8).collect();
            for sample in [[0; 16], [0xa5; 16], *b"sixteen octets.."] {
                assert_eq!(ours.encrypt_sn(&key, &sample), library.encrypt_sn(&key, &sample));
            }
        }
    }
}
