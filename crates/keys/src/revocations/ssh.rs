//! The list of revoked SSH keys and certificates in OpenSSH's format (KRL), which sshd's
//! `RevokedKeys` and the agent's `revoked` read.

use std::{path::Path, time::SystemTime};

use portreeve_channel::HashAlgorithm;
use portreeve_krl::{CertificateSet, ListHeader, RevokedEntry, read, strip_magic, write};
use portreeve_x509::fingerprint;

use crate::{CommandError, files, show::KeyItem};

/// A valid list of revoked SSH keys and certificates.
#[derive(Debug)]
pub(crate) struct SshRevocationList(Vec<u8>);

/// A revocation to be added to a list.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RevokedSsh {
    /// The key with this SSH encoding.
    Key(Vec<u8>),
    /// The certificate with this serial number. The first value is the key of the authority that
    /// issued it.
    Serial(Vec<u8>, u64),
    /// The certificates with this key ID. The first value is the key of the authority that issued
    /// them.
    Id(Vec<u8>, String),
}

impl SshRevocationList {
    /// Creates an empty list.
    pub(crate) fn empty(name: &str, now: SystemTime) -> Self {
        Self(write(ListHeader { number: 1, created: seconds(now), comment: name.as_bytes() }, []))
    }

    /// Reads a list. Fails if the file is a text file from which `ssh-keygen -k` creates lists.
    pub(crate) fn load(path: &Path) -> Result<Self, CommandError> {
        let octets = files::read(path)?;
        Self::parse(octets.expose()).ok_or_else(|| {
            CommandError::at(path, "not an OpenSSH revocation list").with_hint(
                "convert a text list with `ssh-keygen -k -s ssh_ca.pub -f LIST TEXT`, and replace the file with the result",
            )
        })
    }

    /// Parses a complete list.
    pub(crate) fn parse(octets: &[u8]) -> Option<Self> {
        read(strip_magic(octets)?, |_| Some(()))?;
        Some(Self(octets.to_vec()))
    }

    /// Returns the content of the file.
    pub(crate) fn octets(&self) -> &[u8] {
        &self.0
    }

    /// Returns the next version of this list, with additional entries.
    pub(crate) fn with(&self, void: &[RevokedSsh], now: SystemTime) -> Self {
        let (head, mut entries) = self.read();
        entries.extend(void.iter().map(RevokedSsh::entry));
        let head = ListHeader { number: head.number.saturating_add(1), created: seconds(now), ..head };
        Self(write(head, entries))
    }

    /// Returns the header and the entries.
    pub(crate) fn read(&self) -> (ListHeader<'_>, Vec<RevokedEntry<'_>>) {
        let mut entries = Vec::new();
        let head = read(strip_magic(&self.0).unwrap_or_default(), |entry| {
            entries.push(entry);
            Some(())
        });
        (head.unwrap_or_default(), entries)
    }

    /// Returns true if the list revokes an SSH key or certificate, directly or by its key or its
    /// authority's key.
    pub(crate) fn has(&self, item: &KeyItem) -> bool {
        let keys = [&item.ssh_key, &item.authority_key].into_iter().filter(|key| !key.is_empty());
        let keys: Vec<_> = keys
            .map(|key| {
                let hash = |algorithm| fingerprint(algorithm, key).hash().to_vec();
                (key, hash(HashAlgorithm::Sha256), hash(HashAlgorithm::Sha1))
            })
            .collect();
        let (_, entries) = self.read();
        entries.iter().any(|entry| match entry {
            RevokedEntry::Key(void) => keys.iter().any(|(key, ..)| key == void),
            RevokedEntry::Sha256(void) => keys.iter().any(|(_, sha256, _)| sha256 == void),
            RevokedEntry::Sha1(void) => keys.iter().any(|(.., sha1)| sha1 == void),
            RevokedEntry::Certificates { authority, certificates: which } => {
                item.kind.is_certificate()
                    && (authority.is_empty() || *authority == item.authority_key)
                    && which.contains(item.ssh_serial, item.subject.as_bytes())
            }
        })
    }
}

impl RevokedSsh {
    /// Returns the revocation of an SSH key or certificate.
    pub(crate) fn of(item: &KeyItem) -> Self {
        if !item.kind.is_certificate() {
            return Self::Key(item.ssh_key.clone());
        }
        match item.ssh_serial {
            // The authority does not use serial numbers, so only the key ID identifies its
            // certificates.
            0 => Self::Id(item.authority_key.clone(), item.subject.clone()),
            serial => Self::Serial(item.authority_key.clone(), serial),
        }
    }

    fn entry(&self) -> RevokedEntry<'_> {
        match self {
            Self::Key(key) => RevokedEntry::Key(key),
            Self::Serial(authority, serial) => RevokedEntry::Certificates {
                authority,
                certificates: CertificateSet::Serials { first: *serial, last: *serial },
            },
            Self::Id(authority, id) => {
                RevokedEntry::Certificates { authority, certificates: CertificateSet::Id(id.as_bytes()) }
            }
        }
    }
}

fn seconds(at: SystemTime) -> u64 {
    at.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
