use proptest::prelude::*;

use super::IndexMatch;
use crate::{
    EnumValue, ErrorStatements, IntegerKind, Interval, KeyError, LengthRestriction, Module, Node, NodeId,
    NodeKind, Schema, SchemaBuilder, Type, TypeKind, test_schemas::sample_schema,
};

/// Returns a list whose key leafs have these types.
fn list_of(kinds: Vec<TypeKind>) -> (Schema, NodeId) {
    let mut builder = SchemaBuilder::new();
    let module = builder.add_module(Module::new("m", "urn:m", "m"));
    let list = builder.add_node(NodeId::ROOT, Node::new(module, "list", NodeKind::list()));
    let mut keys = Vec::new();
    for (index, kind) in kinds.into_iter().enumerate() {
        let id = builder.add_type(Type::new(kind));
        keys.push(builder.add_node(list, Node::new(module, &format!("k{index}"), NodeKind::leaf(id))));
    }
    builder.set_keys(list, &keys);
    (builder.build().unwrap(), list)
}

fn integer(kind: IntegerKind) -> TypeKind {
    TypeKind::integer(kind)
}

fn binary(lengths: &[(u64, u64)]) -> TypeKind {
    let intervals = lengths.iter().map(|(min, max)| Interval { min: *min, max: *max }).collect();
    TypeKind::Binary { length: Some(LengthRestriction { intervals, error: ErrorStatements::default() }) }
}

fn enumeration(values: &[i32]) -> TypeKind {
    let value = |value: &i32| EnumValue { name: format!("e{value}").into(), value: *value };
    TypeKind::Enumeration { values: values.iter().map(value).collect() }
}

/// Returns the arcs of the entry with these key values.
fn arcs_of(schema: &Schema, list: NodeId, values: &[&str]) -> Option<Vec<u32>> {
    let key = schema.encode_key(list, values.iter().copied()).unwrap();
    let mut arcs = vec![7];
    let is_shown = schema.key_arcs(list, &key, &mut arcs);
    assert!(is_shown || arcs == [7], "{arcs:?} are unchanged");
    is_shown.then(|| arcs.split_off(1))
}

#[test]
fn arcs_of_each_type_are_those_of_smiv2() {
    for (kind, value, arcs) in [
        (integer(IntegerKind::Int8), "127", Some(vec![127])),
        (integer(IntegerKind::Int32), "-1", None),
        (integer(IntegerKind::Int32), "0", Some(vec![0])),
        (integer(IntegerKind::Uint32), "4294967295", Some(vec![u32::MAX])),
        (enumeration(&[3, -3]), "e3", Some(vec![3])),
        (enumeration(&[3, -3]), "e-3", None),
        (TypeKind::Boolean, "false", Some(vec![2])),
        (TypeKind::string(), "ab", Some(vec![2, 97, 98])),
        (TypeKind::string(), "ä", Some(vec![2, 0xc3, 0xa4])),
        (binary(&[(0, 3)]), "AP8=", Some(vec![2, 0, 255])),
        (binary(&[(2, 2)]), "AP8=", Some(vec![0, 255])),
        // Not a value of the type, but the reader of keys does not know.
        (binary(&[(3, 3)]), "AP8=", None),
        (binary(&[(2, 2), (4, 4)]), "AP8=", Some(vec![2, 0, 255])),
    ] {
        let (schema, list) = list_of(vec![kind.clone()]);
        assert_eq!(arcs_of(&schema, list, &[value]), arcs, "{kind:?} {value}");
        if let Some(arcs) = arcs {
            let key = schema.encode_key(list, [value]).unwrap();
            assert_eq!(schema.decode_key(list, &arcs), Some(key.clone()), "{kind:?} {value}");
            assert_eq!(schema.key_values(list, &key), Some(vec![value.into()]));
        }
    }
}

#[test]
fn lists_with_other_keys_have_no_index() {
    for kind in [
        integer(IntegerKind::Int64),
        integer(IntegerKind::Uint64),
        TypeKind::Decimal64 { fraction_digits: 2, range: None },
        TypeKind::InstanceIdentifier { require_instance: false },
        TypeKind::Empty,
    ] {
        let (schema, list) = list_of(vec![TypeKind::Boolean, kind.clone()]);
        assert!(!schema.has_index(list), "{kind:?}");
        assert_eq!(schema.read_index(list, &[1, 1]), Err(KeyError::NoIndex));
        assert_eq!(schema.decode_key(list, &[1, 1]), None);
        assert!(!schema.key_arcs(list, &[1, 0], &mut Vec::new()));
    }
    let (schema, sample) = sample_schema();
    assert!(schema.has_index(sample.stair));
    assert!(!schema.has_index(sample.visitor), "a list without keys");
    assert!(!schema.has_index(sample.house), "not a list");
}

#[test]
fn index_of_an_inner_list_follows_the_key() {
    let (schema, list) = list_of(vec![integer(IntegerKind::Uint8), TypeKind::string()]);
    let expected = IndexMatch::Key { key: b"\x05\x01a".to_vec(), rest: &[8, 9] };
    assert_eq!(schema.read_index(list, &[5, 1, 97, 8, 9]), Ok(expected));
    assert_eq!(schema.decode_key(list, &[5, 1, 97, 8, 9]), None);
    assert_eq!(schema.decode_key(list, &[5, 1]), None);
}

