//! Data trees as XML (RFC 7950 §7), in parts, from one version of a tree.
//!
//! ```text
//! open, whole, leaf, close ─▶ TreeWriter ── advance ──▶ the Writer of the reply, in parts
//! ```
//! The caller decides which instances are written: the whole tree, or those that a filter selects.
//! In an instance that is written as a whole, children are in schema order, and the keys of a list
//! entry precede its other children. Only leafs that exist are written: defaults are not added.

mod value;

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use portreeve_yang::{NodeId, NodeKind, Schema};
use portreeve_yang_tree::{Row, Walk, WalkStep};

use crate::Progress;
use crate::xml::{NcName, StartTag, Writer, XmlText};
use value::LongValue;
pub use value::write_leaf;

/// Number of octets of output after which [`TreeWriter::advance`] returns. It adds at most some
/// tens of kilobytes more.
pub const MAX_PIECE: usize = 64 << 10;

/// Number of steps after which [`TreeWriter::advance`] pauses, if they have no output.
const STEPS_PER_CALL: usize = 10_000;

/// Decides which nodes a reader may see.
pub trait ReadAccess: Send + Sync {
    /// Returns true if the user may read instances of a schema node. What is below a node that the
    /// user may not read is not written either.
    fn may_read(&self, node: NodeId) -> bool;
}

/// Writes instances into the [`Writer`] of a reply, and stops where its output is full. It holds
/// the rows that it is writing, and nothing of the output.
///
/// The namespaces of all elements are declared within the output, so that it can be part of any
/// element.
pub struct TreeWriter {
    schema: Arc<Schema>,
    access: Option<Arc<dyn ReadAccess>>,
    /// The place in the instance that is written as a whole, and the schema node of the instance.
    walk: Option<(Walk, NodeId)>,
    /// Containers without presence whose start tags are not written before something in them.
    unopened: Vec<NodeId>,
    /// The walk is at a node that is not written.
    is_hidden: bool,
    keys: Option<Keys>,
    /// The rest of a long value.
    value: Option<LongValue>,
}

/// The keys of a list entry that follow its start tag.
struct Keys {
    list: NodeId,
    row: Arc<Row>,
    next: usize,
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
    /// Creates a writer that writes all nodes.
    #[must_use]
    pub fn new(schema: Arc<Schema>) -> Self {
        Self {
            schema,
            access: None,
            walk: None,
            unopened: Vec::new(),
            is_hidden: false,
            keys: None,
            value: None,
        }
    }

    /// Omits the nodes within instances written as a whole that the user may not read.
    #[must_use]
    pub fn with_access(mut self, access: Arc<dyn ReadAccess>) -> Self {
        self.access = Some(access);
        self
    }

    /// Begins a container or list entry, of which the caller writes the keys and other children.
    ///
    /// # Errors
    /// If the name is not one of XML.
    pub fn open(&mut self, writer: &mut Writer, node: NodeId) -> Result<(), WriteError> {
        start(writer, &self.schema, node).map(|_| ())
    }

    /// Ends the container or list entry that was begun last.
    pub fn close(&mut self, writer: &mut Writer) {
        writer.end();
    }

    /// Begins to write a container or list entry with everything in it. `row` contains its
    /// children: for a container without presence, the row is that of its parent. For the root, the
    /// children are written. [`Self::advance`] writes the rest.
    ///
    /// # Errors
    /// If a name or value is not one of XML.
    pub fn whole(&mut self, writer: &mut Writer, node: NodeId, row: Arc<Row>) -> Result<(), WriteError> {
        if node != NodeId::ROOT {
            self.enter(writer, node, &row)?;
        }
        self.walk = Some((Walk::below(node, row), node));
        Ok(())
    }

    /// Begins to write a leaf of a row; nothing if it does not exist. [`Self::advance`] writes the
    /// rest.
    ///
    /// # Errors
    /// If the name or the value is not one of XML.
    pub fn leaf(&mut self, writer: &mut Writer, node: NodeId, row: &Arc<Row>) -> Result<(), WriteError> {
        self.value = value::begin_leaf(writer, &self.schema, node, row)?;
        Ok(())
    }

    /// Begins to write an entry of a leaf-list with a canonical value. [`Self::advance`] writes the
    /// rest.
    ///
    /// # Errors
    /// If the name or the value is not one of XML.
    pub fn leaf_list_entry(
        &mut self,
        writer: &mut Writer,
        node: NodeId,
        value: &str,
    ) -> Result<(), WriteError> {
        self.value = value::begin_value(writer, &self.schema, node, value)?;
        Ok(())
    }

