mod requests;

use std::sync::Arc;

use proptest::{prelude::*, test_runner::Config};

use requests::{EDITS, REFUSED};

use super::{EditReason, Editor, Operation, Placement};
use crate::{
    MAX_KEY_OCTETS, Tree,
    samples::{edit, edit_with, failure, perform, random_edits, schema, text, tree},
};

#[test]
fn edit_changes_the_tree_as_its_operations_state() {
    let schema = schema();
    for (before, request, after) in EDITS {
        let before = tree(&schema, before);
        let kept = before.clone();
        let done = edit(&schema, &before, request).unwrap_or_else(|error| panic!("{request}: {error}"));
        assert_eq!(text(&schema, &done), *after, "{request}");
        assert_eq!(kept, before);
    }
}

#[test]
fn edit_is_refused_with_the_path_at_fault() {
    let schema = schema();
    for (before, request, reason, path) in REFUSED {
        let result = edit(&schema, &tree(&schema, before), request);
        assert_eq!(failure(&schema, result), (*reason, (*path).to_owned()), "{request}");
    }
}

#[test]
fn nodes_of_two_cases_in_one_request_are_refused() {
    let schema = schema();
    for request in [
        "server { name=a a=1 c=2 }",
        "server { name=a c=2 inner { b=1 } }",
        "server { name=a d { k=1 } a=1 }",
        "server { name=a f=1 g=1 }",
        "server { name=a e=1 inner { b=1 } }",
    ] {
        for before in ["", "server { name=a c=1 d { k=1 } }"] {
            let (reason, path) = failure(&schema, edit(&schema, &tree(&schema, before), request));
            assert!(matches!(reason, EditReason::TwoCases(_)), "{request}: {reason:?}");
            assert!(path.starts_with("/example:server[name='a']/"), "{request}: {path}");
        }
    }
}

#[test]
fn default_operation_replace_removes_all_other_data() {
    let schema = schema();
    let before = tree(&schema, "contact=me server { name=a port=1 } dns=1");
    let after = edit_with(&schema, &before, Operation::Replace, "server { name=a tag=x }").unwrap();
    assert_eq!(text(&schema, &after), "server { name=a tag=x }");
    assert_eq!(edit_with(&schema, &before, Operation::Replace, "").unwrap(), Tree::new());
}

#[test]
fn default_operation_none_changes_only_nodes_with_an_operation() {
    let schema = schema();
    let before = tree(&schema, "contact=me server { name=a port=1 }");
    let none = |request| edit_with(&schema, &before, Operation::Enter, request);
    let after =
        none("contact=you system { clock!merge { zone=z } } server { name=a port=2 tag!create=x }").unwrap();
    assert_eq!(
        text(&schema, &after),
        "contact=me system { clock { zone=z } } server { name=a port=1 tag=x }"
    );
    let failed = |request| failure(&schema, none(request));
    assert_eq!(
        failed("server { name=b tag!merge=x }"),
        (EditReason::DataMissing, "/example:server[name='b']".into())
    );
    assert_eq!(failed("system { location=x }"), (EditReason::DataMissing, "/example:system/location".into()));
    assert_eq!(failed("dns=1"), (EditReason::DataMissing, "/example:dns[.='1']".into()));
}

#[test]
fn missing_key_is_reported_with_its_leaf() {
    let schema = schema();
    let module = schema.module_by_name("example").unwrap();
    let pair = schema.top_level(module, "pair").unwrap();
    let x = schema.data_child(pair, module, "x").unwrap();
    let (reason, path) = failure(&schema, edit(&schema, &Tree::new(), "pair { y=1 z=1 }"));
    assert_eq!((reason, &*path), (EditReason::MissingKey(x), "/example:pair"));
}

#[test]
fn edit_without_effect_keeps_the_version() {
    let schema = schema();
    let before = tree(
        &schema,
        "contact=me server { name=a port=1 tls { certificate=x } alias { name=b note=n } } dns=1 rule { id=a }",
    );
    for request in [
        "",
        "contact=me",
        "contact!replace=me",
        "server { name=a port=1 alias { name=b note=n } tls { certificate=x } }",
        "server!replace { name=a port=1 tls { certificate=x } alias { name=b note=n } }",
        "server { name=a c!remove tag!remove=x alias!remove { name=x } }",
        "system!remove { }",
        "dns=1",
        "rule@first { id=a }",
    ] {
        let after = edit(&schema, &before, request).unwrap();
        assert_eq!(text(&schema, &after), text(&schema, &before), "{request}");
        assert!(after.is_same_version(&before), "{request}");
    }
    let content = text(&schema, &before);
    assert!(edit_with(&schema, &before, Operation::Replace, &content).unwrap().is_same_version(&before));
}

#[test]
fn replacement_by_nearly_equal_content_shares_the_rest() {
    let schema = schema();
    let entries = |changed: u32| {
        let entry = |number| match number == changed {
            true => format!("server {{ name=s{number} port=1 }} rule {{ id=s{number} action=x }}"),
            false => format!("server {{ name=s{number} }} rule {{ id=s{number} }}"),
        };
        (0..500).map(entry).collect::<Vec<_>>().join(" ")
    };
    let before = tree(&schema, &entries(500));
    let after = edit_with(&schema, &before, Operation::Replace, &entries(250)).unwrap();
    assert_eq!(after, tree(&schema, &entries(250)));
    assert_eq!(before.changes(&schema, &after).len(), 2);
    let lists = |tree: &Tree| {
        let lists = tree.root().children().filter_map(|(_, child)| child.as_list().cloned());
        lists.collect::<Vec<_>>()
    };
    for (before, after) in lists(&before).iter().zip(&lists(&after)) {
        // Nodes that are shared are not compared: the walk ends soon.
        assert_eq!(before.by_key().differences(after.by_key()).count(), 1);
        assert!(after.by_key().shares_nodes_with(before.by_key()));
        assert!(after.order().zip(before.order()).is_none_or(|(one, two)| one.is_same_version(two)));
    }
}

