//! Data trees as XML (RFC 7950 §7), pulled in pieces from one version of a tree.
//!
//! ```text
//! open, whole, close ─▶ TreeWriter ── fill, take_piece ──▶ at most 64 KB of XML
//! ```
//! The caller decides which instances are written: the whole tree, or those that a filter selects.
//! In an instance that is written as a whole, children are in schema order, and the keys of a list
//! entry precede its other children. Only leafs that exist are written: defaults are not added.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use portreeve_yang::{NodeId, NodeKind, Schema, TypeKind};
use portreeve_yang_tree::{Instance, Row, Walk, WalkStep};

use crate::xml::{NcName, StartTag, Writer, XmlText};

/// Longest piece of XML, in octets.
pub const MAX_PIECE: usize = 64 << 10;

/// Writes instances. It holds the rows that it is writing, and hardly more than a piece of XML.
///
/// The namespaces of all elements are declared within the output, so that it can be part of any
/// element.
pub struct TreeWriter {
    schema: Arc<Schema>,
    writer: Writer,
    /// The place in the instance that is written as a whole, and the schema node of the instance.
    walk: Option<(Walk, NodeId)>,
    /// The rest of a long value.
    long_value: Option<LongValue>,
}

/// A value that is written in parts.
#[derive(Debug)]
struct LongValue {
    value: Box<str>,
    /// Number of octets that have been written.
    written: usize,
}

/// A node cannot be written as XML.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum WriteError {
    /// The name of the node or the namespace of its module is not one of XML.
    InvalidName(NodeId),
    /// The value has characters that XML cannot hold.
    InvalidValue(NodeId),
}

impl TreeWriter {
    /// Creates a writer without output.
    #[must_use]
    pub fn new(schema: Arc<Schema>) -> Self {
        Self { schema, writer: Writer::new(), walk: None, long_value: None }
    }

    /// Begins a container or list entry, of which the caller writes the keys and other children.
    ///
    /// # Errors
    /// If the name is not one of XML.
    pub fn open(&mut self, node: NodeId) -> Result<(), WriteError> {
        start(&mut self.writer, &self.schema, node).map(|_| ())
    }

    /// Ends the container or list entry that was begun last.
    pub fn close(&mut self) {
        self.writer.end();
    }

    /// Begins to write a container or list entry with everything in it. `row` contains its
    /// children: for a container without presence, the row is that of its parent. For the root, the
    /// children are written. [`Self::fill`] writes the rest.
    ///
    /// # Errors
    /// If a name or value is not one of XML.
    pub fn whole(&mut self, node: NodeId, row: Arc<Row>) -> Result<(), WriteError> {
        if node != NodeId::ROOT {
            start_instance(&mut self.writer, &self.schema, Instance::new(node, &row))?;
        }
        self.walk = Some((Walk::below(node, row), node));
        Ok(())
    }

    /// Begins to write a leaf, or an entry of a leaf-list, with a canonical value. [`Self::fill`]
    /// writes the rest.
    ///
    /// # Errors
    /// If the name or the value is not one of XML.
    pub fn leaf(&mut self, node: NodeId, value: &str) -> Result<(), WriteError> {
        self.long_value = begin_leaf(&mut self.writer, &self.schema, node, value)?;
        Ok(())
    }

