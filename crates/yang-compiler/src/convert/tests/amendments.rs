//! Groupings, refines, augments, deviations and features.

use portreeve_yang::{Interval, NodeId, NodeKind, TypeKind};

use crate::fixture::{Fixture, compile_body, find, kind_at, module};

#[test]
fn refine_changes_copy_of_grouping_only() {
    let schema = compile_body(
        "grouping g { leaf a { type string; } leaf b { type int8; default 1; } leaf-list c { type string; }
           container p { presence p; } }
         container one { uses g { refine a { mandatory true; } refine b { default 2; }
           refine c { min-elements 1; max-elements 2; } } }
         container two { uses g; }",
    );
    let leaf = |path| schema.leaf(find(&schema, path)).unwrap();
    assert_eq!((leaf("one/a").mandatory, leaf("two/a").mandatory), (true, false));
    assert_eq!((leaf("one/b").default.as_deref(), leaf("two/b").default.as_deref()), (Some("2"), Some("1")));
    let leaf_list = |path| schema.leaf_list(find(&schema, path)).unwrap();
    assert_eq!((leaf_list("one/c").min, leaf_list("one/c").max), (1, Some(2)));
    assert_eq!((leaf_list("two/c").min, leaf_list("two/c").max), (0, None));
    assert_eq!(schema.node(find(&schema, "two/p")).kind, NodeKind::presence_container());
}

#[test]
fn augment_adds_nodes_of_other_module() {
    let fixture = Fixture::new(&[
        (
            "base.yang",
            &module(
                "base",
                "container c { choice ch { leaf a { type string; } } } rpc r { input { leaf i { type string; } } }",
            ),
        ),
        (
            "more.yang",
            &module(
                "more",
                "import base { prefix b; }
                 augment /b:c { leaf x { type string; } }
                 augment /b:c/b:ch { case extra { leaf y { type string; } } }
                 augment /b:r/b:input { leaf z { type string; } }",
            ),
        ),
    ]);
    let schema = fixture.compile(&["base", "more"]).unwrap();
    let more = schema.module_by_name("more").unwrap();
    for path in ["c/x", "c/ch/extra", "c/ch/extra/y", "r/input/z"] {
        assert_eq!(schema.node(find(&schema, path)).module, more, "{path}");
    }
    assert_eq!(schema.child(find(&schema, "c"), more, "x"), Some(find(&schema, "c/x")));
}

#[test]
fn augmented_module_is_implemented_even_if_not_requested() {
    let fixture = Fixture::new(&[
        ("base.yang", &module("base", "container c;")),
        ("more.yang", &module("more", "import base { prefix b; } augment /b:c { leaf x { type string; } }")),
    ]);
    let schema = fixture.compile(&["more"]).unwrap();
    assert!(schema.module(schema.module_by_name("base").unwrap()).is_implemented);
    find(&schema, "c/x");
}

#[test]
fn deviations_remove_replace_add_and_delete() {
    let fixture = Fixture::new(&[
        (
            "base.yang",
            &module(
                "base",
                "container c { leaf gone { type string; } leaf t { type string; } leaf d { type int8; default 1; }
                   leaf m { type string; } leaf-list n { type string; } container empty { leaf x { type string; } } }
                 rpc r;",
            ),
        ),
        (
            "dev.yang",
            &module(
                "dev",
                "import base { prefix b; }
                 deviation /b:c/b:gone { deviate not-supported; }
                 deviation /b:c/b:empty { deviate not-supported; }
                 deviation /b:r { deviate not-supported; }
                 deviation /b:c/b:t { deviate replace { type string { length 0..9; } } }
                 deviation /b:c/b:d { deviate delete { default 1; } }
                 deviation /b:c/b:m { deviate add { mandatory true; units u; } }
                 deviation /b:c/b:n { deviate add { max-elements 7; } }",
            ),
        ),
    ]);
    let schema = fixture.compile(&["base", "dev"]).unwrap();
    let names: Vec<_> =
        schema.children(find(&schema, "c")).iter().map(|id| &*schema.node(*id).name).collect();
    assert_eq!(names, ["t", "d", "m", "n"]);
    assert_eq!(schema.children(NodeId::ROOT).len(), 1);
    let TypeKind::String { length: Some(length), .. } = kind_at(&schema, "c/t") else { panic!("no length") };
    assert_eq!(length.intervals, [Interval { min: 0, max: 9 }]);
    let leaf = |path| schema.leaf(find(&schema, path)).unwrap();
    assert_eq!(leaf("c/d").default, None);
    assert_eq!((leaf("c/m").mandatory, leaf("c/m").units.as_deref()), (true, Some("u")));
    assert_eq!(schema.leaf_list(find(&schema, "c/n")).unwrap().max, Some(7));
    let base = schema.module(schema.module_by_name("base").unwrap());
    assert_eq!(base.deviations, ["dev".into()]);
}

#[test]
fn groupings_with_unions_nest() {
    let schema = compile_body(
        "typedef port { type union { type uint16; type enumeration { enum any; } } }
         grouping inner { leaf p { type union { type port; type string { pattern 'x.*'; } } } }
         grouping outer { container c { uses inner; } }
         list l { key k; leaf k { type string; } uses outer { augment c { leaf q { type port; } } } }",
    );
    let TypeKind::Union { members } = kind_at(&schema, "l/c/p") else { panic!("not a union") };
    let names: Vec<_> = members.iter().map(|member| schema.value_type(*member).kind.name()).collect();
    assert_eq!(names, ["uint16", "enumeration", "string"]);
    assert!(crate::fixture::type_at(&schema, "l/c/q").is_typedef("m", "port"));
}

#[test]
fn features_select_nodes() {
    let body = "feature a; feature b { if-feature a; }
      leaf x { if-feature a; type string; } leaf y { if-feature b; type string; } leaf z { type string; }
      leaf e { type enumeration { enum one; enum two { if-feature b; } } }";
    let fixture = Fixture::new(&[("m.yang", &module("m", body))]);
    for (features, expected, nodes) in [
        (None, vec!["a", "b"], 4),
        (Some(vec![]), vec![], 2),
        (Some(vec!["a"]), vec!["a"], 3),
        (Some(vec!["a", "b"]), vec!["a", "b"], 4),
    ] {
        let mut request = fixture.request(&["m"]);
        request.features.extend(
            features.clone().map(|names| ("m".to_owned(), names.into_iter().map(str::to_owned).collect())),
        );
        let schema = crate::compile(&request).unwrap();
        let module = schema.module(schema.module_by_name("m").unwrap());
        let enabled: Vec<_> = module.features.iter().map(|name| &**name).collect();
        assert_eq!(enabled, expected, "{features:?}");
        assert_eq!(schema.children(NodeId::ROOT).len(), nodes, "{features:?}");
    }
}
