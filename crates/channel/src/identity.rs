//! Whom a channel has proven the other end to be.

use std::{net::IpAddr, sync::Arc};

use crate::Fingerprint;

/// A peer's proven identity. Cloning it copies no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeerIdentity {
    /// A user who logged in over SSH, or, on a client's side, the server.
    Ssh(Arc<SshIdentity>),
    /// The holder of an X.509 certificate's key.
    Certificate(Arc<CertificateIdentity>),
}

/// An SSH user, and how it was proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SshIdentity {
    /// The user name, exactly as it was authenticated.
    pub user: String,
    /// What proved it.
    pub proof: SshProof,
}

/// What proved an SSH user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SshProof {
    /// A key that authorized_keys lists.
    PublicKey {
        /// The key's SHA-256.
        key: Fingerprint,
    },
    /// A certificate of a trusted authority.
    Certificate {
        /// What the authority calls it.
        key_id: String,
        /// Its number among the authority's certificates.
        serial: u64,
        /// The authority's key.
        authority: Fingerprint,
    },
    /// A password, or answers to questions, that PAM took.
    Password,
    /// The server's host key was known or certified (client's side).
    HostKey {
        /// The key's SHA-256.
        key: Fingerprint,
    },
    /// Somebody in front of us vouches: an sshd whose subsystem we are.
    RelayedBySshd,
}

/// The Unix socket at which sshd's subsystem and the agent meet, unless they are told of another.
pub const DEFAULT_RELAY_SOCKET: &str = "/run/portreeve/snmp.sock";

/// The holder of an X.509 certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateIdentity {
    /// The certificate the peer proved to hold the key of.
    pub leaf: CertificateFacts,
    /// Those above it that its verification went through, the trust anchor last; empty for a pinned certificate.
    pub issuers: Vec<CertificateFacts>,
}

impl CertificateIdentity {
    /// The leaf, then its issuers.
    pub fn chain(&self) -> impl Iterator<Item = &CertificateFacts> {
        std::iter::once(&self.leaf).chain(&self.issuers)
    }
}

/// What a certificate says that names can be made of (RFC 6353 §5.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateFacts {
    /// Its fingerprint by each hash of [`HashAlgorithm::ALL`](crate::HashAlgorithm::ALL), in that order.
    pub fingerprints: Vec<Fingerprint>,
    /// subjectAltName entries in the certificate's order.
    pub alternative_names: Vec<AlternativeName>,
    /// The last CommonName of the subject, as text.
    pub common_name: Option<String>,
}

impl CertificateFacts {
    /// Whether this is the certificate with that fingerprint.
    pub fn has_fingerprint(&self, fingerprint: &Fingerprint) -> bool {
        self.fingerprints.contains(fingerprint)
    }
}

/// A subjectAltName that can become a securityName.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AlternativeName {
    /// rfc822Name, as it stands in the certificate.
    Rfc822(String),
    /// dNSName, as it stands in the certificate.
    Dns(String),
    /// iPAddress.
    Ip(IpAddr),
}
