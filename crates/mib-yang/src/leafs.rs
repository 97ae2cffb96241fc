//! The leafs of a schema that SNMP shows, and those that it cannot show.

use std::collections::BTreeMap;

use portreeve_mib::Access;
use portreeve_smi::{MAX_ARCS, Oid};
use portreeve_yang::{Container, DefaultDeny, NodeId, NodeKind, Schema};

use crate::{
    form::Form,
    problem::Problem,
    table::{Table, TableList, Way},
    value::ValueType,
};

/// A leaf that SNMP shows.
#[derive(Clone, Debug)]
pub(crate) struct ServedLeaf {
    pub(crate) node: NodeId,
    pub(crate) oid: Oid,
    pub(crate) value_type: ValueType,
    pub(crate) access: Access,
    /// The position of the table in [`Leafs::tables`].
    pub(crate) table: usize,
    /// The way from the row of the table to the leaf.
    pub(crate) way: Way,
    /// The index of the leaf in the layout of the row that contains it.
    pub(crate) slot: usize,
    /// The node of the row that contains the leaf, if the leaf has a default.
    pub(crate) default_in: Option<NodeId>,
    /// The position among the keys of its list, if the leaf is one.
    pub(crate) key: Option<usize>,
}

/// A node with an object identifier that SNMP cannot show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnservedNode {
    /// The path of the node in the schema.
    pub path: String,
    /// The reason, such as `the type union has no SMI type`.
    pub reason: String,
}

/// The leafs of a schema that have object identifiers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leafs {
    /// The leafs that SNMP shows, sorted by identifier.
    pub(crate) served: Vec<ServedLeaf>,
    /// The tables of these leafs.
    pub(crate) tables: Vec<Table>,
    pub(crate) unserved: Vec<UnservedNode>,
    /// Statements with invalid identifiers.
    pub(crate) problems: Vec<Problem>,
}

impl Leafs {
    /// Finds the leafs of a schema.
    pub(crate) fn new(schema: &Schema) -> Self {
        let mut leafs = Self::default();
        let mut tables = BTreeMap::new();
        for (id, _) in schema.nodes() {
            let oid = match schema.smi_oid(id) {
                Ok(Some(oid)) => oid,
                Ok(None) => continue,
                Err(error) => {
                    leafs.problems.push(Problem::at(schema, id, error.to_string()));
                    continue;
                }
            };
            if !may_have_values(schema, id) {
                continue;
            }
            if !is_encodable(&oid) {
                let text = format!("invalid object identifier {oid}: expected one below 0, 1 or 2");
                leafs.problems.push(Problem::at(schema, id, text));
                continue;
            }
            match leafs.serve(schema, id, oid, &mut tables) {
                Ok(leaf) => leafs.served.push(leaf),
                Err(reason) => {
                    leafs.unserved.push(UnservedNode { path: schema.schema_path(id), reason });
                }
            }
        }
        leafs.served.sort_by(|one, other| one.oid.cmp(&other.oid));
        leafs
    }

    /// Returns a leaf that SNMP can show, or the reason why it cannot.
    fn serve(
        &mut self,
        schema: &Schema,
        id: NodeId,
        oid: Oid,
        tables: &mut BTreeMap<NodeId, usize>,
    ) -> Result<ServedLeaf, String> {
        let node = schema.node(id);
        let NodeKind::Leaf(leaf) = &node.kind else {
            return Err(format!("SNMP has no objects of the kind {}", node.kind.keyword()));
        };
        let path = data_path(schema, id);
        let denied = path.iter().chain([&id]).map(|id| schema.node(*id).default_deny()).max();
        if denied == Some(DefaultDeny::All) {
            return Err("nacm:default-deny-all hides it".to_owned());
        }
        let is_row_status = schema.is_row_status(id);
        let form = if is_row_status { Form::RowStatus } else { Form::of(schema, leaf.value_type)? };
        let mut access = match node.config && form.is_settable() && denied != Some(DefaultDeny::Write) {
            true if path.iter().any(|id| !schema.keys(*id).is_empty()) => Access::ReadCreate,
            true => Access::ReadWrite,
            false => Access::ReadOnly,
        };
        if let Some(max_access) = node.extension(SMIV2_MODULE, "max-access").and_then(access_of) {
            access = access.min(max_access);
        }
        if !access.is_readable() {
            return Err("smiv2:max-access does not permit to read it".to_owned());
        }
        let (lists, way) = lists_on(schema, &path)?;
        let row = schema.row_of(id).unwrap_or(NodeId::ROOT);
        let list = lists.last().map_or(NodeId::ROOT, |list| list.node);
        let table = *tables.entry(list).or_insert_with(|| {
            self.tables.push(Table { lists, row_status: None });
            self.tables.len() - 1
        });
        if is_row_status && let Some(table) = self.tables.get_mut(table) {
            if table.row_status.is_some() {
                return Err("the list has another leaf of the type RowStatus".to_owned());
            }
            table.row_status = Some(id);
        }
        Ok(ServedLeaf {
            node: id,
            oid,
            value_type: ValueType { form, type_id: leaf.value_type },
            access,
            table,
            way,
            slot: schema.slot(id).unwrap_or(usize::MAX),
            default_in: leaf.default.is_some().then_some(row),
            key: schema.keys(list).iter().position(|key| *key == id),
        })
    }
}

