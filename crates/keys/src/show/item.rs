//! What is known of a certificate or key.

use std::{path::PathBuf, time::SystemTime};

use super::ItemKind;
use crate::folder::SSH_CA_PUBLIC;

/// A certificate, a key, a request or a list. What does not apply is empty. Texts are as they stand in the file.
#[derive(Clone, Debug)]
pub(crate) struct KeyItem {
    pub(crate) file: PathBuf,
    pub(crate) kind: ItemKind,
    pub(crate) subject: String,
    pub(crate) issuer: String,
    /// subjectAltName, principals, or a key's comment.
    pub(crate) names: Vec<String>,
    /// Of X.509, without leading zeros.
    pub(crate) serial: Vec<u8>,
    /// Of an SSH certificate.
    pub(crate) ssh_serial: u64,
    pub(crate) from: Option<SystemTime>,
    /// `None` too where there is no end.
    pub(crate) until: Option<SystemTime>,
    /// Options of an SSH certificate, entries of a list, and whatever else restricts.
    pub(crate) options: Vec<String>,
    /// Which algorithm.
    pub(crate) key: String,
    /// As portreeved.toml has it for X.509, and as ssh-keygen shows it for SSH.
    pub(crate) fingerprint: Option<String>,
    /// A public SSH key, or that of a certificate, as SSH encodes it.
    pub(crate) ssh_key: Vec<u8>,
    /// What is on a list of what counts no more.
    pub(crate) revokes: Vec<String>,
    /// What an authority calls its key, and what a certificate says of its authority's; of an SSH certificate, that key.
    pub(crate) subject_key: Vec<u8>,
    pub(crate) authority_key: Vec<u8>,
    /// A public SSH key as files list it.
    pub(crate) line: String,
    /// Whether a private key has a pass phrase.
    pub(crate) has_pass_phrase: bool,
    /// The file's mode, where others can read a private key.
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

    /// Whether it is a certificate of X.509 that nobody but its holder has signed.
    pub(crate) fn is_self_signed(&self) -> bool {
        !self.kind.is_ssh() && self.kind.is_certificate() && self.subject == self.issuer
    }

    /// What it is, in a few words. An authority of SSH is a key like any other, and known by its file.
    pub(crate) fn kind_name(&self) -> &'static str {
        let is_authority =
            self.kind == ItemKind::SshKey && self.file.file_name().is_some_and(|name| name == SSH_CA_PUBLIC);
        if is_authority { "SSH authority" } else { self.kind.name() }
    }

    /// Whom it is for, in a word or two: the names, or else the subject.
    pub(crate) fn display_names(&self) -> String {
        let common = self.subject.strip_prefix("CN=").filter(|name| !name.contains(", "));
        let mut names: Vec<&str> = common.into_iter().collect();
        names.extend(self.names.iter().map(String::as_str).filter(|name| Some(*name) != common));
        let text = if names.is_empty() { self.subject.clone() } else { names.join(", ") };
        let own = if text.is_empty() { &self.issuer } else { &text };
        escape_for_terminal(own.strip_prefix("CN=").unwrap_or(own))
    }

    /// The serial number as its kind has it.
    pub(crate) fn display_serial(&self) -> Option<String> {
        match self.kind {
            ItemKind::SshHostCertificate | ItemKind::SshUserCertificate => Some(self.ssh_serial.to_string()),
            _ if self.serial.is_empty() => None,
            _ => Some(hexadecimal(&self.serial)),
        }
    }
}

/// Octets as openssl shows serial numbers.
pub(super) fn hexadecimal(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02X}")).collect::<Vec<_>>().join(":")
}

/// Text from a file, for a terminal: what steers one is shown instead of obeyed.
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
