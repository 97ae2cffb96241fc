//! Every built-in type with its restrictions.

use portreeve_yang::{Bit, EnumValue, IntegerKind, Interval, LeafrefStart, TypeKind};

use crate::fixture::{Fixture, compile_body, find, kind_at, module, type_at};

/// Compiles a leaf of this type and returns the built-in type.
fn kind(written: &str) -> TypeKind {
    let schema = compile_body(&format!("identity base; leaf a {{ type {written} }}"));
    kind_at(&schema, "a").clone()
}

fn interval<T>(min: T, max: T) -> Interval<T> {
    Interval { min, max }
}

#[test]
fn integers_have_kind_and_range() {
    for kind_of_integer in IntegerKind::ALL {
        let name = kind_of_integer.name();
        assert_eq!(kind(&format!("{name};")), TypeKind::integer(kind_of_integer), "{name}");
        let TypeKind::Integer { range: Some(range), .. } =
            kind(&format!("{name} {{ range 'min..3|7|9..max'; }}"))
        else {
            panic!("{name} has no range")
        };
        let Interval { min, max } = kind_of_integer.bounds();
        assert_eq!(range.intervals, [interval(min, 3), interval(7, 7), interval(9, max)], "{name}");
    }
}

#[test]
fn decimal64_range_is_multiplied() {
    let TypeKind::Decimal64 { fraction_digits, range: Some(range) } =
        kind("decimal64 { fraction-digits 3; range '-1.5 .. 2 | 3.001'; }")
    else {
        panic!("not a decimal64 with a range")
    };
    assert_eq!(fraction_digits, 3);
    assert_eq!(range.intervals, [interval(-1500, 2000), interval(3001, 3001)]);
    assert_eq!(
        kind("decimal64 { fraction-digits 18; }"),
        TypeKind::Decimal64 { fraction_digits: 18, range: None }
    );
}

#[test]
fn string_has_length_and_patterns_with_errors() {
    let TypeKind::String { length: Some(length), patterns } = kind(
        "string {
           length '1..10|20' { error-message 'too long'; error-app-tag long; }
           pattern '[a-z]*' { error-message 'lower case'; error-app-tag lower; }
           pattern 'x.*' { modifier invert-match; }
         }",
    ) else {
        panic!("not a string with a length")
    };
    assert_eq!(length.intervals, [interval(1, 10), interval(20, 20)]);
    assert_eq!(length.error.message.as_deref(), Some("too long"));
    assert_eq!(length.error.app_tag.as_deref(), Some("long"));
    let [lower, x] = &patterns[..] else { panic!("{patterns:?}") };
    assert_eq!((&*lower.expression, lower.is_inverted), ("[a-z]*", false));
    assert_eq!(lower.error.message.as_deref(), Some("lower case"));
    assert_eq!(lower.error.app_tag.as_deref(), Some("lower"));
    assert_eq!((&*x.expression, x.is_inverted), ("x.*", true));
    assert_eq!(x.error.message, None);
    assert_eq!(kind("string;"), TypeKind::string());
}

#[test]
fn unlimited_length_is_greatest_number() {
    let TypeKind::Binary { length: Some(length) } = kind("binary { length '3..max'; }") else {
        panic!("not a binary with a length")
    };
    assert_eq!(length.intervals, [interval(3, u64::MAX)]);
    assert_eq!(kind("binary;"), TypeKind::Binary { length: None });
}

#[test]
fn enumeration_keeps_order_and_values() {
    let value = |name: &str, value| EnumValue { name: name.into(), value };
    assert_eq!(
        kind("enumeration { enum b { value 3; } enum c; enum a { value -7; } }"),
        TypeKind::Enumeration { values: vec![value("b", 3), value("c", 4), value("a", -7)] }
    );
}

#[test]
fn bits_are_ordered_by_position() {
    let bit = |name: &str, position| Bit { name: name.into(), position };
    assert_eq!(
        kind("bits { bit b { position 9; } bit a { position 2; } bit c { position 10; } }"),
        TypeKind::Bits { bits: vec![bit("a", 2), bit("b", 9), bit("c", 10)] }
    );
}

