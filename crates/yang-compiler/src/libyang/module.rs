//! Modules, submodules, features and identities.

use std::ffi::{CStr, c_char, c_void};

use libyang5_sys as sys;
use portreeve_yang::YangVersion;

use super::{
    Node,
    node::siblings,
    pointer::{Pointer, elements, targets, text},
};

/// A module of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Module<'c> {
    raw: Pointer<'c, sys::lys_module>,
}

impl<'c> Module<'c> {
    pub(super) fn new(raw: Pointer<'c, sys::lys_module>) -> Self {
        Self { raw }
    }

    pub(super) fn raw(self) -> Pointer<'c, sys::lys_module> {
        self.raw
    }

    /// Returns a number that identifies the module within its context.
    pub(crate) fn address(self) -> usize {
        self.raw.raw().addr()
    }

    pub(crate) fn name(self) -> &'c str {
        // SAFETY: texts of a module live as long as the context.
        unsafe { text(self.raw.read().name) }.unwrap_or_default()
    }

    /// Returns the newest revision, as a date such as `2018-02-14`.
    pub(crate) fn revision(self) -> Option<&'c str> {
        // SAFETY: as in `name`.
        unsafe { text(self.raw.read().revision) }
    }

    pub(crate) fn namespace(self) -> &'c str {
        // SAFETY: as in `name`.
        unsafe { text(self.raw.read().ns) }.unwrap_or_default()
    }

    pub(crate) fn prefix(self) -> &'c str {
        // SAFETY: as in `name`.
        unsafe { text(self.raw.read().prefix) }.unwrap_or_default()
    }

    /// Returns the version of YANG in which the module is written.
    pub(crate) fn yang_version(self) -> YangVersion {
        // SAFETY: as in `imports`.
        let parsed = unsafe { Pointer::new(self.raw.read().parsed) };
        match parsed.map(|parsed| u32::from(parsed.read().version)) {
            Some(sys::LYS_VERSION::LYS_VERSION_1_1) => YangVersion::Version1_1,
            _ => YangVersion::Version1,
        }
    }

    /// Returns true if the module's nodes are part of the schema, and false if it only supplies
    /// definitions to modules that import it.
    pub(crate) fn is_implemented(self) -> bool {
        self.raw.read().implemented != 0
    }

    /// Returns the modules that deviate nodes of this module.
    pub(crate) fn deviated_by(self) -> impl Iterator<Item = Module<'c>> {
        // SAFETY: a sized array of pointers to modules.
        unsafe { targets(self.raw.read().deviated_by) }.map(Module::new)
    }

    /// Returns the identities that the module and its submodules define.
    pub(crate) fn identities(self) -> impl Iterator<Item = Identity<'c>> {
        // SAFETY: a sized array of identities.
        unsafe { elements(self.raw.read().identities) }.map(Identity::new)
    }

    /// Returns the submodules that the module includes.
    pub(crate) fn submodules(self) -> impl Iterator<Item = Submodule<'c>> {
        // SAFETY: a sized array of submodules, whose texts live as long as the context.
        unsafe { elements(self.raw.read().submodules) }.map(|submodule| unsafe {
            let submodule = submodule.read();
            Submodule { name: text(submodule.name).unwrap_or_default(), revision: text(submodule.revision) }
        })
    }

    /// Returns the modules that this module and its submodules import, without those that libyang
    /// adds to some modules for its own use.
    pub(crate) fn imports(self) -> Vec<Import<'c>> {
        // SAFETY: the parsed module lives as long as the context and is freed by no call of ours.
        let Some(parsed) = (unsafe { Pointer::new(self.raw.read().parsed) }) else { return Vec::new() };
        // SAFETY: a sized array of includes, each with a submodule or null.
        let submodules = unsafe { elements(parsed.read().includes) }
            .filter_map(|include| unsafe { Pointer::new(include.read().submodule) });
        let arrays = submodules.map(|submodule| submodule.read().imports);
        std::iter::once(parsed.read().imports)
            .chain(arrays)
            // SAFETY: sized arrays of imports that libyang has accepted.
            .flat_map(|imports| unsafe { elements(imports) })
            // SAFETY: as above.
            .filter_map(|import| unsafe { Import::new(import) })
            .collect()
    }

    /// Returns the features that the module and its submodules define.
    pub(crate) fn features(self) -> Vec<Feature<'c>> {
        let (mut features, mut index) = (Vec::new(), 0);
        let mut last = std::ptr::null();
        loop {
            // SAFETY: the parsed module is valid, and `last` is null or a feature of it.
            let next = unsafe { sys::lysp_feature_next(last, self.raw.read().parsed, &raw mut index) };
            // SAFETY: a feature lives as long as the context.
            let Some(feature) = (unsafe { Pointer::new(next) }) else { return features };
            let raw = feature.read();
            features.push(Feature {
                // SAFETY: its name lives as long as the context.
                name: unsafe { text(raw.name) }.unwrap_or_default(),
                is_enabled: u32::from(raw.flags) & sys::LYS_FENABLED != 0,
            });
            last = feature.raw();
        }
    }

    /// Returns the top-level data nodes, then the RPCs, then the notifications.
    pub(crate) fn nodes(self) -> Vec<Node<'c>> {
        // SAFETY: compiled modules live as long as the context; null if it is not implemented.
        let Some(compiled) = (unsafe { Pointer::new(self.raw.read().compiled) }) else { return Vec::new() };
        let compiled = compiled.read();
        // SAFETY: lists of nodes; actions and notifications begin with the fields of a node.
        unsafe {
            let data = siblings(compiled.data);
            data.chain(siblings(compiled.rpcs.cast())).chain(siblings(compiled.notifs.cast())).collect()
        }
    }

    /// Returns libyang's text of the module: equivalent to the text that it has parsed, without
    /// comments.
    pub(crate) fn print(self) -> Option<String> {
        self.print_as(sys::LYS_OUTFORMAT::LYS_OUT_YANG)
    }

    /// Returns the tree diagram of the module (RFC 8340).
    #[cfg(test)]
    pub(crate) fn print_tree(self) -> Option<String> {
        self.print_as(sys::LYS_OUTFORMAT::LYS_OUT_TREE)
    }

    fn print_as(self, format: sys::LYS_OUTFORMAT::Type) -> Option<String> {
        let mut printed: *mut c_char = std::ptr::null_mut();
        // SAFETY: the module is valid, and `printed` is valid for writing.
        let result = unsafe { sys::lys_print_mem(&raw mut printed, self.raw.raw(), format, 0) };
        if printed.is_null() {
            return None;
        }
        // SAFETY: libyang has allocated a text that ends with NUL.
        let copy = unsafe { CStr::from_ptr(printed) }.to_string_lossy().into_owned();
        // SAFETY: the text was allocated with malloc and is not used after this call.
        unsafe { sys::free(printed.cast::<c_void>()) };
        (result == sys::LY_ERR::LY_SUCCESS).then_some(copy)
    }
}

