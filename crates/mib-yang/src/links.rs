//! Values of `ietf-system` that are also scalars of SNMPv2-MIB (RFC 7317 §3.1, RFC 3418 §2).
//!
//! | leaf | scalar |
//! |---|---|
//! | /system/contact | sysContact |
//! | /system/location | sysLocation |
//!
//! An empty scalar has no leaf, unless the leaf is empty too. A scalar that the configuration file
//! sets, or that XML cannot represent, has no leaf either.

use std::sync::Arc;

use portreeve_datastore::{Link, Refusal, RefusalKind};
use portreeve_lcd::{LcdDraft, Scalars, Tables, TextScalar};
use portreeve_mib::{
    Object,
    modules::snmpv2_mib::{SYS_CONTACT, SYS_LOCATION},
};
use portreeve_smi::Value;
use portreeve_yang::{Entry, InstancePath, ModuleNames, NodeId, Schema};
use portreeve_yang_tree::{EditError, Editor, Operation, Tree};

use crate::{leafs::data_path, table::Way};

/// Returns the links of the modules in a schema; none without `ietf-system`.
pub fn links(schema: &Arc<Schema>) -> Vec<Box<dyn Link>> {
    let found = TEXTS.iter().filter_map(|text| TextLink::find(schema, text));
    found.map(|link| Box::new(link) as Box<dyn Link>).collect()
}

/// A scalar with a leaf.
struct LinkedText {
    /// The name of the leaf in `/system`.
    leaf: &'static str,
    /// The key of the configuration file that sets the scalar.
    file_key: &'static str,
    object: &'static Object,
    scalar: fn(&Scalars) -> &TextScalar,
    scalar_mut: fn(&mut Scalars) -> &mut TextScalar,
}

static TEXTS: [LinkedText; 2] = [
    LinkedText {
        leaf: "contact",
        file_key: "system.contact",
        object: &SYS_CONTACT,
        scalar: |scalars| &scalars.sys_contact,
        scalar_mut: |scalars| &mut scalars.sys_contact,
    },
    LinkedText {
        leaf: "location",
        file_key: "system.location",
        object: &SYS_LOCATION,
        scalar: |scalars| &scalars.sys_location,
        scalar_mut: |scalars| &mut scalars.sys_location,
    },
];

/// A leaf that is also a scalar.
struct TextLink {
    schema: Arc<Schema>,
    leaf: NodeId,
    /// The containers of the leaf.
    way: Way,
    /// The index of the leaf in the layout of its row.
    slot: usize,
    linked: &'static LinkedText,
}

impl TextLink {
    fn find(schema: &Arc<Schema>, linked: &'static LinkedText) -> Option<Self> {
        let module = schema.module_by_name("ietf-system")?;
        let system = schema.top_level(module, "system")?;
        let leaf = schema.data_child(system, module, linked.leaf)?;
        let slot = schema.slot(leaf).filter(|_| schema.leaf(leaf).is_some())?;
        let mut way = Way::default();
        for container in data_path(schema, leaf) {
            way.containers.push(container);
            if schema.node(container).is_row() {
                way.rows.push(schema.row_children_in(container).start);
            }
        }
        Some(Self { schema: Arc::clone(schema), leaf, way, slot, linked })
    }

    fn text<'t>(&self, tree: &'t Tree) -> Option<&'t str> {
        self.way.follow(tree.root())?.leaf(self.slot)
    }

    /// Returns the text of the leaf for a scalar; `None` if the leaf does not exist then.
    fn text_of<'s>(&self, scalar: &'s TextScalar) -> Option<&'s str> {
        let text = str::from_utf8(&scalar.value).ok()?;
        let value_type = self.schema.type_of(self.leaf)?;
        let canonical = self.schema.canonical(value_type, text, &ModuleNames::new(&self.schema)).ok()?;
        (scalar.is_writable() && canonical == text).then_some(text)
    }

    /// Returns the tree with another value of the leaf, or without the leaf.
    fn with_text(&self, tree: &Tree, text: Option<&str>) -> Result<Tree, EditError> {
        let mut editor = Editor::new(Arc::clone(&self.schema), tree, Operation::Merge);
        for container in &self.way.containers {
            editor.open(*container, None, None)?;
        }
        let operation = if text.is_some() { Operation::Merge } else { Operation::Remove };
        editor.leaf(self.leaf, Some(operation), text)?;
        for _ in &self.way.containers {
            editor.close()?;
        }
        editor.finish()
    }

    fn refuse(&self, kind: RefusalKind, text: String) -> Refusal {
        let mut path = InstancePath::new();
        self.way.containers.iter().for_each(|container| path.push(*container, Entry::All));
        path.push(self.leaf, Entry::All);
        Refusal::new(kind, text).at_path(&self.schema, path)
    }
}

impl Link for TextLink {
    fn to_tree(&self, tables: &Tables, tree: &Tree) -> Result<Tree, Refusal> {
        let scalar = (self.linked.scalar)(&tables.scalars);
        let current = self.text(tree);
        let text = self.text_of(scalar).filter(|text| !text.is_empty() || current.is_some());
        if text == current {
            return Ok(tree.clone());
        }
        self.with_text(tree, text).map_err(|error| self.refuse(RefusalKind::Internal, error.to_string()))
    }

    fn to_tables(&self, before: &Tree, after: &Tree, lcd: &mut LcdDraft) -> Result<(), Refusal> {
        let text = self.text(after);
        if text == self.text(before) {
            return Ok(());
        }
        let LinkedText { file_key, object, scalar, scalar_mut, .. } = self.linked;
        let current = scalar(&lcd.tables().scalars);
        let new = match text {
            Some(_) if !current.is_writable() => {
                let text = format!("the configuration file sets the value with the key {file_key}");
                return Err(self.refuse(RefusalKind::NotWritable, text));
            }
            Some(text) => {
                let value = Value::OctetString(text.as_bytes());
                let checked = object.syntax().map_or(Ok(()), |syntax| syntax.check(&value));
                checked.map_err(|kind| self.refuse(kind, format!("not a value of {}", object.name)))?;
                TextScalar::set(text.as_bytes())
            }
            // The leaf is absent because the tree cannot represent the scalar.
            None if self.text_of(current).is_none() => return Ok(()),
            None => TextScalar::default(),
        };
        if new.value != current.value {
            *scalar_mut(lcd.scalars_mut()) = new;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
