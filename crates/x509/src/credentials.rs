//! What we present to peers.

use std::{fmt, fs, path::Path};

use rustls_pki_types::{CertificateDer, PrivateKeyDer};

use crate::files::{FileError, read_pem, require_private};

/// A certificate, those that lead to its authority, and its private key.
pub struct Credentials {
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
}

impl Credentials {
    /// Reads both from PEM files. The key's file must be readable by its owner only. Whether the two belong together
    /// is found out by the protocol that uses them.
    ///
    /// # Errors
    /// For a file that cannot be read, has nothing of the kind in it, or shows a key to others.
    pub fn load(chain: &Path, key: &Path) -> Result<Self, FileError> {
        require_private(key)?;
        let keys: Vec<PrivateKeyDer<'static>> =
            read_pem(key, "private key").map_err(|problem| encrypted_key_error(key).unwrap_or(problem))?;
        let chain_certificates = read_pem(chain, "certificate")?;
        let [key] = <[_; 1]>::try_from(keys).map_err(|_| FileError {
            path: key.to_owned(),
            cause: "more than one private key in it".to_owned(),
            hint: "keep one key in the file",
        })?;
        Ok(Self { chain: chain_certificates, key })
    }

    /// Certificates in memory: the leaf first.
    pub fn new(chain: Vec<CertificateDer<'static>>, key: PrivateKeyDer<'static>) -> Self {
        Self { chain, key }
    }

    /// The leaf, and those that lead to its authority.
    pub fn chain(&self) -> &[CertificateDer<'static>] {
        &self.chain
    }

    /// The private key. Handing it on is the caller's care.
    pub fn key(&self) -> &PrivateKeyDer<'static> {
        &self.key
    }
}

/// What is wrong with a key that cannot be read, where that is its pass phrase.
fn encrypted_key_error(key: &Path) -> Option<FileError> {
    let text = fs::read_to_string(key).ok()?;
    let is_locked =
        |line: &str| line.starts_with("-----BEGIN ENCRYPTED") || line.starts_with("Proc-Type: 4,ENCRYPTED");
    text.lines().any(is_locked).then(|| FileError {
        path: key.to_owned(),
        cause: "the private key in it is under a pass phrase, which nobody is asked for here".to_owned(),
        hint: "openssl pkey -in FILE -out ANOTHER makes a copy without one; its mode has to be 600",
    })
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("certificates", &self.chain.len()).finish_non_exhaustive()
    }
}
