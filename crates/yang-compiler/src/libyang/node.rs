//! Nodes of a compiled schema.

use std::{
    ffi::c_char,
    ptr::{self, addr_of},
};

use libyang5_sys as sys;

use super::{
    Constraint, Extension, Module, Type,
    extension::extensions_of_node,
    pointer::{Pointer, elements, targets, text},
};

/// A node of a compiled schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node<'c> {
    raw: Pointer<'c, sys::lysc_node>,
}

/// Kinds of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Container,
    Choice,
    Case,
    Leaf,
    LeafList,
    List,
    AnyXml,
    AnyData,
    Rpc,
    Action,
    Input,
    Output,
    Notification,
}

impl<'c> Node<'c> {
    /// # Safety
    ///
    /// The pointer must be null or a node of a compiled schema.
    pub(super) unsafe fn new(raw: *const sys::lysc_node) -> Option<Self> {
        // SAFETY: nodes live as long as the context.
        unsafe { Pointer::new(raw) }.map(|raw| Self { raw })
    }

    /// Returns a number that identifies the node within its context.
    pub(crate) fn address(self) -> usize {
        self.raw.raw().addr()
    }

    pub(crate) fn kind(self) -> Option<NodeKind> {
        Some(match u32::from(self.raw.read().nodetype) {
            sys::LYS_CONTAINER => NodeKind::Container,
            sys::LYS_CHOICE => NodeKind::Choice,
            sys::LYS_CASE => NodeKind::Case,
            sys::LYS_LEAF => NodeKind::Leaf,
            sys::LYS_LEAFLIST => NodeKind::LeafList,
            sys::LYS_LIST => NodeKind::List,
            sys::LYS_ANYXML => NodeKind::AnyXml,
            sys::LYS_ANYDATA => NodeKind::AnyData,
            sys::LYS_RPC => NodeKind::Rpc,
            sys::LYS_ACTION => NodeKind::Action,
            sys::LYS_INPUT => NodeKind::Input,
            sys::LYS_OUTPUT => NodeKind::Output,
            sys::LYS_NOTIF => NodeKind::Notification,
            _ => return None,
        })
    }

