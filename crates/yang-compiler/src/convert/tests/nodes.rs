//! Kinds of nodes and their properties.

use portreeve_yang::{DefaultDeny, ModuleNames, NodeId, NodeKind, Schema, Status};

use crate::fixture::{Fixture, compile_body, find, module};

/// Returns the names of the children of a node, with `case`, `action` and so on for other kinds
/// than data nodes.
fn children(schema: &Schema, id: NodeId) -> Vec<String> {
    schema
        .children(id)
        .iter()
        .map(|id| {
            let node = schema.node(*id);
            format!("{} {}", node.kind.keyword(), node.name)
        })
        .collect()
}

#[test]
fn every_kind_of_node_arrives_in_schema_order() {
    let schema = compile_body(
        "container c {
           notification n; action a;
           leaf l { type string; } leaf-list ll { type string; } anydata ad; anyxml ax;
           choice ch { leaf short { type string; } case long { leaf x { type string; } leaf y { type string; } } }
           list li { key k; leaf v { type string; } leaf k { type string; } }
         }
         rpc r { input { leaf i { type string; } } output { leaf o { type string; } } }
         notification top;",
    );
    assert_eq!(children(&schema, NodeId::ROOT), ["container c", "rpc r", "notification top"]);
    assert_eq!(
        children(&schema, find(&schema, "c")),
        [
            "leaf l",
            "leaf-list ll",
            "anydata ad",
            "anyxml ax",
            "choice ch",
            "list li",
            "action a",
            "notification n"
        ]
    );
    assert_eq!(children(&schema, find(&schema, "c/ch")), ["case short", "case long"]);
    assert_eq!(children(&schema, find(&schema, "c/ch/short")), ["leaf short"]);
    assert_eq!(children(&schema, find(&schema, "c/li")), ["leaf k", "leaf v"]);
    assert_eq!(children(&schema, find(&schema, "r")), ["input input", "output output"]);
    assert_eq!(children(&schema, find(&schema, "r/output")), ["leaf o"]);
}

#[test]
fn properties_of_containers_and_choices_arrive() {
    let schema = compile_body(
        "container p { presence yes; } container n { leaf x { type string; mandatory true; } }
         choice d { default two; leaf one { type string; } leaf two { type string; } }
         choice m { mandatory true; leaf three { type string; } }
         anydata a { mandatory true; }",
    );
    let kind = |path| &schema.node(find(&schema, path)).kind;
    assert_eq!(kind("p"), &NodeKind::presence_container());
    assert_eq!(kind("n"), &NodeKind::container());
    let NodeKind::Choice(choice) = kind("d") else { panic!("not a choice") };
    assert_eq!((choice.default, choice.mandatory), (Some(find(&schema, "d/two")), false));
    let NodeKind::Choice(choice) = kind("m") else { panic!("not a choice") };
    assert_eq!((choice.default, choice.mandatory), (None, true));
    assert_eq!(kind("a"), &NodeKind::AnyData { mandatory: true });
}

#[test]
fn properties_of_lists_arrive() {
    let schema = compile_body(
        "list a { key 'y x'; min-elements 2; max-elements 5; ordered-by user; unique 'u c/v'; unique w;
           leaf x { type string; } leaf y { type string; } leaf u { type string; }
           container c { leaf v { type string; } } leaf w { type string; } }
         list s { config false; leaf x { type string; } }",
    );
    let list = |path| match &schema.node(find(&schema, path)).kind {
        NodeKind::List(list) => list,
        kind => panic!("{kind:?}"),
    };
    let a = list("a");
    assert_eq!(a.keys, [find(&schema, "a/y"), find(&schema, "a/x")]);
    assert_eq!((a.min, a.max, a.user_ordered), (2, Some(5), true));
    assert_eq!(a.uniques, [vec![find(&schema, "a/u"), find(&schema, "a/c/v")], vec![find(&schema, "a/w")]]);
    let key = schema.leaf(find(&schema, "a/x")).unwrap();
    assert_eq!((key.is_key, key.mandatory), (true, false));
    let s = list("s");
    assert_eq!((&s.keys[..], s.min, s.max), (&[][..], 0, None));
}

#[test]
fn properties_of_leafs_and_leaf_lists_arrive() {
    let schema = compile_body(
        "leaf a { type string; mandatory true; units seconds; }
         leaf b { type int8; default 007; }
         leaf-list c { type string; min-elements 1; max-elements 3; ordered-by user; units u; }
         leaf-list d { type int8; default 2; default 1; }
         leaf-list e { type string; max-elements unbounded; }",
    );
    let leaf = |path| schema.leaf(find(&schema, path)).unwrap();
    assert_eq!((leaf("a").mandatory, leaf("a").units.as_deref()), (true, Some("seconds")));
    assert_eq!((leaf("b").mandatory, leaf("b").default.as_deref()), (false, Some("7")));
    let leaf_list = |path| schema.leaf_list(find(&schema, path)).unwrap();
    let c = leaf_list("c");
    assert_eq!((c.min, c.max, c.user_ordered, c.units.as_deref()), (1, Some(3), true, Some("u")));
    let d: Vec<_> = leaf_list("d").defaults.iter().map(|value| &**value).collect();
    assert_eq!((d, leaf_list("d").user_ordered), (vec!["2", "1"], false));
    assert_eq!(leaf_list("e").max, None);
}

