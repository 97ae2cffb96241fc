//! Builds a filter from the content of a `filter` element.

use std::collections::{BTreeMap, BTreeSet};

use portreeve_yang_text::xml::{MAX_NAME, Scope, Start};

use super::{Attribute, Content, Filter, FilterNode, NamespaceId};
use crate::names::QualifiedName;
use crate::rpc_error::{ErrorTag, ErrorType, RpcError};

/// Maximum number of octets of names, values and texts in a filter.
pub const MAX_FILTER_OCTETS: usize = 1024 * 1024;

/// Maximum number of elements, attributes, and prefixes in values, of a filter.
pub const MAX_FILTER_NODES: usize = 16_384;

/// Builds a filter from events. The tokenizer limits the depth.
#[derive(Debug, Default)]
pub struct FilterBuilder {
    filter: Filter,
    /// The open elements of the filter.
    open: Vec<usize>,
    /// The text of the innermost element, as long as it has no children.
    text: String,
    octets: usize,
    /// Number of elements, attributes and prefixes.
    parts: usize,
    namespaces: BTreeMap<Box<str>, NamespaceId>,
}

impl FilterBuilder {
    /// Begins an element within `filter`.
    ///
    /// # Errors
    /// If the filter exceeds a limit, or if the outer element contains text.
    pub fn start(&mut self, start: Start<'_>) -> Result<(), RpcError> {
        if !self.text.chars().all(is_space) {
            return Err(self.mixed_content());
        }
        self.text.clear();
        self.count_part()?;
        self.count(start.name.local.len())?;
        let mut attributes = Vec::with_capacity(start.attributes.len());
        for attribute in start.attributes.iter() {
            self.count_part()?;
            self.count(attribute.name.local.len() + attribute.value.len())?;
            attributes.push(Attribute {
                namespace: self.intern(attribute.name.namespace)?,
                local: attribute.name.local.into(),
                value: attribute.value.into(),
            });
        }
        let namespace = self.intern(start.name.namespace)?;
        self.open.push(self.filter.nodes.len());
        self.filter.nodes.push(FilterNode {
            namespace,
            local: start.name.local.into(),
            attributes: attributes.into(),
            content: None,
            end: self.filter.nodes.len() + 1,
        });
        Ok(())
    }

    /// Adds a piece of text to the innermost element.
    ///
    /// # Errors
    /// If the filter exceeds a limit, or if there are elements beside the text.
    pub fn text(&mut self, piece: &str) -> Result<(), RpcError> {
        let is_leaf = self.open.last().is_some_and(|index| index + 1 == self.filter.nodes.len());
        if is_leaf {
            self.count(piece.len())?;
            self.text.push_str(piece);
        } else if !piece.chars().all(is_space) {
            return Err(self.mixed_content());
        }
        Ok(())
    }

    /// Ends the innermost element, in which `scope` binds the prefixes.
    ///
    /// # Errors
    /// If the filter exceeds a limit.
    pub fn end(&mut self, scope: Scope<'_>) -> Result<(), RpcError> {
        let text = std::mem::take(&mut self.text);
        //= rfc6241#6.2.5-p2
        let text = text.trim_matches(is_space);
        let content = if text.is_empty() { None } else { Some(Box::new(self.content(text, scope)?)) };
        let end = self.filter.nodes.len();
        let node = self.open.pop().and_then(|index| self.filter.nodes.get_mut(index));
        if let Some(node) = node {
            node.content = content;
            node.end = end;
        }
        Ok(())
    }

    /// Returns the filter at the end of `filter`.
    #[must_use]
    pub fn finish(self) -> Filter {
        self.filter
    }

    fn content(&mut self, text: &str, scope: Scope<'_>) -> Result<Content, RpcError> {
        let default_namespace = self.intern(scope.resolve("").unwrap_or_default())?;
        let mut prefixes: Vec<(Box<str>, NamespaceId)> = Vec::new();
        // Everything before a colon that could be a prefix. At most 64 prefixes are in scope.
        let mut seen = BTreeSet::new();
        for before in text.match_indices(':').filter_map(|(index, _)| text.get(..index)) {
            let start = before.rfind(|c: char| !is_name(c)).map_or(0, |index| index + 1);
            let prefix = before.get(start..).unwrap_or_default();
            if prefix.is_empty() || prefix.len() > MAX_NAME || !seen.insert(prefix) {
                continue;
            }
            let namespace = scope.resolve(prefix).map(|namespace| self.intern(namespace)).transpose()?;
            if let Some(namespace) = namespace.flatten() {
                self.count_part()?;
                self.count(prefix.len())?;
                prefixes.push((prefix.into(), namespace));
            }
        }
        Ok(Content { text: text.into(), default_namespace, prefixes: prefixes.into() })
    }

    /// Returns the number of a namespace, or `None` for none.
    fn intern(&mut self, namespace: &str) -> Result<Option<NamespaceId>, RpcError> {
        if namespace.is_empty() {
            return Ok(None);
        }
        if let Some(id) = self.namespaces.get(namespace) {
            return Ok(Some(*id));
        }
        self.count(namespace.len())?;
        let id = self.filter.namespaces.len();
        self.filter.namespaces.push(namespace.into());
        self.namespaces.insert(namespace.into(), id);
        Ok(Some(id))
    }

    /// Counts something that needs memory beyond its octets.
    fn count_part(&mut self) -> Result<(), RpcError> {
        self.parts += 1;
        if self.parts > MAX_FILTER_NODES { Err(too_big()) } else { Ok(()) }
    }

    fn count(&mut self, octets: usize) -> Result<(), RpcError> {
        self.octets = self.octets.saturating_add(octets);
        if self.octets > MAX_FILTER_OCTETS { Err(too_big()) } else { Ok(()) }
    }

    /// The error for text beside elements (RFC 6241 §6.2.5).
    //= rfc6241#6.2.5-p1
    fn mixed_content(&self) -> RpcError {
        let innermost = self.open.last().and_then(|index| self.filter.nodes.get(*index));
        let element = innermost.map_or_else(
            || QualifiedName::netconf("filter"),
            |node| QualifiedName {
                namespace: self.filter.namespace(node.namespace).into(),
                local: node.local.clone(),
            },
        );
        RpcError::bad_element(ErrorType::Protocol, element)
            .with_message("the filter contains text beside elements")
    }
}

fn too_big() -> RpcError {
    RpcError::new(ErrorType::Protocol, ErrorTag::TooBig).with_message(format!(
        "the filter is too large: at most {MAX_FILTER_NODES} elements and attributes, and \
         {MAX_FILTER_OCTETS} octets"
    ))
}

/// Returns true for the white space of XML (XML 1.0 §2.3).
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// Returns true for characters that a prefix may contain. More are accepted than XML allows,
/// because the prefix is looked up.
fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '.' | '_')
}
