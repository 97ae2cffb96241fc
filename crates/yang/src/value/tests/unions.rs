//! Unions and leafrefs.

use super::*;
use ValueReason::*;

/// A schema with a union of a union (int8 or `auto`), a leafref to a leaf of decimal64, and strings
/// of up to 5 characters.
fn fixture() -> (Schema, TypeId, [TypeId; 4]) {
    let mut builder = SchemaBuilder::new();
    let module = builder.add_module(Module::new("example", "urn:example", "ex"));
    let mut add = |kind| builder.add_type(Type::new(kind));
    let integer = add(TypeKind::integer(IntegerKind::Int8));
    let auto = add(TypeKind::Enumeration { values: vec![EnumValue { name: "auto".into(), value: 0 }] });
    let inner = add(TypeKind::Union { members: vec![integer, auto] });
    let decimal = add(TypeKind::Decimal64 { fraction_digits: 1, range: None });
    let string = add(TypeKind::String { length: Some(length(&[(0, 5)])), patterns: Vec::new() });
    let target = builder.add_node(NodeId::ROOT, Node::new(module, "target", NodeKind::leaf(decimal)));
    let steps = LeafrefPath {
        start: LeafrefStart::Root,
        steps: vec![LeafrefStep { node: target, predicates: Vec::new() }],
    };
    let path = "/ex:target".into();
    let leafref =
        builder.add_type(Type::new(TypeKind::Leafref { target, path, steps, require_instance: true }));
    let union = builder.add_type(Type::new(TypeKind::Union { members: vec![inner, leafref, string] }));
    (builder.build().unwrap(), union, [integer, auto, decimal, string])
}

#[test]
fn union_has_the_value_of_the_first_member_that_accepts() {
    let (schema, union, [integer, auto, decimal, string]) = fixture();
    for (text, canonical, member) in [
        ("+5", "5", integer),
        ("-0", "0", integer),
        ("auto", "auto", auto),
        ("128", "128.0", decimal),
        ("01.50", "1.5", decimal),
        ("1.25", "1.25", string),
        ("", "", string),
        (" auto", " auto", string),
    ] {
        assert_eq!(read(&schema, union, text).as_deref(), Ok(canonical), "{text:?}");
        assert_eq!(schema.member_type(union, canonical), Some(member), "{text:?}");
    }
    assert_eq!(read(&schema, union, "longer"), Err(NoMember));
    assert_eq!(read(&schema, union, "\u{1}"), Err(NoMember));
    assert_eq!(schema.member_type(union, "longer"), None);
}

#[test]
fn union_of_an_empty_type_and_a_string_keeps_the_empty_text() {
    let (schema, types) = {
        let mut builder = SchemaBuilder::new();
        builder.add_module(Module::new("example", "urn:example", "ex"));
        let empty = builder.add_type(Type::new(TypeKind::Empty));
        let boolean = builder.add_type(Type::new(TypeKind::Boolean));
        let union = builder.add_type(Type::new(TypeKind::Union { members: vec![boolean, empty] }));
        (builder.build().unwrap(), [union, empty])
    };
    assert_eq!(read(&schema, types[0], "").as_deref(), Ok(""));
    assert_eq!(schema.member_type(types[0], ""), Some(types[1]));
    assert_eq!(read(&schema, types[0], " "), Err(NoMember));
}

#[test]
fn default_in_a_union_can_be_hexadecimal() {
    let (schema, union, _) = fixture();
    let canonical = schema.canonical_default(union, "0x1f", &ModuleNames::new(&schema));
    assert_eq!(canonical.as_deref(), Ok("31"));
    assert_eq!(read(&schema, union, "0x1f").as_deref(), Ok("0x1f"));
}

#[test]
fn union_has_a_value_that_is_read_back_as_the_same() {
    let mut builder = SchemaBuilder::new();
    let decimal = builder.add_type(Type::new(TypeKind::Decimal64 { fraction_digits: 1, range: None }));
    let binary = builder.add_type(Type::new(TypeKind::Binary { length: None }));
    let union = builder.add_type(Type::new(TypeKind::Union { members: vec![decimal, binary] }));
    let schema = builder.build().unwrap();
    // Base64 with white space, whose canonical form is a number.
    assert_eq!(read(&schema, union, "1 2 3 4").as_deref(), Ok("1234.0"));
    assert_eq!(schema.member_type(union, "1234.0"), Some(decimal));
}
