use portreeve_mib::Base;
use portreeve_yang::{Bit, IntegerKind, NodeId, Schema, TypeKind};

use super::Form;
use crate::test_schema::{TestSchema, enumeration, length, range, text};

/// Returns the form of a leaf with this type, whose typedef is in `ietf-yang-types` if it has one.
fn form(typedef: &str, kind: TypeKind) -> Result<Form, &'static str> {
    let (schema, leaf) = schema_of(typedef, kind);
    Form::of(&schema, schema.type_of(leaf).unwrap())
}

fn schema_of(typedef: &str, kind: TypeKind) -> (Schema, NodeId) {
    let mut schema = TestSchema::new("m");
    let leaf = match typedef {
        "" => schema.leaf(NodeId::ROOT, "leaf", kind, ""),
        name => schema.named(NodeId::ROOT, "leaf", ("ietf-yang-types", name), kind, ""),
    };
    (schema.build(), leaf)
}

#[test]
fn numbers_have_the_smi_type_of_their_range() {
    use IntegerKind::*;
    for (kind, expected) in [
        (TypeKind::integer(Int8), Form::Integer),
        (TypeKind::integer(Int32), Form::Integer),
        (TypeKind::integer(Uint8), Form::Unsigned),
        (TypeKind::integer(Uint32), Form::Unsigned),
        (TypeKind::integer(Uint64), Form::Counter64),
        (range(Int64, -5, 5), Form::Integer),
        (range(Int64, 0, u32::MAX.into()), Form::Unsigned),
        (range(Uint64, 0, u32::MAX.into()), Form::Unsigned),
        (range(Uint64, 0, i128::from(u32::MAX) + 1), Form::Counter64),
    ] {
        assert_eq!(form("", kind.clone()), Ok(expected), "{kind:?}");
    }
    for kind in [TypeKind::integer(Int64), range(Int64, -1, u32::MAX.into())] {
        assert!(form("", kind.clone()).is_err(), "{kind:?}");
    }
}

#[test]
fn types_of_yang_types_have_their_smi_type() {
    let uint32 = || TypeKind::integer(IntegerKind::Uint32);
    assert_eq!(form("counter32", uint32()), Ok(Form::Counter32));
    assert_eq!(form("zero-based-counter32", uint32()), Ok(Form::Counter32));
    assert_eq!(form("gauge32", uint32()), Ok(Form::Unsigned));
    assert_eq!(form("timeticks", uint32()), Ok(Form::TimeTicks));
    assert_eq!(form("timestamp", uint32()), Ok(Form::TimeTicks));
    assert_eq!(form("counter64", TypeKind::integer(IntegerKind::Uint64)), Ok(Form::Counter64));
    assert_eq!(form("object-identifier", TypeKind::string()), Ok(Form::ObjectId));
    assert_eq!(form("object-identifier-128", TypeKind::string()), Ok(Form::ObjectId));
    assert_eq!(form("date-and-time", TypeKind::string()), Ok(Form::Text));
    let mut schema = TestSchema::new("m");
    let other = schema.named(NodeId::ROOT, "leaf", ("other", "counter32"), uint32(), "");
    let schema = schema.build();
    assert_eq!(Form::of(&schema, schema.type_of(other).unwrap()), Ok(Form::Unsigned));
}

#[test]
fn types_without_a_form_are_refused_with_a_reason() {
    for kind in [
        TypeKind::Decimal64 { fraction_digits: 2, range: None },
        TypeKind::Empty,
        TypeKind::InstanceIdentifier { require_instance: false },
        TypeKind::Bits { bits: vec![Bit { name: "far".into(), position: 65_535 * 8 }] },
    ] {
        assert!(form("", kind.clone()).is_err(), "{kind:?}");
    }
}

#[test]
fn definitions_have_restrictions_and_names() {
    let syntax = |kind| {
        let (schema, leaf) = schema_of("", kind);
        let value_type = schema.type_of(leaf).unwrap();
        Form::of(&schema, value_type).unwrap().syntax(&schema, value_type)
    };
    assert_eq!(syntax(range(IntegerKind::Int32, -3, 9)).limits(), [(-3, 9)]);
    assert_eq!(syntax(TypeKind::Binary { length: length(2, 7) }).limits(), [(2, 7)]);
    assert_eq!(syntax(text(1, 5)).limits(), [], "a character can have several octets");
    assert_eq!(syntax(enumeration(&[("up", 1), ("down", -2)])).labels(), [("up", 1), ("down", -2)]);
    assert_eq!(syntax(TypeKind::Boolean).labels(), [("true", 1), ("false", 2)]);
    let bits = TypeKind::Bits { bits: vec![Bit { name: "high".into(), position: 9 }] };
    assert_eq!((syntax(bits.clone()).base, syntax(bits).labels()), (Base::Bits, &[("high", 9)][..]));
}
