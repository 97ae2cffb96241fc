//! known_hosts: whose host keys are known, certified or revoked (sshd(8), its section on this file).
//!
//! Decides only by names, octets of keys and a time handed in: reading files, asking people and the words for a refusal
//! are elsewhere. Only the lines that name the host are kept, so a long file costs little.

mod line;
mod name;

use std::path::{Path, PathBuf};

use portreeve_channel::{Fingerprint, HashAlgorithm};

use self::line::KnownHostsLine;
pub(crate) use self::line::format_line;
pub use self::{
    line::{HostKey, Marker},
    name::HostName,
};
use super::{pattern::matches_wildcard, ssh_config::FileLocation};

/// What the files say of one host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownHosts {
    entries: Vec<KnownHostEntry>,
    invalid_lines: Vec<FileLocation>,
}

/// A line that names the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownHostEntry {
    /// Where it stands.
    pub location: FileLocation,
    /// What kind of line it is.
    pub marker: Marker,
    /// The key.
    pub key: HostKey,
    /// Whether it names the host with its port, or, for port 22 and aliases, the host; not merely the host without the port.
    exact: bool,
}

/// What is known of a host's key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostKeyVerdict {
    /// It is this host's.
    Known,
    /// A trusted authority says that it is this host's.
    Certified,
    /// Nothing is known of the host, or only keys of other kinds.
    Unknown {
        /// Those, with their places.
        others: Vec<FileLocation>,
    },
    /// The host has another key of this kind.
    Changed {
        /// Where that stands.
        known: KnownHostEntry,
    },
    /// It must not be used.
    Revoked {
        /// Where that is said.
        location: FileLocation,
        /// Whether that is said of the authority that has certified it, and not of the key itself.
        authority: bool,
    },
    /// A trusted authority has signed a certificate that does not hold for this host, now.
    BadCertificate(String),
}

/// What a host certificate says, its signature by `authority` checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostCertificate {
    /// The authority's key.
    pub authority: HostKey,
    /// The certified key.
    pub key: HostKey,
    /// Whether it is a host's certificate, not a user's.
    pub is_for_hosts: bool,
    /// Whether it has options that a verifier must know; none are defined for hosts.
    pub has_critical_options: bool,
    /// Seconds since 1970 from which on it holds.
    pub valid_after: u64,
    /// Seconds since 1970 before which it holds.
    pub valid_before: u64,
    /// The hosts it is for, as patterns.
    pub principals: Vec<String>,
}

impl KnownHosts {
    /// Adds the lines of one file that name the host. Lines that cannot be read are passed over, as ssh does.
    pub fn add_file(&mut self, name: &HostName, file: &Path, text: &str) {
        for (line, number) in text.lines().zip(1..) {
            let location = || FileLocation { file: file.to_owned(), line: number };
            match KnownHostsLine::parse(line) {
                Ok(Some(line)) => {
                    let exact = line.matches(&name.with_port());
                    if !exact && !name.without_port().is_some_and(|plain| line.matches(&plain)) {
                        continue;
                    }
                    match line.key() {
                        Some(key) => self.entries.push(KnownHostEntry {
                            location: location(),
                            marker: line.marker(),
                            key,
                            exact,
                        }),
                        None => self.invalid_lines.push(location()),
                    }
                }
                Ok(None) => {}
                Err(_) => self.invalid_lines.push(location()),
            }
        }
    }

    /// Lines that were passed over because they cannot be read.
    pub fn invalid_lines(&self) -> &[FileLocation] {
        &self.invalid_lines
    }

    /// The kinds of keys that are known of the host, so that the server can be asked for one of them.
    pub fn key_types(&self) -> impl Iterator<Item = &str> {
        self.entries_with(Marker::Plain).map(|entry| entry.key.key_type())
    }

    /// Whether any authority may certify the host.
    pub fn has_authorities(&self) -> bool {
        self.entries_with(Marker::CertAuthority).next().is_some()
    }

