//! The callback with which libyang asks for the text of a module.

use std::{
    ffi::{CStr, CString, c_char, c_void},
    rc::Rc,
};

use libyang5_sys as sys;

/// A module or submodule that libyang needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ModuleRequest<'a> {
    pub(crate) name: &'a str,
    /// `None` stands for the newest revision.
    pub(crate) revision: Option<&'a str>,
    /// The module that includes the requested submodule.
    pub(crate) submodule_of: Option<&'a str>,
}

/// Supplies the texts of modules.
pub(crate) trait ModuleSource {
    /// Returns the text of a module, or `None` if there is no such module.
    fn text(&self, request: ModuleRequest<'_>) -> Option<CString>;
}

/// The source as libyang keeps it: a thin pointer to it is the callback's argument.
pub(super) type SharedSource = Rc<dyn ModuleSource>;

/// Supplies a module to libyang. It is called only while a context loads modules.
///
/// # Safety
///
/// `source` must point to a `SharedSource`, the names must be null or end with NUL, and the other
/// pointers must be valid for writing.
pub(super) unsafe extern "C" fn supply_module(
    name: *const c_char,
    revision: *const c_char,
    submodule: *const c_char,
    submodule_revision: *const c_char,
    source: *mut c_void,
    format: *mut sys::LYS_INFORMAT::Type,
    data: *mut *const c_char,
    free: *mut sys::ly_module_imp_data_free_clb,
) -> sys::LY_ERR::Type {
    // SAFETY: the caller guarantees the type of the source, which the context owns.
    let source = unsafe { &*source.cast::<SharedSource>() };
    // SAFETY: the names end with NUL and live until this function returns.
    let texts = unsafe { [text(name), text(revision), text(submodule), text(submodule_revision)] };
    let request = match texts {
        [Some(name), revision, None, _] => ModuleRequest { name, revision, submodule_of: None },
        [Some(module), _, Some(name), revision] => {
            ModuleRequest { name, revision, submodule_of: Some(module) }
        }
        _ => return sys::LY_ERR::LY_EINVAL,
    };
    let Some(found) = source.text(request) else { return sys::LY_ERR::LY_ENOTFOUND };
    // SAFETY: libyang passes valid pointers for its results. `free_module` frees the text.
    unsafe {
        format.write(sys::LYS_INFORMAT::LYS_IN_YANG);
        data.write(found.into_raw());
        free.write(Some(free_module));
    }
    sys::LY_ERR::LY_SUCCESS
}

/// Frees a text of [`supply_module`].
///
/// # Safety
///
/// `data` must come from `supply_module`, and this function must be called once for it.
unsafe extern "C" fn free_module(data: *mut c_void, _source: *mut c_void) {
    // SAFETY: the caller guarantees a text that `into_raw` has returned.
    drop(unsafe { CString::from_raw(data.cast()) });
}

/// Borrows a text.
///
/// # Safety
///
/// A pointer that is not null must point to a text that ends with NUL and lives for `'a`.
unsafe fn text<'a>(raw: *const c_char) -> Option<&'a str> {
    if raw.is_null() {
        return None;
    }
    // SAFETY: the caller guarantees a text with NUL.
    unsafe { CStr::from_ptr(raw) }.to_str().ok()
}
