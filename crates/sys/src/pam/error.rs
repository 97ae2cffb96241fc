//! What the PAM library returns where something is not right.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::{fmt, ptr};

/// A failure by its number. `Display` is the library's own sentence.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PamError(c_int);

impl PamError {
    /// The library, or a module, has failed altogether.
    pub const ABORT: Self = Self(26);
    /// A module has refused.
    pub const PERMISSION_DENIED: Self = Self(6);
    /// The user has not proven to be that.
    pub const AUTHENTICATION_FAILED: Self = Self(7);
    /// Nobody has that name.
    pub const USER_UNKNOWN: Self = Self(10);
    /// Too many tries.
    pub const TOO_MANY_TRIES: Self = Self(11);
    /// The password has to be changed first.
    pub const NEW_PASSWORD_REQUIRED: Self = Self(12);
    /// The account counts no more.
    pub const ACCOUNT_EXPIRED: Self = Self(13);
    /// Questions were not answered.
    pub const CONVERSATION_FAILED: Self = Self(19);
    /// The password counts no more.
    pub const PASSWORD_EXPIRED: Self = Self(27);

    pub(super) const SUCCESS: c_int = 0;

    /// A failure; `None` for success.
    pub(super) fn from_code(number: c_int) -> Option<Self> {
        (number != Self::SUCCESS).then_some(Self(number))
    }

    pub(super) fn code(self) -> c_int {
        self.0
    }
}

impl fmt::Display for PamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: Linux-PAM does not look at the handle, and its sentences are never freed.
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
