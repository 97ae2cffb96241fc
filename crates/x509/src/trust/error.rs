//! The reasons why a certificate is not trusted, with hints.

use std::fmt;

use portreeve_channel::{ChannelError, ChannelReason, ChannelStep};

/// The reason why a peer's certificate is not trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TrustError {
    /// The peer presented no certificate.
    NoCertificate,
    /// The certificate is malformed, or its encoding is not allowed.
    Malformed,
    /// The chain contains more certificates than allowed.
    ChainTooLong,
    /// No chain leads to a trusted authority, and the fingerprint is not pinned.
    UnknownIssuer,
    /// The certificate has expired.
    Expired,
    /// The certificate is not valid yet; usually one of the two clocks is wrong.
    NotYetValid,
    /// The certificate is revoked.
    Revoked,
    /// The certificate's extended key usage does not include this use.
    WrongUsage,
    /// The certificate does not contain the expected name.
    NameMismatch,
    /// A signature in the chain is invalid.
    BadSignature,
    /// A signature algorithm or a key in the chain is too weak, or not supported.
    TooWeak,
    /// The certificate violates a constraint in its chain.
    ConstraintViolated,
}

impl TrustError {
    /// Returns the error of a channel whose peer was not trusted in this step.
    pub fn at(self, step: ChannelStep) -> ChannelError {
        ChannelError::at(step, self.to_string()).with_hint(self.hint()).with_reason(self.reason())
    }

    fn reason(self) -> ChannelReason {
        match self {
            Self::UnknownIssuer => ChannelReason::UnknownCertificate,
            Self::NoCertificate
            | Self::Malformed
            | Self::ChainTooLong
            | Self::Expired
            | Self::NotYetValid
            | Self::Revoked
            | Self::WrongUsage
            | Self::NameMismatch
            | Self::BadSignature
            | Self::TooWeak
            | Self::ConstraintViolated => ChannelReason::InvalidCertificate,
        }
    }

    /// Returns a hint on how to fix the problem.
    pub fn hint(self) -> &'static str {
        match self {
            Self::NoCertificate => "configure the peer to present a certificate",
            Self::Malformed => "issue a new certificate",
            Self::ChainTooLong => "present only the certificates that lead to the authority",
            Self::UnknownIssuer => {
                "trust the authority that signed the certificate, or pin the certificate's fingerprint"
            }
            Self::Expired => "renew the certificate",
            Self::NotYetValid => "compare the clocks of both machines",
            Self::Revoked => "issue a new certificate; this one was revoked",
            Self::WrongUsage => {
                "issue the certificate with the extended key usage of its role, clientAuth or serverAuth"
            }
            Self::NameMismatch => "use a name from the certificate's subjectAltName, or pin its fingerprint",
            Self::BadSignature => {
                "compare the authorities: another authority with the same name has signed the certificate, or the certificate was changed"
            }
            Self::TooWeak => {
                "issue the certificate again: sign it with SHA-256 or better, and use RSA keys of at least 2048 bits"
            }
            Self::ConstraintViolated => {
                "check the key usage, name and path-length constraints of the certificate's authorities"
            }
        }
    }
}

/// Returns a hint for an alert (RFC 8446 §6.2) with which a peer rejects our certificate.
pub fn hint_for_alert(number: u8) -> &'static str {
    match number {
        CERTIFICATE_REVOKED => TrustError::Revoked.hint(),
        CERTIFICATE_EXPIRED => {
            "renew the certificate that the peer rejected, or correct the clock of the peer"
        }
        CERTIFICATE_REQUIRED => TrustError::NoCertificate.hint(),
        _ => "configure the peer to trust the rejected certificate's authority or fingerprint",
    }
}

const CERTIFICATE_REVOKED: u8 = 44;
const CERTIFICATE_EXPIRED: u8 = 45;
const CERTIFICATE_REQUIRED: u8 = 116;

impl fmt::Display for TrustError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoCertificate => "no certificate was presented",
            Self::Malformed => "the certificate is malformed",
            Self::ChainTooLong => "the certificate chain is too long",
            Self::UnknownIssuer => {
                "no trusted authority has signed the certificate, and its fingerprint is not pinned"
            }
            Self::Expired => "the certificate has expired",
            Self::NotYetValid => "the certificate is not valid yet",
            Self::Revoked => "the certificate is revoked",
            Self::WrongUsage => "the certificate is not valid for this use",
            Self::NameMismatch => "the certificate does not contain this name",
            Self::BadSignature => "a signature in the certificate chain is invalid",
            Self::TooWeak => {
                "the certificate or its authority uses a key or signature algorithm that is too weak"
            }
            Self::ConstraintViolated => "the certificate violates a constraint of its authority",
        })
    }
}

impl std::error::Error for TrustError {}

impl From<webpki::Error> for TrustError {
    fn from(error: webpki::Error) -> Self {
        use webpki::Error as E;
        match error {
            E::CertExpired { .. } | E::CrlExpired { .. } => Self::Expired,
            E::CertNotValidYet { .. } => Self::NotYetValid,
            E::CertRevoked => Self::Revoked,
            E::CertNotValidForName(_) => Self::NameMismatch,
            E::UnknownIssuer | E::CaUsedAsEndEntity => Self::UnknownIssuer,
            E::RequiredEkuNotFoundContext(_) | E::EmptyEkuExtension => Self::WrongUsage,
            E::InvalidSignatureForPublicKey | E::InvalidCrlSignatureForPublicKey => Self::BadSignature,
            E::UnsupportedSignatureAlgorithmContext(_)
            | E::UnsupportedSignatureAlgorithmForPublicKeyContext(_) => Self::TooWeak,
            E::NameConstraintViolation
            | E::PathLenConstraintViolated
            | E::EndEntityUsedAsCa
            | E::CertDistrusted
            | E::IssuerNotCrlSigner => Self::ConstraintViolated,
            E::MaximumPathBuildCallsExceeded
            | E::MaximumPathDepthExceeded
            | E::MaximumSignatureChecksExceeded
            | E::MaximumNameConstraintComparisonsExceeded => Self::ChainTooLong,
            _ => Self::Malformed,
        }
    }
}
