//! The authenticated identity of a channel's peer.

use std::{net::IpAddr, sync::Arc};

use crate::Fingerprint;

/// The identity of an authenticated peer. Cloning does not copy any text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeerIdentity {
    /// A user who logged in over SSH or, on a client, the SSH server.
    Ssh(Arc<SshIdentity>),
    /// The owner of an X.509 certificate.
    Certificate(Arc<CertificateIdentity>),
}

/// An SSH user, and how the user was authenticated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SshIdentity {
    /// The user name, exactly as it was authenticated.
    pub user: String,
    /// The proof by which the user was authenticated.
    pub proof: SshProof,
}

/// The proof by which an SSH peer was authenticated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SshProof {
    /// A key listed in authorized_keys.
    PublicKey {
        /// The SHA-256 fingerprint of the key.
        key: Fingerprint,
    },
    /// A certificate of a trusted authority.
    Certificate {
        /// The SHA-256 fingerprint of the certified key.
        key: Fingerprint,
        /// The key ID, which the authority has chosen.
        key_id: String,
        /// The serial number that the authority has assigned.
        serial: u64,
        /// The SHA-256 fingerprint of the authority's key.
        authority: Fingerprint,
    },
    /// A password, or responses to prompts, accepted by PAM.
    Password,
    /// On a client: the server's host key, which is known or certified.
    HostKey {
        /// The SHA-256 fingerprint of the key.
        key: Fingerprint,
    },
    /// An sshd in front of the agent authenticated the user, and runs our subsystem.
    RelayedBySshd,
}

/// The default Unix socket between sshd's subsystem and the agent.
pub const DEFAULT_RELAY_SOCKET: &str = "/run/portreeve/snmp.sock";

/// The owner of an X.509 certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateIdentity {
    /// The certificate whose key the peer has proven to hold.
    pub leaf: CertificateFacts,
    /// The issuers in the verified chain, the trust anchor last; empty for a pinned certificate.
    pub issuers: Vec<CertificateFacts>,
}

impl CertificateIdentity {
    /// Iterates over the leaf, then its issuers.
    pub fn chain(&self) -> impl Iterator<Item = &CertificateFacts> {
        std::iter::once(&self.leaf).chain(&self.issuers)
    }
}

/// The parts of a certificate from which names can be derived (RFC 6353 §5.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateFacts {
    /// One fingerprint for each hash of [`HashAlgorithm::ALL`](crate::HashAlgorithm::ALL), in that
    /// order.
    pub fingerprints: Vec<Fingerprint>,
    /// subjectAltName entries in the order of the certificate.
    pub alternative_names: Vec<AlternativeName>,
    /// The last CommonName of the subject, as text.
    pub common_name: Option<String>,
    /// The DER content of the issuer's name, and the serial number, as in revocation lists.
    pub issuer_and_serial: (Vec<u8>, Vec<u8>),
}

impl CertificateFacts {
    /// Returns `true` if this certificate has the given fingerprint.
    pub fn has_fingerprint(&self, fingerprint: &Fingerprint) -> bool {
        self.fingerprints.contains(fingerprint)
    }
}

/// A subjectAltName that can become a securityName.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AlternativeName {
    /// An email address (rfc822Name), unchanged.
    Rfc822(String),
    /// A DNS name (dNSName), unchanged.
    Dns(String),
    /// An IP address (iPAddress).
    Ip(IpAddr),
}