#[test]
fn defaults_are_canonical() {
    let schema = compile_body(
        "identity base; identity one { base base; }
         container c { leaf x { type string; } }
         leaf a { type identityref { base base; } default one; }
         leaf b { type identityref { base base; } default m:one; }
         leaf c2 { type instance-identifier; default \"/m:c/m:x\"; }
         leaf d { type bits { bit a; bit b; } default ' b  a '; }
         leaf e { type decimal64 { fraction-digits 2; } default +01.50; }
         leaf f { type uint8; default 0x1F; }
         leaf g { type binary; default 'YWJj'; }
         leaf h { type union { type int8; type identityref { base base; } type string; } default m:one; }
         leaf i { type union { type int8; type string; } default 05; }
         leaf j { type leafref { path '../f'; } default 010; }
         leaf k { type string; default ''; }",
    );
    for (path, expected) in [
        ("a", "m:one"),
        ("b", "m:one"),
        ("c2", "/m:c/x"),
        ("d", "a b"),
        ("e", "1.5"),
        ("f", "31"),
        ("g", "YWJj"),
        ("h", "m:one"),
        ("i", "5"),
        ("j", "8"),
        ("k", ""),
    ] {
        let leaf = schema.leaf(find(&schema, path)).unwrap();
        assert_eq!(leaf.default.as_deref(), Some(expected), "{path}");
        // The agent's own code agrees with libyang.
        let ours = schema.canonical(leaf.value_type, expected, &ModuleNames::new(&schema));
        assert_eq!(ours.as_deref(), Ok(expected), "{path}");
    }
}

#[test]
fn config_and_status_are_inherited() {
    let schema = compile_body(
        "container a { leaf x { type string; } container s { config false; leaf y { type string; } } }
         container old { status deprecated; leaf z { type string; status deprecated; } }
         rpc r { input { leaf i { type string; } } }",
    );
    let config = |path| schema.node(find(&schema, path)).config;
    assert_eq!(["a", "a/x", "a/s", "a/s/y", "r/input/i"].map(config), [true, true, false, false, false]);
    let status = |path| schema.node(find(&schema, path)).status;
    assert_eq!(["a", "old", "old/z"].map(status), [Status::Current, Status::Deprecated, Status::Deprecated]);
}

#[test]
fn obsolete_nodes_are_left_out() {
    let schema = compile_body("leaf a { type string; } leaf b { type string; status obsolete; }");
    assert_eq!(children(&schema, NodeId::ROOT), ["leaf a"]);
}

#[test]
fn extensions_keep_module_name_and_argument() {
    let fixture = Fixture::new(&[
        ("ext.yang", &module("ext", "extension oid { argument value; } extension mark;")),
        (
            "m.yang",
            &module(
                "m",
                "import ext { prefix e; }
                 container c { e:oid 1.3.6; leaf x { e:oid 1.3.6.1; e:mark; type string { length 1 { e:oid 2; } } } }",
            ),
        ),
    ]);
    let schema = fixture.compile(&["m"]).unwrap();
    let extensions = |path| -> Vec<_> {
        let node = schema.node(find(&schema, path));
        node.extensions.iter().map(|one| format!("{}:{} {}", one.module, one.name, one.argument)).collect()
    };
    assert_eq!(extensions("c"), ["ext:oid 1.3.6"]);
    assert_eq!(extensions("c/x"), ["ext:oid 1.3.6.1", "ext:mark "]);
}

#[test]
fn default_deny_is_kept_where_it_is_stated() {
    let acm = "module ietf-netconf-acm { namespace \"urn:acm\"; prefix nacm;
      extension default-deny-write; extension default-deny-all; }";
    let fixture = Fixture::new(&[
        ("ietf-netconf-acm.yang", acm),
        (
            "m.yang",
            &module(
                "m",
                "import ietf-netconf-acm { prefix nacm; }
                 container c { nacm:default-deny-write; leaf x { type string; }
                   leaf y { nacm:default-deny-all; type string; } }",
            ),
        ),
    ]);
    let schema = fixture.compile(&["m"]).unwrap();
    let deny = |path| schema.node(find(&schema, path)).default_deny();
    assert_eq!(["c", "c/x", "c/y"].map(deny), [DefaultDeny::Write, DefaultDeny::None, DefaultDeny::All]);
}
