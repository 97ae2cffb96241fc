//! One block of AES without a mode, for the mask of DTLS record numbers (RFC 9147 §4.2.3).

use aes::{Aes128Enc, Aes256Enc};
use cbc::cipher::{BlockCipherEncrypt, KeyInit};

use crate::KeyLengthError;

/// Encrypts `block` with AES-128 or AES-256, depending on the length of `key`.
///
/// The key is expanded on the stack for this one block and wiped afterwards.
///
/// # Errors
/// [`KeyLengthError`] if `key` has any other length. Its field `expected` is the key length of
/// AES-128.
#[inline]
pub fn aes_block(key: &[u8], block: [u8; AES_BLOCK_LEN]) -> Result<[u8; AES_BLOCK_LEN], KeyLengthError> {
    let wrong = KeyLengthError { expected: AES_128_KEY_LEN, found: key.len() };
    let mut block = block.into();
    match key.len() {
        AES_128_KEY_LEN => Aes128Enc::new_from_slice(key).map_err(|_| wrong)?.encrypt_block(&mut block),
        _ => Aes256Enc::new_from_slice(key).map_err(|_| wrong)?.encrypt_block(&mut block),
    }
    Ok(block.into())
}

/// The length of a block in octets.
const AES_BLOCK_LEN: usize = 16;
const AES_128_KEY_LEN: usize = 16;

#[cfg(test)]
mod tests {
    use super::aes_block;
    use crate::hex::hex;

    #[test]
    fn aes_block_matches_fips_197() {
        let plain: [u8; 16] = hex("00112233445566778899aabbccddeeff").try_into().unwrap();
        let key = hex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
        for (key, expected) in
            [(&key[..16], "69c4e0d86a7b0430d8cdb78070b4c55a"), (&key[..], "8ea2b7ca516745bfeafc49904b496089")]
        {
            assert_eq!(aes_block(key, plain).unwrap().to_vec(), hex(expected));
        }
    }

    #[test]
    fn aes_block_rejects_wrong_key_length() {
        for length in [0, 15, 17, 24, 33] {
            assert_eq!(aes_block(&vec![0; length], [0; 16]).unwrap_err().found, length);
        }
    }
}
