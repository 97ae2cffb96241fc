use super::*;

#[test]
fn names_are_identifiers_of_limited_length() {
    let rename = |name: &str| {
        node_reason(|builder, sample| builder.node_mut(sample.house).unwrap().name = name.into())
    };
    for valid in ["a", "_a", "A-b.c_1", &"a".repeat(MAX_NAME)] {
        assert_eq!(rename(valid), None, "{valid}");
    }
    for invalid in ["", "1a", "-a", ".a", "a b", "a:b", "a/b", "ä", "a'", "a\n", &"a".repeat(MAX_NAME + 1)] {
        assert_eq!(rename(invalid), Some(NodeReason::InvalidName), "{invalid}");
    }
    let extension = |module: &str, name: &str| {
        let extension = Extension { module: module.into(), name: name.into(), argument: "".into() };
        node_reason(|builder, sample| builder.node_mut(sample.house).unwrap().extensions.push(extension))
    };
    assert_eq!(extension("m", "n"), None);
    assert_eq!(extension("", "n"), Some(NodeReason::InvalidName));
    assert_eq!(extension("m", "n o"), Some(NodeReason::InvalidName));
}

#[test]
fn texts_are_limited_and_xml_can_hold_them() {
    let default = |text: &str| {
        node_reason(|builder, sample| match &mut builder.node_mut(sample.steps).unwrap().kind {
            NodeKind::Leaf(leaf) => leaf.default = Some(text.into()),
            other => panic!("{other:?}"),
        })
    };
    for valid in ["", " \t\r\n", "\u{d7ff}\u{e000}\u{fffd}\u{10000}\u{10ffff}", &"a".repeat(MAX_STRING)] {
        assert_eq!(default(valid), None, "{valid:?}");
    }
    for invalid in ["\0", "\u{1f}", "\u{b}", "\u{fffe}", "\u{ffff}", &"a".repeat(MAX_STRING + 1)] {
        assert_eq!(default(invalid), Some(NodeReason::InvalidText), "{invalid:?}");
    }
}

#[test]
fn parents_precede_their_children_and_accept_them() {
    let invalid = Some(NodeReason::InvalidParent);
    let move_to =
        |parent| node_reason(|builder, sample| builder.node_mut(sample.stair).unwrap().parent = parent);
    assert_eq!(move_to(None), invalid);
    assert_eq!(move_to(Some(UNKNOWN_NODE)), invalid);
    assert_eq!(node_reason(|b, s| b.node_mut(s.stair).unwrap().parent = Some(s.stair)), invalid, "itself");
    assert_eq!(
        node_reason(|b, s| b.node_mut(s.stair).unwrap().parent = Some(s.size)),
        invalid,
        "a later node"
    );
    assert_eq!(node_reason(|b, _| b.node_mut(NodeId::ROOT).unwrap().name = "root".into()), invalid);
    assert_eq!(node_reason(|b, s| b.node_mut(s.house).unwrap().kind = NodeKind::Root), invalid);

    let kinds = [
        NodeKind::container(),
        NodeKind::list(),
        NodeKind::leaf(TypeId(0)),
        NodeKind::leaf_list(TypeId(0)),
        NodeKind::choice(),
        NodeKind::Case,
        NodeKind::AnyData { mandatory: false },
        NodeKind::AnyXml { mandatory: false },
        NodeKind::Rpc,
        NodeKind::Action,
        NodeKind::Input,
        NodeKind::Output,
        NodeKind::Notification,
    ];
    let content = ["container", "list", "leaf", "leaf-list", "choice", "anydata", "anyxml"];
    let inner = [&content[..], &["action", "notification"]].concat();
    let accepted: [(NodeKind, &[&str]); 10] = [
        (NodeKind::Root, &[&content[..], &["rpc", "notification"]].concat()),
        (NodeKind::container(), &inner),
        (NodeKind::list(), &inner),
        (NodeKind::choice(), &["case"]),
        (NodeKind::Case, &content),
        (NodeKind::Rpc, &["input", "output"]),
        (NodeKind::Action, &["input", "output"]),
        (NodeKind::Input, &content),
        (NodeKind::Notification, &content),
        (NodeKind::leaf(TypeId(0)), &[]),
    ];
    for (parent, accepted) in accepted {
        for kind in &kinds {
            let name = match kind {
                NodeKind::Input | NodeKind::Output => kind.keyword(),
                _ => "new",
            };
            let result = crate::check::nodes::accepts(&parent, &Node::new(ModuleId(0), name, kind.clone()));
            assert_eq!(result, accepted.contains(&kind.keyword()), "{parent:?} {kind:?}");
        }
    }
    let input = Node::new(ModuleId(0), "output", NodeKind::Input);
    assert!(!crate::check::nodes::accepts(&NodeKind::Rpc, &input), "an operation has one input");
}