#[test]
fn types_without_restrictions_arrive() {
    assert_eq!(kind("boolean;"), TypeKind::Boolean);
    assert_eq!(kind("empty;"), TypeKind::Empty);
    assert_eq!(kind("instance-identifier;"), TypeKind::InstanceIdentifier { require_instance: true });
    assert_eq!(
        kind("instance-identifier { require-instance false; }"),
        TypeKind::InstanceIdentifier { require_instance: false }
    );
}

#[test]
fn identityref_has_all_bases() {
    let schema = compile_body(
        "identity a; identity b; identity c { base a; base b; } identity d { base c; }
         leaf x { type identityref { base a; base b; } }",
    );
    let TypeKind::Identityref { bases } = kind_at(&schema, "x") else { panic!("not an identityref") };
    let names: Vec<_> = bases.iter().map(|base| &*schema.identity(*base).name).collect();
    assert_eq!(names, ["a", "b"]);
    let module = schema.module_by_name("m").unwrap();
    let identity = |name| schema.identity_by_name(module, name).unwrap();
    assert_eq!(schema.identity(identity("c")).bases, [identity("a"), identity("b")]);
    assert_eq!(schema.identity(identity("d")).bases, [identity("c")]);
}

#[test]
fn union_members_keep_order_and_typedefs() {
    let schema = compile_body(
        "typedef number { type int8; }
         typedef both { type union { type number; type string; } }
         leaf x { type union { type both; type boolean; type union { type empty; } } }",
    );
    let TypeKind::Union { members } = kind_at(&schema, "x") else { panic!("not a union") };
    let names: Vec<_> = members.iter().map(|member| schema.value_type(*member).kind.name()).collect();
    assert_eq!(names, ["int8", "string", "boolean", "empty"]);
    assert!(schema.value_type(members[0]).is_typedef("m", "number"));
}

#[test]
fn typedef_chain_adds_restrictions() {
    let schema = compile_body(
        "typedef a { type string { length '1..20'; pattern 'a.*'; } units u; default ab; }
         typedef b { type a { length '5..10'; pattern '.*b'; } default aaaab; }
         leaf x { type b { pattern '.{6}'; } default accccb; }
         leaf y { type b; }",
    );
    let TypeKind::String { length: Some(length), patterns } = kind_at(&schema, "x") else {
        panic!("not a string with a length")
    };
    assert_eq!(length.intervals, [interval(5, 10)]);
    let expressions: Vec<_> = patterns.iter().map(|pattern| &*pattern.expression).collect();
    assert_eq!(expressions, ["a.*", ".*b", ".{6}"]);
    assert!(type_at(&schema, "y").is_typedef("m", "b"));
    let leaf = |path| schema.leaf(find(&schema, path)).unwrap();
    assert_eq!(leaf("x").default.as_deref(), Some("accccb"));
    assert_eq!(leaf("y").default.as_deref(), Some("aaaab"));
    assert_eq!(leaf("y").units.as_deref(), Some("u"));
}

#[test]
fn typedef_of_repeated_name_is_that_of_its_prefix() {
    let fixture = Fixture::new(&[
        ("a.yang", &module("a", "typedef t { type int8; } typedef u { type t { range 1..2; } }")),
        ("b.yang", &module("b", "typedef t { type int8; }")),
        (
            "c.yang",
            &module(
                "c",
                "import a { prefix p; } import b { prefix q; } typedef t { type int8; }
                 leaf x { type p:t; } leaf y { type q:t; } leaf z { type t; } leaf u { type p:u; }
                 grouping g { leaf v { type q:t; } } container w { uses g; }",
            ),
        ),
    ]);
    let schema = fixture.compile(&["c"]).unwrap();
    for (path, module, name) in
        [("x", "a", "t"), ("y", "b", "t"), ("z", "c", "t"), ("u", "a", "u"), ("w/v", "b", "t")]
    {
        assert!(type_at(&schema, path).is_typedef(module, name), "{path}: {:?}", type_at(&schema, path));
    }
}

