//! Prints the lines for known_hosts that describe a host.

use super::public_key;
use crate::{
    CommandError,
    folder::{HolderFolder, SSH_CA_PUBLIC},
    show::{self, ItemKind},
};

/// Returns the line of the host key, and that of the authority if it has signed the key.
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

/// The default port of SNMP over SSH (RFC 5592).
const PORT: u16 = 5161;
