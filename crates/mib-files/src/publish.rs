//! Converts a table to definitions that live as long as the process.
//!
//! The table may come from a damaged cache, so it is not trusted: invalid parts are omitted.

use std::{collections::HashMap, sync::OnceLock};

use portreeve_mib::{
    Convention, Kind, Module, Object, Syntax,
    names::BUILT_IN,
    object::{Compliance, DefaultValue, Index, Leaf, RowIndex},
};

use crate::{
    extract::MAX_OID_LEN,
    table::{DefaultRow, DefinitionTable, KindRow, LeafRow, ObjectRow, SyntaxRow},
};

/// Returns the modules of the table as definitions.
pub(crate) fn publish(table: DefinitionTable<'static>) -> Vec<&'static Module> {
    let mut publisher = Publisher { conventions: publish_conventions(&table), ..Publisher::default() };
    let mut rows = table.objects;
    rows.retain(|row| (1..=MAX_OID_LEN).contains(&row.arcs.len()));
    // Parents come before their children, and lists of objects after their objects.
    rows.sort_by(|a, b| (rank(&a.kind), &a.arcs).cmp(&(rank(&b.kind), &b.arcs)));
    let mut indexes = Vec::new();
    let mut members: HashMap<u32, Vec<&'static Object>> = HashMap::new();
    for row in rows {
        let module = row.module;
        let object = publisher.object(row, &mut indexes);
        members.entry(module).or_default().push(object);
    }
    for pending in indexes {
        publisher.set_index(&pending);
    }
    let mut conventions: HashMap<u32, Vec<&'static Convention>> = HashMap::new();
    for (module, convention) in &publisher.conventions {
        conventions.entry(*module).or_default().push(convention);
    }
    let mut modules = Vec::with_capacity(table.modules.len());
    for (number, row) in (0_u32..).zip(table.modules) {
        let module: &'static Module = Box::leak(Box::new(Module {
            name: row.name,
            last_updated: row.last_updated,
            reference: "",
            description: row.description,
            conventions: conventions.remove(&number).unwrap_or_default().leak(),
            objects: members.remove(&number).unwrap_or_default().leak(),
        }));
        modules.push(module);
    }
    modules
}

