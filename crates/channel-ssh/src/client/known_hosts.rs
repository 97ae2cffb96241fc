//! known_hosts: the known, certified and revoked host keys (see sshd(8)).
//!
//! This module decides from names, key octets and a given time only. Other modules read the files,
//! ask the user and create the errors. Only lines that match the host are kept, so long files need
//! little memory.

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

/// The known_hosts lines of one host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownHosts {
    entries: Vec<KnownHostEntry>,
    invalid_lines: Vec<FileLocation>,
}

/// A line that matches the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownHostEntry {
    /// The file and the line number.
    pub location: FileLocation,
    /// The marker of the line.
    pub marker: Marker,
    /// The key on the line.
    pub key: HostKey,
    /// Set if the line matches the host name with the port, or the name alone for port 22 and for
    /// aliases. Not set if another port is used, and the line matches only the name without it.
    exact: bool,
}

/// Result of checking a host key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostKeyVerdict {
    /// The key is listed for this host.
    Known,
    /// A trusted authority has certified the key for this host.
    Certified,
    /// The host is unknown, or only keys of other types are listed.
    Unknown {
        /// Locations of the keys of other types.
        others: Vec<FileLocation>,
    },
    /// A different key of the same type is listed.
    Changed {
        /// The key that is listed for this host.
        known: KnownHostEntry,
    },
    /// The key or its authority is revoked.
    Revoked {
        /// The line with the revoked key.
        location: FileLocation,
        /// Set if the authority that signed the certificate is revoked, and not the key itself.
        authority: bool,
    },
    /// A trusted authority has signed a certificate that is not valid for this host now. Contains
    /// the reason.
    BadCertificate(String),
}

/// The fields of a host certificate whose signature by `authority` is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostCertificate {
    /// The key of the authority that has signed the certificate.
    pub authority: HostKey,
    /// The certified key.
    pub key: HostKey,
    /// Set for a host certificate, as opposed to a user certificate.
    pub is_for_hosts: bool,
    /// Set if the authority's key or the certified key is a short RSA key, or if the authority has
    /// signed with an algorithm that is not allowed.
    pub is_weak: bool,
    /// Set if there are critical options. None are defined for host certificates.
    pub has_critical_options: bool,
    /// Start of validity in seconds since 1970.
    pub valid_after: u64,
    /// End of validity in seconds since 1970, exclusive.
    pub valid_before: u64,
    /// The names of the hosts for which the certificate is valid, as patterns.
    pub principals: Vec<String>,
}

impl KnownHosts {
    /// Adds the lines of a file that match the host. Invalid lines are skipped, as in OpenSSH.
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

    /// Returns the locations of invalid lines.
    pub fn invalid_lines(&self) -> &[FileLocation] {
        &self.invalid_lines
    }

    /// Returns the key types listed for the host, so that the client can request one of them.
    pub fn key_types(&self) -> impl Iterator<Item = &str> {
        self.entries_with(Marker::Plain).map(|entry| entry.key.key_type())
    }

    /// Returns true if an authority may certify the host.
    pub fn has_authorities(&self) -> bool {
        self.entries_with(Marker::CertAuthority).next().is_some()
    }

    /// Returns the location where this key is listed for the host, as its own key or as an
    /// authority's.
    pub fn location_of(&self, key: &HostKey) -> Option<&FileLocation> {
        self.entries
            .iter()
            .find(|entry| entry.marker != Marker::Revoked && entry.key == *key)
            .map(|entry| &entry.location)
    }

    /// Checks a host key that the server presents without a certificate.
    pub fn check_key(&self, key: &HostKey) -> HostKeyVerdict {
        if let Some(location) = self.find_revocation(key) {
            return HostKeyVerdict::Revoked { location, authority: false };
        }
        if self.entries_with(Marker::Plain).any(|entry| entry.key == *key) {
            return HostKeyVerdict::Known;
        }
        // A key listed for the host without the port belongs to another server on that host and
        // does not conflict with this one.
        let exact = || self.entries_with(Marker::Plain).filter(|entry| entry.exact);
        if let Some(known) = exact().find(|entry| entry.key.key_type() == key.key_type()) {
            return HostKeyVerdict::Changed { known: known.clone() };
        }
        HostKeyVerdict::Unknown { others: exact().map(|entry| entry.location.clone()).collect() }
    }

    /// Checks a certificate at `now`, in seconds since 1970. If its authority is not trusted for
    /// the host, the key in it is checked like a plain key. A known plain key remains known even if
    /// its certificate is not valid.
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
    /// Returns the reason why the certificate is not valid for this host at `now`, if any.
    fn problem(&self, name: &HostName, now: u64) -> Option<String> {
        if !self.is_for_hosts {
            return Some("the certificate is a user certificate, not a host certificate".into());
        }
        if self.is_weak {
            return Some(
                "the certificate is too weak: it is signed with SHA-1, or its key or its authority's key is an RSA key shorter than 2048 bits"
                    .into(),
            );
        }
        if self.has_critical_options {
            return Some(
                "the certificate has critical options, which host certificates do not support".into(),
            );
        }
        if now < self.valid_after {
            return Some("the certificate is not valid yet".into());
        }
        if now >= self.valid_before {
            return Some("the certificate has expired".into());
        }
        // A certificate without principals would be valid for every host, so it is rejected.
        let mut names = self.principals.iter().map(|principal| principal.to_ascii_lowercase());
        (!names.any(|principal| matches_wildcard(&principal, name.host_part())))
            .then(|| format!("the certificate is not for {:?}", name.host_part()))
    }
}

impl HostKey {
    /// Returns the SHA-256 fingerprint.
    pub fn fingerprint(&self) -> Fingerprint {
        let hash = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, self.octets());
        Fingerprint::from_hash(HashAlgorithm::Sha256, hash.as_ref())
    }

    /// Returns the SHA-256 fingerprint in the format of ssh-keygen.
    pub fn fingerprint_text(&self) -> String {
        let hash = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, self.octets());
        format!("SHA256:{}", data_encoding::BASE64_NOPAD.encode(hash.as_ref()))
    }
}

/// Returns the user's default known_hosts files, `~/.ssh/known_hosts` first.
pub(crate) fn default_files(home: &Path) -> Vec<PathBuf> {
    vec![home.join(".ssh/known_hosts"), home.join(".ssh/known_hosts2")]
}

/// The default system-wide known_hosts files.
pub(crate) const GLOBAL_FILES: [&str; 2] = ["/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"];

#[cfg(test)]
mod tests;