#[test]
fn leafs_share_equal_types_except_leafrefs() {
    let schema = compile_body(
        "typedef t { type string { length 3; } } typedef r { type leafref { path '../k'; } }
         container a { leaf k { type t; } leaf x { type r; } }
         container b { leaf k { type t; } leaf x { type r; } }",
    );
    let id = |path| schema.type_of(find(&schema, path)).unwrap();
    assert_eq!(id("a/k"), id("b/k"));
    for (path, target) in [("a/x", "a/k"), ("b/x", "b/k")] {
        let TypeKind::Leafref { target: found, .. } = kind_at(&schema, path) else { panic!("{path}") };
        assert_eq!(*found, find(&schema, target), "{path}");
    }
}

#[test]
fn leafref_has_target_steps_and_predicates() {
    let fixture = Fixture::new(&[
        (
            "t.yang",
            &module(
                "t",
                "container top { list entry { key 'id kind'; leaf id { type int8; } leaf kind { type string; } leaf name { type string; } } }",
            ),
        ),
        (
            "m.yang",
            &module(
                "m",
                "import t { prefix x; }
                 leaf id { type int8; } leaf kind { type string; }
                 choice c { case one { leaf ref { type leafref {
                   path \"/x:top/x:entry [ x:id = current()/../id ][x:kind=current() / ../kind]/x:name\";
                   require-instance false; } } } }",
            ),
        ),
    ]);
    let schema = fixture.compile(&["t", "m"]).unwrap();
    let TypeKind::Leafref { target, steps, require_instance, path } = kind_at(&schema, "c/one/ref") else {
        panic!("not a leafref")
    };
    let entry = find(&schema, "top/entry");
    assert_eq!(*target, find(&schema, "top/entry/name"));
    assert!(path.starts_with("/x:top/x:entry"), "{path}");
    assert!(!require_instance);
    assert_eq!(steps.start, LeafrefStart::Root);
    let nodes: Vec<_> = steps.steps.iter().map(|step| step.node).collect();
    assert_eq!(nodes, [find(&schema, "top"), entry, *target]);
    let predicates = &steps.steps[1].predicates;
    let keys: Vec<_> = predicates.iter().map(|predicate| (predicate.key, predicate.up)).collect();
    assert_eq!(keys, [(find(&schema, "top/entry/id"), 1), (find(&schema, "top/entry/kind"), 1)]);
    assert_eq!(predicates[1].steps, [find(&schema, "kind")]);
}

#[test]
fn leafref_in_union_and_operation_is_resolved() {
    let schema = compile_body(
        "leaf a { type int8; }
         leaf u { type union { type leafref { path '/a'; } type leafref { path '../b'; } } }
         leaf b { type string; }
         rpc do { input { leaf x { type string; } leaf y { type leafref { path '../x'; } } }
                  output { leaf x { type int8; } leaf z { type leafref { path '../x'; } } } }
         container c { leaf k { type string; }
           action act { input { leaf r { type leafref { path '../../k'; } } } } }",
    );
    let TypeKind::Union { members } = kind_at(&schema, "u") else { panic!("not a union") };
    let target = |kind: &TypeKind| match kind {
        TypeKind::Leafref { target, .. } => *target,
        _ => panic!("{kind:?}"),
    };
    let targets: Vec<_> = members.iter().map(|member| target(&schema.value_type(*member).kind)).collect();
    assert_eq!(targets, [find(&schema, "a"), find(&schema, "b")]);
    assert_eq!(target(kind_at(&schema, "do/input/y")), find(&schema, "do/input/x"));
    assert_eq!(target(kind_at(&schema, "do/output/z")), find(&schema, "do/output/x"));
    assert_eq!(target(kind_at(&schema, "c/act/input/r")), find(&schema, "c/k"));
}