    /// Writes what has been begun until it is complete, the output has [`MAX_PIECE`] octets, or
    /// other users should have their turn. The caller begins the next instance only after
    /// [`Progress::Done`].
    ///
    /// # Errors
    /// If a name or value is not one of XML. The writer cannot be used after that.
    pub fn advance(&mut self, writer: &mut Writer) -> Result<Progress, WriteError> {
        for _ in 0..STEPS_PER_CALL {
            if writer.output().len() >= MAX_PIECE {
                return Ok(Progress::More);
            }
            if !self.step(writer)? {
                return Ok(Progress::Done);
            }
        }
        Ok(Progress::Pause)
    }

    /// Writes one thing. Returns false if everything is complete.
    fn step(&mut self, writer: &mut Writer) -> Result<bool, WriteError> {
        if let Some(value) = &mut self.value {
            if value.write_part(writer) {
                self.value = None;
            }
            return Ok(true);
        }
        if let Some(keys) = &mut self.keys {
            match self.schema.keys(keys.list).get(keys.next) {
                Some(key) => {
                    keys.next += 1;
                    self.value = value::begin_leaf(writer, &self.schema, *key, &keys.row)?;
                }
                None => self.keys = None,
            }
            return Ok(true);
        }
        self.step_walk(writer)
    }

    fn step_walk(&mut self, writer: &mut Writer) -> Result<bool, WriteError> {
        let Some((walk, top)) = &mut self.walk else { return Ok(false) };
        let may_read = |node| self.access.as_ref().is_none_or(|access| access.may_read(node));
        match walk.step(&self.schema) {
            Some(WalkStep::Enter(node)) if !may_read(node) => {
                walk.skip();
                self.is_hidden = true;
            }
            Some(WalkStep::Enter(node)) => {
                if let Some(row) = walk.row().cloned() {
                    self.enter(writer, node, &row)?;
                }
            }
            Some(WalkStep::Leaf(node, value)) => {
                // The keys follow the start tag.
                let is_key = self.schema.leaf(node).is_some_and(|leaf| leaf.is_key);
                if is_key || is_any(&self.schema, node) || !may_read(node) {
                    return Ok(true);
                }
                flush(&mut self.unopened, writer, &self.schema)?;
                self.value = match self.schema.slot(node) {
                    None => value::begin_value(writer, &self.schema, node, value)?,
                    Some(_) => match walk.row() {
                        Some(row) => value::begin_leaf(writer, &self.schema, node, row)?,
                        None => None,
                    },
                };
            }
            Some(WalkStep::Leave(_)) => {
                if !std::mem::take(&mut self.is_hidden) {
                    leave(&mut self.unopened, writer);
                }
            }
            None => {
                if *top != NodeId::ROOT {
                    leave(&mut self.unopened, writer);
                }
                self.walk = None;
            }
        }
        Ok(true)
    }

    /// Begins a container or list entry of this row.
    fn enter(&mut self, writer: &mut Writer, node: NodeId, row: &Arc<Row>) -> Result<(), WriteError> {
        let is_implicit =
            matches!(&self.schema.node(node).kind, NodeKind::Container(container) if !container.presence);
        if is_implicit {
            self.unopened.push(node);
            return Ok(());
        }
        flush(&mut self.unopened, writer, &self.schema)?;
        start(writer, &self.schema, node)?;
        self.keys = Some(Keys { list: node, row: Arc::clone(row), next: 0 });
        Ok(())
    }
}

/// Writes the start tags that precede a node.
fn flush(unopened: &mut Vec<NodeId>, writer: &mut Writer, schema: &Schema) -> Result<(), WriteError> {
    unopened.drain(..).try_for_each(|node| start(writer, schema, node).map(|_| ()))
}

/// Ends the innermost container or list entry.
fn leave(unopened: &mut Vec<NodeId>, writer: &mut Writer) {
    if unopened.pop().is_none() {
        writer.end();
    }
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

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InvalidName(_) => "the name of a node or module is not a name of XML",
            Self::InvalidValue(_) => "a value has a character that XML cannot hold",
        })
    }
}

impl Error for WriteError {}

#[cfg(test)]
mod tests;
