mod changes;
mod schema;

use portreeve_yang::Schema;
use schema::schema;

use super::{Fault, FaultReason, MAX_FAULTS, Validator};
use crate::{
    RecordReader,
    samples::{self, tree},
};

/// Returns the faults as text, sorted.
fn sorted(schema: &Schema, faults: Vec<Fault>) -> Vec<String> {
    let reason = |reason| match reason {
        FaultReason::MandatoryMissing => "mandatory",
        FaultReason::ChoiceMissing(_) => "choice",
        FaultReason::SeveralCases(_) => "cases",
        FaultReason::TooFewElements => "few",
        FaultReason::TooManyElements => "many",
        FaultReason::NotUnique(_) => "unique",
        FaultReason::InstanceRequired => "instance",
    };
    let mut lines: Vec<_> = faults
        .iter()
        .map(|fault| format!("{} {}", reason(fault.reason), fault.path.display(schema)))
        .collect();
    lines.sort();
    lines
}

/// A tree, and its faults.
const TREES: &[(&str, &[&str])] = &[
    ("", &[]),
    ("item { id=1 owner=o x=1 }", &[]),
    ("item { id=1 x=1 }", &["mandatory /example:item[id='1']/owner"]),
    ("item { id=1 owner=o }", &["choice /example:item[id='1']"]),
    // A mandatory node in a case has to exist only with another node of the case.
    ("item { id=1 owner=o y=1 inner { z=1 } }", &[]),
    ("item { id=1 owner=o y=1 }", &["mandatory /example:item[id='1']/inner/z"]),
    ("item { id=1 owner=o inner { z=1 } }", &[]),
    ("item { id=1 owner=o x=1 options { } }", &["few /example:item[id='1']/options/label"]),
    ("item { id=1 owner=o x=1 options { label=a label=b } }", &[]),
    (
        "item { id=1 owner=o x=1 options { label=a label=b label=c } }",
        &["many /example:item[id='1']/options/label"],
    ),
    ("group { name=a } group { name=b } group { name=c }", &[]),
    ("group { name=a } group { name=b } group { name=c } group { name=d }", &["many /example:group"]),
    // The default of a leaf takes part in unique; an entry without one of the leafs does not.
    (
        "item { id=1 owner=o x=1 host=h } item { id=2 owner=o x=1 host=h net { port=80 } }",
        &["unique /example:item[id='2']"],
    ),
    ("item { id=1 owner=o x=1 host=h } item { id=2 owner=o x=1 host=h net { port=81 } }", &[]),
    ("item { id=1 owner=o x=1 } item { id=2 owner=o x=1 }", &[]),
    ("item { id=1 owner=o x=1 group-of=g }", &["instance /example:item[id='1']/group-of"]),
    ("item { id=1 owner=o x=1 group-of=g } group { name=g }", &[]),
    (
        "item { id=1 owner=o x=1 groups-of=g groups-of=h } group { name=g }",
        &["instance /example:item[id='1']/groups-of[.='h']"],
    ),
    ("item { id=1 owner=o x=1 alias-of=g } group { name=g }", &["instance /example:item[id='1']/alias-of"]),
    ("item { id=1 owner=o x=1 alias-of=g } group { name=h alias=g }", &[]),
    ("item { id=1 owner=o x=1 first=1 second=2 } pair { a=1 b=2 }", &[]),
    (
        "item { id=1 owner=o x=1 first=1 second=2 } pair { a=1 b=1 } pair { a=2 b=2 }",
        &["instance /example:item[id='1']/second"],
    ),
    ("item { id=1 owner=o x=1 second=2 } pair { a=1 b=2 }", &["instance /example:item[id='1']/second"]),
    ("item { id=1 owner=o x=1 group-or-number=5 }", &[]),
    ("item { id=1 owner=o x=1 group-or-number=05 }", &[]),
    ("item { id=1 owner=o x=1 group-or-number=g } group { name=g }", &[]),
    ("item { id=1 owner=o x=1 group-or-number=g }", &["instance /example:item[id='1']/group-or-number"]),
    ("item { id=1 owner=o x=1 instance=/example:group[name='g'] } group { name=g }", &[]),
    (
        "item { id=1 owner=o x=1 instance=/example:group[name='h'] } group { name=g }",
        &["instance /example:item[id='1']/instance"],
    ),
    ("item { id=1 owner=o x=1 instance=/example:item[id='1']/net/port }", &[]),
    ("some-port=81 item { id=1 owner=o x=1 net { port=81 } }", &[]),
    ("some-port=80 item { id=1 owner=o x=1 }", &[]),
    ("some-port=80 item { id=1 owner=o x=1 net { port=81 } }", &["instance /example:some-port"]),
    // The defaults of a leaf-list without entries exist.
    ("item { id=1 owner=o x=1 mode-of=auto }", &[]),
    ("item { id=1 owner=o x=1 mode-of=auto } mode=fixed", &["instance /example:item[id='1']/mode-of"]),
    ("item { id=1 owner=o x=1 instance=/example:mode[.='fixed'] }", &[]),
    (
        "item { id=1 owner=o x=1 instance=/example:mode[.='fixed'] } mode=auto",
        &["instance /example:item[id='1']/instance"],
    ),
    ("item { id=1 owner=o x=1 options { label=a } }", &[]),
    (
        "item { id=1 owner=o x=1 options { label=a } } mode=fixed",
        &["instance /example:item[id='1']/options/modes-of[.='auto']"],
    ),
    ("item { id=1 owner=o x=1 options { label=a modes-of=fixed } } mode=fixed", &[]),
    // Conditions on a part of the keys, and with the default of a leaf.
    ("item { id=1 owner=o x=1 first=1 c-of-first=2 } pair { a=1 b=1 } pair { a=1 b=2 c=2 }", &[]),
    (
        "item { id=1 owner=o x=1 first=1 c-of-first=2 } pair { a=1 b=1 } pair { a=2 b=2 c=2 }",
        &["instance /example:item[id='1']/c-of-first"],
    ),
    ("item { id=1 owner=o x=1 first=1 second=2 c-of-second=5 } pair { a=1 b=2 } pair { a=3 b=2 c=5 }", &[]),
    (
        "item { id=1 owner=o x=1 first=1 second=2 c-of-second=5 } pair { a=1 b=2 } pair { a=3 b=1 c=5 }",
        &["instance /example:item[id='1']/c-of-second"],
    ),
    ("item { id=1 owner=o x=1 c-of-number=5 } pair { a=1 b=1 c=5 }", &[]),
    (
        "item { id=1 owner=o x=1 number=2 c-of-number=5 } pair { a=1 b=1 c=5 }",
        &["instance /example:item[id='1']/c-of-number"],
    ),
    ("item { id=1 owner=o x=1 any-b=2 } pair { a=1 b=1 } pair { a=2 b=2 }", &[]),
    (
        "item { id=1 owner=o x=1 any-b=3 } pair { a=1 b=1 } pair { a=3 b=2 }",
        &["instance /example:item[id='1']/any-b"],
    ),
    ("item { id=1 owner=o x=1 context { } c-of-context=5 } pair { a=1 b=1 c=5 }", &[]),
    (
        "item { id=1 owner=o x=1 c-of-context=5 } pair { a=1 b=1 c=5 }",
        &["instance /example:item[id='1']/c-of-context"],
    ),
    // A leaf is mandatory in the innermost case that contains it.
    ("item { id=1 owner=o y=1 inner { z=1 } }", &[]),
    ("item { id=1 owner=o y=1 inner { z=1 } v=1 }", &["mandatory /example:item[id='1']/w"]),
    ("item { id=1 owner=o x=1 host=h own-host=h }", &[]),
    (
        "item { id=1 owner=o x=1 host=g own-host=h } item { id=2 owner=o x=1 host=h }",
        &["instance /example:item[id='1']/own-host"],
    ),
];

#[test]
fn faults_are_reported_with_the_node_that_is_at_fault() {
    let schema = schema();
    let validator = Validator::new(schema.clone());
    for (content, expected) in TREES {
        assert_eq!(sorted(&schema, validator.validate(&tree(&schema, content))), *expected, "{content}");
    }
}

/// An edit cannot set two cases, but records can contain them that were leafs beside each other in
/// earlier modules.
#[test]
fn nodes_of_several_cases_are_a_fault() {
    let schema = samples::schema();
    let mut reader = RecordReader::new(&schema);
    let leafs = b"\0\x01a\0\0\0\x011\0\x01c\0\0\0\x011";
    reader.read(b"\x01\0\x0eexample:server\x01\0\0\0\x01s", leafs).unwrap();
    let faults = Validator::new(schema.clone()).validate(&reader.finish());
    assert_eq!(sorted(&schema, faults), ["cases /example:server[name='s']"]);
}

#[test]
fn number_of_reported_faults_is_limited() {
    let schema = schema();
    let entries: Vec<_> = (0..500).map(|number| format!("item {{ id={number} group-of=g }}")).collect();
    assert_eq!(Validator::new(schema.clone()).validate(&tree(&schema, &entries.join(" "))).len(), MAX_FAULTS);
}