    /// Where this very key stands as the host's, or as that of an authority of its.
    pub fn location_of(&self, key: &HostKey) -> Option<&FileLocation> {
        self.entries
            .iter()
            .find(|entry| entry.marker != Marker::Revoked && entry.key == *key)
            .map(|entry| &entry.location)
    }

    /// Judges a bare key.
    pub fn check_key(&self, key: &HostKey) -> HostKeyVerdict {
        if let Some(location) = self.find_revocation(key) {
            return HostKeyVerdict::Revoked { location, authority: false };
        }
        if self.entries_with(Marker::Plain).any(|entry| entry.key == *key) {
            return HostKeyVerdict::Known;
        }
        // A key known for the host without the port is of another server there, and says nothing against this one.
        let exact = || self.entries_with(Marker::Plain).filter(|entry| entry.exact);
        if let Some(known) = exact().find(|entry| entry.key.key_type() == key.key_type()) {
            return HostKeyVerdict::Changed { known: known.clone() };
        }
        HostKeyVerdict::Unknown { others: exact().map(|entry| entry.location.clone()).collect() }
    }

    /// Judges a certificate at `now`, in seconds since 1970. Where its authority is not trusted for the host, the key in it
    /// counts as if it came bare; and a key that is known bare is not less so because its certificate does not hold.
    pub fn check_certificate(
        &self,
        name: &HostName,
        certificate: &HostCertificate,
        now: u64,
    ) -> HostKeyVerdict {
        if let Some(location) = self.find_revocation(&certificate.authority) {
            return HostKeyVerdict::Revoked { location, authority: true };
        }
        let plain = self.check_key(&certificate.key);
        let trusted =
            || self.entries_with(Marker::CertAuthority).any(|entry| entry.key == certificate.authority);
        if matches!(plain, HostKeyVerdict::Revoked { .. }) || !trusted() {
            return plain;
        }
        match certificate.problem(name, now) {
            None => HostKeyVerdict::Certified,
            Some(_) if plain == HostKeyVerdict::Known => HostKeyVerdict::Known,
            Some(problem) => HostKeyVerdict::BadCertificate(problem),
        }
    }

    fn find_revocation(&self, key: &HostKey) -> Option<FileLocation> {
        self.entries_with(Marker::Revoked).find(|entry| entry.key == *key).map(|entry| entry.location.clone())
    }

    fn entries_with(&self, marker: Marker) -> impl Iterator<Item = &KnownHostEntry> {
        self.entries.iter().filter(move |entry| entry.marker == marker)
    }
}

impl HostCertificate {
    /// Why it does not hold for this host at `now`.
    fn problem(&self, name: &HostName, now: u64) -> Option<String> {
        if !self.is_for_hosts {
            return Some("it is a user's certificate, not a host's".into());
        }
        if self.has_critical_options {
            return Some("it has critical options, which hosts' certificates have none of".into());
        }
        if now < self.valid_after {
            return Some("it is not valid yet".into());
        }
        if now >= self.valid_before {
            return Some("it has expired".into());
        }
        // One without names would hold for every host.
        let mut names = self.principals.iter().map(|principal| principal.to_ascii_lowercase());
        (!names.any(|principal| matches_wildcard(&principal, name.host_part())))
            .then(|| format!("it is not for {:?}", name.host_part()))
    }
}

impl HostKey {
    /// Its SHA-256.
    pub fn fingerprint(&self) -> Fingerprint {
        let hash = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, self.octets());
        Fingerprint::from_hash(HashAlgorithm::Sha256, hash.as_ref())
    }

    /// Its SHA-256 as ssh-keygen shows it.
    pub fn fingerprint_text(&self) -> String {
        let hash = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, self.octets());
        format!("SHA256:{}", data_encoding::BASE64_NOPAD.encode(hash.as_ref()))
    }
}

/// The files that are read where ssh_config names none: `~/.ssh/known_hosts` first.
pub(crate) fn default_files(home: &Path) -> Vec<PathBuf> {
    vec![home.join(".ssh/known_hosts"), home.join(".ssh/known_hosts2")]
}

/// The system's.
pub(crate) const GLOBAL_FILES: [&str; 2] = ["/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"];

#[cfg(test)]
mod tests;
