//! Encrypting and decrypting scopedPDUs in place with a prepared key (RFC 3414 §8, RFC 3826 §3).
//!
//! Every message has its own initialization vector, computed from the salt in the message. The
//! caller must never use a salt twice with the same key and engineBoots; a counter is sufficient.

use std::error::Error;
use std::fmt;

use aes::{Aes128Enc, Aes192Enc, Aes256Enc};
use cbc::cipher::consts::{U8, U16};
use cbc::cipher::inout::InOutBuf;
use cbc::cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, BlockSizeUser, InnerIvInit,
    KeyInit,
};
use des::{Des, TdesEde3};
use zeroize::Zeroizing;

use crate::KeyLengthError;
use crate::PrivProtocol;
use crate::priv_protocol::CBC_BLOCK_LEN;

/// A localized privacy key, ready for use.
pub struct PrivKey {
    protocol: PrivProtocol,
    schedule: Schedule,
}

impl PrivKey {
    /// Prepares `key`, the localized and extended key.
    ///
    /// # Errors
    /// [`KeyLengthError`] unless `key` has `protocol.key_len()` octets.
    pub fn new(protocol: PrivProtocol, key: &[u8]) -> Result<Self, KeyLengthError> {
        let schedule = Schedule::new(protocol, key)
            .ok_or(KeyLengthError { expected: protocol.key_len(), found: key.len() })?;
        Ok(Self { protocol, schedule })
    }

    /// Returns the protocol of the key.
    pub fn protocol(&self) -> PrivProtocol {
        self.protocol
    }

    /// Encrypts `buf` and returns the salt, which the message carries as msgPrivacyParameters.
    ///
    /// `boots` and `time` are the clock values of the authoritative engine in the message. AES uses
    /// all of `salt`. DES and 3DES use its lower half and need `buf` padded to
    /// [`PrivProtocol::padded_len`].
    ///
    /// # Errors
    /// [`PaddingError`] for DES and 3DES if `buf` is not padded.
    #[inline]
    pub fn encrypt_in_place(
        &self,
        boots: u32,
        time: u32,
        salt: u64,
        buf: &mut [u8],
    ) -> Result<Salt, PaddingError> {
        let cbc_salt = pair(boots, salt as u32);
        match &self.schedule {
            Schedule::Des { cipher, pre_iv } => cbc_encrypt(cipher, pre_iv, cbc_salt, buf),
            Schedule::TripleDes { cipher, pre_iv } => cbc_encrypt(cipher, pre_iv, cbc_salt, buf),
            Schedule::Aes128(cipher) => Ok(cfb_encrypt(cipher, pair(boots, time), salt, buf)),
            Schedule::Aes192(cipher) => Ok(cfb_encrypt(cipher, pair(boots, time), salt, buf)),
            Schedule::Aes256(cipher) => Ok(cfb_encrypt(cipher, pair(boots, time), salt, buf)),
        }
    }

    /// Decrypts `buf`. `salt` is msgPrivacyParameters of the message; `boots` and `time` are the
    /// clock values of the authoritative engine in the message. With a wrong key, decryption
    /// succeeds and yields random octets.
    ///
    /// # Errors
    /// [`CiphertextError`] if `salt` is not eight octets long or, for DES and 3DES, if `buf` does
    /// not consist of whole blocks. `buf` is then unchanged.
    #[inline]
    pub fn decrypt_in_place(
        &self,
        boots: u32,
        time: u32,
        salt: &[u8],
        buf: &mut [u8],
    ) -> Result<(), CiphertextError> {
        let salt = Salt::try_from(salt).map_err(|_| CiphertextError)?;
        match &self.schedule {
            Schedule::Des { cipher, pre_iv } => cbc_decrypt(cipher, pre_iv, salt, buf)?,
            Schedule::TripleDes { cipher, pre_iv } => cbc_decrypt(cipher, pre_iv, salt, buf)?,
            Schedule::Aes128(cipher) => cfb_decrypt(cipher, pair(boots, time), salt, buf),
            Schedule::Aes192(cipher) => cfb_decrypt(cipher, pair(boots, time), salt, buf),
            Schedule::Aes256(cipher) => cfb_decrypt(cipher, pair(boots, time), salt, buf),
        }
        Ok(())
    }
}

/// The caller did not pad the plaintext to the blocks of the protocol.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PaddingError;

impl fmt::Display for PaddingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("plaintext is not padded to whole blocks")
    }
}

impl Error for PaddingError {}

