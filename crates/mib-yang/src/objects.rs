//! The leafs of the tree as managed objects: look-ups.

use std::sync::Arc;

use portreeve_datastore::{ProposedState, State};
use portreeve_mib::{
    Draft, Instrumentation, Lookup, Object, Requester, ServedObjects,
    object::{Kind, Leaf},
};
use portreeve_smi::{OidBuf, Timestamp};
use portreeve_yang::Schema;
use portreeve_yang_tree::{Row, Tree, default_leaf};

use crate::{
    draft::SetDraft,
    form::{Form, leak, leak_text},
    gaps::{Gap, Gaps},
    keys::{Keys, Start, push_arcs},
    leafs::{Leafs, ServedLeaf},
    overlap::find_overlaps,
    problem::Problems,
    table::{Found, Search, Table},
    value::Scratch,
};

/// The leafs of a schema that have object identifiers, as objects. A clone is for another worker:
/// clones share the definitions, which exist once per process.
pub struct YangObjects {
    definitions: Arc<Definitions>,
    state: Arc<State>,
    /// The number of versions of the tree so far.
    version: u64,
    /// The gaps of each leaf.
    gaps: Vec<Gaps>,
    scratch: Scratch,
    keys: Keys,
}

/// The definitions that all workers share.
pub(crate) struct Definitions {
    pub(crate) schema: Arc<Schema>,
    pub(crate) leafs: Vec<ServedLeaf>,
    pub(crate) tables: Vec<Table>,
    objects: Vec<&'static Object>,
}

impl YangObjects {
    /// Creates the objects of a schema, which the agent serves beside `others`. The definitions of
    /// the objects are never freed: call this once per process, before anything listens, and
    /// clone the result.
    ///
    /// # Errors
    /// Two objects have the same identifier, or one is below another, or an identifier is invalid.
    pub fn new(schema: Arc<Schema>, others: &ServedObjects) -> Result<Self, Problems> {
        let Leafs { served, tables, mut problems, .. } = Leafs::new(&schema);
        problems.extend(find_overlaps(&schema, &served, others));
        if !problems.is_empty() {
            return Err(Problems(problems));
        }
        let is_column =
            |leaf: &ServedLeaf| tables.get(leaf.table).is_some_and(|table| !table.lists.is_empty());
        let objects = served.iter().map(|leaf| object_of(&schema, leaf, is_column(leaf))).collect();
        let definitions = Definitions { schema, leafs: served, tables, objects };
        Ok(Self::with(Arc::new(definitions)))
    }

    fn with(definitions: Arc<Definitions>) -> Self {
        Self {
            state: Arc::default(),
            version: 0,
            gaps: vec![Gaps::default(); definitions.leafs.len()],
            scratch: Scratch::default(),
            keys: Keys::default(),
            definitions,
        }
    }
}

impl Clone for YangObjects {
    fn clone(&self) -> Self {
        Self::with(Arc::clone(&self.definitions))
    }
}

impl Instrumentation for YangObjects {
    fn objects(&self) -> Vec<&'static Object> {
        self.definitions.objects.clone()
    }

    fn begin(&mut self, state: &Arc<State>, _: Timestamp) {
        if !Arc::ptr_eq(&self.state, state) {
            if !self.state.tree.is_same_version(&state.tree) {
                self.version += 1;
            }
            self.state = Arc::clone(state);
        }
    }

    fn get(&mut self, leaf: usize, index: &[u32]) -> Lookup<'_> {
        let definitions = &*self.definitions;
        let Some(leaf) = definitions.leafs.get(leaf) else { return Lookup::Absent };
        let Some(table) = definitions.tables.get(leaf.table) else { return Lookup::Absent };
        let is_name = match table.lists.is_empty() {
            true => index == [0],
            false => self.keys.set(&definitions.schema, &table.lists, index),
        };
        if !is_name {
            return Lookup::Absent;
        }
        let row = table.row(self.state.tree.root(), &self.keys);
        let text = row.and_then(|row| leaf.text(&definitions.schema, row));
        show(definitions, leaf, text, &mut self.scratch)
    }

    fn next(&mut self, leaf: usize, after: &[u32], name: &mut OidBuf) -> Lookup<'_> {
        let Self { definitions, state, version, gaps, scratch, keys } = self;
        let definitions = &**definitions;
        let Some(gaps) = gaps.get_mut(leaf) else { return Lookup::Absent };
        let Some(leaf) = definitions.leafs.get(leaf) else { return Lookup::Absent };
        let Some(table) = definitions.tables.get(leaf.table) else { return Lookup::Absent };
        if table.lists.is_empty() {
            let is_first = after.is_empty() && name.push(0).is_ok();
            let text = is_first.then(|| leaf.text(&definitions.schema, state.tree.root())).flatten();
            return show(definitions, leaf, text, scratch);
        }
        gaps.set_version(*version);
        let Some(start) = keys.seek(&definitions.schema, &table.lists, after) else { return Lookup::Absent };
        let column = Column { schema: &definitions.schema, table, leaf };
        let text = column.next(&state.tree, gaps, keys, start, name);
        show(definitions, leaf, text, scratch)
    }

    fn draft(&mut self, _: &ProposedState, _: Requester<'_>) -> Option<Box<dyn Draft>> {
        Some(Box::new(SetDraft::new(Arc::clone(&self.definitions))))
    }
}

