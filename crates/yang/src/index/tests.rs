use proptest::prelude::*;

use crate::{
    ModuleId, NodeId, NodeKind, Schema,
    test_schemas::{random_schema, sample_schema},
};

/// The children of a node, found by a search.
fn children(schema: &Schema, parent: NodeId) -> Vec<NodeId> {
    schema.nodes().filter(|(_, node)| node.parent == Some(parent)).map(|(id, _)| id).collect()
}

/// The nodes below a node for which `is_wanted`, without those below other nodes than `is_open`.
fn below(
    schema: &Schema,
    top: NodeId,
    is_open: &dyn Fn(NodeId) -> bool,
    is_wanted: &dyn Fn(NodeId) -> bool,
) -> Vec<NodeId> {
    let mut found = Vec::new();
    for child in children(schema, top) {
        if is_open(child) {
            found.extend(below(schema, child, is_open, is_wanted));
        } else if is_wanted(child) {
            found.push(child);
        }
    }
    found
}

fn data_children(schema: &Schema, parent: NodeId) -> Vec<NodeId> {
    let is_open = |id| schema.node(id).is_choice_or_case();
    below(schema, parent, &is_open, &|id| schema.node(id).is_data())
}

fn is_slot(schema: &Schema, id: NodeId) -> bool {
    matches!(schema.node(id).kind, NodeKind::Leaf(_) | NodeKind::AnyData { .. } | NodeKind::AnyXml { .. })
}

/// The nodes of a row below one of its containers, choices or cases, or in the whole row.
fn row_members(schema: &Schema, top: NodeId) -> (Vec<NodeId>, Vec<NodeId>) {
    let is_open = |id| {
        let node = schema.node(id);
        node.is_plain_container() || node.is_choice_or_case()
    };
    let members = below(schema, top, &is_open, &|id| schema.node(id).is_data());
    members.into_iter().partition(|id| is_slot(schema, *id))
}

fn named(schema: &Schema, nodes: &[NodeId], module: ModuleId, name: &str) -> Option<NodeId> {
    nodes.iter().copied().find(|id| schema.node(*id).module == module && *schema.node(*id).name == *name)
}

fn check(schema: &Schema) {
    let modules: Vec<ModuleId> = schema.modules().map(|(id, _)| id).collect();
    let mut names: Vec<&str> = schema.nodes().map(|(_, node)| &*node.name).collect();
    names.extend(["x", "nothing"]);
    names.sort_unstable();
    names.dedup();
    for (id, node) in schema.nodes() {
        assert_eq!(schema.children(id), children(schema, id));
        assert_eq!(schema.data_children(id), data_children(schema, id));
        for module in &modules {
            for name in &names {
                assert_eq!(
                    schema.child(id, *module, name),
                    named(schema, &children(schema, id), *module, name)
                );
                if !node.is_choice_or_case() {
                    let expected = named(schema, &data_children(schema, id), *module, name);
                    assert_eq!(schema.data_child(id, *module, name), expected);
                }
            }
        }
        check_row(schema, id);
    }
}

fn check_row(schema: &Schema, id: NodeId) {
    let node = schema.node(id);
    let (slots, row_children) = row_members(schema, id);
    let layout = schema.row_layout(id);
    if node.is_row() {
        let mut expected = schema.keys(id).to_vec();
        expected.extend(slots.iter().filter(|slot| !schema.keys(id).contains(slot)));
        assert_eq!(layout.slots, expected);
        assert_eq!(layout.children, row_children);
        for (index, slot) in layout.slots.iter().enumerate() {
            assert_eq!((schema.row_of(*slot), schema.slot(*slot)), (Some(id), Some(index)));
        }
        for (index, child) in layout.children.iter().enumerate() {
            assert_eq!((schema.row_of(*child), schema.row_children_in(*child)), (Some(id), index..index + 1));
            assert_eq!(schema.slot(*child), None);
        }
    } else {
        assert_eq!((layout.slots, layout.children), (&[][..], &[][..]));
    }
    if let Some(row) = schema.row_of(id)
        && !is_slot(schema, id)
        && !schema.node(id).is_row()
        && !matches!(node.kind, NodeKind::LeafList(_))
    {
        let layout = schema.row_layout(row);
        assert_eq!(layout.slots[schema.slots_in(id)], slots);
        assert_eq!(layout.children[schema.row_children_in(id)], row_children);
    }
}

#[test]
fn lookups_agree_with_a_search_in_the_sample() {
    check(&sample_schema().0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn lookups_agree_with_a_search_in_random_schemas(script in prop::collection::vec(any::<[u8; 4]>(), 0..40)) {
        check(&random_schema(&script));
    }
}

#[test]
fn keys_have_the_first_slots_in_the_order_of_the_key_statement() {
    let (schema, sample) = sample_schema();
    let layout = schema.row_layout(sample.stair);
    assert_eq!(&layout.slots[..2], &[sample.name, sample.floor]);
    assert_eq!(schema.row_of(sample.steps), Some(sample.stair));
    assert_eq!(layout.slots[schema.slots_in(sample.material)], [sample.species, sample.quarry]);
    assert_eq!(layout.slots[schema.slots_in(sample.wood)], [sample.species]);
    assert_eq!(layout.children, [sample.lift, sample.color]);
}

#[test]
fn operations_and_notifications_are_no_data_but_have_rows() {
    let (schema, sample) = sample_schema();
    assert_eq!(schema.data_children(NodeId::ROOT), [sample.house]);
    assert_eq!(schema.top_level(sample.module, "climb"), Some(sample.rpc));
    assert_eq!(schema.data_child(NodeId::ROOT, sample.module, "climb"), None);
    assert_eq!(schema.row_layout(sample.input).slots.len(), 1);
    assert_eq!(schema.row_of(sample.input), None);
}

#[test]
fn same_name_is_found_by_its_module() {
    let (schema, sample) = sample_schema();
    assert_eq!(schema.data_child(sample.stair, sample.other, "owner"), Some(sample.owner));
    assert_eq!(schema.data_child(sample.stair, sample.module, "owner"), None);
}

#[test]
fn ids_of_other_schemas_get_empty_items() {
    let empty = crate::SchemaBuilder::new().build().unwrap();
    let (_, sample) = sample_schema();
    assert_eq!(empty.node(sample.stair).kind, NodeKind::Root);
    assert_eq!(&*empty.module(sample.other).name, "");
    assert_eq!(empty.children(sample.stair), []);
    assert_eq!(empty.row_layout(sample.stair).slots, []);
    assert!(!empty.is_derived(sample.derived, sample.base));
    assert_eq!(empty.unique_prefix(sample.module), "");
    assert_eq!(empty.real_type(sample.leafref), sample.leafref);
}
