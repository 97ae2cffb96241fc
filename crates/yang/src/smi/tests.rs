use portreeve_smi::OidError;

use crate::{
    EnumValue, Node, NodeKind, Type, TypeKind, Typedef,
    test_schemas::{sample, sample_schema},
};

#[test]
fn identifiers_come_from_the_node_or_from_its_parent_and_a_number() {
    let (schema, sample) = sample_schema();
    let oid = |id| schema.smi_oid(id).unwrap().map(|oid| oid.to_string());
    assert_eq!(oid(sample.stair).as_deref(), Some("1.3.6.1.4.1.32473.5.1"));
    assert_eq!(oid(sample.name), None);
    assert_eq!(oid(sample.house), None);
    // Its parent in data is the container `size`, which has no identifier.
    assert_eq!(oid(sample.steps), None);
    let (mut builder, sample) = self::sample();
    let subid = builder.node(sample.steps).extensions.clone();
    builder.node_mut(sample.size).unwrap().extensions = subid.clone();
    builder.node_mut(sample.species).unwrap().extensions = subid;
    let schema = builder.build().unwrap();
    let oid = |id| schema.smi_oid(id).unwrap().map(|oid| oid.to_string());
    assert_eq!(oid(sample.steps).as_deref(), Some("1.3.6.1.4.1.32473.5.1.7.7"));
    assert_eq!(oid(sample.species).as_deref(), Some("1.3.6.1.4.1.32473.5.1.7"));
}

#[test]
fn invalid_identifiers_are_errors() {
    let set = |argument: &str| {
        let (mut builder, sample) = sample();
        builder.node_mut(sample.stair).unwrap().extensions[0].argument = argument.into();
        builder.build().unwrap().smi_oid(sample.stair)
    };
    assert_eq!(set("1.3.x"), Err(OidError::NotDotted));
    assert_eq!(set(""), Err(OidError::NotDotted));
    assert_eq!(set(&["1"; 129].join(".")), Err(OidError::TooLong));
}

#[test]
fn row_status_is_recognized_by_its_typedef_and_names() {
    let is_row_status = |name: &str, numbers: [i32; 3], has_identifier: bool| {
        let (mut builder, sample) = self::sample();
        let names = ["active", "createAndGo", "destroy"];
        let values = names
            .iter()
            .zip(numbers)
            .map(|(name, value)| EnumValue { name: (*name).into(), value })
            .collect();
        let row_status = builder.add_type(Type {
            typedef: Some(Typedef { module: "conventions".into(), name: name.into() }),
            kind: TypeKind::Enumeration { values },
        });
        let mut node = Node::new(sample.module, "status", NodeKind::leaf(row_status));
        if has_identifier {
            node.extensions = builder.node(sample.stair).extensions.clone();
        }
        let in_list = builder.add_node(sample.stair, node.clone());
        let elsewhere = builder.add_node(sample.house, node);
        let schema = builder.build().unwrap();
        assert!(!schema.is_row_status(elsewhere) && !schema.is_row_status(sample.stair));
        schema.is_row_status(in_list)
    };
    assert!(is_row_status("RowStatus", [1, 4, 6], true));
    assert!(!is_row_status("RowStatus", [1, 4, 6], false));
    assert!(!is_row_status("RowStatus", [1, 4, 7], true));
    assert!(!is_row_status("Status", [1, 4, 6], true));
}