#[test]
fn arcs_beyond_a_type_precede_the_next_value_of_the_key_before_it() {
    let (schema, list) = list_of(vec![integer(IntegerKind::Uint8), integer(IntegerKind::Uint8)]);
    let read = |arcs: &'static [u32]| schema.read_index(list, arcs).unwrap();
    assert_eq!(read(&[]), IndexMatch::Before(vec![0]));
    assert_eq!(read(&[4]), IndexMatch::Before(vec![4, 0]));
    assert_eq!(read(&[4, 256]), IndexMatch::Before(vec![5]));
    assert_eq!(read(&[255, 256]), IndexMatch::End);
    assert_eq!(read(&[256]), IndexMatch::End);
}

#[test]
fn length_that_no_string_has_takes_no_memory() {
    let (schema, list) = list_of(vec![TypeKind::string()]);
    assert_eq!(
        schema.read_index(list, &[u32::MAX, 97]),
        Ok(IndexMatch::Before(vec![255, 255, 255, 255, 255, 97]))
    );
}

#[test]
fn octets_that_are_no_key_have_no_values() {
    let (schema, list) = list_of(vec![TypeKind::string(), TypeKind::Boolean, enumeration(&[1])]);
    let whole = b"\x02ab\x01\x80\x00\x00\x01";
    assert_eq!(schema.key_values(list, whole), Some(["ab", "true", "e1"].map(Into::into).to_vec()));
    for length in 0..whole.len() {
        assert_eq!(schema.key_values(list, &whole[..length]), None, "{length}");
    }
    for wrong in [
        &b"\x02ab\x01\x80\x00\x00\x01\x00"[..],
        b"\x02\xff\xff\x01\x80\x00\x00\x01",
        b"\x02ab\x03\x80\x00\x00\x01",
        b"\x02ab\x01\x80\x00\x00\x02",
        b"\xff\xff\xff\xff\xff",
    ] {
        assert_eq!(schema.key_values(list, wrong), None, "{wrong:?}");
        assert!(!schema.key_arcs(list, b"\xff\xff", &mut Vec::new()));
    }
}

fn list_of_all() -> (Schema, NodeId) {
    list_of(vec![
        integer(IntegerKind::Int8),
        TypeKind::Boolean,
        TypeKind::string(),
        enumeration(&[-1, 0, 1, 2]),
        binary(&[(1, 1)]),
        integer(IntegerKind::Uint32),
    ])
}

fn any_values() -> impl Strategy<Value = Vec<String>> {
    (
        prop_oneof![-2i8..3, any::<i8>()],
        any::<bool>(),
        prop_oneof!["[ab]{0,2}", ".{0,3}"],
        -1i8..3,
        any::<u8>(),
        prop_oneof![0..3u32, any::<u32>()],
    )
        .prop_map(|(number, boolean, text, name, octet, last)| {
            let binary = super::base64(&[octet]);
            vec![number.to_string(), boolean.to_string(), text, format!("e{name}"), binary, last.to_string()]
        })
}

proptest! {
    #[test]
    fn place_of_arcs_is_that_among_the_arcs_of_all_keys(
        values in prop::collection::vec(any_values(), 1..8),
        cut in 0..16usize,
        change in prop::option::of((0..12usize, prop_oneof![0..4u32, 254..258u32, any::<u32>()])),
        more in prop::collection::vec(0..3u32, 0..2),
    ) {
        let (schema, list) = list_of_all();
        let texts = |values: &[String]| -> Vec<u8> {
            schema.encode_key(list, values.iter().map(String::as_str)).unwrap()
        };
        // Arcs that are, nearly, those of an entry.
        let mut arcs = Vec::new();
        schema.key_arcs(list, &texts(&values[0]), &mut arcs);
        arcs.truncate(cut);
        if let Some((at, arc)) = change && let Some(place) = arcs.get_mut(at) {
            *place = arc;
        }
        arcs.extend(more);
        let place = schema.read_index(list, &arcs).unwrap();
        for values in &values {
            let key = texts(values);
            prop_assert_eq!(schema.key_values(list, &key), Some(values.iter().map(|it| it.as_str().into()).collect()));
            let mut own = Vec::new();
            if !schema.key_arcs(list, &key, &mut own) {
                prop_assert!(values[0].starts_with('-') || values[3] == "e-1");
                continue;
            }
            prop_assert_eq!(schema.decode_key(list, &own), Some(key.clone()));
            let follows = match &place {
                IndexMatch::Key { key: found, .. } => key > *found,
                IndexMatch::Before(first) => key >= *first,
                IndexMatch::End => false,
            };
            prop_assert_eq!(own > arcs, follows, "{:?} after {:?}: {:?}", own, arcs, place);
        }
    }

    #[test]
    fn decimals_and_base64_survive_their_keys(number in any::<i64>(), digits in 1..=18u8, octets in prop::collection::vec(any::<u8>(), 0..8)) {
        let (schema, list) = list_of(vec![
            TypeKind::Decimal64 { fraction_digits: digits, range: None },
            TypeKind::Binary { length: None },
        ]);
        let values = [super::decimal_text(number.into(), digits), super::base64(&octets)];
        let key = schema.encode_key(list, values.iter().map(String::as_str)).unwrap();
        prop_assert_eq!(schema.key_values(list, &key), Some(values.map(Into::into).to_vec()));
    }
}
