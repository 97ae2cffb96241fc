//! Instances of extensions.

use libyang5_sys as sys;

use super::pointer::{Pointer, elements, text};

/// An instance of an extension, such as `smiv2:oid "1.3.6.1"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extension<'c> {
    /// The module that defines the extension.
    pub(crate) module: &'c str,
    pub(crate) name: &'c str,
    pub(crate) argument: Option<&'c str>,
}

/// Returns the instances directly below the statement of a node, without those below its
/// substatements.
///
/// # Safety
///
/// The pointer must be null or the sized array of a compiled node.
pub(super) unsafe fn extensions_of_node<'c>(first: *const sys::lysc_ext_instance) -> Vec<Extension<'c>> {
    // SAFETY: the caller guarantees a sized array of extension instances.
    let instances = unsafe { elements(first) };
    instances
        .map(Pointer::read)
        .filter(|instance| instance.parent_stmt < sys::ly_stmt::LY_STMT_ARGUMENT)
        .filter_map(|instance| {
            // SAFETY: definitions, modules and texts live as long as the context.
            unsafe {
                let definition = Pointer::new(instance.def)?.read();
                Some(Extension {
                    module: text(Pointer::new(definition.module)?.read().name)?,
                    name: text(definition.name)?,
                    argument: text(instance.argument),
                })
            }
        })
        .collect()
}
