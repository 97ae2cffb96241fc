//! Data trees, which only tests need: libyang decides if an instance is valid.

use std::{ffi::CStr, ptr};

use libyang5_sys as sys;

use super::{Context, Message};

impl Context {
    /// Reads configuration in XML. Returns the errors if a value or the structure is invalid, and
    /// otherwise those of the validation, of which libyang reports as many as it can.
    pub(crate) fn validate(&mut self, xml: &CStr) -> Verdict {
        let mut tree = ptr::null_mut();
        // SAFETY: the context is valid, the text ends with NUL, and `tree` is valid for writing.
        let result = unsafe {
            sys::lyd_parse_data_mem(
                self.raw(),
                xml.as_ptr(),
                sys::LYD_FORMAT::LYD_XML,
                sys::LYD_PARSE_ONLY | sys::LYD_PARSE_STRICT | sys::LYD_PARSE_NO_STATE,
                0,
                &raw mut tree,
            )
        };
        if result != sys::LY_ERR::LY_SUCCESS {
            // SAFETY: the tree is null or valid, and is not used after this call.
            unsafe { sys::lyd_free_all(tree) };
            return Verdict::Unreadable(self.messages());
        }
        let options = sys::LYD_VALIDATE_NO_STATE | sys::LYD_VALIDATE_MULTI_ERROR;
        // SAFETY: the tree is null or valid, and may be changed by the call.
        let result = unsafe { sys::lyd_validate_all(&raw mut tree, self.raw(), options, ptr::null_mut()) };
        // SAFETY: as above.
        unsafe { sys::lyd_free_all(tree) };
        let messages = self.messages();
        if result == sys::LY_ERR::LY_SUCCESS { Verdict::Valid } else { Verdict::Invalid(messages) }
    }
}

/// libyang's verdict on an instance.
#[derive(Clone, Debug)]
#[expect(dead_code, reason = "failed tests show the messages")]
pub(crate) enum Verdict {
    Valid,
    /// A value, a key or the structure is wrong.
    Unreadable(Vec<Message>),
    /// A condition of the schema is violated.
    Invalid(Vec<Message>),
}
