//! The files of keys and certificates for a login.

use std::{
    io,
    path::{Path, PathBuf},
};

use portreeve_sys::open_file;
use russh::keys::{Certificate, PrivateKey, PublicKey, decode_secret_key};

use crate::{
    client::{signer::FileKey, target::SshTarget},
    keys::{self, require_private},
};

/// The files of keys and certificates.
#[derive(Default)]
pub(super) struct KeyFiles {
    pub(super) certificates: Vec<Certificate>,
    pub(super) files: Vec<(PathBuf, IdentityFile)>,
    /// Files that could not be used, with the reason.
    pub(super) remarks: Vec<String>,
}

impl KeyFiles {
    /// Reads the files. Skips missing files, and adds a remark for each missing file that the user
    /// has named.
    pub(super) fn read(target: &SshTarget) -> Self {
        let mut found = Self::default();
        found.certificates = found.load_certificates(target);
        for path in &target.identity_files {
            if let Some(file) = found.load_file(path, target.has_named_identities) {
                found.files.push((path.clone(), file));
            }
        }
        found
    }

    fn load_file(&mut self, path: &Path, named: bool) -> Option<IdentityFile> {
        match read_identity(path) {
            Ok(found) => Some(found),
            Err(None) if !named => None,
            Err(None) => {
                self.remarks.push(format!("{}: no such file", path.display()));
                None
            }
            Err(Some(problem)) => {
                self.remarks.push(format!("{}: {problem}", path.display()));
                None
            }
        }
    }

    fn load_certificates(&mut self, target: &SshTarget) -> Vec<Certificate> {
        let mut found = Vec::new();
        for path in &target.certificate_files {
            match read_certificate(path) {
                Ok(certificate) => found.push(certificate),
                Err(error) => self.remarks.push(format!("{}: {error}", path.display())),
            }
        }
        // Certificates next to their key are optional.
        found.extend(
            target
                .identity_files
                .iter()
                .filter_map(|path| read_certificate(&with_suffix(path, "-cert.pub")).ok()),
        );
        found
    }
}

/// The kind and content of an identity file.
#[derive(Clone, Debug)]
pub(super) enum IdentityFile {
    Private(Box<PublicKey>, FileKey),
    /// Only the public key; the private key is in ssh-agent.
    Public(PublicKey),
}

impl IdentityFile {
    pub(super) fn public(&self) -> &PublicKey {
        match self {
            Self::Private(key, _) => key,
            Self::Public(key) => key,
        }
    }
}

/// Reads an identity file. Returns `Err(None)` if it does not exist.
fn read_identity(path: &Path) -> Result<IdentityFile, Option<String>> {
    let text = match read_text(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // A public key alone selects a key in ssh-agent.
            return public_half(path).ok_or(None)?.map(IdentityFile::Public).map_err(Some);
        }
        Err(error) => return Err(Some(error.to_string())),
    };
    if let Ok(public) = PublicKey::from_openssh(&text) {
        return Ok(IdentityFile::Public(public));
    }
    require_private(path).map_err(|error| Some(error.problem))?;
    // ssh-keygen wrote PEM before OpenSSH 7.8, and openssl still writes it.
    let key = PrivateKey::from_openssh(&text).ok().or_else(|| decode_secret_key(&text, None).ok());
    match key {
        Some(key) => Ok(IdentityFile::Private(Box::new(key.public_key().clone()), FileKey::new(key))),
        None if is_encrypted_pem(&text) => {
            let no_public_key =
                "the key is encrypted and has no .pub file; create this file with ssh-keygen -y";
            let public = public_half(path).unwrap_or_else(|| Err(no_public_key.into())).map_err(Some)?;
            Ok(IdentityFile::Private(Box::new(public), FileKey::encrypted_pem(text)))
        }
        None => Err(Some("not a supported private key; ssh-keygen -p -f converts some formats".into())),
    }
}

/// Reads the public key next to a private key, if that file exists.
fn public_half(path: &Path) -> Option<Result<PublicKey, String>> {
    let text = read_text(&with_suffix(path, ".pub")).ok()?;
    Some(PublicKey::from_openssh(&text).map_err(|error| error.to_string()))
}

/// Returns true for an encrypted PEM key in a supported format: PKCS #8, or an RSA key as older
/// ssh-keygen wrote it.
fn is_encrypted_pem(text: &str) -> bool {
    let has = |start| text.lines().any(|line| line.starts_with(start));
    has("-----BEGIN ENCRYPTED PRIVATE KEY-----")
        || (has("-----BEGIN RSA PRIVATE KEY-----") && has("DEK-Info: AES-128-CBC,"))
}

fn read_certificate(path: &Path) -> Result<Certificate, String> {
    let text = read_text(path).map_err(|error| error.to_string())?;
    Certificate::from_openssh(text.trim()).map_err(|_| "not an OpenSSH certificate".into())
}

fn read_text(path: &Path) -> io::Result<String> {
    keys::read_text(open_file(path)?, MAX_FILE_LEN)
}

fn with_suffix(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Maximum size in bytes of a key or certificate file.
const MAX_FILE_LEN: u64 = 256 << 10;
