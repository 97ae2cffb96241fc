//! The tree to which a filter is applied.

use std::cmp::Ordering;

use super::{AttributeMatch, ContentMatch};

/// A tree of data nodes, each of which has a kind: its schema node.
///
/// The tree does not change during a [`FilterWalk`](super::FilterWalk), and contains only nodes
/// that the client may read.
pub trait DataTree {
    /// A kind of data nodes: a container, list, leaf or leaf-list of the schema.
    type Kind: Copy + Eq;
    /// A data node: a container, a list entry, a leaf or a leaf-list entry.
    type Node: Clone;
    /// A value of a leaf, in the form in which values are compared.
    type Value;

    /// Returns the node that contains the top-level nodes.
    fn root(&self) -> Self::Node;

    /// Returns the kinds of children that nodes of a kind can have, in the order of the output.
    /// `None` stands for the root. Choices and cases are not nodes.
    fn child_kinds(&self, parent: Option<Self::Kind>) -> impl Iterator<Item = Self::Kind>;

    /// Returns the namespace of a kind.
    fn namespace(&self, kind: Self::Kind) -> &str;

    /// Returns the name of a kind.
    fn name(&self, kind: Self::Kind) -> &str;

    /// Returns true if the kind is a key of the list that contains it.
    fn is_key(&self, kind: Self::Kind) -> bool;

    /// Returns the value that a content match node stands for, or `None` if the kind is neither a
    /// leaf nor a leaf-list, or if the text is not a value of its type.
    fn value(&self, kind: Self::Kind, content: ContentMatch<'_>) -> Option<Self::Value>;

    /// Returns the child of `parent` after `previous`, or the first one. `previous` has this kind
    /// and parent.
    fn next_child(
        &self,
        parent: &Self::Node,
        kind: Self::Kind,
        previous: Option<&Self::Node>,
    ) -> Option<Self::Node>;

    /// Returns the list entry with these keys, in a time that hardly depends on the number of
    /// entries. `keys` contains each key of the list once, in the order of [`Self::child_kinds`].
    fn find_entry(
        &self,
        parent: &Self::Node,
        list: Self::Kind,
        keys: &[(Self::Kind, &Self::Value)],
    ) -> Option<Self::Node>;

    /// Returns the order in the output of two list entries with one parent.
    fn compare_entries(&self, one: &Self::Node, other: &Self::Node) -> Ordering;

    /// Returns true if a leaf or leaf-list entry has this value.
    fn is_equal(&self, leaf: &Self::Node, value: &Self::Value) -> bool;

    /// Returns true if a node has this attribute. Nodes of YANG have none by themselves.
    fn has_attribute(&self, _node: &Self::Node, _attribute: AttributeMatch<'_>) -> bool {
        false
    }
}
