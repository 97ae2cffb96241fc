//! What a definition says.
//!
//! Definitions are statics that point at their parents, so that the compiler checks every reference and no object
//! identifier is ever written twice.

use portreeve_smi::OidBuf;

/// One node of the tree of object identifiers.
pub struct Object {
    /// The descriptor, such as `ifDescr`.
    pub name: &'static str,
    /// The node above; `None` for the roots.
    pub parent: Option<&'static Object>,
    /// This node's last sub-identifiers below its parent: one, but for nodes such as `mib-2` of a shortened path.
    pub arcs: &'static [u32],
}

impl Object {
    /// The object identifier, without instance.
    pub fn oid(&self) -> OidBuf {
        let mut oid = self.parent.map_or_else(OidBuf::new, Object::oid);
        // Definitions are far shorter than the bound; a test walks them all.
        let _ = oid.extend(self.arcs);
        oid
    }

    /// The last sub-identifier: a column's number in its table.
    pub fn number(&self) -> u32 {
        self.arcs.last().copied().unwrap_or_default()
    }
}

impl std::fmt::Debug for Object {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}
