//! Private keys of X.509 under a pass phrase: PKCS #8 with PBES2 (RFC 8018), which every TLS tool reads.

use pkcs8::{
    EncryptedPrivateKeyInfoRef, PrivateKeyInfoRef, SecretDocument, der::pem::LineEnding, pkcs5::pbes2,
};
use portreeve_secret::Secret;

use crate::{Problem, random};

/// Whether a PEM file has a key under a pass phrase.
pub fn is_sealed(pem: &str) -> bool {
    pem.contains(&format!("-----BEGIN {SEALED}-----"))
}

/// Puts a key, in PEM, under a pass phrase.
///
/// # Errors
/// When it is no PKCS #8 key.
pub fn seal(pem: &Secret, pass_phrase: &Secret) -> Result<Secret, Problem> {
    let (_, document) = SecretDocument::from_pem(text(pem)?).map_err(|_| NO_KEY)?;
    let key = PrivateKeyInfoRef::try_from(document.as_bytes()).map_err(|_| NO_KEY)?;
    let parameters = pbes2::Parameters::generate_pbkdf2_sha256_aes256cbc(
        ITERATIONS,
        &random::octets::<16>()?,
        random::octets()?,
    )
    .map_err(failed)?;
    let sealed = key.encrypt_with_params(parameters, pass_phrase.expose()).map_err(failed)?;
    let pem = sealed.to_pem(SEALED, LineEnding::LF).map_err(failed)?;
    Ok(Secret::from(pem.as_str()))
}

/// Takes the pass phrase off a key; one that has none stays as it is.
///
/// # Errors
/// When there is no pass phrase or another is right.
pub fn unseal(pem: &Secret, pass_phrase: Option<&Secret>) -> Result<Secret, Problem> {
    if !is_sealed(text(pem)?) {
        return Ok(pem.duplicate());
    }
    let pass_phrase = pass_phrase.ok_or(Problem::Sealed)?;
    let (_, document) = SecretDocument::from_pem(text(pem)?).map_err(|_| NO_KEY)?;
    let sealed = EncryptedPrivateKeyInfoRef::try_from(document.as_bytes()).map_err(|_| NO_KEY)?;
    let key = sealed.decrypt(pass_phrase.expose()).map_err(|_| Problem::WrongPassPhrase)?;
    let pem = key.to_pem("PRIVATE KEY", LineEnding::LF).map_err(failed)?;
    Ok(Secret::from(pem.as_str()))
}

pub(crate) fn text(secret: &Secret) -> Result<&str, Problem> {
    std::str::from_utf8(secret.expose()).map_err(|_| NO_KEY)
}

fn failed(error: impl std::fmt::Display) -> Problem {
    Problem::Failed(error.to_string())
}

const NO_KEY: Problem = Problem::NotA("a private key in PEM");
const SEALED: &str = "ENCRYPTED PRIVATE KEY";
/// Of PBKDF2 with HMAC-SHA-256: some tenths of a second.
const ITERATIONS: u32 = 600_000;
