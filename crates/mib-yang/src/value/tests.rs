use portreeve_datastore::RefusalKind;
use portreeve_smi::{OidRef, OwnedValue, Value};
use portreeve_yang::{Bit, ErrorStatements, IntegerKind, NodeId, PatternRestriction, Schema, TypeKind};

use super::{MAX_OCTETS, Scratch, ValueType};
use crate::{
    form::Form,
    test_schema::{TestSchema, enumeration, length, range, text},
};

struct Sample {
    schema: Schema,
    value_type: ValueType,
}

fn sample(typedef: &str, kind: TypeKind) -> Sample {
    let mut schema = TestSchema::new("m");
    let leaf = match typedef {
        "" => schema.leaf(NodeId::ROOT, "leaf", kind, ""),
        name => schema.named(NodeId::ROOT, "leaf", ("ietf-yang-types", name), kind, ""),
    };
    let schema = schema.build();
    let type_id = schema.type_of(leaf).unwrap();
    let form = Form::of(&schema, type_id).unwrap();
    Sample { schema, value_type: ValueType { form, type_id } }
}

impl Sample {
    fn show(&self, text: &str) -> Option<OwnedValue> {
        assert!(self.value_type.has_smi(text) || text.len() > 200);
        self.value_type.to_smi(&self.schema, text, &mut Scratch::default()).map(OwnedValue::from)
    }

    fn read(&self, value: Value<'_>) -> Result<String, RefusalKind> {
        let text = self.value_type.to_text(&self.schema, &value);
        text.map(String::from).map_err(|refusal| refusal.kind)
    }

    /// Checks that a text and a value stand for each other.
    fn is(&self, text: &str, value: Value<'_>) -> &Self {
        assert_eq!(self.show(text), Some(OwnedValue::from(value)), "{text}");
        assert_eq!(self.read(value).as_deref(), Ok(text));
        self
    }

    fn refuses(&self, value: Value<'_>, kind: RefusalKind) -> &Self {
        assert_eq!(self.read(value), Err(kind), "{value:?}");
        self
    }
}

#[test]
fn values_of_each_type_have_their_form() {
    use RefusalKind::{WrongLength, WrongType, WrongValue};
    sample("", range(IntegerKind::Int32, -9, 9))
        .is("-9", Value::Integer(-9))
        .is("0", Value::Integer(0))
        .refuses(Value::Integer(10), WrongValue)
        .refuses(Value::Gauge32(1), WrongType)
        .refuses(Value::Null, WrongType);
    sample("", TypeKind::integer(IntegerKind::Uint32))
        .is("4294967295", Value::Gauge32(u32::MAX))
        .refuses(Value::Integer(1), WrongType)
        .refuses(Value::Counter32(1), WrongType);
    sample("timeticks", TypeKind::integer(IntegerKind::Uint32))
        .is("7", Value::TimeTicks(7))
        .refuses(Value::Gauge32(7), WrongType);
    sample("", TypeKind::Boolean)
        .is("true", Value::Integer(1))
        .is("false", Value::Integer(2))
        .refuses(Value::Integer(0), WrongValue)
        .refuses(Value::Integer(3), WrongValue);
    sample("", enumeration(&[("down", -2), ("up", 1)]))
        .is("down", Value::Integer(-2))
        .is("up", Value::Integer(1))
        .refuses(Value::Integer(0), WrongValue);
    sample("", TypeKind::Binary { length: length(0, 3) })
        .is("", Value::OctetString(&[]))
        .is("AA==", Value::OctetString(&[0]))
        .is("AP//", Value::OctetString(&[0, 255, 255]))
        .refuses(Value::OctetString(&[0; 4]), WrongLength);
    sample("object-identifier", TypeKind::string())
        .is("1.3.6.1", Value::ObjectId(OidRef::Arcs(&[1, 3, 6, 1])))
        .refuses(Value::OctetString(b"1.3.6.1"), WrongType);
}

#[test]
fn counters_are_shown() {
    let show = |typedef, kind, text| sample(typedef, TypeKind::integer(kind)).show(text);
    assert_eq!(show("counter32", IntegerKind::Uint32, "7"), Some(OwnedValue::Counter32(7)));
    let max = "18446744073709551615";
    assert_eq!(show("", IntegerKind::Uint64, max), Some(OwnedValue::Counter64(u64::MAX)));
}

#[test]
fn strings_are_utf8_and_obey_their_type() {
    use RefusalKind::{WrongLength, WrongValue};
    let pattern = PatternRestriction {
        expression: "[a-zä]*".into(),
        is_inverted: false,
        error: ErrorStatements::default(),
    };
    sample("", TypeKind::String { length: length(1, 3), patterns: vec![pattern] })
        .is("aä", Value::OctetString("aä".as_bytes()))
        .refuses(Value::OctetString(b""), WrongLength)
        .refuses(Value::OctetString(b"aaaa"), WrongLength)
        // Four octets, but three characters.
        .is("aaä", Value::OctetString("aaä".as_bytes()))
        .refuses(Value::OctetString(b"A"), WrongValue)
        .refuses(Value::OctetString(b"\xFF"), WrongValue);
    sample("", text(0, 255))
        .is("", Value::OctetString(b""))
        // XML has no such character.
        .refuses(Value::OctetString(b"a\0"), WrongValue);
}

#[test]
fn bits_are_octets_with_the_first_bit_highest() {
    let bits = [("first", 0), ("seventh", 7), ("ninth", 9)];
    let bits = bits.iter().map(|(name, position)| Bit { name: (*name).into(), position: *position });
    let sample = sample("", TypeKind::Bits { bits: bits.collect() });
    sample
        .is("", Value::OctetString(&[]))
        .is("first", Value::OctetString(&[0x80]))
        .is("first seventh ninth", Value::OctetString(&[0x81, 0x40]))
        .refuses(Value::OctetString(&[0x40]), RefusalKind::WrongValue)
        .refuses(Value::OctetString(&[0, 0, 0x80]), RefusalKind::WrongValue);
    assert_eq!(sample.read(Value::OctetString(&[0x80, 0, 0])).as_deref(), Ok("first"));
}

#[test]
fn values_that_snmp_cannot_show_are_absent() {
    let long = "a".repeat(MAX_OCTETS + 1);
    let string = sample("", TypeKind::string());
    assert!(!string.value_type.has_smi(&long));
    assert_eq!(string.show(&long), None);
    assert!(string.show(&"a".repeat(MAX_OCTETS)).is_some());
    let oid = sample("object-identifier", TypeKind::string());
    let many = vec!["1"; 129].join(".");
    assert!(!oid.value_type.has_smi(&many));
    assert_eq!(oid.show(&many), None);
    assert!(oid.value_type.has_smi(&vec!["1"; 128].join(".")));
    let binary = sample("", TypeKind::Binary { length: None });
    let long = portreeve_yang::base64(&vec![7; MAX_OCTETS + 1]);
    assert_eq!(binary.show(&long), None);
    assert!(!binary.value_type.has_smi(&long));
    let longest = portreeve_yang::base64(&vec![7; MAX_OCTETS]);
    assert!(binary.value_type.has_smi(&longest) && binary.show(&longest).is_some());
}
