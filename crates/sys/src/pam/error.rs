//! Error codes of the PAM library.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::{fmt, ptr};

/// A PAM error code. `Display` prints the library's description.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PamError(c_int);

impl PamError {
    /// Critical error in the library or a module.
    pub const ABORT: Self = Self(26);
    /// Permission denied by a module.
    pub const PERMISSION_DENIED: Self = Self(6);
    /// Authentication failed.
    pub const AUTHENTICATION_FAILED: Self = Self(7);
    /// The user is unknown.
    pub const USER_UNKNOWN: Self = Self(10);
    /// Too many failed attempts.
    pub const TOO_MANY_TRIES: Self = Self(11);
    /// The password must be changed first.
    pub const NEW_PASSWORD_REQUIRED: Self = Self(12);
    /// The account has expired.
    pub const ACCOUNT_EXPIRED: Self = Self(13);
    /// The conversation failed: a prompt was not answered.
    pub const CONVERSATION_FAILED: Self = Self(19);
    /// The password has expired.
    pub const PASSWORD_EXPIRED: Self = Self(27);

    pub(super) const SUCCESS: c_int = 0;

    /// Converts a result code; `None` for success.
    pub(super) fn from_code(number: c_int) -> Option<Self> {
        (number != Self::SUCCESS).then_some(Self(number))
    }

    pub(super) fn code(self) -> c_int {
        self.0
    }
}

impl fmt::Display for PamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: Linux-PAM does not use the handle here, and never frees the returned text.
        let text = unsafe {
            let text = pam_strerror(ptr::null_mut(), self.0);
            (!text.is_null()).then(|| CStr::from_ptr(text))
        };
        match text {
            Some(text) => f.write_str(&text.to_string_lossy()),
            None => write!(f, "PAM error {}", self.0),
        }
    }
}

impl std::error::Error for PamError {}

unsafe extern "C" {
    fn pam_strerror(handle: *mut c_void, number: c_int) -> *const c_char;
}
