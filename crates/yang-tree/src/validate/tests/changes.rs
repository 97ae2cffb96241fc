//! The verdict on a change agrees with the one on the whole tree.

use std::{collections::BTreeSet, sync::Arc};

use portreeve_yang::Schema;
use proptest::{prelude::*, test_runner::Config};

use super::{schema, sorted};
use crate::{
    Tree, Validator,
    samples::{edit, tree},
};

fn random_edit() -> impl Strategy<Value = String> {
    let operation = || prop::sample::select(&["", "", "", "!replace", "!remove"][..]);
    let value = || 0..3_u32;
    let part = (0..36_u32, operation(), value()).prop_map(|(kind, operation, value)| match kind {
        0 => format!("owner{operation}={value}"),
        1 => format!("host{operation}={value}"),
        2 => format!("net {{ port{operation}={value} }}"),
        3 => format!("x{operation}={value}"),
        4 => format!("y{operation}={value}"),
        5 => format!("inner {{ z{operation}={value} }}"),
        6 => format!("options{operation} {{ label={value} }}"),
        7 => format!("options {{ label!remove={value} }}"),
        8 => format!("group-of{operation}=g{value}"),
        9 => format!("groups-of{operation}=g{value}"),
        10 => format!("alias-of{operation}={value}"),
        11 => format!("first{operation}={value}"),
        12 => format!("group-or-number{operation}={}{value}", if value == 0 { "" } else { "g" }),
        14 => format!("number{operation}={value}"),
        15 => format!("c-of-first{operation}={value}"),
        16 => format!("c-of-second{operation}={value}"),
        17 => format!("c-of-number{operation}={value}"),
        18 => format!("mode-of{operation}={}", if value == 0 { "auto".into() } else { value.to_string() }),
        19 => format!("options {{ modes-of{operation}={value} }}"),
        20 => format!("own-host{operation}={value}"),
        21 => format!("host{operation}={value} own-host{operation}={value}"),
        22 => "instance=/example:mode[.='auto']".to_owned(),
        23 => format!("color{operation}={value}"),
        24 => format!("shape{operation}={}", if value == 0 { "round" } else { "square" }),
        25 => format!("extra{operation} {{ other={value} }}"),
        26 => format!("extra {{ other!remove fallback={value} }}"),
        27 => format!("extra {{ other!remove={value} }}"),
        28 => format!("instance{operation}=/example:item[id='{value}']/shape"),
        29 => format!("instance{operation}=/example:item[id='{value}']/options/label[.='{value}']"),
        30 => format!("context{operation} {{ which={value} }}"),
        31 => "context { }".to_owned(),
        32 => "context { which!remove }".to_owned(),
        33 => format!("c-of-context{operation}={value}"),
        34 => format!("any-b{operation}={value}"),
        13 => format!("instance{operation}=/example:group[name='g{value}']/alias"),
        _ => format!("second{operation}={value}"),
    });
    let top = prop_oneof![
        4 => (operation(), value(), prop::collection::vec(part, 0..4))
            .prop_map(|(operation, id, parts)| format!("item{operation} {{ id={id} {} }}", parts.join(" "))),
        // An entry without faults, so that valid trees are frequent.
        2 => value().prop_map(|id| format!("item {{ id={id} owner=o x=1 }}")),
        2 => (operation(), value(), value()).prop_map(|(operation, name, alias)| format!("group{operation} {{ name=g{name} alias={alias} }}")),
        2 => (operation(), value(), value(), value())
            .prop_map(|(operation, a, b, c)| format!("pair{operation} {{ a={a} b={b} c={c} }}")),
        1 => operation().prop_map(|operation| format!("some-shape{operation}=round")),
        1 => (operation(), value()).prop_map(|(operation, value)| format!("mode{operation}={value}")),
        1 => (operation(), value()).prop_map(|(operation, value)| format!("some-port{operation}={value}")),
    ];
    prop::collection::vec(top, 1..4).prop_map(|parts| parts.join(" "))
}

