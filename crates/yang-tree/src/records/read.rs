//! Reads records into a tree. Records come from a disk: they can be damaged, or can have been
//! written with other modules.

use std::{collections::BTreeMap, fmt, sync::Arc};

use portreeve_yang::{MAX_DEPTH, ModuleId, ModuleNames, NodeId, NodeKind, Schema};

use super::{CONTAINER, ENTRY, POSITION, TOP_LEVEL, VALUE};
use crate::{Child, Leafs, Row, RowKey, Tree, keys::value_key};

/// Reads records into a tree. The record of a row has to precede those below it, as in the order of
/// keys.
pub struct RecordReader<'s> {
    schema: &'s Schema,
    tree: Tree,
    modules: BTreeMap<Box<str>, ModuleId>,
}

/// The reason why a record is refused. The tree is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// The octets are not a record.
    Malformed,
    /// The schema has no such node, or another kind of node.
    UnknownNode,
    /// The list entry has other keys than the schema, or a key is not of its type.
    WrongKeys,
    /// A value is not canonical text of its type.
    InvalidValue,
    /// The row above does not exist.
    Orphan,
}

/// The end of a path.
enum Target {
    Row(NodeId),
    Value(NodeId, RowKey),
    Position,
}

impl<'s> RecordReader<'s> {
    /// Starts with an empty tree.
    pub fn new(schema: &'s Schema) -> Self {
        Self { schema, tree: Tree::new(), modules: BTreeMap::new() }
    }

    /// Returns the tree of all records that were read.
    pub fn finish(self) -> Tree {
        self.tree
    }

    /// Reads a record. Checks the types of values; the tree can be invalid in other respects.
    ///
    /// # Errors
    /// The record cannot be a part of the tree, which is unchanged then.
    pub fn read(&mut self, key: &[u8], value: &[u8]) -> Result<(), RecordError> {
        // Reads the whole record before the tree changes.
        let mut steps = Vec::new();
        let target = self.read_key(key, &mut steps)?;
        let leafs = match &target {
            Target::Row(node) => Some(self.read_leafs(*node, steps.last(), value)?),
            _ => None,
        };
        let schema = self.schema;
        let (last, above) = match steps.split_last() {
            Some((last, above)) => (Some(last), above),
            None => (None, &[][..]),
        };
        let mut row = &mut self.tree.root;
        for step in above {
            row = step.enter(row)?;
        }
        match (target, last) {
            (Target::Row(_), None) => Arc::make_mut(row).leafs = leafs.unwrap_or_default(),
            (Target::Row(_), Some(step)) => step.put(schema, row, leafs.unwrap_or_default()),
            (Target::Position, Some(Step { index, key: Some(key), .. })) => {
                let position = read_position(value)?;
                if let Some(Child::List(list)) = Arc::make_mut(row).children.get_mut(*index)
                    && let Some(entry) = list.get(key.as_octets()).cloned()
                {
                    list.restore(key.clone(), entry, Some(position));
                    return Ok(());
                }
                return Err(RecordError::Orphan);
            }
            (Target::Value(node, key), last) => {
                let row = match last {
                    Some(step) => step.enter(row)?,
                    None => row,
                };
                let is_user_ordered = schema.leaf_list(node).is_some_and(|list| list.user_ordered);
                let position = if value.is_empty() { None } else { Some(read_position(value)?) };
                let index = schema.row_children_in(node).start;
                if let Some(values) = Arc::make_mut(row).children.leaf_list_mut(index, is_user_ordered) {
                    values.restore(key, (), position);
                }
            }
            _ => return Err(RecordError::Malformed),
        }
        Ok(())
    }