/// The peer sent a salt or ciphertext of a length that the protocol does not produce.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct CiphertextError;

impl fmt::Display for CiphertextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("salt or ciphertext of invalid length")
    }
}

impl Error for CiphertextError {}

enum Schedule {
    Des { cipher: Des, pre_iv: PreIv },
    TripleDes { cipher: TdesEde3, pre_iv: PreIv },
    // Only the encryption direction of AES is prepared, because CFB mode also uses it for
    // decryption.
    Aes128(Aes128Enc),
    Aes192(Aes192Enc),
    Aes256(Aes256Enc),
}

impl Schedule {
    /// Returns `None` if `key` does not have the length that the protocol requires.
    fn new(protocol: PrivProtocol, key: &[u8]) -> Option<Self> {
        Some(match protocol {
            PrivProtocol::Des => {
                let (cipher, pre_iv) = with_pre_iv(key)?;
                Self::Des { cipher, pre_iv }
            }
            PrivProtocol::TripleDes => {
                let (cipher, pre_iv) = with_pre_iv(key)?;
                Self::TripleDes { cipher, pre_iv }
            }
            PrivProtocol::Aes128 => Self::Aes128(Aes128Enc::new_from_slice(key).ok()?),
            PrivProtocol::Aes192 | PrivProtocol::Aes192Reeder => {
                Self::Aes192(Aes192Enc::new_from_slice(key).ok()?)
            }
            PrivProtocol::Aes256 | PrivProtocol::Aes256Reeder => {
                Self::Aes256(Aes256Enc::new_from_slice(key).ok()?)
            }
        })
    }
}

type Salt = [u8; PrivProtocol::SALT_LEN];
type PreIv = Zeroizing<[u8; CBC_BLOCK_LEN]>;

/// Splits a key of DES or 3DES into the key of the cipher and the pre-IV after it.
fn with_pre_iv<C: KeyInit>(key: &[u8]) -> Option<(C, PreIv)> {
    let (cipher, pre_iv) = key.split_last_chunk()?;
    Some((C::new_from_slice(cipher).ok()?, Zeroizing::new(*pre_iv)))
}

fn cbc_encrypt<C>(cipher: &C, pre_iv: &PreIv, salt: Salt, buf: &mut [u8]) -> Result<Salt, PaddingError>
where
    C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U8>,
{
    let (blocks, rest) = InOutBuf::from(buf).into_chunks();
    if !rest.is_empty() {
        return Err(PaddingError);
    }
    let iv = xor(**pre_iv, salt);
    cbc::Encryptor::inner_iv_init(cipher, &iv.into()).encrypt_blocks_inout(blocks);
    Ok(salt)
}

fn cbc_decrypt<C>(cipher: &C, pre_iv: &PreIv, salt: Salt, buf: &mut [u8]) -> Result<(), CiphertextError>
where
    C: BlockCipherDecrypt + BlockSizeUser<BlockSize = U8>,
{
    let (blocks, rest) = InOutBuf::from(buf).into_chunks();
    if !rest.is_empty() {
        return Err(CiphertextError);
    }
    let iv = xor(**pre_iv, salt);
    cbc::Decryptor::inner_iv_init(cipher, &iv.into()).decrypt_blocks_inout(blocks);
    Ok(())
}

fn cfb_encrypt<C>(cipher: &C, clock: [u8; 8], salt: u64, buf: &mut [u8]) -> Salt
where
    C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16>,
{
    let salt = salt.to_be_bytes();
    cfb_mode::Encryptor::inner_iv_init(cipher, &concat(clock, salt).into()).encrypt(buf);
    salt
}

fn cfb_decrypt<C>(cipher: &C, clock: [u8; 8], salt: Salt, buf: &mut [u8])
where
    C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16>,
{
    cfb_mode::Decryptor::inner_iv_init(cipher, &concat(clock, salt).into()).decrypt(buf);
}

/// Concatenates `high` and `low` in network byte order.
fn pair(high: u32, low: u32) -> [u8; 8] {
    (u64::from(high) << 32 | u64::from(low)).to_be_bytes()
}

fn concat(high: [u8; 8], low: [u8; 8]) -> [u8; 16] {
    (u128::from(u64::from_be_bytes(high)) << 64 | u128::from(u64::from_be_bytes(low))).to_be_bytes()
}

fn xor(a: [u8; 8], b: [u8; 8]) -> [u8; 8] {
    (u64::from_ne_bytes(a) ^ u64::from_ne_bytes(b)).to_ne_bytes()
}

#[cfg(test)]
mod tests;
