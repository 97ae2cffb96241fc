//! Certificates in Net-SNMP's layout: in `tls/certs`, `tls/private` and `tls/ca-certs` of
//! Net-SNMP's configuration directories, selected by fingerprint or by file name, with or without
//! its extension.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use portreeve_broker_protocol::{SessionOption, SessionRequest};
use portreeve_channel::{ChannelError, ChannelStep, Fingerprint, HashAlgorithm};
use portreeve_sys::open_file;
use portreeve_x509::fingerprint;
use rustls_pki_types::{CertificateDer, pem::PemObject};

/// The name of the default certificate of Net-SNMP's commands.
pub(super) const DEFAULT_CERTIFICATE: &str = "snmpapp";

/// Finds our certificate and its key.
pub(super) fn local_certificate(
    request: &SessionRequest,
    name: &str,
) -> Result<(PathBuf, PathBuf), ChannelError> {
    let certificate = find(request, &["certs"], name)
        .ok_or_else(|| missing(request, ChannelStep::ClientIdentity, "certificate", name, "certs"))?;
    let stem = certificate.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let key = folders(request, "private")
        .flat_map(|folder| files(&folder))
        .find(|file| file.file_stem().is_some_and(|found| found.to_string_lossy() == stem))
        .ok_or_else(|| missing(request, ChannelStep::ClientIdentity, "key", &stem, "private"))?;
    Ok((certificate, key))
}

/// Returns the fingerprint of the server's certificate. `name` may be the fingerprint itself.
pub(super) fn peer_fingerprint(request: &SessionRequest, name: &str) -> Result<Fingerprint, ChannelError> {
    if let Ok(fingerprint) = name.parse() {
        return Ok(fingerprint);
    }
    let missing = || missing(request, ChannelStep::ServerIdentity, "certificate", name, "certs");
    let file = find(request, &["certs", "ca-certs"], name).ok_or_else(missing)?;
    let der = first_certificate(&file).ok_or_else(missing)?;
    Ok(fingerprint(HashAlgorithm::Sha256, &der))
}

/// Finds the certificate file of an authority.
pub(super) fn authority(request: &SessionRequest, name: &str) -> Result<PathBuf, ChannelError> {
    find(request, &["ca-certs", "certs"], name)
        .ok_or_else(|| missing(request, ChannelStep::ServerIdentity, "authority", name, "ca-certs"))
}

/// Returns an absolute path unchanged, or finds the first certificate file with this name or
/// fingerprint.
fn find(request: &SessionRequest, kinds: &[&str], name: &str) -> Option<PathBuf> {
    if name.starts_with('/') {
        return Some(name.into());
    }
    let all = || kinds.iter().flat_map(|kind| folders(request, kind)).flat_map(|folder| files(&folder));
    match name.parse::<Fingerprint>() {
        Ok(wanted) => all().find(|file| {
            first_certificate(file).is_some_and(|der| fingerprint(wanted.algorithm(), &der) == wanted)
        }),
        Err(_) => all().find(|file| has_name(file, name)),
    }
}

/// Returns `true` if a file has this name, optionally followed by a dot and an extension.
fn has_name(file: &Path, name: &str) -> bool {
    let found = file.file_name().unwrap_or_default().to_string_lossy();
    found.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn folders(request: &SessionRequest, kind: &str) -> impl Iterator<Item = PathBuf> {
    request.all(SessionOption::SnmpDirectory).map(move |folder| Path::new(folder).join("tls").join(kind))
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

fn missing(request: &SessionRequest, step: ChannelStep, what: &str, name: &str, kind: &str) -> ChannelError {
    let searched: Vec<_> = folders(request, kind).map(|folder| folder.display().to_string()).collect();
    ChannelError::at(step, format!("{what} {name:?} not found"))
        .with_hint(format!("searched in {}", searched.join(", ")))
}
