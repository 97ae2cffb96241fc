//! known_hosts: whose host keys are known, certified or revoked (sshd(8), its section on this file).
//!
//! Decides only by names, octets of keys and a time handed in: reading files, asking people and the words for a refusal
//! are elsewhere. Only the lines that name the host are kept, so a long file costs little.

mod line;
mod name;

use std::path::{Path, PathBuf};

use portreeve_channel::{Fingerprint, HashAlgorithm};

use self::line::Line;
pub(crate) use self::line::written;
pub use self::{
    line::{HostKey, Marker},
    name::HostName,
};
use super::{pattern::wildcard, ssh_config::Place};

/// What the files say of one host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownHosts {
    entries: Vec<Entry>,
    unreadable: Vec<Place>,
}

/// A line that names the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it stands.
    pub place: Place,
    /// What kind of line it is.
    pub marker: Marker,
    /// The key.
    pub key: HostKey,
    /// Whether it names the host with its port, or, for port 22 and aliases, the host; not merely the host without the port.
    exact: bool,
}

/// What is known of a host's key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is this host's.
    Known,
    /// A trusted authority says that it is this host's.
    Certified,
    /// Nothing is known of the host, or only keys of other kinds.
    Unknown {
        /// Those, with their places.
        others: Vec<Place>,
    },
    /// The host has another key of this kind.
    Changed {
        /// Where that stands.
        known: Entry,
    },
    /// It must not be used.
    Revoked {
        /// Where that is said.
        place: Place,
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
            let place = || Place { file: file.to_owned(), line: number };
            match Line::parse(line) {
                Ok(Some(line)) => {
                    let exact = line.names(&name.with_port());
                    if !exact && !name.without_port().is_some_and(|bare| line.names(&bare)) {
                        continue;
                    }
                    match line.key() {
                        Some(key) => {
                            self.entries.push(Entry { place: place(), marker: line.marker(), key, exact })
                        }
                        None => self.unreadable.push(place()),
                    }
                }
                Ok(None) => {}
                Err(_) => self.unreadable.push(place()),
            }
        }
    }

    /// Lines that were passed over because they cannot be read.
    pub fn unreadable(&self) -> &[Place] {
        &self.unreadable
    }

    /// The kinds of keys that are known of the host, so that the server can be asked for one of them.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.of(Marker::Plain).map(|entry| entry.key.kind())
    }

    /// Whether any authority may certify the host.
    pub fn has_authorities(&self) -> bool {
        self.of(Marker::CertAuthority).next().is_some()
    }

    /// Where this very key stands as the host's, or as that of an authority of its.
    pub fn place(&self, key: &HostKey) -> Option<&Place> {
        self.entries
            .iter()
            .find(|entry| entry.marker != Marker::Revoked && entry.key == *key)
            .map(|entry| &entry.place)
    }

    /// Judges a bare key.
    pub fn judge(&self, key: &HostKey) -> Verdict {
        if let Some(place) = self.revocation(key) {
            return Verdict::Revoked { place, authority: false };
        }
        if self.of(Marker::Plain).any(|entry| entry.key == *key) {
            return Verdict::Known;
        }
        // A key known for the host without the port is of another server there, and says nothing against this one.
        let exact = || self.of(Marker::Plain).filter(|entry| entry.exact);
        if let Some(known) = exact().find(|entry| entry.key.kind() == key.kind()) {
            return Verdict::Changed { known: known.clone() };
        }
        Verdict::Unknown { others: exact().map(|entry| entry.place.clone()).collect() }
    }

    /// Judges a certificate at `now`, in seconds since 1970. Where its authority is not trusted for the host, the key in it
    /// counts as if it came bare; and a key that is known bare is not less so because its certificate does not hold.
    pub fn judge_certificate(&self, name: &HostName, certificate: &HostCertificate, now: u64) -> Verdict {
        if let Some(place) = self.revocation(&certificate.authority) {
            return Verdict::Revoked { place, authority: true };
        }
        let bare = self.judge(&certificate.key);
        let trusted = || self.of(Marker::CertAuthority).any(|entry| entry.key == certificate.authority);
        if matches!(bare, Verdict::Revoked { .. }) || !trusted() {
            return bare;
        }
        match certificate.flaw(name, now) {
            None => Verdict::Certified,
            Some(_) if bare == Verdict::Known => Verdict::Known,
            Some(flaw) => Verdict::BadCertificate(flaw),
        }
    }

    fn revocation(&self, key: &HostKey) -> Option<Place> {
        self.of(Marker::Revoked).find(|entry| entry.key == *key).map(|entry| entry.place.clone())
    }

    fn of(&self, marker: Marker) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.marker == marker)
    }
}

impl HostCertificate {
    /// Why it does not hold for this host at `now`.
    fn flaw(&self, name: &HostName, now: u64) -> Option<String> {
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
        (!names.any(|principal| wildcard(&principal, name.bare())))
            .then(|| format!("it is not for {:?}", name.bare()))
    }
}

impl HostKey {
    /// Its SHA-256.
    pub fn fingerprint(&self) -> Fingerprint {
        let hash = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, self.octets());
        Fingerprint::of_hash(HashAlgorithm::Sha256, hash.as_ref())
    }

    /// Its SHA-256 as ssh-keygen shows it.
    pub fn shown(&self) -> String {
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
