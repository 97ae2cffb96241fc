use proptest::prelude::*;

use super::{KeyError, decode_base64};
use crate::{
    EnumValue, IntegerKind, Module, Node, NodeId, NodeKind, Schema, SchemaBuilder, Type, TypeId, TypeKind,
    test_schemas::sample_schema,
};

fn schema_of(kind: TypeKind) -> (Schema, TypeId) {
    let mut builder = SchemaBuilder::new();
    let id = builder.add_type(Type::new(kind));
    (builder.build().unwrap(), id)
}

fn encode(kind: TypeKind, value: &str) -> Result<Vec<u8>, KeyError> {
    let (schema, id) = schema_of(kind);
    let mut key = vec![0xaa];
    let result = schema.encode_key_value(id, value, &mut key);
    if result.is_err() {
        assert_eq!(key, [0xaa], "the key is unchanged after an error");
    }
    result.map(|()| key.split_off(1))
}

/// The keys of values in the expected order.
fn assert_ascending(kind: &TypeKind, values: &[&str]) {
    let keys: Vec<Vec<u8>> = values.iter().map(|value| encode(kind.clone(), value).unwrap()).collect();
    for (index, pair) in keys.windows(2).enumerate() {
        assert!(pair[0] < pair[1], "{:?} < {:?}", values[index], values[index + 1]);
    }
}

#[test]
fn integers_are_ordered_by_value() {
    for kind in IntegerKind::ALL {
        let bounds = kind.bounds();
        let mut numbers =
            vec![bounds.min, bounds.min + 1, -1, 0, 1, 9, 10, 99, 100, bounds.max - 1, bounds.max];
        numbers.retain(|number| *number >= bounds.min);
        numbers.sort_unstable();
        numbers.dedup();
        let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        assert_ascending(&TypeKind::integer(kind), &texts.iter().map(String::as_str).collect::<Vec<_>>());
        for outside in [bounds.min - 1, bounds.max + 1] {
            assert_eq!(encode(TypeKind::integer(kind), &outside.to_string()), Err(KeyError::NotCanonical));
        }
    }
    assert_eq!(encode(TypeKind::integer(IntegerKind::Uint16), "258"), Ok(vec![1, 2]));
    assert_eq!(encode(TypeKind::integer(IntegerKind::Int8), "-128"), Ok(vec![0]));
}

#[test]
fn decimals_are_ordered_by_value() {
    let decimal = |fraction_digits| TypeKind::Decimal64 { fraction_digits, range: None };
    let limits = [
        "-92233720368547758.08",
        "-1.5",
        "-0.01",
        "0.0",
        "0.01",
        "0.1",
        "2.0",
        "10.0",
        "92233720368547758.07",
    ];
    assert_ascending(&decimal(2), &limits);
    assert_ascending(
        &decimal(18),
        &["-9.223372036854775808", "0.000000000000000001", "9.223372036854775807"],
    );
    for wrong in [
        "",
        "1",
        "1.",
        ".1",
        "-0.0",
        "00.1",
        "1.10",
        "1.234",
        "+1.0",
        "1.0 ",
        "--1.0",
        "92233720368547758.08",
    ] {
        assert_eq!(encode(decimal(2), wrong), Err(KeyError::NotCanonical), "{wrong:?}");
    }
}

#[test]
fn strings_are_ordered_by_length_and_octets() {
    let long = ["a".repeat(254), "a".repeat(255), "b".repeat(255), "a".repeat(256), "a".repeat(70_000)];
    let values = ["", "a", "b", "ä", "aaa", "aab", &long[0], &long[1], &long[2], &long[3], &long[4]];
    assert_ascending(&TypeKind::string(), &values);
    assert_eq!(encode(TypeKind::string(), "ab"), Ok(vec![2, b'a', b'b']));
}

#[test]
fn enumerations_and_booleans_are_ordered_by_their_numbers() {
    let values = [("up", 1), ("down", 2), ("unknown", -4), ("most", i32::MAX), ("least", i32::MIN)];
    let values = values.map(|(name, value)| EnumValue { name: name.into(), value }).to_vec();
    let kind = TypeKind::Enumeration { values };
    assert_ascending(&kind, &["least", "unknown", "up", "down", "most"]);
    assert_eq!(encode(kind, "other"), Err(KeyError::NotCanonical));
    assert_ascending(&TypeKind::Boolean, &["true", "false"]);
    assert_eq!(encode(TypeKind::Boolean, "1"), Err(KeyError::NotCanonical));
    assert_eq!(encode(TypeKind::Empty, ""), Ok(vec![]));
    assert_eq!(encode(TypeKind::Empty, "a"), Err(KeyError::NotCanonical));
}