/// An import of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Import<'c> {
    /// The prefix of the imported module in the importing module or submodule.
    pub(crate) prefix: &'c str,
    pub(crate) module: Module<'c>,
}

impl<'c> Import<'c> {
    /// # Safety
    ///
    /// The import must belong to a module that libyang has accepted.
    unsafe fn new(raw: Pointer<'c, sys::lysp_import>) -> Option<Self> {
        let import = raw.read();
        if u32::from(import.flags) & sys::LYS_INTERNAL != 0 {
            return None;
        }
        // SAFETY: texts and modules live as long as the context.
        let (prefix, module) = unsafe { (text(import.prefix)?, Pointer::new(import.module)?) };
        Some(Self { prefix, module: Module::new(module) })
    }
}

/// A submodule of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Submodule<'c> {
    pub(crate) name: &'c str,
    pub(crate) revision: Option<&'c str>,
}

/// A feature of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Feature<'c> {
    pub(crate) name: &'c str,
    pub(crate) is_enabled: bool,
}

/// An identity of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity<'c> {
    raw: Pointer<'c, sys::lysc_ident>,
}

impl<'c> Identity<'c> {
    pub(super) fn new(raw: Pointer<'c, sys::lysc_ident>) -> Self {
        Self { raw }
    }

    /// Returns a number that identifies the identity within its context.
    pub(crate) fn address(self) -> usize {
        self.raw.raw().addr()
    }

    pub(crate) fn name(self) -> &'c str {
        // SAFETY: texts of an identity live as long as the context.
        unsafe { text(self.raw.read().name) }.unwrap_or_default()
    }

    pub(crate) fn is_deprecated(self) -> bool {
        u32::from(self.raw.read().flags) & sys::LYS_STATUS_DEPRC != 0
    }

    pub(crate) fn is_obsolete(self) -> bool {
        u32::from(self.raw.read().flags) & sys::LYS_STATUS_OBSLT != 0
    }

    /// Returns false if a feature that the identity depends on is disabled.
    pub(crate) fn is_enabled(self) -> bool {
        // SAFETY: the identity is valid, and libyang only reads it.
        let value = unsafe { sys::lys_identity_iffeature_value(self.raw.raw()) };
        value != sys::LY_ERR::LY_ENOT
    }

    /// Returns the identities of which this identity is a direct base.
    pub(crate) fn derived(self) -> impl Iterator<Item = Identity<'c>> {
        // SAFETY: a sized array of pointers to identities.
        unsafe { targets(self.raw.read().derived) }.map(Identity::new)
    }
}