    /// Reads the steps of a key. Those to a leaf-list entry end with the row that contains it.
    fn read_key(&mut self, key: &[u8], steps: &mut Vec<Step>) -> Result<Target, RecordError> {
        if key == [TOP_LEVEL] {
            return Ok(Target::Row(NodeId::ROOT));
        }
        if key.is_empty() {
            return Err(RecordError::Malformed);
        }
        let schema = self.schema;
        let mut octets = Octets(key);
        let mut node = NodeId::ROOT;
        let mut depth = 0;
        while let Some(kind) = octets.next() {
            depth += 1;
            if depth > MAX_DEPTH {
                return Err(RecordError::Malformed);
            }
            if kind == POSITION {
                let has_key = steps.last().is_some_and(|step| step.key.is_some());
                let is_entry = matches!(&schema.node(node).kind, NodeKind::List(list) if list.user_ordered);
                let is_complete = has_key && is_entry && octets.0.is_empty();
                return if is_complete { Ok(Target::Position) } else { Err(RecordError::UnknownNode) };
            }
            let child = self.child(node, octets.name()?)?;
            match (kind, &schema.node(child).kind) {
                (CONTAINER, NodeKind::Container(container)) => {
                    if container.presence {
                        steps.push(Step::new(schema, child, None, Vec::new()));
                    }
                }
                (ENTRY, NodeKind::List(list)) => {
                    let count = usize::from(octets.next().ok_or(RecordError::Malformed)?);
                    let values = (0..count).map(|_| octets.value()).collect::<Result<Vec<_>, _>>()?;
                    if list.keys.len() != count || count == 0 {
                        return Err(RecordError::WrongKeys);
                    }
                    for (leaf, value) in list.keys.iter().zip(&values) {
                        self.check_value(*leaf, value)?;
                    }
                    let key = schema
                        .encode_key(child, values.iter().copied())
                        .map_err(|_| RecordError::WrongKeys)?;
                    let values = values.into_iter().map(Into::into).collect();
                    steps.push(Step::new(schema, child, Some(RowKey::from(&key[..])), values));
                }
                (VALUE, NodeKind::LeafList(_)) => {
                    let value = octets.value()?;
                    self.check_value(child, value)?;
                    if !octets.0.is_empty() {
                        return Err(RecordError::Malformed);
                    }
                    return Ok(Target::Value(child, value_key(value)));
                }
                _ => return Err(RecordError::UnknownNode),
            }
            node = child;
        }
        if schema.node(node).is_row() { Ok(Target::Row(node)) } else { Err(RecordError::UnknownNode) }
    }

    /// Reads the leafs of a row, and adds its keys.
    fn read_leafs(&mut self, row: NodeId, step: Option<&Step>, value: &[u8]) -> Result<Leafs, RecordError> {
        let mut octets = Octets(value);
        let keys = step.map(|step| &step.values[..]).unwrap_or_default();
        let mut leafs: Vec<(usize, &str)> = keys.iter().map(|value| &**value).enumerate().collect();
        while !octets.0.is_empty() {
            let mut node = row;
            for name in octets.name()?.split('/') {
                node = self.child(node, name)?;
                let is_inner = self.schema.node(node).is_plain_container();
                if !is_inner && self.schema.slot(node).is_none() {
                    return Err(RecordError::UnknownNode);
                }
            }
            let slot = self.schema.slot(node).filter(|slot| *slot >= keys.len());
            let value = octets.value()?;
            self.check_value(node, value)?;
            leafs.push((slot.ok_or(RecordError::UnknownNode)?, value));
        }
        leafs.sort_by_key(|(slot, _)| *slot);
        if leafs.windows(2).any(|pair| matches!(pair, [(one, _), (two, _)] if one == two)) {
            return Err(RecordError::Malformed);
        }
        Ok(Leafs::pack(leafs.into_iter()))
    }

    /// Checks that a value is canonical text of the type of a leaf or leaf-list.
    fn check_value(&self, node: NodeId, value: &str) -> Result<(), RecordError> {
        let Some(value_type) = self.schema.type_of(node) else { return Ok(()) };
        match self.schema.canonical(value_type, value, &ModuleNames::new(self.schema)) {
            Ok(canonical) if canonical == value => Ok(()),
            _ => Err(RecordError::InvalidValue),
        }
    }