#[test]
fn keys_of_an_entry_have_a_maximum_length_together() {
    let schema = schema();
    let request = |x: usize, y: usize| format!("pair {{ x={} y={} }}", "x".repeat(x), "y".repeat(y));
    // The length of a value takes five octets here.
    let longest = MAX_KEY_OCTETS - 10;
    assert!(edit(&schema, &Tree::new(), &request(400, longest - 400)).is_ok());
    let (reason, path) = failure(&schema, edit(&schema, &Tree::new(), &request(400, longest - 399)));
    assert_eq!(reason, EditReason::KeyTooLong);
    assert!(path.starts_with("/example:pair[y='yyy"), "{path}");
}

#[test]
fn place_is_refused_for_containers() {
    let schema = schema();
    let module = schema.module_by_name("example").unwrap();
    let system = schema.top_level(module, "system").unwrap();
    let mut editor = Editor::new(schema.clone(), &Tree::new(), Operation::Merge);
    let error = editor.open(system, None, Some(Placement::First)).unwrap_err();
    assert_eq!(error.reason, EditReason::NotUserOrdered);
}

#[test]
fn state_is_built_with_the_sequence_of_entries_without_keys() {
    let schema = schema();
    let content = "contact=me state { uptime=1 event { note=b } event { note=a } event { note=b } }";
    let state = perform(&schema, Editor::for_state(schema.clone()), content).unwrap();
    assert_eq!(text(&schema, &state), content);
    assert_eq!(state.size().leafs, 5);
}

#[test]
fn editor_can_be_moved_to_another_thread() {
    let schema = schema();
    let editor = Editor::new(schema.clone(), &Tree::new(), Operation::Merge);
    let done = std::thread::spawn(move || perform(&schema, editor, "contact=me")).join().unwrap();
    assert_eq!(done.unwrap().size().leafs, 1);
}

#[test]
fn rows_that_are_not_edited_remain_shared() {
    let schema = schema();
    let before = tree(&schema, "server { name=a alias { name=x } alias { name=y } } server { name=b }");
    let after = edit(&schema, &before, "server { name=a alias { name=x note=n } }").unwrap();
    let list = |tree: &Tree| tree.root().children().next().map(|(_, child)| child.clone()).unwrap();
    let (crate::Child::List(before), crate::Child::List(after)) = (list(&before), list(&after)) else {
        panic!()
    };
    let rows = |list: &crate::List| list.iter().map(|(_, row)| row.clone()).collect::<Vec<_>>();
    let (before, after) = (rows(&before), rows(&after));
    assert!(!Arc::ptr_eq(&before[0], &after[0]) && Arc::ptr_eq(&before[1], &after[1]));
    let aliases = |row: &crate::Row| {
        row.children().filter_map(|(index, _)| row.list(index)).flat_map(rows).collect::<Vec<_>>()
    };
    let (before, after) = (aliases(&before[0]), aliases(&after[0]));
    assert!(!Arc::ptr_eq(&before[0], &after[0]) && Arc::ptr_eq(&before[1], &after[1]));
}

#[test]
fn nodes_at_a_wrong_place_and_unclosed_nodes_are_refused() {
    let schema = schema();
    let module = schema.module_by_name("example").unwrap();
    let top = |name| schema.top_level(module, name).unwrap();
    let (system, contact, dns) = (top("system"), top("contact"), top("dns"));
    let location = schema.data_child(system, module, "location").unwrap();
    let editor = || Editor::new(schema.clone(), &Tree::new(), Operation::Merge);
    assert_eq!(editor().close().unwrap_err().reason, EditReason::NotAChild);
    assert_eq!(editor().open(contact, None, None).unwrap_err().reason, EditReason::NotAChild);
    assert_eq!(editor().leaf(location, None, Some("x")).unwrap_err().reason, EditReason::NotAChild);
    assert_eq!(editor().leaf(dns, None, Some("x")).unwrap_err().reason, EditReason::NotAChild);
    assert_eq!(editor().leaf_list_entry(contact, None, None, "x").unwrap_err().reason, EditReason::NotAChild);
    let mut open = editor();
    open.open(system, None, None).unwrap();
    assert_eq!(open.leaf(contact, None, Some("x")).unwrap_err().reason, EditReason::NotAChild);
    assert_eq!(open.finish().unwrap_err().reason, EditReason::NotAChild);
}

proptest! {
    #![proptest_config(Config::with_cases(100))]
    #[test]
    fn replacing_all_data_by_that_of_another_tree_makes_the_other_tree(one in random_edits(), two in random_edits()) {
        let schema = schema();
        let built = |edits: Vec<String>| {
            edits.iter().fold(Tree::new(), |tree, request| edit(&schema, &tree, request).unwrap_or(tree))
        };
        let (one, two) = (built(one), built(two));
        let content = text(&schema, &two);
        prop_assert_eq!(&edit_with(&schema, &one, Operation::Replace, &content).unwrap(), &two);
        prop_assert_eq!(&edit_with(&schema, &Tree::new(), Operation::Create, &content).unwrap(), &two);
        prop_assert!(edit(&schema, &two, &content).unwrap().is_same_version(&two));
    }
}
