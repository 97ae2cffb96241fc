//! Why a peer is not trusted, and what to do about it.

use std::fmt;

/// Why a peer is not trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TrustError {
    /// It presented none.
    NoCertificate,
    /// It is no certificate, or has an encoding that is not allowed.
    Malformed,
    /// More certificates than any sensible chain has.
    ChainTooLong,
    /// No chain leads to an authority that is trusted, and its fingerprint is not pinned.
    UnknownIssuer,
    /// Its validity has ended.
    Expired,
    /// Its validity has not begun: as a rule one of the two clocks is wrong.
    NotYetValid,
    /// Its authority has taken it back.
    Revoked,
    /// It is not meant for this use.
    WrongUsage,
    /// It is another server's.
    NameMismatch,
    /// A signature in the chain is wrong.
    BadSignature,
    /// It breaks a rule that its chain sets.
    ConstraintViolated,
}

impl TrustError {
    /// What to do about it.
    pub fn hint(self) -> &'static str {
        match self {
            Self::NoCertificate => "give the peer a certificate and have it presented",
            Self::Malformed => "have the certificate made anew",
            Self::ChainTooLong => "present only the certificates that lead to the authority",
            Self::UnknownIssuer => "trust the authority that signed it, or pin the certificate's fingerprint",
            Self::Expired => "have the certificate renewed",
            Self::NotYetValid => "compare the clocks of both ends",
            Self::Revoked => "have a new certificate made; this one was taken back",
            Self::WrongUsage => {
                "have it made with the extended key usage of its role, clientAuth or serverAuth"
            }
            Self::NameMismatch => {
                "use the name that stands in the certificate's subjectAltName, or pin its fingerprint"
            }
            Self::BadSignature => {
                "another authority of the same name has signed it, or it was changed: compare the authorities"
            }
            Self::ConstraintViolated => "look at the name and path-length constraints of its authorities",
        }
    }
}

/// What to do where a peer says by this alert (RFC 8446 §6.2) that it does not take our certificate.
pub fn hint_for_alert(number: u8) -> &'static str {
    match number {
        CERTIFICATE_REVOKED => TrustError::Revoked.hint(),
        CERTIFICATE_EXPIRED => "have our certificate renewed; or one of the two clocks is wrong",
        CERTIFICATE_REQUIRED => TrustError::NoCertificate.hint(),
        _ => "the peer refuses our certificate: have it trust our authority or fingerprint",
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
            Self::ChainTooLong => "the chain of certificates is too long",
            Self::UnknownIssuer => {
                "nobody we trust has signed the certificate, and its fingerprint is not pinned"
            }
            Self::Expired => "the certificate has expired",
            Self::NotYetValid => "the certificate is not valid yet",
            Self::Revoked => "the certificate is revoked",
            Self::WrongUsage => "the certificate is not for this use",
            Self::NameMismatch => "the certificate is for another name",
            Self::BadSignature => "a signature in the chain of certificates is not the authority's",
            Self::ConstraintViolated => "the certificate breaks a constraint of its authority",
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
