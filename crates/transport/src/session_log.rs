//! Log texts for sessions that were accepted, refused or lost.

use std::fmt;

use portreeve_channel::{CertificateFacts, HashAlgorithm, PeerIdentity, SshProof};

/// The log event for an authenticated peer with a securityName.
pub(crate) const SESSION_ACCEPTED: &str = "session accepted";
/// The log event for a peer that was refused a session.
pub(crate) const SESSION_REFUSED: &str = "session refused";
/// The log event for a session that ended with an error.
pub(crate) const SESSION_ENDED: &str = "session closed because of an error";

/// The log text for a session whose identity is not accepted by the new configuration.
pub(crate) const IDENTITY_NOT_ACCEPTED: &str = "the configuration has changed: it revokes the credential of this session or no longer maps it to the same securityName";

/// The log text for a peer without a securityName.
pub(crate) struct NoSecurityNameMessage<'a>(pub(crate) &'a PeerIdentity);

impl fmt::Display for NoSecurityNameMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            PeerIdentity::Ssh(identity) => {
                write!(f, "the user name {:?} is not a securityName of 1 to 32 octets", identity.user)
            }
            PeerIdentity::Certificate(identity) => {
                let name = identity.leaf.common_name.as_deref().unwrap_or_default();
                f.write_str("no [[tls.name]] rule maps the ")?;
                write_certificate(f, &identity.leaf)?;
                write!(f, " of {name:?} to a securityName")
            }
        }
    }
}

/// The log text for the credential with which a peer was authenticated.
pub(crate) struct CredentialMessage<'a>(pub(crate) &'a PeerIdentity);

impl fmt::Display for CredentialMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            PeerIdentity::Ssh(identity) => match &identity.proof {
                SshProof::PublicKey { key } => write!(f, "key {key}"),
                SshProof::Certificate { key_id, serial, authority, .. } => {
                    write!(f, "certificate {key_id:?} serial {serial} authority {authority}")
                }
                SshProof::Password => f.write_str("password"),
                SshProof::HostKey { key } => write!(f, "host key {key}"),
                SshProof::RelayedBySshd => f.write_str("sshd"),
            },
            PeerIdentity::Certificate(identity) => write_certificate(f, &identity.leaf),
        }
    }
}

fn write_certificate(f: &mut fmt::Formatter<'_>, certificate: &CertificateFacts) -> fmt::Result {
    f.write_str("certificate")?;
    let mut fingerprints = certificate.fingerprints.iter();
    match fingerprints.find(|fingerprint| fingerprint.algorithm() == HashAlgorithm::Sha256) {
        Some(fingerprint) => write!(f, " {fingerprint}"),
        None => Ok(()),
    }
}
