//! A set of modules that are compiled together.

use std::{
    ffi::{CStr, CString},
    ptr,
    rc::Rc,
};

use libyang5_sys as sys;

use super::{
    Message, Module, ModuleSource,
    import::{SharedSource, supply_module},
    message::take_messages,
    pointer::Pointer,
};

/// A context of libyang, which owns all modules.
pub(crate) struct Context {
    raw: *mut sys::ly_ctx,
    /// From `Box::into_raw`: libyang has a copy of this pointer. Freed when the context is dropped.
    source: *mut SharedSource,
}

impl Context {
    /// Creates a context that contains only the modules built into libyang. It reads no files: all
    /// other modules come from `source`.
    pub(crate) fn new(source: Rc<dyn ModuleSource>) -> Result<Self, Vec<Message>> {
        // No plug-ins from directories. Types such as ipv4-address are strings for us.
        const OPTIONS: u32 = sys::LY_CTX_NO_YANGLIBRARY
            | sys::LY_CTX_DISABLE_SEARCHDIRS
            | sys::LY_CTX_DISABLE_SEARCHDIR_CWD
            | sys::LY_CTX_BUILTIN_PLUGINS_ONLY
            | sys::LY_CTX_STATIC_PLUGINS_ONLY;
        let mut raw = ptr::null_mut();
        // SAFETY: the option is a plain number. All callers set the same value.
        unsafe { sys::ly_log_options(sys::LY_LOSTORE) };
        // SAFETY: a null directory stands for none, and `raw` is valid for writing.
        let result = unsafe { sys::ly_ctx_new(ptr::null(), OPTIONS, &raw mut raw) };
        if result != sys::LY_ERR::LY_SUCCESS {
            // SAFETY: null stands for messages without a context.
            return Err(unsafe { take_messages(ptr::null_mut()) });
        }
        let source = Box::into_raw(Box::new(source));
        // SAFETY: the context is valid, and the argument has the type that `supply_module` expects.
        // It is freed after the context only, so that it outlives all calls.
        unsafe { sys::ly_ctx_set_module_imp_clb(raw, Some(supply_module), source.cast()) };
        Ok(Self { raw, source })
    }

    /// Loads and implements a module with features, or enables features of a module that is loaded.
    pub(crate) fn implement(&mut self, name: &CStr, features: &Features) -> Result<(), Vec<Message>> {
        let mut features = features.as_raw();
        // SAFETY: the context is valid, the texts end with NUL, the array of features ends with
        // null, and no pointers into the context exist, because it is borrowed mutably.
        let module =
            unsafe { sys::ly_ctx_load_module(self.raw, name.as_ptr(), ptr::null(), features.as_mut_ptr()) };
        if module.is_null() { Err(self.messages()) } else { Ok(()) }
    }

    #[cfg(test)]
    pub(super) fn raw(&self) -> *mut sys::ly_ctx {
        self.raw
    }

    /// Removes and returns the messages that libyang has stored.
    pub(crate) fn messages(&mut self) -> Vec<Message> {
        // SAFETY: the context is valid.
        unsafe { take_messages(self.raw) }
    }

    /// Returns all modules, in the order in which they were loaded.
    pub(crate) fn modules(&self) -> impl Iterator<Item = Module<'_>> {
        let mut index = 0;
        std::iter::from_fn(move || {
            // SAFETY: the context is valid, and libyang returns a valid module or null.
            let raw = unsafe { sys::ly_ctx_get_module_iter(self.raw, &raw mut index) };
            // SAFETY: modules live as long as the context.
            unsafe { Pointer::new(raw) }.map(Module::new)
        })
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the context is valid and is not used after this call.
        unsafe { sys::ly_ctx_destroy(self.raw) };
        // SAFETY: the pointer comes from `Box::into_raw`, and only the context has used it.
        drop(unsafe { Box::from_raw(self.source) });
    }
}

/// The features of a module to enable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Features {
    /// Every feature that the module defines.
    All,
    /// Exactly these.
    Only(Vec<CString>),
}

impl Features {
    /// Returns the array that libyang expects: pointers to the names, then null.
    fn as_raw(&self) -> Vec<*const std::ffi::c_char> {
        match self {
            Self::All => vec![c"*".as_ptr(), ptr::null()],
            Self::Only(names) => names.iter().map(|name| name.as_ptr()).chain([ptr::null()]).collect(),
        }
    }
}
