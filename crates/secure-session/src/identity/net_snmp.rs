//! Certificates in Net-SNMP's layout: in `tls/certs`, `tls/private` and `tls/ca-certs` of
//! Net-SNMP's configuration directories, selected by fingerprint or by file name, with or without
//! its extension.

use std::{
    error::Error,
    fmt, fs,
    io::Read,
    path::{Path, PathBuf},
};

use portreeve_channel::{Fingerprint, HashAlgorithm};
use portreeve_sys::open_file;
use portreeve_x509::fingerprint;
use rustls_pki_types::{CertificateDer, pem::PemObject};

/// The certificates in Net-SNMP's configuration directories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetSnmpCertificates {
    folders: Vec<PathBuf>,
}

/// The certificate, key or authority that was not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingCertificateError {
    kind: &'static str,
    name: String,
    searched: Vec<PathBuf>,
}

impl NetSnmpCertificates {
    /// The certificates in `tls` of each of these directories.
    pub fn in_folders(folders: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { folders: folders.into_iter().map(|folder| folder.join("tls")).collect() }
    }

    /// Finds our certificate and its key.
    ///
    /// # Errors
    /// There is no such certificate, or it has no key.
    pub fn own(&self, name: &str) -> Result<(PathBuf, PathBuf), MissingCertificateError> {
        let certificate =
            self.find(&["certs"], name).ok_or_else(|| self.missing("certificate", name, "certs"))?;
        let stem = certificate.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let key = self
            .folders("private")
            .flat_map(|folder| files(&folder))
            .find(|file| file.file_stem().is_some_and(|found| found.to_string_lossy() == stem))
            .ok_or_else(|| self.missing("key", &stem, "private"))?;
        Ok((certificate, key))
    }

    /// Returns the SHA-256 fingerprint of the certificate of a peer or an authority.
    ///
    /// # Errors
    /// There is no such certificate.
    pub fn fingerprint(&self, name: &str) -> Result<Fingerprint, MissingCertificateError> {
        let missing = || self.missing("certificate", name, "certs");
        let file = self.find(&["certs", "ca-certs"], name).ok_or_else(missing)?;
        let der = first_certificate(&file).ok_or_else(missing)?;
        Ok(fingerprint(HashAlgorithm::Sha256, &der))
    }

    /// Finds the certificate file of an authority.
    ///
    /// # Errors
    /// There is no such certificate.
    pub fn authority(&self, name: &str) -> Result<PathBuf, MissingCertificateError> {
        self.find(&["ca-certs", "certs"], name).ok_or_else(|| self.missing("authority", name, "ca-certs"))
    }

    /// Returns an absolute path unchanged, or finds the first certificate file with this name or
    /// fingerprint.
    fn find(&self, kinds: &[&str], name: &str) -> Option<PathBuf> {
        if name.starts_with('/') {
            return Some(name.into());
        }
        let all = || kinds.iter().flat_map(|kind| self.folders(kind)).flat_map(|folder| files(&folder));
        match name.parse::<Fingerprint>() {
            Ok(wanted) => all().find(|file| {
                first_certificate(file).is_some_and(|der| fingerprint(wanted.algorithm(), &der) == wanted)
            }),
            Err(_) => all().find(|file| has_name(file, name)),
        }
    }

    fn folders(&self, kind: &str) -> impl Iterator<Item = PathBuf> {
        self.folders.iter().map(move |folder| folder.join(kind))
    }

    fn missing(&self, kind: &'static str, name: &str, folder: &str) -> MissingCertificateError {
        MissingCertificateError { kind, name: name.to_owned(), searched: self.folders(folder).collect() }
    }
}

impl MissingCertificateError {
    /// Returns the directories that were searched, as a hint.
    pub fn hint(&self) -> String {
        let searched: Vec<_> = self.searched.iter().map(|folder| folder.display().to_string()).collect();
        format!("searched in {}", searched.join(", "))
    }
}

impl fmt::Display for MissingCertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?} not found", self.kind, self.name)
    }
}

impl Error for MissingCertificateError {}

/// Returns `true` if a file has this name, optionally followed by a dot and an extension.
fn has_name(file: &Path, name: &str) -> bool {
    let found = file.file_name().unwrap_or_default().to_string_lossy();
    found.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Returns the files in a directory, sorted by name; none if the directory cannot be read.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}

fn first_certificate(file: &Path) -> Option<Vec<u8>> {
    let mut octets = Vec::new();
    open_file(file).ok()?.read_to_end(&mut octets).ok()?;
    let found = CertificateDer::pem_slice_iter(&octets).next()?.ok()?;
    Some(found.to_vec())
}
