//! Reads records into a tree. Records come from a disk: they can be damaged, or can have been
//! written with other modules.

use std::{collections::BTreeMap, fmt, sync::Arc};

use portreeve_yang::{ModuleId, ModuleNames, NodeId, NodeKind, Schema};

use super::{CONTAINER, ENTRY, POSITION, TOP_LEVEL, VALUE, key::top_level_module};
use crate::{Child, Leafs, MAX_KEY_OCTETS, Row, RowKey, Tree, keys::value_key};

/// Reads records into a tree. The record of a row has to precede those below it, as in the order of
/// keys.
pub struct RecordReader<'s> {
    schema: &'s Schema,
    root: Arc<Row>,
    modules: BTreeMap<Box<str>, ModuleId>,
    is_trusted: bool,
    /// The number of entries of lists that users order whose position has not been read.
    unplaced: usize,
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

/// A record, or a part of it, that the tree does not contain.
#[derive(Clone, PartialEq, Eq)]
pub struct RefusedRecord {
    /// The reason. If there are several, one of them.
    pub error: RecordError,
    /// The names of the node, without the keys of list entries.
    pub path: String,
    /// The part of the record that the tree does not contain: for a row without some leafs, a
    /// record with these leafs.
    pub value: Vec<u8>,
}

/// The end of a path.
enum Target {
    Row(NodeId),
    /// The leafs of a module at the top level.
    TopLevel(ModuleId),
    Value(NodeId, RowKey),
    Position,
}

impl<'s> RecordReader<'s> {
    /// Starts with an empty tree.
    pub fn new(schema: &'s Schema) -> Self {
        Self { schema, root: Arc::default(), modules: BTreeMap::new(), is_trusted: false, unplaced: 0 }
    }

    /// Skips the checks of the values: the records were written with the same modules.
    #[must_use]
    pub fn trusting_values(self) -> Self {
        Self { is_trusted: true, ..self }
    }

    /// Returns true if the records lack the position of an entry of a list that users order: with
    /// the modules of that time, its keys determined the order. The entry follows those that were
    /// read before, so that its position depends on them until it is stored.
    pub fn has_unplaced_entries(&self) -> bool {
        self.unplaced > 0
    }

    /// Returns the tree of all records that were read.
    pub fn finish(self) -> Tree {
        Tree::from_root(self.root)
    }

    /// Reads a record. Checks the types of values; the tree can be invalid in other respects.
    ///
    /// # Errors
    /// Returns the parts that cannot be in the tree. If these are leafs of a row, the tree contains
    /// the others. A row with wrong keys, and everything below it, is refused as a whole.
    pub fn read(&mut self, key: &[u8], value: &[u8]) -> Result<(), Box<RefusedRecord>> {
        self.read_with(key, value, false)
    }

