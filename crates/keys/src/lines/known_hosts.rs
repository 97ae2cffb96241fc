//! A host's lines in known_hosts.

use super::public_key;
use crate::{
    CommandError,
    folder::{HolderFolder, SSH_CA_PUBLIC},
    show::{self, ItemKind},
};

/// The host's own key; and the authority's where it has signed that, for whoever prefers to trust it.
pub(super) fn of(host: &HolderFolder) -> Result<String, CommandError> {
    let own = public_key(&host.file(&format!("{}.pub", host.ssh_key())))?;
    let certificate = host.file(&format!("{}-cert.pub", host.ssh_key()));
    let mut names = vec![host.name.clone()];
    if certificate.exists() {
        names = show::find_only(&certificate, &[ItemKind::SshHostCertificate])?.names;
    }
    let with_port: Vec<_> = names.iter().map(|name| format!("[{name}]:{PORT}")).collect();
    let mut lines = format!("{} {own}\n", with_port.join(","));
    if certificate.exists() && host.has(SSH_CA_PUBLIC) {
        let authority = public_key(&host.file(SSH_CA_PUBLIC))?;
        lines += &format!("@cert-authority {} {authority}\n", names.join(","));
    }
    Ok(lines)
}

/// SNMP over SSH (RFC 5592).
const PORT: u16 = 5161;