    /// Finds a configuration node by its name.
    fn child(&mut self, parent: NodeId, name: &str) -> Result<NodeId, RecordError> {
        let (module, name) = match name.split_once(':') {
            Some((module, name)) => (self.module(module)?, name),
            None if parent == NodeId::ROOT => return Err(RecordError::Malformed),
            None => (self.schema.node(parent).module, name),
        };
        let child = self.schema.data_child(parent, module, name);
        child.filter(|child| self.schema.node(*child).config).ok_or(RecordError::UnknownNode)
    }

    fn module(&mut self, name: &str) -> Result<ModuleId, RecordError> {
        if let Some(module) = self.modules.get(name) {
            return Ok(*module);
        }
        let module = self.schema.module_by_name(name).ok_or(RecordError::UnknownNode)?;
        self.modules.insert(name.into(), module);
        Ok(module)
    }
}

/// A list entry or presence container on the way to a record.
struct Step {
    node: NodeId,
    /// The index in the children of the row above.
    index: usize,
    /// The key of a list entry, and the values of its key leafs.
    key: Option<RowKey>,
    values: Vec<Box<str>>,
}

impl Step {
    fn new(schema: &Schema, node: NodeId, key: Option<RowKey>, values: Vec<Box<str>>) -> Self {
        Self { node, index: schema.row_children_in(node).start, key, values }
    }

    /// Returns the row of this step below another.
    fn enter<'t>(&self, row: &'t mut Arc<Row>) -> Result<&'t mut Arc<Row>, RecordError> {
        let child = Arc::make_mut(row).children.get_mut(self.index);
        match (child, &self.key) {
            (Some(Child::Container(row)), None) => Ok(row),
            (Some(Child::List(list)), Some(key)) => list.get_mut(key.as_octets()).ok_or(RecordError::Orphan),
            _ => Err(RecordError::Orphan),
        }
    }

    /// Sets the leafs of this step's row, which is created if it does not exist.
    fn put(&self, schema: &Schema, above: &mut Arc<Row>, leafs: Leafs) {
        if let Ok(row) = self.enter(above) {
            Arc::make_mut(row).leafs = leafs;
            return;
        }
        let row = Arc::new(Row { leafs, ..Row::default() });
        let children = &mut Arc::make_mut(above).children;
        match &self.key {
            None => children.set(self.index, Child::Container(row)),
            Some(key) => {
                let is_user_ordered =
                    matches!(&schema.node(self.node).kind, NodeKind::List(list) if list.user_ordered);
                if let Some(list) = children.list_mut(self.index, is_user_ordered) {
                    list.insert(key.clone(), row);
                }
            }
        }
    }
}

/// The octets that have not been read.
struct Octets<'o>(&'o [u8]);

impl<'o> Octets<'o> {
    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn name(&mut self) -> Result<&'o str, RecordError> {
        let (length, rest) = self.0.split_first_chunk().ok_or(RecordError::Malformed)?;
        self.0 = rest;
        self.text(u16::from_be_bytes(*length).into())
    }

    fn value(&mut self) -> Result<&'o str, RecordError> {
        let (length, rest) = self.0.split_first_chunk().ok_or(RecordError::Malformed)?;
        self.0 = rest;
        self.text(usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX))
    }

    fn text(&mut self, length: usize) -> Result<&'o str, RecordError> {
        let (text, rest) = self.0.split_at_checked(length).ok_or(RecordError::Malformed)?;
        self.0 = rest;
        std::str::from_utf8(text).map_err(|_| RecordError::Malformed)
    }
}

fn read_position(value: &[u8]) -> Result<u64, RecordError> {
    value.try_into().map(u64::from_be_bytes).map_err(|_| RecordError::Malformed)
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "the record is malformed",
            Self::UnknownNode => "the modules do not define this node",
            Self::WrongKeys => "the keys of the list entry do not fit the modules",
            Self::InvalidValue => "a value is not of its type",
            Self::Orphan => "the record of the node above is missing",
        })
    }
}

impl std::error::Error for RecordError {}