    /// Reads a record that was refused earlier. Values that the tree contains already are kept.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub fn restore(&mut self, key: &[u8], value: &[u8]) -> Result<(), Box<RefusedRecord>> {
        self.read_with(key, value, true)
    }

    fn read_with(&mut self, key: &[u8], value: &[u8], keeps: bool) -> Result<(), Box<RefusedRecord>> {
        let refused =
            |error, value: &[u8]| Box::new(RefusedRecord { error, path: names_of(key), value: value.into() });
        match self.read_record(key, value, keeps) {
            Ok(None) => Ok(()),
            Ok(Some((error, leafs))) => Err(refused(error, &leafs)),
            Err(error) => Err(refused(error, value)),
        }
    }

    /// Reads a record, and returns the leafs that do not fit.
    fn read_record(
        &mut self,
        key: &[u8],
        value: &[u8],
        keeps: bool,
    ) -> Result<Option<(RecordError, Vec<u8>)>, RecordError> {
        // Reads the whole record before the tree changes.
        let mut steps = Vec::new();
        let target = self.read_key(key, &mut steps)?;
        let mut unfit = None;
        let leafs = match &target {
            Target::Row(node) => self.read_leafs(*node, steps.last(), value, None, &mut unfit)?,
            Target::TopLevel(module) => {
                self.read_leafs(NodeId::ROOT, None, value, Some(*module), &mut unfit)?
            }
            _ => Vec::new(),
        };
        let schema = self.schema;
        let (last, above) = match steps.split_last() {
            Some((last, above)) => (Some(last), above),
            None => (None, &[][..]),
        };
        let mut row = &mut self.root;
        for step in above {
            row = step.enter(row)?;
        }
        match (target, last) {
            (Target::TopLevel(_), _) => add_leafs(row, &leafs),
            (Target::Row(_), Some(step)) => {
                self.unplaced += usize::from(step.put(schema, row, &leafs, keeps));
            }
            (Target::Position, Some(Step { index, key: Some(key), .. })) => {
                let position = read_position(value)?;
                if let Some(Child::List(list)) = Arc::make_mut(row).children.get_mut(*index)
                    && let Some(entry) = list.get(key.as_octets()).cloned()
                {
                    list.restore(key.clone(), entry, Some(position));
                    self.unplaced = self.unplaced.saturating_sub(1);
                    return Ok(None);
                }
                return Err(RecordError::Orphan);
            }
            (Target::Value(node, key), last) => {
                let position = if value.is_empty() { None } else { Some(read_position(value)?) };
                let row = match last {
                    Some(step) => step.enter(row)?,
                    None => row,
                };
                let is_user_ordered = schema.leaf_list(node).is_some_and(|list| list.user_ordered);
                let index = schema.row_children_in(node).start;
                if let Some(values) = Arc::make_mut(row).children.leaf_list_mut(index, is_user_ordered)
                    && !(keeps && values.get(key.as_octets()).is_some())
                {
                    values.restore(key, (), position);
                    self.unplaced += usize::from(is_user_ordered && position.is_none());
                }
            }
            _ => return Err(RecordError::Malformed),
        }
        Ok(unfit)
    }

    /// Reads the steps of a key. Those to a leaf-list entry end with the row that contains it.
    fn read_key(&mut self, key: &[u8], steps: &mut Vec<Step>) -> Result<Target, RecordError> {
        if let Some((&TOP_LEVEL, name)) = key.split_first() {
            let mut octets = Octets(name);
            let module = self.module(octets.name()?)?;
            return if octets.0.is_empty() {
                Ok(Target::TopLevel(module))
            } else {
                Err(RecordError::Malformed)
            };
        }
        if key.is_empty() {
            return Err(RecordError::Malformed);
        }
        let schema = self.schema;
        let mut octets = Octets(key);
        let mut node = NodeId::ROOT;
        while let Some(kind) = octets.next() {
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
                    if key.len() > MAX_KEY_OCTETS {
                        return Err(RecordError::WrongKeys);
                    }
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

    /// Reads the leafs of a row, and adds its keys. Sets `unfit` to the leafs that do not fit, with
    /// the reason. At the top level, all leafs have to be of one module.
    fn read_leafs<'v>(
        &mut self,
        row: NodeId,
        step: Option<&'v Step>,
        value: &'v [u8],
        module: Option<ModuleId>,
        unfit: &mut Option<(RecordError, Vec<u8>)>,
    ) -> Result<Vec<(usize, &'v str)>, RecordError> {
        let mut octets = Octets(value);
        let keys = step.map(|step| &step.values[..]).unwrap_or_default();
        let mut leafs: Vec<(usize, &str)> = keys.iter().map(|value| &**value).enumerate().collect();
        while !octets.0.is_empty() {
            let start = octets.0;
            let (name, value) = (octets.name()?, octets.value()?);
            match self.read_leaf(row, name, value, module) {
                Ok(slot) if slot >= keys.len() => leafs.push((slot, value)),
                other => {
                    let length = start.len() - octets.0.len();
                    let (_, refused) = unfit
                        .get_or_insert_with(|| (other.err().unwrap_or(RecordError::UnknownNode), Vec::new()));
                    refused.extend(start.get(..length).unwrap_or_default());
                }
            }
        }
        leafs.sort_by_key(|(slot, _)| *slot);
        if leafs.windows(2).any(|pair| matches!(pair, [(one, _), (two, _)] if one == two)) {
            return Err(RecordError::Malformed);
        }
        Ok(leafs)
    }

    /// Returns the slot of a leaf with this value.
    fn read_leaf(
        &mut self,
        row: NodeId,
        name: &str,
        value: &str,
        module: Option<ModuleId>,
    ) -> Result<usize, RecordError> {
        let mut node = row;
        for name in name.split('/') {
            node = self.child(node, name)?;
            let is_inner = self.schema.node(node).is_plain_container();
            if !is_inner && self.schema.slot(node).is_none() {
                return Err(RecordError::UnknownNode);
            }
        }
        if module.is_some_and(|module| top_level_module(self.schema, node) != module) {
            return Err(RecordError::UnknownNode);
        }
        let slot = self.schema.slot(node).ok_or(RecordError::UnknownNode)?;
        self.check_value(node, value)?;
        Ok(slot)
    }

    /// Checks that a value is canonical text of the type of a leaf or leaf-list.
    fn check_value(&self, node: NodeId, value: &str) -> Result<(), RecordError> {
        let Some(value_type) = self.schema.type_of(node).filter(|_| !self.is_trusted) else { return Ok(()) };
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

    /// Sets the leafs of this step's row, which is created if it does not exist. If `keeps` is
    /// true, leafs that exist are kept. Returns true for a new entry of a list that users order.
    fn put(&self, schema: &Schema, above: &mut Arc<Row>, leafs: &[(usize, &str)], keeps: bool) -> bool {
        if let Ok(row) = self.enter(above) {
            match keeps {
                true => add_leafs(row, leafs),
                false => Arc::make_mut(row).leafs = Leafs::pack(leafs.iter().copied()),
            }
            return false;
        }
        let row = Arc::new(Row { leafs: Leafs::pack(leafs.iter().copied()), ..Row::default() });
        let children = &mut Arc::make_mut(above).children;
        match &self.key {
            None => {
                children.set(self.index, Child::Container(row));
                false
            }
            Some(key) => {
                let is_user_ordered =
                    matches!(&schema.node(self.node).kind, NodeKind::List(list) if list.user_ordered);
                if let Some(list) = children.list_mut(self.index, is_user_ordered) {
                    list.insert(key.clone(), row);
                }
                is_user_ordered
            }
        }
    }
}

/// Adds leafs that a row lacks.
fn add_leafs(row: &mut Arc<Row>, leafs: &[(usize, &str)]) {
    let current = &row.leafs;
    let mut all: Vec<(usize, &str)> = current.iter().collect();
    all.extend(leafs.iter().filter(|(slot, _)| current.get(*slot).is_none()));
    all.sort_by_key(|(slot, _)| *slot);
    let all = Leafs::pack(all.into_iter());
    Arc::make_mut(row).leafs = all;
}

/// Returns the names in the key of a record, as far as they can be read, for messages.
fn names_of(key: &[u8]) -> String {
    let mut names = String::new();
    let mut octets = Octets(key);
    while let Some(kind) = octets.next() {
        let Ok(name) = octets.name() else { break };
        let values = match kind {
            ENTRY => octets.next().unwrap_or_default(),
            VALUE => 1,
            _ => 0,
        };
        names.push('/');
        // A name from a damaged record cannot forge a line of a log.
        names.extend(name.escape_debug());
        if (0..values).any(|_| octets.value().is_err()) {
            break;
        }
    }
    names
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

/// Omits the value, which can be secret.
impl fmt::Debug for RefusedRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { error, path, value } = self;
        f.debug_struct("RefusedRecord")
            .field("error", error)
            .field("path", path)
            .field("octets", &value.len())
            .finish()
    }
}
