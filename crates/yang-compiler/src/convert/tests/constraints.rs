//! `must` and `when` statements with their places.

use portreeve_yang::{Constraint, ConstraintKind, NodeId, Schema};

use crate::fixture::{Fixture, compile_body, find, module};

fn constraints<'s>(schema: &'s Schema, path: &str) -> &'s [Constraint] {
    &schema.node(find(schema, path)).constraints
}

/// Returns each constraint of a node as `file:line keyword expression`.
fn places(schema: &Schema, path: &str) -> Vec<String> {
    let text = |one: &Constraint| {
        let keyword = if one.kind == ConstraintKind::Must { "must" } else { "when" };
        format!("{}:{} {keyword} {}", one.file, one.line, one.expression)
    };
    constraints(schema, path).iter().map(text).collect()
}

#[test]
fn constraints_have_file_and_line() {
    let schema = compile_body(
        "  leaf a {
             must '. != 1' { error-message 'not one'; error-app-tag one; }
             must \"
                count(../b)
                < 3\";
             type int8;
           }
           leaf b {
             when '../a';
             type int8;
           }",
    );
    // The body begins in line 5 of the file.
    let a = places(&schema, "a");
    assert_eq!(a.len(), 2);
    assert_eq!(a[0], "m.yang:6 must . != 1");
    assert!(a[1].starts_with("m.yang:7 must "), "{a:?}");
    assert_eq!(places(&schema, "b"), ["m.yang:13 when ../a"]);
    let first = &constraints(&schema, "a")[0];
    assert_eq!(first.error.message.as_deref(), Some("not one"));
    assert_eq!(first.error.app_tag.as_deref(), Some("one"));
    assert_eq!(first.context, None);
}

#[test]
fn place_of_repeated_expression_is_that_of_its_node() {
    let schema = compile_body(
        "leaf a { must '. > 1';
           type int8; }
         container b {
           leaf a {
             must '. > 1'; type int8; } }
         leaf c {
             must '. > 1'; type int8; }",
    );
    assert_eq!(places(&schema, "a"), ["m.yang:5 must . > 1"]);
    assert_eq!(places(&schema, "b/a"), ["m.yang:9 must . > 1"]);
    assert_eq!(places(&schema, "c"), ["m.yang:11 must . > 1"]);
}

#[test]
fn when_of_uses_and_augment_applies_to_added_nodes() {
    let fixture = Fixture::new(&[
        (
            "base.yang",
            &module(
                "base",
                "container c { leaf k { type int8; } }\ngrouping g {\n leaf x { must '../k'; type int8; } }",
            ),
        ),
        (
            "m.yang",
            &module(
                "m",
                "import base { prefix b; }
                 augment /b:c {
                   when 'b:k = 1';
                   uses b:g {
                     when '../b:c/b:k = 2'; }
                 }",
            ),
        ),
    ]);
    let schema = fixture.compile(&["base", "m"]).unwrap();
    let mut found = places(&schema, "c/x");
    found.sort();
    assert_eq!(found, ["base.yang:7 must ../k", "m.yang:7 when b:k = 1", "m.yang:9 when ../b:c/b:k = 2"]);
    let when = constraints(&schema, "c/x").iter().find(|one| &*one.expression == "b:k = 1").unwrap();
    assert_eq!(when.context, Some(find(&schema, "c")));
    let prefix = when.prefixes.iter().find(|(prefix, _)| &**prefix == "b").unwrap();
    assert_eq!(&*schema.module(prefix.1).name, "base");
}

#[test]
fn when_of_top_level_augment_has_root_as_context() {
    let schema =
        compile_body("grouping g { leaf a { type string; } } leaf b { type string; } uses g { when b; }");
    assert_eq!(constraints(&schema, "a")[0].context, Some(NodeId::ROOT));
    assert_eq!(places(&schema, "a"), ["m.yang:5 when b"]);
}

#[test]
fn constraint_in_submodule_has_its_file() {
    let main = "module m { yang-version 1.1; namespace urn:m; prefix m; include s; }";
    let sub = "submodule s { yang-version 1.1; belongs-to m { prefix m; }\n leaf a {\n  must true(); type string; } }";
    let fixture = Fixture::new(&[("m.yang", main), ("s.yang", sub)]);
    let schema = fixture.compile(&["m"]).unwrap();
    assert_eq!(places(&schema, "a"), ["s.yang:3 must true()"]);
}

#[test]
fn deviation_adds_constraint_with_its_place() {
    let fixture = Fixture::new(&[
        ("m.yang", &module("m", "leaf a { type int8; }")),
        (
            "d.yang",
            &module("d", "import m { prefix m; }\ndeviation /m:a {\n deviate add {\n must '. > 5'; } }"),
        ),
    ]);
    let schema = fixture.compile(&["m", "d"]).unwrap();
    assert_eq!(places(&schema, "a"), ["d.yang:8 must . > 5"]);
}
