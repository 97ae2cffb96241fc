//! XML as an edit of a data tree (RFC 6241 §7.2, RFC 7950 §7).
//!
//! ```text
//! events of the tokenizer ── DataReader ──▶ calls of the Editor
//! ```
//! An element is a node of the schema in the namespace of its module. Values get their canonical
//! form here. The operations, the order of the keys, and all that depends on the data before are
//! decided by the [`Editor`].

mod annotations;
mod error;
mod length;
mod prefixes;

use portreeve_yang::{Entry, InstancePath, ModuleId, NodeId, NodeKind, Schema};
use portreeve_yang_tree::{Editor, Operation};

use crate::xml::{End, Event, Name, Start};
use annotations::{Annotations, read_annotations};
pub use annotations::{NETCONF_NAMESPACE, YANG_NAMESPACE};
pub use error::{AttributeOf, ReadError, ReadReason};
pub use length::MAX_VALUE;
use prefixes::ScopePrefixes;

/// Reads data, for example the content of a `config` element. It is passed the events between the
/// start and the end of that element.
#[derive(Debug)]
pub struct DataReader {
    frames: Vec<Frame>,
    /// The leaf or leaf-list entry whose value is being read.
    leaf: Option<OpenLeaf>,
    /// The value so far.
    text: String,
    /// The namespace of the last element, and its module.
    module: Option<(String, ModuleId)>,
}

/// An open container or list entry.
#[derive(Debug)]
struct Frame {
    node: NodeId,
    /// The operation removes the node, so that only the keys in it matter.
    is_removed: bool,
    /// The values of the keys that have been read.
    keys: Vec<Option<Box<str>>>,
}

#[derive(Debug)]
struct OpenLeaf {
    node: NodeId,
    annotations: Annotations,
    /// Length at which the value is checked before its end.
    checked_length: usize,
}

impl DataReader {
    /// Creates a reader of data at the top level.
    #[must_use]
    pub fn new() -> Self {
        Self { frames: Vec::new(), leaf: None, text: String::new(), module: None }
    }

    /// Reads an event and edits the tree accordingly.
    ///
    /// # Errors
    /// If the event does not fit the schema, or the editor refuses the edit. Reader and editor
    /// cannot be used after that.
    pub fn read(&mut self, event: Event<'_>, schema: &Schema, editor: &mut Editor) -> Result<(), ReadError> {
        match (event, &self.leaf) {
            (Event::Start(start), None) => self.start(start, schema, editor),
            (Event::Start(start), Some(_)) => Err(self.error(unknown_element(start.name))),
            (Event::Text(text), Some(_)) => self.append(text, schema),
            (Event::Text(text), None) => {
                match text.bytes().all(|octet| matches!(octet, b' ' | b'\t' | b'\r' | b'\n')) {
                    true => Ok(()),
                    false => Err(self.error(ReadReason::MixedContent)),
                }
            }
            (Event::End(end), Some(_)) => self.end_leaf(end, schema, editor),
            (Event::End(_), None) => {
                editor.close().map_err(ReadError::from)?;
                self.frames.pop();
                Ok(())
            }
        }
    }

    /// Returns true if no node is open.
    #[must_use]
    pub fn is_at_top_level(&self) -> bool {
        self.frames.is_empty() && self.leaf.is_none()
    }

    fn start(&mut self, start: Start<'_>, schema: &Schema, editor: &mut Editor) -> Result<(), ReadError> {
        let node = self.find(start.name, schema)?;
        let kind = &schema.node(node).kind;
        let annotations =
            read_annotations(&start, node, schema).map_err(|reason| self.error_at(node, reason))?;
        match kind {
            NodeKind::Container(_) | NodeKind::List(_) => {
                let is_removed = annotations.operation.map_or(self.is_removed(), removes);
                editor.open(node, annotations.operation, annotations.placement).map_err(ReadError::from)?;
                let keys = vec![None; schema.keys(node).len()];
                self.frames.push(Frame { node, is_removed, keys });
                Ok(())
            }
            NodeKind::Leaf(_) if schema.is_row_status(node) => {
                Err(self.error_at(node, ReadReason::RowStatus))
            }
            NodeKind::Leaf(_) | NodeKind::LeafList(_) => {
                self.text.clear();
                self.leaf = Some(OpenLeaf { node, annotations, checked_length: length::FIRST_CHECK });
                Ok(())
            }
            _ => Err(self.error_at(node, ReadReason::Unsupported)),
        }
    }

