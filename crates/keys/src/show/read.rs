//! Recognizes the keys, certificates and lists in files.

mod ssh;
mod x509;

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use rustls_pki_types::pem::{self, SectionKind};

use super::{ItemKind, KeyItem};
use crate::{CommandError, files, revocations::SshRevocationList};

/// Returns all items of a file; at least one.
pub(crate) fn items(path: &Path) -> Result<Vec<KeyItem>, CommandError> {
    let octets = files::read(path)?;
    let mut found = if octets.expose().windows(OPENSSH.len()).any(|window| window == OPENSSH) {
        ssh::private(octets.expose()).into_iter().collect()
    } else if octets.expose().windows(PEM.len()).any(|window| window == PEM) {
        from_pem(octets.expose())
    } else if let Some(list) = SshRevocationList::parse(octets.expose()) {
        vec![ssh::list(&list)]
    } else if let Some(certificate) = x509::certificate(octets.expose()) {
        vec![certificate]
    } else {
        std::str::from_utf8(octets.expose()).map(ssh::parse_lines).unwrap_or_default()
    };
    if found.is_empty() {
        return Err(CommandError::at(path, "no certificate or key found").with_hint(
            "expected PEM as openssl writes it, or an OpenSSH key, certificate or revocation list",
        ));
    }
    let exposed_mode = fs::metadata(path)
        .ok()
        .map(|data| data.permissions().mode() & 0o7777)
        .filter(|mode| mode & 0o077 != 0);
    for item in &mut found {
        path.clone_into(&mut item.file);
        item.exposed_mode = exposed_mode.filter(|_| item.kind.is_private());
    }
    Ok(found)
}

fn from_pem(octets: &[u8]) -> Vec<KeyItem> {
    let mut found = Vec::new();
    let mut rest = octets;
    while let Ok(Some((kind, der))) = pem::from_buf(&mut rest) {
        found.extend(match kind {
            SectionKind::Certificate => x509::certificate(&der),
            SectionKind::Csr => x509::request(&der),
            SectionKind::Crl => x509::list(&der),
            SectionKind::PrivateKey | SectionKind::RsaPrivateKey | SectionKind::EcPrivateKey => {
                Some(x509::private(&der))
            }
            _ => None,
        });
    }
    // The PEM reader skips encrypted keys.
    if octets.windows(SEALED.len()).any(|window| window == SEALED) {
        found.push(KeyItem { has_pass_phrase: true, ..KeyItem::new(ItemKind::X509PrivateKey) });
    }
    found
}

const SEALED: &[u8] = b"-----BEGIN ENCRYPTED PRIVATE KEY-----";
const PEM: &[u8] = b"-----BEGIN ";
const OPENSSH: &[u8] = b"-----BEGIN OPENSSH PRIVATE KEY-----";
