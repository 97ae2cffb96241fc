//! What PAM's failures mean for somebody who wants in.

use portreeve_channel::Denial;
use portreeve_sys::pam::PamCode;

/// Of the question who it is.
pub(crate) fn of_authentication(code: PamCode) -> Denial {
    match code {
        // Which one of these it was, nobody outside learns.
        PamCode::AUTHENTICATION
        | PamCode::USER_UNKNOWN
        | PamCode::MAX_TRIES
        | PamCode::CONVERSATION
        | PamCode::PERMISSION => Denial::NotProven,
        PamCode::ACCOUNT_EXPIRED => Denial::AccountExpired,
        PamCode::NEW_PASSWORD_WANTED | PamCode::PASSWORD_EXPIRED => Denial::PasswordExpired,
        _ => Denial::Failed,
    }
}

/// Of the question whether the account may be used.
pub(crate) fn of_account(code: PamCode) -> Denial {
    match code {
        PamCode::ACCOUNT_EXPIRED => Denial::AccountExpired,
        PamCode::NEW_PASSWORD_WANTED | PamCode::PASSWORD_EXPIRED => Denial::PasswordExpired,
        PamCode::PERMISSION | PamCode::AUTHENTICATION | PamCode::USER_UNKNOWN => Denial::AccountClosed,
        _ => Denial::Failed,
    }
}
