//! What the server proves itself with.

use std::{
    fmt,
    fs::File,
    path::{Path, PathBuf},
};

use portreeve_channel::Fingerprint;
use russh::keys::{Algorithm, PrivateKey};

use crate::keys::{self, FileProblem, require_private};

/// Private keys, Ed25519 or ECDSA, at least one.
pub struct HostKeys(Vec<PrivateKey>);

impl HostKeys {
    /// Reads them from files as `ssh-keygen` writes them, which only their owner may read.
    ///
    /// # Errors
    /// The first file that cannot be used, and why.
    pub fn load(paths: &[PathBuf]) -> Result<Self, FileProblem> {
        if paths.is_empty() {
            return Err(FileProblem::new(Path::new("(no host key)"), "an SSH server needs a host key"));
        }
        paths.iter().map(|path| load(path)).collect::<Result<_, _>>().map(Self)
    }

    /// Their public halves' fingerprints.
    pub fn fingerprints(&self) -> impl Iterator<Item = Fingerprint> {
        self.0.iter().map(|key| keys::fingerprint(key.public_key().key_data()))
    }

    pub(super) fn into_keys(self) -> Vec<PrivateKey> {
        self.0
    }
}

impl fmt::Debug for HostKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.fingerprints().map(|fingerprint| fingerprint.to_string())).finish()
    }
}

fn load(path: &Path) -> Result<PrivateKey, FileProblem> {
    let problem = |found: &str, cure| FileProblem { cure: Some(cure), ..FileProblem::new(path, found) };
    require_private(path)?;
    let file = File::open(path).map_err(|error| FileProblem::new(path, error.to_string()))?;
    let text =
        keys::read_text(file, LONGEST_FILE).map_err(|error| FileProblem::new(path, error.to_string()))?;
    let key = PrivateKey::from_openssh(text.as_bytes())
        .map_err(|_| problem("no private key of OpenSSH's format", "ssh-keygen -t ed25519 makes one"))?;
    if key.is_encrypted() {
        return Err(problem(
            "a key with a passphrase, which nobody could type in",
            "ssh-keygen -p takes it off",
        ));
    }
    match key.algorithm() {
        Algorithm::Ed25519 | Algorithm::Ecdsa { .. } => Ok(key),
        _ => Err(problem("a host key of an unsuitable kind", "take ed25519 or ecdsa")),
    }
}

/// Octets of a private key's file.
const LONGEST_FILE: u64 = 64 * 1024;