/// Returns the nodes of a schema that have object identifiers but that SNMP cannot show.
pub fn unserved(schema: &Schema) -> Vec<UnservedNode> {
    Leafs::new(schema).unserved
}

/// Returns false for containers and lists, which have no values, and for the parts of operations
/// and notifications, which have no instances.
fn may_have_values(schema: &Schema, id: NodeId) -> bool {
    let has_values = matches!(
        schema.node(id).kind,
        NodeKind::Leaf(_) | NodeKind::LeafList(_) | NodeKind::AnyData { .. } | NodeKind::AnyXml { .. }
    );
    has_values && data_path(schema, id).iter().all(|id| schema.node(*id).is_data())
}

/// Returns the nodes above a node in data, from the top level downwards.
pub(crate) fn data_path(schema: &Schema, id: NodeId) -> Vec<NodeId> {
    let mut path = Vec::new();
    let mut at = schema.data_parent(id);
    while let Some(above) = at.filter(|above| *above != NodeId::ROOT) {
        path.push(above);
        at = schema.data_parent(above);
    }
    path.reverse();
    path
}

/// Returns the lists on a path, and the way from the last of them, or from the top level, to its
/// end.
fn lists_on(schema: &Schema, path: &[NodeId]) -> Result<(Vec<TableList>, Way), String> {
    let mut lists = Vec::new();
    let mut way = Way::default();
    for id in path {
        let node = schema.node(*id);
        let child = schema.row_children_in(*id).start;
        match &node.kind {
            NodeKind::List(list) => {
                if list.keys.is_empty() {
                    return Err(format!("the list {} has no keys", node.name));
                }
                if node.extension(SMIV2_MODULE, "implied").is_some() {
                    return Err(format!(
                        "the order of an IMPLIED index is not that of the list {}",
                        node.name
                    ));
                }
                if !schema.has_index(*id) {
                    return Err(format!("the keys of the list {} cannot be an index", node.name));
                }
                lists.push(TableList { node: *id, way: std::mem::take(&mut way), child });
            }
            NodeKind::Container(Container { presence }) => {
                way.containers.push(*id);
                if *presence {
                    way.rows.push(child);
                }
            }
            _ => return Err("it is not in data".to_owned()),
        }
    }
    Ok((lists, way))
}

/// Returns true if an identifier can be sent (X.690 §8.19), and an index fits behind it.
fn is_encodable(oid: &[u32]) -> bool {
    let is_root = match oid {
        [0 | 1, second, _, ..] => *second < 40,
        [2, second, _, ..] => *second <= u32::MAX - 80,
        _ => false,
    };
    is_root && oid.len() < MAX_ARCS
}

fn access_of(word: &str) -> Option<Access> {
    Some(match word {
        "not-accessible" => Access::NotAccessible,
        "accessible-for-notify" => Access::AccessibleForNotify,
        "read-only" => Access::ReadOnly,
        "read-write" => Access::ReadWrite,
        "read-create" => Access::ReadCreate,
        _ => return None,
    })
}

/// The module whose extensions give nodes their places in SNMP (RFC 6643 §8).
const SMIV2_MODULE: &str = "ietf-yang-smiv2";

#[cfg(test)]
mod tests;
