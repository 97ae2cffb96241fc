use super::{Entry, InstancePath};
use crate::{
    Identity, NodeId, NodeKind, Schema, Status,
    test_schemas::{Sample, sample, sample_schema},
};

fn path(steps: &[(NodeId, Entry)]) -> InstancePath {
    let mut path = InstancePath::new();
    for (node, entry) in steps {
        path.push(*node, entry.clone());
    }
    path
}

fn stair(sample: Sample, name: &str) -> Vec<(NodeId, Entry)> {
    let keys = Entry::Keys(vec![name.into(), "3".into()]);
    vec![(sample.house, Entry::All), (sample.stair, keys)]
}

fn texts(schema: &Schema, path: &InstancePath) -> (String, String) {
    (path.display(schema).to_string(), path.xpath(schema).to_string())
}

#[test]
fn names_have_modules_where_they_change_and_prefixes_everywhere_in_xpath() {
    let (schema, sample) = sample_schema();
    let mut path = path(&stair(sample, "main"));
    path.push(sample.owner, Entry::All);
    let (json, xpath) = texts(&schema, &path);
    assert_eq!(json, "/sample:house/stair[name='main'][floor='3']/other:owner");
    // Both modules have the prefix `s`.
    assert_eq!(xpath, "/s:house/s:stair[s:name='main'][s:floor='3']/other:owner");
    assert_eq!(path.canonical(&schema), json);
    assert_eq!(path.modules(&schema), [sample.module, sample.other]);
}

#[test]
fn entries_are_values_positions_or_all() {
    let (schema, sample) = sample_schema();
    let mut steps = stair(sample, "a");
    steps.push((sample.color, Entry::Value("oak".into())));
    let expected = "/sample:house/stair[name='a'][floor='3']/color[.='oak']";
    assert_eq!(path(&steps).canonical(&schema), expected);
    let visitor = path(&[(sample.house, Entry::All), (sample.visitor, Entry::Position(2))]);
    assert_eq!(texts(&schema, &visitor), ("/sample:house/visitor[2]".into(), "/s:house/s:visitor[2]".into()));
    assert_eq!(texts(&schema, &InstancePath::new()), ("/".into(), "/".into()));
    let list = path(&[(sample.house, Entry::All), (sample.stair, Entry::All)]);
    assert_eq!(list.canonical(&schema), "/sample:house/stair");
}

#[test]
fn values_with_quotes_are_literals_of_xpath() {
    let (schema, sample) = sample_schema();
    for (value, literal) in [
        ("", "''"),
        ("it's", "\"it's\""),
        ("\"", "'\"'"),
        ("it's \"so\"", "concat('it',\"'\",'s \"so\"')"),
        ("'\"", "concat('',\"'\",'\"')"),
        ("a]/b", "'a]/b'"),
    ] {
        let expected = format!("/s:house/s:stair[s:name={literal}][s:floor='3']");
        assert_eq!(path(&stair(sample, value)).xpath(&schema).to_string(), expected);
    }
}

#[test]
fn control_characters_are_escaped_in_messages_only() {
    let (schema, sample) = sample_schema();
    let path = path(&stair(sample, "a\nlogin user=root\u{85}ä"));
    let (message, xpath) = texts(&schema, &path);
    assert_eq!(message, "/sample:house/stair[name='a\\nlogin user=root\\u{85}ä'][floor='3']");
    assert!(xpath.contains("'a\nlogin user=root\u{85}ä'"));
    assert!(path.canonical(&schema).contains("'a\nlogin user=root\u{85}ä'"));
}

#[test]
fn steps_are_removed_in_reverse_order() {
    let (schema, sample) = sample_schema();
    let mut path = path(&stair(sample, "a"));
    assert_eq!(path.node(), sample.stair);
    assert_eq!(path.pop().map(|step| step.node), Some(sample.stair));
    assert_eq!(path.pop().map(|step| step.node), Some(sample.house));
    assert_eq!((path.pop(), path.node()), (None, NodeId::ROOT));
    assert_eq!(path.steps(), []);
    assert_eq!(schema.schema_path(sample.species), "/sample:house/stair/material/wood/species");
    assert_eq!(schema.schema_path(sample.owner), "/sample:house/stair/other:owner");
    assert_eq!(schema.schema_path(NodeId::ROOT), "/");
}

#[test]
fn identities_in_keys_have_prefixes_in_xpath() {
    let (mut builder, sample) = sample();
    let identity = Identity {
        name: "lobby".into(),
        module: sample.other,
        bases: vec![sample.base],
        status: Status::Current,
    };
    builder.add_identity(identity);
    match &mut builder.node_mut(sample.name).unwrap().kind {
        NodeKind::Leaf(leaf) => leaf.value_type = sample.identityref,
        other => panic!("{other:?}"),
    }
    let schema = builder.build().unwrap();
    let (json, xpath) = texts(&schema, &path(&stair(sample, "sample:derived")));
    assert_eq!(json, "/sample:house/stair[name='sample:derived'][floor='3']");
    assert_eq!(xpath, "/s:house/s:stair[s:name='s:derived'][s:floor='3']");
    assert_eq!(path(&stair(sample, "sample:derived")).modules(&schema), [sample.module]);
    assert_eq!(path(&stair(sample, "other:lobby")).modules(&schema), [sample.module, sample.other]);
}
