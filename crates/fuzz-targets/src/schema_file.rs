//! Arbitrary octets as a schema file, both unchanged and with a valid header and checksum.

use portreeve_yang::{Entry, InstancePath, NodeId, NodeKind, Schema};

/// Checks that a file is either rejected, or is the one that its schema is written to. All look-ups
/// in the schema find what a search finds.
pub fn schema_file(octets: &[u8]) {
    if octets.len() > MAX_INPUT_LEN {
        return;
    }
    let sealed = [HEADER, &crc32fast::hash(octets).to_be_bytes(), octets].concat();
    for file in [octets, &sealed] {
        if let Ok(schema) = Schema::decode(file) {
            assert_eq!(schema.encode(), file);
            exercise(&schema);
        }
    }
}

fn exercise(schema: &Schema) {
    for (id, node) in schema.nodes().skip(1) {
        let parent = node.parent.expect("only the root has no parent");
        assert!(parent < id);
        assert!(schema.children(parent).contains(&id));
        assert_eq!(schema.child(parent, node.module, &node.name), Some(id));
        if node.is_data() {
            let above = schema.data_parent(id).expect("only the root has no parent");
            assert!(schema.data_children(above).contains(&id));
            assert_eq!(schema.data_child(above, node.module, &node.name), Some(id));
        }
        exercise_row(schema, id);
        if let Some(value_type) = schema.type_of(id) {
            let real = schema.real_type(value_type);
            assert_eq!(schema.real_type(real), real);
        }
        let _ = schema.smi_oid(id);
        let mut path = InstancePath::new();
        path.push(id, Entry::Keys(vec!["1".into(); schema.keys(id).len()]));
        assert!(path.canonical(schema).starts_with('/'));
        let _ = (path.xpath(schema).to_string(), schema.schema_path(id));
        if let Ok(key) = schema.encode_key(id, vec!["1"; schema.keys(id).len()]) {
            let mut arcs = Vec::new();
            if schema.key_values(id, &key).is_some() && schema.key_arcs(id, &key, &mut arcs) {
                assert_eq!(schema.decode_key(id, &arcs), Some(key));
            }
        }
    }
    for (id, module) in schema.modules() {
        let found = schema.module_by_name(&module.name).expect("the name of a module");
        assert_eq!(schema.module(found).name, module.name);
        assert!(
            schema
                .modules()
                .all(|(other, _)| other == id || schema.unique_prefix(other) != schema.unique_prefix(id))
        );
    }
    for (id, identity) in schema.identities() {
        assert_eq!(schema.identity_by_name(identity.module, &identity.name), Some(id));
        assert!(
            identity.bases.iter().all(|base| schema.is_derived(id, *base) && !schema.is_derived(*base, id))
        );
    }
}

/// Checks that a leaf has one slot of its row, and that a row has the keys first.
fn exercise_row(schema: &Schema, id: NodeId) {
    let layout = schema.row_layout(id);
    assert!(layout.slots.starts_with(schema.keys(id)));
    if let Some(row) = schema.row_of(id) {
        let above = schema.row_layout(row);
        if let Some(slot) = schema.slot(id) {
            assert_eq!(above.slots[slot], id);
        }
        let is_child = matches!(schema.node(id).kind, NodeKind::List(_) | NodeKind::LeafList(_));
        if is_child {
            assert_eq!(above.children[schema.row_children_in(id)], [id]);
        }
        assert!(schema.slots_in(id).end <= above.slots.len());
        assert!(schema.row_children_in(id).end <= above.children.len());
    }
}

/// The magic number and the version.
const HEADER: &[u8] = b"PRTRYANG\0\x02";
const MAX_INPUT_LEN: usize = 16 << 10;

#[cfg(test)]
mod tests {
    use portreeve_yang::SchemaBuilder;

    use super::HEADER;

    #[test]
    fn header_is_that_of_the_current_version() {
        let schema = SchemaBuilder::new().build().expect("a schema without modules is valid");
        assert!(schema.encode().starts_with(HEADER), "convert the seeds of the corpus as well");
    }
}
