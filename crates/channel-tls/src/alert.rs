//! Conversion between [`TrustError`] and the rustls error from which rustls chooses the alert.

use std::sync::Arc;

use portreeve_x509::TrustError;
use rustls::{CertificateError, OtherError};

/// Converts `error` to the rustls error that selects the right alert. [`from_certificate_error`] is
/// the inverse.
pub(crate) fn to_certificate_error(error: TrustError) -> CertificateError {
    match error {
        TrustError::Expired => CertificateError::Expired,
        TrustError::NotYetValid => CertificateError::NotValidYet,
        TrustError::Revoked => CertificateError::Revoked,
        TrustError::UnknownIssuer => CertificateError::UnknownIssuer,
        TrustError::BadSignature => CertificateError::BadSignature,
        TrustError::WrongUsage => CertificateError::InvalidPurpose,
        TrustError::NameMismatch => CertificateError::NotValidForName,
        TrustError::Malformed | TrustError::NoCertificate => CertificateError::BadEncoding,
        TrustError::ChainTooLong | TrustError::TooWeak => {
            CertificateError::Other(OtherError(Arc::new(error)))
        }
        TrustError::ConstraintViolated => CertificateError::ApplicationVerificationFailure,
    }
}

/// Returns the reason why we rejected the peer's certificate.
pub(crate) fn from_certificate_error(error: &CertificateError) -> TrustError {
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => TrustError::Expired,
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            TrustError::NotYetValid
        }
        CertificateError::Revoked => TrustError::Revoked,
        CertificateError::UnknownIssuer => TrustError::UnknownIssuer,
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => {
            TrustError::WrongUsage
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            TrustError::NameMismatch
        }
        CertificateError::BadSignature => TrustError::BadSignature,
        CertificateError::ApplicationVerificationFailure => TrustError::ConstraintViolated,
        CertificateError::Other(OtherError(error)) => {
            error.downcast_ref().copied().unwrap_or(TrustError::Malformed)
        }
        _ => TrustError::Malformed,
    }
}
