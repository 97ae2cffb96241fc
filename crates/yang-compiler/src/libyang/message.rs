//! Messages of libyang.

use std::ffi::{CStr, c_char};

use libyang5_sys as sys;

/// An error or a warning of libyang.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) is_error: bool,
    pub(crate) text: String,
    /// The line in the text that was parsed, if the message is about its syntax.
    pub(crate) line: Option<u64>,
    /// The node, as libyang writes it, if the message is about a compiled schema.
    pub(crate) schema_path: Option<String>,
    /// The instance, as libyang writes it, if the message is about data.
    #[cfg(test)]
    pub(crate) data_path: Option<String>,
    /// The error-app-tag.
    #[cfg(test)]
    pub(crate) app_tag: Option<String>,
}

/// Copies the messages that libyang has stored, in the order in which they were written, and
/// removes them.
///
/// # Safety
///
/// The context must be valid or null, which stands for messages without a context.
pub(super) unsafe fn take_messages(context: *mut sys::ly_ctx) -> Vec<Message> {
    let mut messages = Vec::new();
    // SAFETY: the caller guarantees a valid context.
    let mut next = unsafe { sys::ly_err_first(context) };
    while !next.is_null() {
        // SAFETY: libyang keeps the list until it is cleaned below.
        let item = unsafe { next.read() };
        messages.push(Message {
            is_error: item.level == sys::LY_LOG_LEVEL::LY_LLERR,
            // SAFETY: texts of messages are null or end with NUL.
            text: unsafe { copy(item.msg) }.unwrap_or_default(),
            line: (item.line != 0).then_some(item.line),
            // SAFETY: as above.
            schema_path: unsafe { copy(item.schema_path) },
            #[cfg(test)]
            // SAFETY: as above.
            data_path: unsafe { copy(item.data_path) },
            #[cfg(test)]
            // SAFETY: as above.
            app_tag: unsafe { copy(item.apptag) },
        });
        next = item.next;
    }
    // SAFETY: the context is valid, and null stands for all of its messages.
    unsafe { sys::ly_err_clean(context, std::ptr::null_mut()) };
    messages
}

/// Copies a text.
///
/// # Safety
///
/// A pointer that is not null must point to a text that ends with NUL.
unsafe fn copy(raw: *const c_char) -> Option<String> {
    if raw.is_null() {
        return None;
    }
    // SAFETY: the caller guarantees a text with NUL.
    Some(unsafe { CStr::from_ptr(raw) }.to_string_lossy().into_owned())
}