#[derive(Default)]
struct Publisher {
    conventions: Vec<(u32, &'static Convention)>,
    /// For each identifier, its first definition or its placeholder.
    by_arcs: HashMap<&'static [u32], &'static Object>,
    /// For each identifier and module, the definition in this module.
    by_module: HashMap<(u32, &'static [u32]), &'static Object>,
}

impl Publisher {
    fn object(&mut self, row: ObjectRow<'static>, indexes: &mut Vec<PendingIndex>) -> &'static Object {
        let (module, arcs): (u32, &'static [u32]) = (row.module, row.arcs.leak());
        let parent = arcs.split_last().and_then(|(_, above)| self.parent(module, above));
        let kind = self.kind(module, row.kind, indexes);
        let mut object = Object::loaded(row.name, parent, arcs, kind).described(row.description);
        object.status = row.status.into();
        let object: &'static Object = Box::leak(Box::new(object));
        self.by_arcs.entry(arcs).or_insert(object);
        self.by_module.entry((module, arcs)).or_insert(object);
        object
    }

    /// Returns the parent node. If no module defines it, creates a placeholder named by its number.
    fn parent(&mut self, module: u32, arcs: &'static [u32]) -> Option<&'static Object> {
        let (arc, above) = arcs.split_last()?;
        if let Some(known) = self.find(module, arcs) {
            return Some(known);
        }
        let parent = self.parent(module, above);
        let name: &'static str = arc.to_string().leak();
        let object: &'static Object = Box::leak(Box::new(Object::loaded(name, parent, arcs, Kind::Node)));
        self.by_arcs.insert(arcs, object);
        Some(object)
    }

    fn find(&self, module: u32, arcs: &[u32]) -> Option<&'static Object> {
        let own = self.by_module.get(&(module, arcs)).or_else(|| self.by_arcs.get(arcs)).copied();
        own.or_else(|| {
            BUILT_IN.resolve(arcs).filter(|found| found.suffix.is_empty()).map(|found| found.object)
        })
    }

    fn kind(&self, module: u32, row: KindRow<'static>, indexes: &mut Vec<PendingIndex>) -> Kind {
        match row {
            KindRow::Node => Kind::Node,
            KindRow::Identity => Kind::Identity,
            KindRow::Module => Kind::Module,
            KindRow::Table => Kind::Table,
            KindRow::Scalar(leaf) => Kind::Scalar(self.leaf(leaf)),
            KindRow::Column(leaf) => Kind::Column(self.leaf(leaf)),
            KindRow::Row(objects, implied) => {
                let index: &'static OnceLock<RowIndex> = Box::leak(Box::default());
                indexes.push(PendingIndex { index, module, objects, implied });
                Kind::Row(Index::Loaded(index))
            }
            KindRow::Notification(objects) => Kind::Notification(self.find_all(module, &objects)),
            KindRow::Group(objects) => Kind::Group(self.find_all(module, &objects)),
            KindRow::NotificationGroup(objects) => Kind::NotificationGroup(self.find_all(module, &objects)),
            KindRow::Compliance => Kind::Compliance(Compliance { mandatory: &[], conditional: &[] }),
        }
    }

    fn leaf(&self, row: LeafRow<'static>) -> Leaf {
        Leaf {
            syntax: syntax(&self.conventions, row.syntax),
            access: row.access.into(),
            units: row.units,
            default: row.default.map(default),
        }
    }

    fn find_all(&self, module: u32, identifiers: &[Vec<u32>]) -> &'static [&'static Object] {
        let found: Vec<_> = identifiers.iter().filter_map(|arcs| self.find(module, arcs)).collect();
        found.leak()
    }

    /// Sets the index of a row. If the type of an index object is unknown, instances cannot be
    /// split into index values, so the index is not set.
    fn set_index(&self, pending: &PendingIndex) {
        let objects = self.find_all(pending.module, &pending.objects);
        let complete = objects.len() == pending.objects.len()
            && !objects.is_empty()
            && objects.iter().all(|object| object.syntax().is_some());
        if complete {
            // Setting cannot fail: each row has its own cell, which is still empty.
            let _ = pending.index.set(RowIndex { objects, implied: pending.implied });
        }
    }
}

/// The index of a row, whose objects are defined after the row.
struct PendingIndex {
    index: &'static OnceLock<RowIndex>,
    module: u32,
    objects: Vec<Vec<u32>>,
    implied: bool,
}

fn publish_conventions(table: &DefinitionTable<'static>) -> Vec<(u32, &'static Convention)> {
    let mut published: Vec<(u32, &'static Convention)> = Vec::with_capacity(table.conventions.len());
    for row in &table.conventions {
        let convention = Convention {
            name: row.name,
            syntax: syntax(&published, row.syntax.clone()),
            hint: row.hint,
            status: row.status.into(),
            description: row.description,
        };
        published.push((row.module, Box::leak(Box::new(convention))));
    }
    published
}

fn default(row: DefaultRow<'static>) -> DefaultValue {
    match row {
        DefaultRow::Number(number) => DefaultValue::Number(number),
        DefaultRow::Label(label) => DefaultValue::Label(label),
        DefaultRow::Text(text) => DefaultValue::Text(text),
        DefaultRow::Octets(octets) => DefaultValue::Octets(octets),
    }
}

/// Converts a syntax. It can only refer to conventions that exist already, so references are never
/// circular.
fn syntax(conventions: &[(u32, &'static Convention)], row: SyntaxRow<'static>) -> Syntax {
    let convention = row.convention.and_then(|number| conventions.get(usize::try_from(number).ok()?));
    Syntax {
        base: row.base.into(),
        convention: convention.map(|(_, convention)| *convention),
        own_limits: row.limits.leak(),
        own_labels: row.labels.leak(),
    }
}

fn rank(kind: &KindRow<'_>) -> u8 {
    match kind {
        KindRow::Notification(_) | KindRow::Group(_) => 1,
        KindRow::NotificationGroup(_) => 2,
        _ => 0,
    }
}