#[test]
fn binary_is_ordered_by_length_and_octets() {
    let kind = TypeKind::Binary { length: None };
    // No octet, 0, 255, 0 0, 255 255, 0 0 0, 0 0 0 0.
    assert_ascending(&kind, &["", "AA==", "/w==", "AAA=", "//8=", "AAAA", "AAAAAA=="]);
    assert_eq!(decode_base64("+/+/Zm9v"), Some(b"\xfb\xff\xbffoo".to_vec()));
    for wrong in
        ["A", "AA", "AAA", "A===", "====", "AB==", "AAB=", "AA==AAAA", "AA=A", "A A=", "AAA\n", "ä=="]
    {
        assert_eq!(encode(kind.clone(), wrong), Err(KeyError::NotCanonical), "{wrong:?}");
    }
}

#[test]
fn integers_that_are_not_canonical_are_refused() {
    for wrong in ["", "-", "+1", "01", "-0", "00", "1 ", " 1", "0x1", "1.0", "-01", "--1", "١"] {
        assert_eq!(
            encode(TypeKind::integer(IntegerKind::Int32), wrong),
            Err(KeyError::NotCanonical),
            "{wrong:?}"
        );
    }
}

#[test]
fn leafrefs_are_encoded_as_their_targets_and_the_rest_as_text() {
    let (schema, sample) = sample_schema();
    let encode = |id, value: &str| {
        let mut key = Vec::new();
        schema.encode_key_value(id, value, &mut key).map(|()| key)
    };
    assert_eq!(encode(sample.leafref, "main"), encode(sample.string, "main"));
    assert_eq!(encode(sample.union, "7"), Ok(vec![1, b'7']));
    assert_eq!(encode(sample.bits, "open"), Ok(b"\x04open".to_vec()));
    assert_eq!(encode(sample.identityref, "sample:derived"), Ok(b"\x0esample:derived".to_vec()));
}

#[test]
fn keys_consist_of_all_values_in_the_order_of_the_key_statement() {
    let (schema, sample) = sample_schema();
    assert_eq!(schema.encode_key(sample.stair, ["main", "3"]), Ok(b"\x04main\x03".to_vec()));
    assert_eq!(schema.encode_key(sample.stair, ["main"]), Err(KeyError::WrongNumber));
    assert_eq!(schema.encode_key(sample.stair, ["main", "3", "4"]), Err(KeyError::WrongNumber));
    assert_eq!(schema.encode_key(sample.stair, ["3", "main"]), Err(KeyError::NotCanonical));
    assert_eq!(schema.encode_key(sample.visitor, []), Ok(vec![]));
}

/// The sub-identifiers of an SNMP index (RFC 2578 §7.7), if the first key is an integer and the
/// second is a string.
fn snmp_index(number: u32, text: &str) -> Vec<u32> {
    let mut index = vec![number, u32::try_from(text.len()).unwrap()];
    index.extend(text.bytes().map(u32::from));
    index
}

fn list_of_integer_and_string() -> (Schema, NodeId) {
    let mut builder = SchemaBuilder::new();
    let module = builder.add_module(Module::new("m", "urn:m", "m"));
    let types = [TypeKind::integer(IntegerKind::Uint32), TypeKind::string()];
    let types = types.map(|kind| builder.add_type(Type::new(kind)));
    let list = builder.add_node(NodeId::ROOT, Node::new(module, "list", NodeKind::list()));
    let keys = [("number", types[0]), ("text", types[1])];
    let keys = keys.map(|(name, id)| builder.add_node(list, Node::new(module, name, NodeKind::leaf(id))));
    builder.set_keys(list, &keys);
    (builder.build().unwrap(), list)
}

proptest! {
    #[test]
    fn keys_are_ordered_as_the_index_of_an_snmp_table(
        a in (prop_oneof![0..3u32, any::<u32>()], "[ab]{0,3}|.{250,260}"),
        b in (prop_oneof![0..3u32, any::<u32>()], "[ab]{0,3}|.{250,260}"),
    ) {
        let (schema, list) = list_of_integer_and_string();
        let key = |(number, text): &(u32, String)| schema.encode_key(list, [number.to_string().as_str(), text]).unwrap();
        prop_assert_eq!(key(&a).cmp(&key(&b)), snmp_index(a.0, &a.1).cmp(&snmp_index(b.0, &b.1)));
    }
}
