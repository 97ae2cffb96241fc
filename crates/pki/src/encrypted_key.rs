//! X.509 private keys encrypted with a pass phrase: PKCS #8 with PBES2 (RFC 8018), which every TLS
//! tool reads.

use pkcs8::{
    EncryptedPrivateKeyInfoRef, PrivateKeyInfoRef, SecretDocument, der::pem::LineEnding, pkcs5::pbes2,
};
use portreeve_secret::Secret;

use crate::{PkiError, random};

/// Returns `true` if a PEM file contains an encrypted key.
pub fn is_encrypted(pem: &str) -> bool {
    pem.contains(&format!("-----BEGIN {ENCRYPTED_LABEL}-----"))
}

/// Encrypts a PEM key with a pass phrase.
///
/// # Errors
/// If it is not a PKCS #8 key.
pub fn encrypt_key(pem: &Secret, pass_phrase: &Secret) -> Result<Secret, PkiError> {
    let (_, document) = SecretDocument::from_pem(text(pem)?).map_err(|_| NOT_A_KEY)?;
    let key = PrivateKeyInfoRef::try_from(document.as_bytes()).map_err(|_| NOT_A_KEY)?;
    let parameters = pbes2::Parameters::generate_pbkdf2_sha256_aes256cbc(
        PBKDF2_ITERATIONS,
        &random::octets::<16>()?,
        random::octets()?,
    )
    .map_err(library_error)?;
    let encrypted = key.encrypt_with_params(parameters, pass_phrase.expose()).map_err(library_error)?;
    let pem = encrypted.to_pem(ENCRYPTED_LABEL, LineEnding::LF).map_err(library_error)?;
    Ok(Secret::from(pem.as_str()))
}

/// Decrypts a key with its pass phrase. A key that is not encrypted is returned unchanged.
///
/// # Errors
/// If the key is malformed, or the pass phrase is missing or wrong.
pub fn decrypt_key(pem: &Secret, pass_phrase: Option<&Secret>) -> Result<Secret, PkiError> {
    if !is_encrypted(text(pem)?) {
        return Ok(pem.duplicate());
    }
    let pass_phrase = pass_phrase.ok_or(PkiError::PassPhraseRequired)?;
    let (_, document) = SecretDocument::from_pem(text(pem)?).map_err(|_| NOT_A_KEY)?;
    let encrypted = EncryptedPrivateKeyInfoRef::try_from(document.as_bytes()).map_err(|_| NOT_A_KEY)?;
    let key = encrypted.decrypt(pass_phrase.expose()).map_err(|_| PkiError::WrongPassPhrase)?;
    let pem = key.to_pem("PRIVATE KEY", LineEnding::LF).map_err(library_error)?;
    Ok(Secret::from(pem.as_str()))
}

pub(crate) fn text(secret: &Secret) -> Result<&str, PkiError> {
    std::str::from_utf8(secret.expose()).map_err(|_| NOT_A_KEY)
}

fn library_error(error: impl std::fmt::Display) -> PkiError {
    PkiError::Other(error.to_string())
}

const NOT_A_KEY: PkiError = PkiError::WrongContent("a PEM private key");
const ENCRYPTED_LABEL: &str = "ENCRYPTED PRIVATE KEY";
/// The number of iterations of PBKDF2 with HMAC-SHA-256, which take some tenths of a second.
const PBKDF2_ITERATIONS: u32 = 600_000;