/// Valid content with each kind of reference, and changes of which each breaks some of them.
const VALID: &str = "group { name=g0 alias=g } group { name=g1 alias=1 } \
    pair { a=0 b=0 c=0 } pair { a=1 b=1 c=1 } pair { a=1 b=2 c=2 } some-port=80 some-shape=round \
    item { id=0 owner=o x=1 host=0 net { port=81 } color=c options { label=0 } extra { other=1 } } \
    item { id=1 owner=o x=1 host=1 own-host=1 group-of=g1 groups-of=g0 groups-of=g1 alias-of=1 first=1 second=2 \
    c-of-first=2 c-of-second=2 c-of-number=1 mode-of=auto group-or-number=g1 options { label=1 } \
    instance=/example:item[id='0']/options/label[.='0'] extra { } } \
    item { id=2 owner=o x=1 host=2 color=c mode-of=fixed instance=/example:mode[.='auto'] } \
    item { id=3 owner=o x=1 color=c net { port=82 } instance=/example:item[id='1']/shape } \
    item { id=4 owner=o x=1 color=c net { port=82 } instance=/example:item[id='0'] } \
    item { id=5 owner=o x=1 color=c net { port=82 } instance=/example:item[id='0']/color }";

/// A preparation of the valid content that keeps it valid, a change, and the instances that it
/// breaks.
const BREAKING: &[(&str, &str, &[&str])] = &[
    ("", "group { name=g0 alias!delete }", &["item[id='1']/extra/fallback"]),
    ("", "group { name=g1 alias=2 }", &["item[id='1']/alias-of"]),
    (
        "",
        "group!delete { name=g1 }",
        &[
            "item[id='1']/alias-of",
            "item[id='1']/group-of",
            "item[id='1']/group-or-number",
            "item[id='1']/groups-of[.='g1']",
        ],
    ),
    ("", "pair { a=1 b=2 c=3 }", &["item[id='1']/c-of-first", "item[id='1']/c-of-second"]),
    ("", "item { id=1 first=0 }", &["item[id='1']/c-of-first", "item[id='1']/second"]),
    ("", "item { id=1 number=2 }", &["item[id='1']/c-of-number"]),
    (
        "item { id=3 context { } c-of-context=2 }",
        "item { id=3 context!delete { } }",
        &["item[id='3']/c-of-context"],
    ),
    (
        "item { id=3 any-b=2 }",
        "pair!delete { a=1 b=2 }",
        &["item[id='1']/c-of-first", "item[id='1']/c-of-second", "item[id='1']/second", "item[id='3']/any-b"],
    ),
    ("", "item { id=1 host=5 }", &["item[id='1']/own-host"]),
    (
        "",
        "mode=fixed",
        &[
            "item[id='1']/mode-of",
            "item[id='2']/instance",
            "item[id='1']/options/modes-of[.='auto']",
            "item[id='0']/options/modes-of[.='auto']",
        ],
    ),
    ("", "item { id=0 options { label!delete=0 label=2 } }", &["item[id='1']/instance"]),
    ("", "item { id=1 color=c }", &["item[id='3']/instance", "some-shape"]),
    ("", "item { id=1 shape=square }", &["some-shape"]),
    (
        "",
        "item!delete { id=0 }",
        &["item[id='1']/instance", "item[id='4']/instance", "item[id='5']/instance"],
    ),
    ("", "item { id=0 color!delete }", &["item[id='5']/instance"]),
    ("", "item { id=1 net { port=81 } } item { id=2 net { port=82 } }", &["some-port"]),
    (
        "group { name=g0 alias=h } item { id=1 extra!delete { } }",
        "item { id=0 extra { other!delete } }",
        &["item[id='0']/extra/fallback"],
    ),
    (
        "group { name=g0 tag=t tag=u } item { id=3 instance=/example:group[name='g0']/tag[.='t'] }",
        "group { name=g0 tag!delete=t }",
        &["item[id='3']/instance"],
    ),
    (
        "group { name=g2 alias=a } item { id=3 instance=/example:group[name='g2']/alias }",
        "group { name=g2 alias!delete }",
        &["item[id='3']/instance"],
    ),
    (
        "group { name=g2 flag { } } item { id=3 instance=/example:group[name='g2']/flag }",
        "group { name=g2 flag!delete { } }",
        &["item[id='3']/instance"],
    ),
];