    pub(crate) fn name(self) -> &'c str {
        // SAFETY: texts of a node live as long as the context.
        unsafe { text(self.raw.read().name) }.unwrap_or_default()
    }

    /// Returns the module whose namespace the node has.
    pub(crate) fn module(self) -> Option<Module<'c>> {
        // SAFETY: modules live as long as the context.
        unsafe { Pointer::new(self.raw.read().module) }.map(Module::new)
    }

    pub(crate) fn parent(self) -> Option<Node<'c>> {
        // SAFETY: the parent is null or a node.
        unsafe { Node::new(self.raw.read().parent) }
    }

    /// Returns true for `config true`. Nodes of RPCs, actions and notifications have neither value.
    pub(crate) fn is_config(self) -> bool {
        self.has_flag(sys::LYS_CONFIG_W)
    }

    pub(crate) fn is_deprecated(self) -> bool {
        self.has_flag(sys::LYS_STATUS_DEPRC)
    }

    pub(crate) fn is_obsolete(self) -> bool {
        self.has_flag(sys::LYS_STATUS_OBSLT)
    }

    /// Returns true for `mandatory true`.
    pub(crate) fn is_mandatory(self) -> bool {
        self.has_flag(sys::LYS_MAND_TRUE)
    }

    /// Returns true for a presence container.
    pub(crate) fn has_presence(self) -> bool {
        self.kind() == Some(NodeKind::Container) && self.has_flag(sys::LYS_PRESENCE)
    }

    /// Returns true for a leaf that is a key of its list.
    pub(crate) fn is_key(self) -> bool {
        self.kind() == Some(NodeKind::Leaf) && self.has_flag(sys::LYS_KEY)
    }

    /// Returns true for a list or leaf-list whose entries the user orders.
    pub(crate) fn is_user_ordered(self) -> bool {
        matches!(self.kind(), Some(NodeKind::List | NodeKind::LeafList)) && self.has_flag(sys::LYS_ORDBY_USER)
    }

    fn has_flag(self, flag: u32) -> bool {
        u32::from(self.raw.read().flags) & flag != 0
    }

    /// Returns the children in schema order: data nodes, then actions, then notifications; the
    /// cases of a choice; the input and output of an RPC or action.
    pub(crate) fn children(self) -> Vec<Node<'c>> {
        use NodeKind as K;
        // SAFETY: `kind` says which structure the node is. Its lists consist of nodes, and actions,
        // notifications and cases begin with the fields of a node.
        unsafe {
            match self.kind() {
                Some(K::Container) => {
                    let node = self.raw.cast::<sys::lysc_node_container>().read();
                    three_lists(node.child, node.actions, node.notifs)
                }
                Some(K::List) => {
                    let node = self.raw.cast::<sys::lysc_node_list>().read();
                    three_lists(node.child, node.actions, node.notifs)
                }
                Some(K::Choice) => {
                    siblings(self.raw.cast::<sys::lysc_node_choice>().read().cases.cast()).collect()
                }
                Some(K::Case) => siblings(self.raw.cast::<sys::lysc_node_case>().read().child).collect(),
                Some(K::Notification) => {
                    siblings(self.raw.cast::<sys::lysc_node_notif>().read().child).collect()
                }
                Some(K::Input | K::Output) => {
                    siblings(self.raw.cast::<sys::lysc_node_action_inout>().read().child).collect()
                }
                Some(K::Rpc | K::Action) => {
                    let action = self.raw.raw().cast::<sys::lysc_node_action>();
                    let parts = [addr_of!((*action).input), addr_of!((*action).output)];
                    parts.iter().filter_map(|part| Node::new(part.cast())).collect()
                }
                _ => Vec::new(),
            }
        }
    }

    /// Returns the type of a leaf or leaf-list.
    pub(crate) fn value_type(self) -> Option<Type<'c>> {
        // SAFETY: `kind` says which structure the node is; types live as long as the context.
        unsafe {
            match self.kind()? {
                NodeKind::Leaf => Type::new(self.raw.cast::<sys::lysc_node_leaf>().read().type_),
                NodeKind::LeafList => Type::new(self.raw.cast::<sys::lysc_node_leaflist>().read().type_),
                _ => None,
            }
        }
    }

    /// Returns the units of a leaf or leaf-list.
    pub(crate) fn units(self) -> Option<&'c str> {
        // SAFETY: as in `value_type`; texts live as long as the context.
        unsafe {
            match self.kind()? {
                NodeKind::Leaf => text(self.raw.cast::<sys::lysc_node_leaf>().read().units),
                NodeKind::LeafList => text(self.raw.cast::<sys::lysc_node_leaflist>().read().units),
                _ => None,
            }
        }
    }

    /// Returns the default values of a leaf or leaf-list.
    pub(crate) fn defaults(self) -> Vec<DefaultValue<'c>> {
        // SAFETY: `kind` says which structure the node is. Defaults live as long as the context.
        unsafe {
            match self.kind() {
                Some(NodeKind::Leaf) => {
                    let default = self.raw.cast::<sys::lysc_node_leaf>().read().dflt;
                    DefaultValue::new(self, default).into_iter().collect()
                }
                Some(NodeKind::LeafList) => {
                    let defaults = self.raw.cast::<sys::lysc_node_leaflist>().read().dflts;
                    elements(defaults).filter_map(|default| DefaultValue::new(self, default.read())).collect()
                }
                _ => Vec::new(),
            }
        }
    }

    /// Returns the default case of a choice.
    pub(crate) fn default_case(self) -> Option<Node<'c>> {
        if self.kind()? != NodeKind::Choice {
            return None;
        }
        // SAFETY: the node is a choice, and its default case is null or a node.
        unsafe { Node::new(self.raw.cast::<sys::lysc_node_choice>().read().dflt.cast()) }
    }

    /// Returns the minimum and maximum number of entries of a list or leaf-list. No maximum stands
    /// for any number.
    pub(crate) fn element_limits(self) -> (u32, Option<u32>) {
        // SAFETY: `kind` says which structure the node is.
        let (min, max) = unsafe {
            match self.kind() {
                Some(NodeKind::List) => {
                    let list = self.raw.cast::<sys::lysc_node_list>().read();
                    (list.min, list.max)
                }
                Some(NodeKind::LeafList) => {
                    let list = self.raw.cast::<sys::lysc_node_leaflist>().read();
                    (list.min, list.max)
                }
                _ => return (0, None),
            }
        };
        (min, (max != 0 && max != u32::MAX).then_some(max))
    }

    /// Returns the leafs of each `unique` statement of a list.
    pub(crate) fn uniques(self) -> Vec<Vec<Node<'c>>> {
        if self.kind() != Some(NodeKind::List) {
            return Vec::new();
        }
        // SAFETY: the node is a list, which has a sized array of sized arrays of pointers to leafs.
        unsafe {
            elements(self.raw.cast::<sys::lysc_node_list>().read().uniques)
                .map(|leafs| targets(leafs.read()).map(|leaf| Node { raw: leaf.cast() }).collect())
                .collect()
        }
    }

    /// Returns the `must` statements.
    pub(crate) fn musts(self) -> Vec<Constraint<'c>> {
        // SAFETY: the node is valid, and its constraints are a sized array that lives as long as
        // the context.
        unsafe { elements(sys::lysc_node_musts(self.raw.raw())) }
            .map(|must| Constraint::must(self, must))
            .collect()
    }

    /// Returns the `when` statements, including those of a `uses` or `augment` that has added the
    /// node.
    pub(crate) fn whens(self) -> Vec<Constraint<'c>> {
        // SAFETY: as in `musts`, with a sized array of pointers.
        unsafe { targets(sys::lysc_node_when(self.raw.raw())) }.map(Constraint::when).collect()
    }

    /// Returns the instances of extensions directly below the statement of the node.
    pub(crate) fn extensions(self) -> Vec<Extension<'c>> {
        // SAFETY: the node is valid, and so is its sized array.
        unsafe { extensions_of_node(self.raw.read().exts) }
    }

    /// Returns the target that libyang finds for a leafref.
    #[cfg(test)]
    pub(crate) fn leafref_target(self) -> Option<Node<'c>> {
        // SAFETY: the node is valid, and libyang returns null or a valid node.
        unsafe { Node::new(sys::lysc_node_lref_target(self.raw.raw())) }
    }
}