    /// Writes until the output has [`MAX_PIECE`] octets. Returns false if it has less because
    /// everything that was begun is complete. The caller begins the next instance only then.
    ///
    /// # Errors
    /// If a name or value is not one of XML.
    pub fn fill(&mut self) -> Result<bool, WriteError> {
        while self.writer.output().len() < MAX_PIECE {
            if !self.step()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Moves at most [`MAX_PIECE`] octets of the output to the end of `piece`. Returns their
    /// number.
    pub fn take_piece(&mut self, piece: &mut Vec<u8>) -> usize {
        self.writer.move_output(MAX_PIECE, piece)
    }

    /// Writes one thing. Returns false if everything is complete.
    fn step(&mut self) -> Result<bool, WriteError> {
        if self.long_value.is_some() {
            self.continue_value();
            return Ok(true);
        }
        let Self { schema, writer, walk, long_value } = self;
        let Some((place, node)) = walk else { return Ok(false) };
        match place.step(schema) {
            Some(WalkStep::Enter(_)) => {
                if let Some(instance) = place.instance() {
                    start_instance(writer, schema, instance)?;
                }
            }
            Some(WalkStep::Leaf(leaf, value)) => {
                // The keys follow the start tag.
                if !schema.leaf(leaf).is_some_and(|leaf| leaf.is_key) && !is_any(schema, leaf) {
                    *long_value = begin_leaf(writer, schema, leaf, value)?;
                }
            }
            Some(WalkStep::Leave(_)) => writer.end(),
            None => {
                if *node != NodeId::ROOT {
                    writer.end();
                }
                *walk = None;
            }
        }
        Ok(true)
    }

    fn continue_value(&mut self) {
        let Some(long) = &mut self.long_value else { return };
        let rest = long.value.get(long.written..).unwrap_or_default();
        let (part, rest) = XmlText::new(rest).unwrap_or_default().split_at_most(VALUE_PART);
        self.writer.text(part);
        long.written += part.as_str().len();
        if rest.as_str().is_empty() {
            self.writer.end();
            self.long_value = None;
        }
    }
}

/// Writes a leaf or an entry of a leaf-list with a canonical value.
///
/// # Errors
/// If the name or the value is not one of XML.
pub fn write_leaf(writer: &mut Writer, schema: &Schema, node: NodeId, value: &str) -> Result<(), WriteError> {
    let mut tag = start(writer, schema, node)?;
    let value_type =
        schema.type_of(node).filter(|value_type| has_names(&schema.value_type(*value_type).kind));
    let invalid = WriteError::InvalidValue(node);
    match value_type {
        None => writer.text(XmlText::new(value).ok_or(invalid)?),
        Some(value_type) => {
            let mut prefixes = Vec::new();
            for module in schema.modules_in_value(value_type, value) {
                let (namespace, prefix) = (&schema.module(module).namespace, schema.unique_prefix(module));
                let invalid = WriteError::InvalidName(node);
                let namespace = XmlText::new(namespace).ok_or(invalid)?;
                prefixes.push((module, tag.declare(namespace, NcName::new(prefix).ok_or(invalid)?)));
            }
            let prefix_of = |module| {
                let found = prefixes.iter().find(|(other, _)| *other == module);
                found.map_or("", |(_, prefix)| prefix.as_str())
            };
            let mut text = String::new();
            schema.write_value(value_type, value, &prefix_of, &mut text);
            writer.text(XmlText::new(&text).ok_or(invalid)?);
        }
    }
    writer.end();
    Ok(())
}

/// Begins the element of a container or list entry, and writes the keys of the entry.
fn start_instance(writer: &mut Writer, schema: &Schema, instance: Instance<'_>) -> Result<(), WriteError> {
    start(writer, schema, instance.node())?;
    for key in schema.keys(instance.node()) {
        if let Some(value) = schema.slot(*key).and_then(|slot| instance.row().leaf(slot)) {
            write_leaf(writer, schema, *key, value)?;
        }
    }
    Ok(())
}

/// Writes a leaf, or its start tag if the value is long.
fn begin_leaf(
    writer: &mut Writer,
    schema: &Schema,
    node: NodeId,
    value: &str,
) -> Result<Option<LongValue>, WriteError> {
    if value.len() <= VALUE_PART {
        write_leaf(writer, schema, node, value)?;
        return Ok(None);
    }
    XmlText::new(value).ok_or(WriteError::InvalidValue(node))?;
    start(writer, schema, node)?;
    Ok(Some(LongValue { value: value.into(), written: 0 }))
}

/// Returns true for nodes that contain any XML, which cannot be edited and are not written.
fn is_any(schema: &Schema, node: NodeId) -> bool {
    matches!(schema.node(node).kind, NodeKind::AnyData { .. } | NodeKind::AnyXml { .. })
}

/// Begins the element of a node.
fn start<'w>(writer: &'w mut Writer, schema: &Schema, node: NodeId) -> Result<StartTag<'w>, WriteError> {
    let definition = schema.node(node);
    let invalid = WriteError::InvalidName(node);
    let namespace = XmlText::new(&schema.module(definition.module).namespace).ok_or(invalid)?;
    Ok(writer.start(namespace, NcName::new(&definition.name).ok_or(invalid)?))
}

/// Returns false if values of the type certainly contain no names of modules.
fn has_names(kind: &TypeKind) -> bool {
    matches!(
        kind,
        TypeKind::Identityref { .. }
            | TypeKind::InstanceIdentifier { .. }
            | TypeKind::Leafref { .. }
            | TypeKind::Union { .. }
    )
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InvalidName(_) => "the name of a node or module is not a name of XML",
            Self::InvalidValue(_) => "a value has a character that XML cannot hold",
        })
    }
}

impl Error for WriteError {}

/// Longest value that is written at once, in octets.
const VALUE_PART: usize = 8 << 10;

#[cfg(test)]
mod tests;