#[test]
fn changes_that_break_unchanged_references_are_found() {
    let schema = schema();
    let validator = Validator::new(schema.clone());
    for (preparation, request, broken) in BREAKING {
        let before = edit(&schema, &tree(&schema, VALID), preparation).unwrap();
        assert_eq!(sorted(&schema, validator.validate(&before)), [""; 0], "{preparation}");
        let after = edit(&schema, &before, request).unwrap();
        let mut expected: Vec<_> = broken.iter().map(|path| format!("instance /example:{path}")).collect();
        expected.sort();
        assert_eq!(sorted(&schema, validator.validate(&after)), expected, "{request}");
        assert_eq!(sorted(&schema, validator.validate_change(&before, &after)), expected, "{request}");
    }
}

proptest! {
    #![proptest_config(Config::with_cases(300))]
    #[test]
    fn verdict_on_a_change_of_a_large_tree_is_the_verdict_on_the_whole_tree(
        requests in prop::collection::vec(random_edit(), 1..20),
    ) {
        let schema = schema();
        let validator = Validator::new(schema.clone());
        let valid = tree(&schema, VALID);
        for request in &requests {
            let Ok(after) = edit(&schema, &valid, request) else { continue };
            let whole: BTreeSet<_> = sorted(&schema, validator.validate(&after)).into_iter().collect();
            let change: BTreeSet<_> = sorted(&schema, validator.validate_change(&valid, &after)).into_iter().collect();
            prop_assert_eq!(&whole, &change, "{}", request);
        }
    }

    #[test]
    fn verdict_on_a_change_is_the_verdict_on_the_whole_tree(requests in prop::collection::vec(random_edit(), 1..20)) {
        let schema = schema();
        let validator = Validator::new(schema.clone());
        let mut valid = Tree::new();
        for request in &requests {
            let Ok(after) = edit(&schema, &valid, request) else { continue };
            let whole: BTreeSet<_> = sorted(&schema, validator.validate(&after)).into_iter().collect();
            let change: BTreeSet<_> = sorted(&schema, validator.validate_change(&valid, &after)).into_iter().collect();
            prop_assert_eq!(&whole, &change, "{}", request);
            if whole.is_empty() {
                valid = after;
            }
        }
    }
}

/// Returns a valid tree with so many entries of each list, and references between them.
fn large(schema: &Arc<Schema>, entries: u32) -> Tree {
    let entry = |number| {
        format!(
            "pair {{ a=1 b={number} c={number} }} item {{ id={number} owner=o x=1 host=h{number} \
             own-host=h{number} first=1 c-of-first={number} second={number} c-of-second={number} mode-of=auto }}"
        )
    };
    let tree = tree(schema, &(0..entries).map(entry).collect::<Vec<_>>().join(" "));
    assert_eq!(sorted(schema, Validator::new(schema.clone()).validate(&tree)), [""; 0]);
    tree
}

#[test]
fn whole_validation_takes_time_in_proportion_to_the_tree() {
    let schema = schema();
    let validator = Validator::new(schema.clone());
    let visited = |entries| validator.run(None, &large(&schema, entries), 1).visited;
    let (small, big) = (visited(100), visited(800));
    assert!(big <= 9 * small, "{small} rows and values for 100 entries, {big} for 800");
}

#[test]
fn edits_are_validated_without_the_references_that_they_cannot_break() {
    let schema = schema();
    let validator = Validator::new(schema.clone());
    let before = large(&schema, 400);
    for (request, limit) in [
        ("", 0),
        ("some-port=80", 810),
        ("item { id=7 owner=p }", 1),
        ("item { id=7 y=1 inner { z=1 } }", 1),
        ("item { id=7 host=new own-host=new }", 410),
        ("item { id=7 mode-of=fixed }", 4),
        ("item { id=7 net { port=81 } }", 410),
        ("item { id=400 owner=o x=1 first=1 second=7 mode-of=auto }", 10),
        ("pair { a=2 b=400 c=4 }", 0),
        ("group { name=g alias=x }", 0),
    ] {
        let after = edit(&schema, &before, request).unwrap();
        let run = validator.run(Some(&before), &after, 1);
        assert_eq!(sorted(&schema, run.faults), [""; 0], "{request}");
        assert!(run.visited <= limit, "{request}: {} rows and values", run.visited);
    }
}