#[test]
fn depth_is_limited() {
    let chain = |levels: usize| {
        node_reason(|builder, sample| {
            let mut parent = NodeId::ROOT;
            for _ in 0..levels {
                parent = builder.add_node(parent, Node::new(sample.module, "deep", NodeKind::container()));
            }
        })
    };
    assert_eq!(chain(MAX_DEPTH), None);
    assert_eq!(chain(MAX_DEPTH + 1), Some(NodeReason::TooDeep));
}

#[test]
fn siblings_and_data_nodes_across_cases_have_different_names() {
    let add = |parent: fn(Sample) -> NodeId, name: &str, other_module: bool| {
        node_reason(|builder, sample| {
            let module = if other_module { sample.other } else { sample.module };
            builder.add_node(parent(sample), Node::new(module, name, NodeKind::leaf(sample.string)));
        })
    };
    let duplicate = Some(NodeReason::Duplicate);
    assert_eq!(add(|s| s.stair, "floor", false), duplicate);
    assert_eq!(add(|s| s.stair, "floor", true), None);
    assert_eq!(add(|s| s.stair, "owner", true), duplicate);
    assert_eq!(add(|s| s.stone, "species", false), duplicate, "in two cases");
    assert_eq!(add(|s| s.stone, "floor", false), duplicate, "in a case and beside the choice");
    assert_eq!(add(|s| s.stone, "material", false), None, "as the choice");
    assert_eq!(add(|s| s.stair, "material", false), duplicate, "beside the choice");
    assert_eq!(add(|s| s.stone, "stone", false), None, "as the case");
    assert_eq!(add(|s| s.size, "floor", false), None, "in another container");
}

#[test]
fn configuration_is_not_below_state() {
    let below = Some(NodeReason::ConfigBelowState);
    assert_eq!(node_reason(|b, s| b.node_mut(s.house).unwrap().config = false), below);
    assert_eq!(node_reason(|b, s| b.node_mut(s.species).unwrap().config = false), None);
    assert_eq!(node_reason(|b, s| b.node_mut(s.wood).unwrap().config = false), below);
    assert_eq!(
        node_reason(|b, s| b.node_mut(s.rpc).unwrap().config = false),
        None,
        "in operations it has no meaning"
    );
}

#[test]
fn keys_are_leafs_of_the_list() {
    let invalid = Some(NodeReason::InvalidKeys);
    let keys = |choose: fn(Sample) -> Vec<NodeId>| {
        node_reason(|builder, sample| list_mut(builder, sample.stair).keys = choose(sample))
    };
    assert_eq!(keys(|s| vec![s.floor, s.name]), None);
    assert_eq!(keys(|_| vec![]), invalid, "none, but it is configuration");
    assert_eq!(keys(|s| vec![s.floor, s.name, s.floor]), invalid, "twice");
    assert_eq!(keys(|s| vec![s.floor]), invalid, "a leaf is marked as key");
    assert_eq!(keys(|s| vec![s.floor, s.name, s.owner]), invalid, "a leaf is not marked as key");
    assert_eq!(keys(|s| vec![s.floor, s.name, s.color]), invalid, "no leaf");
    assert_eq!(keys(|_| vec![UNKNOWN_NODE]), invalid);
    let set = |choose: fn(Sample) -> NodeId| {
        node_reason(|builder, sample| {
            builder.set_keys(sample.stair, &[sample.floor, sample.name, choose(sample)])
        })
    };
    assert_eq!(set(|s| s.owner), None);
    assert_eq!(set(|s| s.steps), invalid, "not a child");
    assert_eq!(set(|s| s.species), invalid, "in a case");
    assert_eq!(
        node_reason(|builder, sample| builder.node_mut(sample.name).unwrap().config = false),
        invalid,
        "state as the key of configuration"
    );
    let many = |count: usize| {
        node_reason(|builder, sample| {
            let list = builder.add_node(sample.house, Node::new(sample.module, "many", NodeKind::list()));
            let leaf = |index| Node::new(sample.module, &format!("k{index}"), NodeKind::leaf(sample.string));
            let keys: Vec<NodeId> = (0..count).map(|index| builder.add_node(list, leaf(index))).collect();
            builder.set_keys(list, &keys);
        })
    };
    assert_eq!(many(MAX_KEYS), None);
    assert_eq!(many(MAX_KEYS + 1), invalid);
}