/// A default value, as it is written in a module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DefaultValue<'c> {
    pub(crate) text: &'c str,
    leaf: Node<'c>,
    raw: sys::lysc_value,
}

impl<'c> DefaultValue<'c> {
    /// # Safety
    ///
    /// The value must be a default of the leaf or leaf-list.
    unsafe fn new(leaf: Node<'c>, raw: sys::lysc_value) -> Option<Self> {
        // SAFETY: texts live as long as the context.
        unsafe { text(raw.str_) }.map(|text| Self { text, leaf, raw })
    }

    /// Returns the canonical form of the value, or `None` if its type does not accept it.
    pub(crate) fn canonical(self) -> Option<String> {
        let node = self.leaf.raw;
        let context = Pointer::read(self.leaf.module()?.raw()).ctx;
        let mut canonical: *const c_char = ptr::null();
        // SAFETY: the node is a leaf or leaf-list, the value and its prefixes belong to it, and the
        // result is valid for writing. No data node and no type are asked for.
        let result = unsafe {
            sys::lyd_value_validate_dflt(
                node.raw(),
                self.raw.str_,
                self.raw.prefixes,
                ptr::null(),
                ptr::null_mut(),
                &raw mut canonical,
            )
        };
        // Whether a required instance exists is not known without data.
        if result != sys::LY_ERR::LY_SUCCESS && result != sys::LY_ERR::LY_EINCOMPLETE {
            return None;
        }
        // SAFETY: libyang returns null or a text of its dictionary with a reference of our own,
        // which is dropped after it has been copied.
        unsafe {
            let copy = text(canonical).map(str::to_owned);
            if !canonical.is_null() {
                sys::lydict_remove(context, canonical);
            }
            copy
        }
    }
}

/// Returns the nodes of a linked list.
///
/// # Safety
///
/// The pointer must be null or a node of a compiled schema.
pub(super) unsafe fn siblings<'c>(first: *const sys::lysc_node) -> impl Iterator<Item = Node<'c>> {
    // SAFETY: the caller guarantees a valid node.
    let first = unsafe { Pointer::new(first) };
    // SAFETY: the node that follows a valid node is null or valid.
    let next = |node: &Pointer<'c, sys::lysc_node>| unsafe { Pointer::new(node.read().next) };
    std::iter::successors(first, next).map(|raw| Node { raw })
}

/// Joins the lists of a container or list.
///
/// # Safety
///
/// The pointers must be null or nodes of a compiled schema.
unsafe fn three_lists<'c>(
    data: *const sys::lysc_node,
    actions: *const sys::lysc_node_action,
    notifications: *const sys::lysc_node_notif,
) -> Vec<Node<'c>> {
    // SAFETY: the caller guarantees lists of nodes; actions and notifications begin with the fields
    // of a node.
    unsafe { siblings(data).chain(siblings(actions.cast())).chain(siblings(notifications.cast())).collect() }
}
