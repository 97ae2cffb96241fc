//! A displayed certificate, key, request or list.

use std::{path::PathBuf, time::SystemTime};

use super::ItemKind;
use crate::folder::SSH_CA_PUBLIC;

/// A certificate, key, request or list. Fields that do not apply are empty. Texts are unescaped, as
/// in the file.
#[derive(Clone, Debug)]
pub(crate) struct KeyItem {
    pub(crate) file: PathBuf,
    pub(crate) kind: ItemKind,
    pub(crate) subject: String,
    pub(crate) issuer: String,
    /// subjectAltNames, principals, or the comment of a key.
    pub(crate) names: Vec<String>,
    /// Serial number of an X.509 certificate without leading zeros.
    pub(crate) serial: Vec<u8>,
    /// Serial number of an SSH certificate.
    pub(crate) ssh_serial: u64,
    pub(crate) from: Option<SystemTime>,
    /// Expiry time; `None` if it does not apply or the item never expires.
    pub(crate) until: Option<SystemTime>,
    /// Options of an SSH certificate, numbers of a list, and other restrictions.
    pub(crate) options: Vec<String>,
    /// The name of the key's algorithm.
    pub(crate) key: String,
    /// The fingerprint, in the format of portreeved.toml for X.509, and of ssh-keygen for SSH.
    pub(crate) fingerprint: Option<String>,
    /// The public key of an SSH key or certificate, in SSH encoding.
    pub(crate) ssh_key: Vec<u8>,
    /// The entries of a revocation list.
    pub(crate) revokes: Vec<String>,
    /// `subject_key` is the key identifier of an X.509 authority, `authority_key` that of a
    /// certificate's issuer. For an SSH certificate, `authority_key` is the authority's key.
    pub(crate) subject_key: Vec<u8>,
    pub(crate) authority_key: Vec<u8>,
    /// A public SSH key as one line of text.
    pub(crate) line: String,
    /// True if a private key is encrypted with a pass phrase.
    pub(crate) has_pass_phrase: bool,
    /// The file mode, if other users can read the private key.
    pub(crate) exposed_mode: Option<u32>,
}

impl KeyItem {
    pub(super) fn new(kind: ItemKind) -> Self {
        Self {
            file: PathBuf::new(),
            kind,
            subject: String::new(),
            issuer: String::new(),
            names: Vec::new(),
            serial: Vec::new(),
            ssh_serial: 0,
            from: None,
            until: None,
            options: Vec::new(),
            key: String::new(),
            fingerprint: None,
            ssh_key: Vec::new(),
            revokes: Vec::new(),
            subject_key: Vec::new(),
            authority_key: Vec::new(),
            line: String::new(),
            has_pass_phrase: false,
            exposed_mode: None,
        }
    }

    /// Returns true for a self-signed X.509 certificate.
    pub(crate) fn is_self_signed(&self) -> bool {
        !self.kind.is_ssh() && self.kind.is_certificate() && self.subject == self.issuer
    }

    /// Returns the kind as a short text. An SSH authority is an ordinary key, recognized by its
    /// file name.
    pub(crate) fn kind_name(&self) -> &'static str {
        let is_authority =
            self.kind == ItemKind::SshKey && self.file.file_name().is_some_and(|name| name == SSH_CA_PUBLIC);
        if is_authority { "SSH authority" } else { self.kind.name() }
    }

    /// Returns the names for display, or else the subject or issuer.
    pub(crate) fn display_names(&self) -> String {
        let common = self.subject.strip_prefix("CN=").filter(|name| !name.contains(", "));
        let mut names: Vec<&str> = common.into_iter().collect();
        names.extend(self.names.iter().map(String::as_str).filter(|name| Some(*name) != common));
        let text = if names.is_empty() { self.subject.clone() } else { names.join(", ") };
        let own = if text.is_empty() { &self.issuer } else { &text };
        escape_for_terminal(own.strip_prefix("CN=").unwrap_or(own))
    }

    /// Returns the serial number for display.
    pub(crate) fn display_serial(&self) -> Option<String> {
        match self.kind {
            ItemKind::SshHostCertificate | ItemKind::SshUserCertificate => Some(self.ssh_serial.to_string()),
            _ if self.serial.is_empty() => None,
            _ => Some(hexadecimal(&self.serial)),
        }
    }
}

/// Formats bytes as openssl formats serial numbers.
pub(super) fn hexadecimal(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02X}")).collect::<Vec<_>>().join(":")
}

/// Escapes control and text direction characters for a terminal.
pub(crate) fn escape_for_terminal(text: &str) -> String {
    let steers = |letter: char| {
        letter.is_control()
            || ('\u{202a}'..='\u{202e}').contains(&letter)
            || ('\u{2066}'..='\u{2069}').contains(&letter)
    };
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if steers(letter) {
            shown.extend(letter.escape_unicode());
        } else {
            shown.push(letter);
        }
    }
    shown
}
