//! The server's host keys and host certificates.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use portreeve_channel::Fingerprint;
use portreeve_sys::open_file;
use russh::keys::{Algorithm, Certificate, PrivateKey, PublicKey, ssh_key::certificate::CertType};

use crate::keys::{self, KeyFileError, require_private};

/// Private keys (Ed25519 or ECDSA, at least one), and their certificates for clients that support
/// these.
pub struct HostKeys {
    keys: Vec<PrivateKey>,
    certificates: Vec<Certificate>,
}

impl HostKeys {
    /// Reads keys from files in the format of `ssh-keygen`. A key file must be accessible to its
    /// owner only. The certificate of a key is optional, and is read from `KEY-cert.pub`.
    ///
    /// # Errors
    /// Returns the first file that cannot be used, and the reason.
    pub fn load(paths: &[PathBuf]) -> Result<Self, KeyFileError> {
        if paths.is_empty() {
            return Err(KeyFileError::new(Path::new("(no host key)"), "an SSH server needs a host key"));
        }
        let keys: Vec<_> = paths.iter().map(|path| load(path)).collect::<Result<_, _>>()?;
        let certificates =
            paths.iter().zip(&keys).filter_map(|(path, key)| certificate(path, key).transpose());
        Ok(Self { certificates: certificates.collect::<Result<_, _>>()?, keys })
    }

    /// Returns the fingerprints of the public keys.
    pub fn fingerprints(&self) -> impl Iterator<Item = Fingerprint> {
        self.keys.iter().map(|key| keys::fingerprint(key.public_key().key_data()))
    }

    pub(super) fn into_parts(self) -> (Vec<PrivateKey>, Vec<Certificate>) {
        (self.keys, self.certificates)
    }
}

impl fmt::Debug for HostKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.fingerprints().map(|fingerprint| fingerprint.to_string())).finish()
    }
}

fn load(path: &Path) -> Result<PrivateKey, KeyFileError> {
    let key_file_error =
        |problem: &str, hint| KeyFileError { hint: Some(hint), ..KeyFileError::new(path, problem) };
    let file = open_file(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => key_file_error("no such file", MISSING_KEY_HINT),
        _ => KeyFileError::new(path, error.to_string()),
    })?;
    let text =
        keys::read_text(file, MAX_FILE_LEN).map_err(|error| KeyFileError::new(path, error.to_string()))?;
    if PublicKey::from_openssh(&text).is_ok() {
        return Err(key_file_error(
            "public key instead of a private key",
            "specify the private key: the file without .pub",
        ));
    }
    require_private(path)?;
    let key = PrivateKey::from_openssh(text.as_bytes()).map_err(|_| {
        key_file_error("not a private key in OpenSSH format", "create a host key with ssh-keygen -t ed25519")
    })?;
    if key.is_encrypted() {
        return Err(key_file_error(
            "private key protected by a pass phrase, which a server cannot enter",
            "remove the pass phrase with ssh-keygen -p",
        ));
    }
    match key.algorithm() {
        Algorithm::Ed25519 | Algorithm::Ecdsa { .. } => Ok(key),
        _ => Err(key_file_error("unsupported host key type", "use ed25519 or ecdsa")),
    }
}

/// Returns the certificate next to a key, if it exists.
fn certificate(path: &Path, key: &PrivateKey) -> Result<Option<Certificate>, KeyFileError> {
    let mut name = path.as_os_str().to_owned();
    name.push("-cert.pub");
    let path = PathBuf::from(name);
    let key_file_error =
        |problem: &str, hint| KeyFileError { hint: Some(hint), ..KeyFileError::new(&path, problem) };
    let file = match open_file(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened.map_err(|error| KeyFileError::new(&path, error.to_string()))?,
    };
    let text =
        keys::read_text(file, MAX_FILE_LEN).map_err(|error| KeyFileError::new(&path, error.to_string()))?;
    let certificate = Certificate::from_openssh(text.trim()).map_err(|_| {
        key_file_error("not an OpenSSH certificate", "sign the host key again, or remove this file")
    })?;
    if certificate.cert_type() != CertType::Host || certificate.public_key() != key.public_key().key_data() {
        return Err(key_file_error(
            "not a certificate for this host key",
            "sign the host key again: `portreeve keys sign KEY.pub --host NAME`",
        ));
    }
    Ok(Some(certificate))
}

const MISSING_KEY_HINT: &str =
    "create a host key with `portreeve keys host NAME` or ssh-keygen -t ed25519 -N '' -f FILE";
/// Maximum size in bytes of a key or certificate file.
const MAX_FILE_LEN: u64 = 64 * 1024;

#[cfg(test)]
mod tests;
