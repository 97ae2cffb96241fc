//! The list of SSH keys and certificates that count no more: OpenSSH's own, which sshd's `RevokedKeys` and our agent's
//! `revoked` both read.

use std::{path::Path, time::SystemTime};

use portreeve_channel::HashAlgorithm;
use portreeve_krl::{CertificateSet, ListHeader, RevokedEntry, read, strip_magic, write};
use portreeve_x509::fingerprint;

use crate::{CommandError, files, show::KeyItem};

/// A list that can be read to its end.
#[derive(Debug)]
pub(crate) struct SshRevocationList(Vec<u8>);

/// Something to be put onto a list.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RevokedSsh {
    /// A key, as SSH encodes it.
    Key(Vec<u8>),
    /// The certificate of this number by the authority with this key.
    Serial(Vec<u8>, u64),
    /// The certificates with this key ID, by the authority with this key.
    Id(Vec<u8>, String),
}

impl SshRevocationList {
    /// A list with nothing on it.
    pub(crate) fn empty(name: &str, now: SystemTime) -> Self {
        Self(write(ListHeader { number: 1, created: seconds(now), comment: name.as_bytes() }, []))
    }

    /// Reads one. A text, from which `ssh-keygen -k` makes lists, is none.
    pub(crate) fn load(path: &Path) -> Result<Self, CommandError> {
        let octets = files::read(path)?;
        Self::parse(octets.expose()).ok_or_else(|| {
            CommandError::at(path, "no list of revoked keys as OpenSSH has them").with_hint(
                "`ssh-keygen -k -s ssh_ca.pub -f LIST TEXT` makes one of a text, which can take its place",
            )
        })
    }

    /// From octets that are a whole list.
    pub(crate) fn parse(octets: &[u8]) -> Option<Self> {
        read(strip_magic(octets)?, |_| Some(()))?;
        Some(Self(octets.to_vec()))
    }

    /// As it is written to a file.
    pub(crate) fn octets(&self) -> &[u8] {
        &self.0
    }

    /// The next list of the same authority, with these on it too.
    pub(crate) fn with(&self, void: &[RevokedSsh], now: SystemTime) -> Self {
        let (head, mut entries) = self.read();
        entries.extend(void.iter().map(RevokedSsh::entry));
        let head = ListHeader { number: head.number.saturating_add(1), created: seconds(now), ..head };
        Self(write(head, entries))
    }

    /// What it says of itself, and what is on it.
    pub(crate) fn read(&self) -> (ListHeader<'_>, Vec<RevokedEntry<'_>>) {
        let mut entries = Vec::new();
        let head = read(strip_magic(&self.0).unwrap_or_default(), |entry| {
            entries.push(entry);
            Some(())
        });
        (head.unwrap_or_default(), entries)
    }

    /// Whether a key or certificate of SSH is on it: by itself, by its key, or by its authority's.
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
    /// What makes a certificate or key of SSH void.
    pub(crate) fn of(item: &KeyItem) -> Self {
        if !item.kind.is_certificate() {
            return Self::Key(item.ssh_key.clone());
        }
        match item.ssh_serial {
            // An authority that does not count: its certificates have nothing but their names.
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