/// Returns the value of a leaf from its text in the tree.
fn show<'v>(
    definitions: &Definitions,
    leaf: &ServedLeaf,
    text: Option<&'v str>,
    scratch: &'v mut Scratch,
) -> Lookup<'v> {
    let value = text.and_then(|text| leaf.value_type.to_smi(&definitions.schema, text, scratch));
    value.map_or(Lookup::Absent, Lookup::Value)
}

impl ServedLeaf {
    /// Returns the text of the leaf in a row of its table: its value, or the default if that is in
    /// effect, because SNMP shows the values in use. Empty for the status of a row.
    fn text<'t>(&self, schema: &'t Schema, row: &'t Row) -> Option<&'t str> {
        if self.value_type.form == Form::RowStatus {
            return Some("");
        }
        let row = self.way.follow(row)?;
        match (row.leaf(self.slot), self.default_in) {
            (Some(text), _) => Some(text),
            (None, Some(node)) => default_leaf(schema, node, row, self.node),
            (None, None) => None,
        }
    }
}

/// A leaf of a list.
#[derive(Clone, Copy)]
struct Column<'d> {
    schema: &'d Schema,
    table: &'d Table,
    leaf: &'d ServedLeaf,
}

impl<'d> Column<'d> {
    /// Returns the text in the first row from a position on that has a name and a value, and
    /// appends the index of the row to `name`. Uses and completes the gaps of the column.
    fn next<'t>(
        self,
        tree: &'t Tree,
        gaps: &mut Gaps,
        keys: &mut Keys,
        mut start: Start,
        name: &mut OidBuf,
    ) -> Option<&'t str>
    where
        'd: 't,
    {
        let mut gap: Option<Gap> = None;
        let mut is_known = true;
        let mut found = None;
        let mut passed = Keys::default();
        loop {
            let mut jump = None;
            self.table.search(tree.root(), keys, start, &mut |row: Found<'t, '_>| {
                #[cfg(test)]
                VISITED_ROWS.set(VISITED_ROWS.get() + 1);
                if let Some(text) = self.named_value(&row, name) {
                    found = Some(text);
                    if let Some(gap) = &mut gap {
                        row.copy_keys(gap.end.insert(Keys::default()));
                    }
                    return Search::Stop;
                }
                row.copy_keys(&mut passed);
                if let Some(known) = gaps.find(&passed.octets) {
                    match &mut gap {
                        Some(gap) => gap.rows += known.rows,
                        None => gap = Some(known.clone()),
                    }
                    jump = Some(known.end.clone());
                    return Search::Stop;
                }
                gap.get_or_insert_with(|| Gap { first: passed.clone(), end: None, rows: 0 }).rows += 1;
                is_known = false;
                Search::Continue
            });
            match jump {
                Some(Some(end)) => (*keys, start) = (end, Start::At),
                _ => break,
            }
        }
        if let Some(gap) = gap.filter(|_| !is_known) {
            gaps.add(gap);
        }
        found
    }

    /// Returns the text of the leaf in a row with a name, which is appended to `name`.
    fn named_value<'t>(self, row: &Found<'t, '_>, name: &mut OidBuf) -> Option<&'t str>
    where
        'd: 't,
    {
        let text = self.leaf.text(self.schema, row.row?)?;
        if !self.leaf.value_type.has_smi(text) {
            return None;
        }
        push_arcs(self.schema, &self.table.lists, row.keys.iter().copied(), name)?;
        Some(text)
    }
}

/// Creates the definition of a leaf, which is never freed.
fn object_of(schema: &Schema, leaf: &ServedLeaf, is_column: bool) -> &'static Object {
    let node = schema.node(leaf.node);
    let units = schema.leaf(leaf.node).and_then(|leaf| leaf.units.as_deref()).map_or("", leak_text);
    let data = Leaf {
        syntax: leaf.value_type.form.syntax(schema, leaf.value_type.type_id),
        access: leaf.access,
        units,
        default: None,
    };
    let kind = if is_column { Kind::Column(data) } else { Kind::Scalar(data) };
    let arcs = leak(leaf.oid.arcs().to_vec());
    Box::leak(Box::new(Object::loaded(leak_text(&node.name), None, arcs, kind)))
}

impl Definitions {
    /// Returns the table of a leaf.
    pub(crate) fn table(&self, leaf: &ServedLeaf) -> Option<&Table> {
        self.tables.get(leaf.table)
    }
}

#[cfg(test)]
thread_local! {
    /// The number of rows that the searches of this thread have visited.
    static VISITED_ROWS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

#[cfg(test)]
mod tests;
