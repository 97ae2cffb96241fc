//! A refusal as rustls has it, which chooses the alert by that, and back.

use std::sync::Arc;

use portreeve_x509::Refusal;
use rustls::{CertificateError, OtherError};

/// The refusal in the words that choose the alert; [`refusal_of`] reads it back.
pub(crate) fn as_alert(refusal: Refusal) -> CertificateError {
    match refusal {
        Refusal::Expired => CertificateError::Expired,
        Refusal::NotYetValid => CertificateError::NotValidYet,
        Refusal::Revoked => CertificateError::Revoked,
        Refusal::UnknownIssuer => CertificateError::UnknownIssuer,
        Refusal::BadSignature => CertificateError::BadSignature,
        Refusal::WrongUsage => CertificateError::InvalidPurpose,
        Refusal::OtherName => CertificateError::NotValidForName,
        Refusal::Malformed | Refusal::NoCertificate => CertificateError::BadEncoding,
        Refusal::ChainTooLong => CertificateError::Other(OtherError(Arc::new(refusal))),
        Refusal::Forbidden => CertificateError::ApplicationVerificationFailure,
    }
}

/// Why we refused the peer's certificate.
pub(crate) fn refusal_of(error: &CertificateError) -> Refusal {
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => Refusal::Expired,
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => Refusal::NotYetValid,
        CertificateError::Revoked => Refusal::Revoked,
        CertificateError::UnknownIssuer => Refusal::UnknownIssuer,
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => {
            Refusal::WrongUsage
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            Refusal::OtherName
        }
        CertificateError::BadSignature => Refusal::BadSignature,
        CertificateError::ApplicationVerificationFailure => Refusal::Forbidden,
        CertificateError::Other(OtherError(ours)) => {
            ours.downcast_ref().copied().unwrap_or(Refusal::Malformed)
        }
        _ => Refusal::Malformed,
    }
}
