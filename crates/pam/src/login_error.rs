//! Conversion of PAM errors to login errors.

use portreeve_channel::LoginError;
use portreeve_sys::pam::PamError;

/// Converts an error of pam_authenticate.
pub(crate) fn from_authentication(code: PamError) -> LoginError {
    match code {
        // The client must not learn which of these errors occurred.
        PamError::AUTHENTICATION_FAILED
        | PamError::USER_UNKNOWN
        | PamError::TOO_MANY_TRIES
        | PamError::CONVERSATION_FAILED
        | PamError::PERMISSION_DENIED => LoginError::BadCredentials,
        PamError::ACCOUNT_EXPIRED => LoginError::AccountExpired,
        PamError::NEW_PASSWORD_REQUIRED | PamError::PASSWORD_EXPIRED => LoginError::PasswordExpired,
        _ => LoginError::Unavailable,
    }
}

/// Converts an error of pam_acct_mgmt.
pub(crate) fn from_account(code: PamError) -> LoginError {
    match code {
        PamError::ACCOUNT_EXPIRED => LoginError::AccountExpired,
        PamError::NEW_PASSWORD_REQUIRED | PamError::PASSWORD_EXPIRED => LoginError::PasswordExpired,
        PamError::PERMISSION_DENIED | PamError::AUTHENTICATION_FAILED | PamError::USER_UNKNOWN => {
            LoginError::AccessDenied
        }
        _ => LoginError::Unavailable,
    }
}
