//! The certificate and key that we present to peers.

use std::{fmt, path::Path};

use rustls_pki_types::{CertificateDer, PrivateKeyDer};

use crate::files::{FileError, read_file, read_pem, require_private};

/// A certificate chain and the private key of its leaf.
pub struct Credentials {
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
}

impl Credentials {
    /// Reads the chain and the key from PEM files. The key file must be private to its owner. The
    /// protocol that uses the credentials checks that the key belongs to the certificate.
    ///
    /// # Errors
    /// If a file cannot be read, if it does not contain the expected objects, or if other users can
    /// read the key.
    pub fn load(chain: &Path, key: &Path) -> Result<Self, FileError> {
        require_private(key)?;
        let keys: Vec<PrivateKeyDer<'static>> =
            read_pem(key, "private key").map_err(|error| encrypted_key_error(key).unwrap_or(error))?;
        let chain_certificates = read_pem(chain, "certificate")?;
        let [key] = <[_; 1]>::try_from(keys).map_err(|_| FileError {
            path: key.to_owned(),
            cause: "contains more than one private key".to_owned(),
            hint: "keep only one private key in the file",
        })?;
        Ok(Self { chain: chain_certificates, key })
    }

    /// Creates credentials from a chain, the leaf first, and a key.
    pub fn new(chain: Vec<CertificateDer<'static>>, key: PrivateKeyDer<'static>) -> Self {
        Self { chain, key }
    }

    /// Returns the leaf certificate and its intermediates.
    pub fn chain(&self) -> &[CertificateDer<'static>] {
        &self.chain
    }

    /// The private key. The caller must keep it secret.
    pub fn key(&self) -> &PrivateKeyDer<'static> {
        &self.key
    }
}

/// Returns the error for a key file that is encrypted; `None` if it is not.
fn encrypted_key_error(key: &Path) -> Option<FileError> {
    let text = String::from_utf8(read_file(key).ok()?).ok()?;
    let is_encryption_marker =
        |line: &str| line.starts_with("-----BEGIN ENCRYPTED") || line.starts_with("Proc-Type: 4,ENCRYPTED");
    text.lines().any(is_encryption_marker).then(|| FileError {
        path: key.to_owned(),
        cause: "the private key is encrypted, and this program cannot ask for its pass phrase".to_owned(),
        hint: "run `openssl pkey -in FILE -out COPY` and `chmod 600 COPY`, and specify COPY instead of FILE",
    })
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").field("certificates", &self.chain.len()).finish_non_exhaustive()
    }
}
