//! What PAM's failures mean for somebody who wants in.

use portreeve_channel::LoginError;
use portreeve_sys::pam::PamError;

/// Of the question who it is.
pub(crate) fn from_authentication(code: PamError) -> LoginError {
    match code {
        // Which one of these it was, nobody outside learns.
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

/// Of the question whether the account may be used.
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