    /// Finds the schema node of an element in the open node.
    fn find(&mut self, name: Name<'_>, schema: &Schema) -> Result<NodeId, ReadError> {
        let module = match &self.module {
            Some((namespace, module)) if namespace == name.namespace => *module,
            _ => {
                let module = schema.module_by_namespace(name.namespace);
                let module = module.ok_or_else(|| self.error(ReadReason::UnknownNamespace(name.into())))?;
                self.module = Some((name.namespace.to_owned(), module));
                module
            }
        };
        let parent = self.frames.last().map_or(NodeId::ROOT, |frame| frame.node);
        let node = schema.data_child(parent, module, name.local);
        node.ok_or_else(|| self.error(unknown_element(name)))
    }

    fn append(&mut self, text: &str, schema: &Schema) -> Result<(), ReadError> {
        self.text.push_str(text);
        let Some(leaf) = &mut self.leaf else { return Ok(()) };
        if self.text.len() <= leaf.checked_length {
            return Ok(());
        }
        let Some(value_type) = schema.type_of(leaf.node) else { return Ok(()) };
        let longest = length::longest(schema, value_type);
        if self.text.len() <= longest {
            leaf.checked_length = longest;
            return Ok(());
        }
        let (node, reason) = (leaf.node, length::error(schema, value_type, &self.text));
        Err(self.error_at(node, reason))
    }

    fn end_leaf(&mut self, end: End<'_>, schema: &Schema, editor: &mut Editor) -> Result<(), ReadError> {
        let Some(leaf) = self.leaf.take() else { return Ok(()) };
        let Annotations { operation, placement } = leaf.annotations;
        let prefixes = ScopePrefixes { schema, scope: end.scope };
        let text = std::mem::take(&mut self.text);
        let Some(value_type) = schema.type_of(leaf.node) else { return Ok(()) };
        let value = schema.canonical(value_type, &text, &prefixes);
        let done = match &schema.node(leaf.node).kind {
            NodeKind::Leaf(definition) => {
                // A node that is removed needs no value.
                let is_removed = !definition.is_key && operation.map_or(self.is_removed(), removes);
                let value = match value {
                    Ok(value) => Some(value),
                    Err(_) if is_removed => None,
                    Err(error) => return Err(self.error_at(leaf.node, ReadReason::InvalidValue(error))),
                };
                if definition.is_key {
                    self.set_key(leaf.node, schema, value.as_deref());
                }
                editor.leaf(leaf.node, operation, value.as_deref())
            }
            _ => match value {
                Ok(value) => editor.leaf_list_entry(leaf.node, operation, placement, &value),
                Err(_) if self.is_removed() => Ok(()),
                Err(error) => return Err(self.error_at(leaf.node, ReadReason::InvalidValue(error))),
            },
        };
        // The next value uses the same memory, unless this one was long.
        self.text = text;
        self.text.clear();
        self.text.shrink_to(length::FIRST_CHECK);
        done.map_err(ReadError::from)
    }

    fn set_key(&mut self, node: NodeId, schema: &Schema, value: Option<&str>) {
        if let Some(frame) = self.frames.last_mut()
            && let Some(index) = schema.keys(frame.node).iter().position(|key| *key == node)
            && let Some(key) = frame.keys.get_mut(index)
        {
            *key = value.map(Into::into);
        }
    }

    fn is_removed(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.is_removed)
    }

    /// Returns the path of the open container or list entry.
    fn path(&self) -> InstancePath {
        let mut path = InstancePath::new();
        for frame in &self.frames {
            let keys: Option<Vec<_>> = frame.keys.iter().cloned().collect();
            let entry = keys.filter(|keys| !keys.is_empty()).map_or(Entry::All, Entry::Keys);
            path.push(frame.node, entry);
        }
        path
    }

    fn error(&self, reason: ReadReason) -> ReadError {
        let mut path = self.path();
        if let Some(leaf) = &self.leaf {
            path.push(leaf.node, Entry::All);
        }
        ReadError { reason, path }
    }

    /// Returns an error at a child of the open node.
    fn error_at(&self, node: NodeId, reason: ReadReason) -> ReadError {
        let mut path = self.path();
        path.push(node, Entry::All);
        ReadError { reason, path }
    }
}

impl Default for DataReader {
    fn default() -> Self {
        Self::new()
    }
}

fn unknown_element(name: Name<'_>) -> ReadReason {
    ReadReason::UnknownElement(name.into())
}

fn removes(operation: Operation) -> bool {
    matches!(operation, Operation::Delete | Operation::Remove)
}

#[cfg(test)]
mod tests;
