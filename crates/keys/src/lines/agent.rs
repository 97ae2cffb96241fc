//! Prints lines for portreeved.toml.

use super::quote;
use crate::{
    CommandError,
    folder::{CA, CA_LIST, CERTIFICATE, HolderFolder, KEY, KeyFolder, SSH_CA_PUBLIC, SSH_REVOKED},
    show::{self, ItemKind},
};

/// Returns the lines that make an agent serve TLS, DTLS and SSH after the directory was copied next
/// to its configuration file.
pub(super) fn host(host: &HolderFolder) -> Result<String, CommandError> {
    let (tls, ssh) = (host.has(CERTIFICATE), host.has(host.ssh_key()));
    let mut text = String::new();
    for (transport, _) in [("tls", tls), ("dtls", tls), ("ssh", ssh)].iter().filter(|(_, wanted)| *wanted) {
        text += &format!("[[listen]]\ntransport = \"{transport}\"\n\n");
    }
    let copied = |name: &str| quote::toml(&format!("{COPIED}/{name}"));
    if tls {
        text += &format!("[tls]\ncertificate = {}\nkey = {}\n", copied(CERTIFICATE), copied(KEY));
        if host.has(CA) {
            text += &format!("authorities = [{}]\n", copied(CA));
            text += &format!("crl = [{}]\n", copied(CA_LIST));
            text += &format!("\n{}", names(host)?);
        }
    }
    if ssh {
        let gap = if tls { "\n" } else { "" };
        text += &format!("{gap}[ssh]\nhost-keys = [{}]\n", copied(host.ssh_key()));
        if host.has(SSH_CA_PUBLIC) {
            text += &format!("authorities = {}\nrevoked = {}\n", copied(SSH_CA_PUBLIC), copied(SSH_REVOKED));
        } else {
            text += "authorized-keys = [\"%h/.ssh/authorized_keys\"]\n";
        }
    }
    Ok(text)
}

/// Returns the lines that make an agent accept a user.
pub(super) fn user(user: &HolderFolder) -> Result<String, CommandError> {
    let mut text = String::new();
    if user.has(CERTIFICATE) && !user.has(CA) {
        let own = show::find_only(&user.file(CERTIFICATE), &ItemKind::certificate_of(user.role))?;
        text += &format!(
            "[[tls.name]]\nfingerprint = {}\nname = {}\n\n",
            quote::toml(&own.fingerprint.unwrap_or_default()),
            quote::toml(&user.name)
        );
    }
    Ok(text + &session_user(&user.name))
}

/// Returns the lines that grant a session user read access.
pub(crate) fn session_user(name: &str) -> String {
    format!("[[session-user]]\nname = {}\naccess = \"read\"\n", quote::toml(name))
}

/// Returns the lines that make an agent with its own keys trust the authorities.
pub(super) fn authorities(folder: &KeyFolder) -> Result<String, CommandError> {
    let here = |name: &str| quote::toml(&folder.file(name).display().to_string());
    let mut text = String::new();
    if folder.has(CA) {
        let authority = show::find_only(&folder.file(CA), &[ItemKind::X509Authority])?;
        text += &format!("[tls]\nauthorities = [{}]\ncrl = [{}]\n\n", here(CA), here(CA_LIST));
        text += &rule(&authority.fingerprint.unwrap_or_default());
    }
    if folder.has(SSH_CA_PUBLIC) {
        let gap = if text.is_empty() { "" } else { "\n" };
        text +=
            &format!("{gap}[ssh]\nauthorities = {}\nrevoked = {}\n", here(SSH_CA_PUBLIC), here(SSH_REVOKED));
    }
    Ok(text)
}

fn names(host: &HolderFolder) -> Result<String, CommandError> {
    let authority = show::find_only(&host.file(CA), &[ItemKind::X509Authority])?;
    Ok(rule(&authority.fingerprint.unwrap_or_default()))
}

/// Returns a rule that takes names from the CommonName of certificates of the authority.
fn rule(fingerprint: &str) -> String {
    format!("[[tls.name]]\nfingerprint = {}\nmap = \"common-name\"\n", quote::toml(fingerprint))
}

/// The path of the copied directory, relative to portreeved.toml.
const COPIED: &str = "keys";
