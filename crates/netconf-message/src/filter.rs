//! Subtree filters (RFC 6241 §6).
//!
//! ```text
//! events of `filter` ─▶ FilterBuilder ─▶ Filter ─┐
//!                                    DataTree ───┴─▶ FilterWalk ─▶ Open, Whole, … Close
//! ```
//! A [`Filter`] is what the client sent. A [`FilterWalk`] resolves it once against the kinds of
//! nodes in a tree, and then visits the selected nodes in their order. It can stop after each
//! node, so that output is produced as fast as the peer reads it.
//!
//! Decisions where RFC 6241 §6 leaves a choice:
//! - A containment node selects nothing if nothing in it is selected, so that no empty elements
//!   are returned.
//! - The keys of each list entry that is returned are included, as §6.2.5 permits.
//! - A content match node is compared as a value of its type: `+1` matches the number 1.
//! - In a leaf-list, only the entries that match are included.

mod build;
mod plan;
mod tree;
mod walk;

#[cfg(test)]
mod tests;

pub use build::{FilterBuilder, MAX_FILTER_NODES, MAX_FILTER_OCTETS};
pub use tree::DataTree;
pub use walk::{FilterWalk, MAX_FILTER_STEPS, Selection, TooManyStepsError};

use std::ops::Range;

/// A subtree filter. Without nodes, it selects nothing (RFC 6241 §6.4.2).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The elements in the order of their start tags.
    nodes: Vec<FilterNode>,
    /// The namespaces of elements, attributes and prefixes, each once.
    namespaces: Vec<Box<str>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct FilterNode {
    /// `None` matches all namespaces (RFC 6241 §6.2.1).
    namespace: Option<NamespaceId>,
    local: Box<str>,
    attributes: Box<[Attribute]>,
    /// The value of a content match node.
    content: Option<Box<Content>>,
    /// Index after the last descendant.
    end: usize,
}

/// An attribute match expression (RFC 6241 §6.2.2).
#[derive(Clone, Debug, PartialEq, Eq)]
struct Attribute {
    /// The wildcard of elements does not apply to attributes.
    namespace: Option<NamespaceId>,
    local: Box<str>,
    value: Box<str>,
}

/// The text of a content match node without white space around it, and the prefixes in it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Content {
    text: Box<str>,
    default_namespace: Option<NamespaceId>,
    prefixes: Box<[(Box<str>, NamespaceId)]>,
}

/// An index of `Filter::namespaces`.
type NamespaceId = usize;

/// The value with which a leaf is compared.
#[derive(Clone, Copy, Debug)]
pub struct ContentMatch<'f> {
    filter: &'f Filter,
    content: &'f Content,
}

/// An attribute that a node must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttributeMatch<'f> {
    /// The namespace, empty for none.
    pub namespace: &'f str,
    /// The name without a prefix.
    pub local: &'f str,
    /// The value.
    pub value: &'f str,
}

impl Filter {
    /// Returns true if the filter selects nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns false if the filter certainly selects no top-level node of this name.
    #[must_use]
    pub fn may_select(&self, namespace: &str, local: &str) -> bool {
        self.siblings(0..self.nodes.len()).any(|(_, node)| {
            *node.local == *local && (node.namespace.is_none() || self.namespace(node.namespace) == namespace)
        })
    }

    /// Returns the indexes of the elements in `range` that are not within another one.
    fn siblings(&self, range: Range<usize>) -> impl Iterator<Item = (usize, &FilterNode)> {
        let mut index = range.start;
        std::iter::from_fn(move || {
            let node = self.nodes.get(index).filter(|_| index < range.end)?;
            // Each element ends after its start, so that this advances.
            let this = index;
            index = node.end.max(this + 1);
            Some((this, node))
        })
    }

    fn namespace(&self, id: Option<NamespaceId>) -> &str {
        id.and_then(|id| self.namespaces.get(id)).map_or("", |namespace| namespace)
    }

    fn attributes<'f>(&'f self, node: &'f FilterNode) -> impl Iterator<Item = AttributeMatch<'f>> {
        node.attributes.iter().map(|attribute| AttributeMatch {
            namespace: self.namespace(attribute.namespace),
            local: &attribute.local,
            value: &attribute.value,
        })
    }
}

impl<'f> ContentMatch<'f> {
    /// Returns the text, without white space around it; never empty.
    #[must_use]
    pub fn text(self) -> &'f str {
        &self.content.text
    }

    /// Returns the namespace of a prefix in the text. The empty prefix stands for the default
    /// namespace.
    #[must_use]
    pub fn resolve(self, prefix: &str) -> Option<&'f str> {
        let id = match prefix {
            "" => self.content.default_namespace?,
            _ => self.content.prefixes.iter().find(|(known, _)| **known == *prefix)?.1,
        };
        Some(self.filter.namespace(Some(id)))
    }
}
