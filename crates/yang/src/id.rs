//! The numbers of nodes, modules, types and identities in one schema.

/// The number of a node. Parents have smaller numbers than their children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

/// The number of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModuleId(pub(crate) u16);

/// The number of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub(crate) u32);

/// The number of an identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdentityId(pub(crate) u32);

impl NodeId {
    /// The root, whose children are the top-level nodes of all modules.
    pub const ROOT: Self = Self(0);
}

macro_rules! index {
    ($($id:ident)*) => {$(
        impl $id {
            /// Returns the number, for tables that a caller keeps beside the schema.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

index!(NodeId ModuleId TypeId IdentityId);