#[test]
fn unique_leafs_belong_to_the_entry() {
    let unique = |choose: fn(Sample) -> Vec<NodeId>| {
        node_reason(|builder, sample| builder.add_unique(sample.stair, &choose(sample)))
    };
    let invalid = Some(NodeReason::InvalidUnique);
    assert_eq!(unique(|s| vec![s.owner, s.steps, s.species]), None);
    assert_eq!(unique(|_| vec![]), invalid);
    assert_eq!(unique(|s| vec![s.size]), invalid, "a container");
    assert_eq!(unique(|s| vec![s.color]), invalid, "a leaf-list");
    assert_eq!(unique(|_| vec![UNKNOWN_NODE]), invalid);
    let in_inner_list = node_reason(|builder, sample| {
        let list = Node { config: false, ..Node::new(sample.module, "inner", NodeKind::list()) };
        let list = builder.add_node(sample.stair, list);
        let leaf = Node::new(sample.module, "leaf", NodeKind::leaf(sample.string));
        let leaf = builder.add_node(list, Node { config: false, ..leaf });
        builder.add_unique(sample.stair, &[leaf]);
    });
    assert_eq!(in_inner_list, invalid);
    assert_eq!(node_reason(|b, s| b.add_unique(s.visitor, &[s.floor])), invalid, "of another list");
}

#[test]
fn limits_of_entries_permit_an_entry() {
    let limits = |min, max| {
        node_reason(|builder, sample| {
            let list = list_mut(builder, sample.stair);
            (list.min, list.max) = (min, max);
        })
    };
    assert_eq!(limits(3, Some(3)), None);
    assert_eq!(limits(3, None), None);
    assert_eq!(limits(3, Some(2)), Some(NodeReason::InvalidEntryLimits));
    assert_eq!(limits(0, Some(0)), Some(NodeReason::InvalidEntryLimits));
}

#[test]
fn default_case_is_one_of_the_choice() {
    let default = |choose: fn(Sample) -> NodeId| {
        node_reason(|builder, sample| {
            let choice = Choice { default: Some(choose(sample)), mandatory: false };
            builder.node_mut(sample.material).unwrap().kind = NodeKind::Choice(choice);
        })
    };
    let invalid = Some(NodeReason::InvalidDefaultCase);
    assert_eq!(default(|s| s.wood), None);
    assert_eq!(default(|s| s.species), invalid);
    assert_eq!(default(|_| UNKNOWN_NODE), invalid);
    let of_other_choice = node_reason(|builder, sample| {
        let choice = NodeKind::Choice(Choice { default: Some(sample.wood), mandatory: false });
        builder.add_node(sample.house, Node::new(sample.module, "new", choice));
    });
    assert_eq!(of_other_choice, invalid);
}

#[test]
fn references_of_nodes_exist() {
    let leaf = NodeKind::leaf(TypeId(999));
    assert_eq!(node_reason(|b, s| b.node_mut(s.steps).unwrap().kind = leaf), Some(NodeReason::UnknownType));
    let leaf_list = NodeKind::leaf_list(TypeId(999));
    assert_eq!(
        node_reason(|b, s| b.node_mut(s.color).unwrap().kind = leaf_list),
        Some(NodeReason::UnknownType)
    );
    assert_eq!(
        node_reason(|b, s| b.node_mut(s.steps).unwrap().module = ModuleId(3)),
        Some(NodeReason::UnknownModule)
    );
    let invalid = Some(NodeReason::InvalidConstraint);
    assert_eq!(
        node_reason(|b, s| b.node_mut(s.owner).unwrap().constraints[0].context = Some(UNKNOWN_NODE)),
        invalid
    );
    assert_eq!(
        node_reason(|b, s| b.node_mut(s.owner).unwrap().constraints[0].prefixes[0].1 = ModuleId(3)),
        invalid
    );
    assert_eq!(
        node_reason(|b, s| b.node_mut(s.owner).unwrap().constraints[0].prefixes[0].0 = "".into()),
        invalid
    );
}

#[test]
fn slots_of_a_row_are_limited() {
    let wide = |count: usize| {
        let mut builder = SchemaBuilder::new();
        let module = builder.add_module(Module::new("wide", "urn:wide", "w"));
        for index in 0..count {
            let name = format!("a{index}");
            builder.add_node(NodeId::ROOT, Node::new(module, &name, NodeKind::AnyData { mandatory: false }));
        }
        builder.build().err()
    };
    assert_eq!(wide(MAX_SLOTS), None);
    let reason = NodeReason::RowTooWide;
    assert_eq!(wide(MAX_SLOTS + 1), Some(SchemaError::Node { id: NodeId::ROOT, path: "/".into(), reason }));
}

#[test]
fn errors_state_the_place() {
    let error = build(|b, s| b.node_mut(s.species).unwrap().name = "floor".into()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "node \"/sample:house/stair/material/wood/floor\": the parent has two children of this name"
    );
}
