use std::sync::Arc;

use proptest::{prelude::*, test_runner::Config};

use super::{EditReason, Editor, Operation};
use crate::{
    Tree,
    samples::{edit, edit_with, failure, random_edits, schema, text, tree},
};

/// A tree, an edit, and the tree after it.
const EDITS: &[(&str, &str, &str)] = &[
    // Merge is the default.
    ("", "contact=me", "contact=me"),
    ("contact=me", "contact=you", "contact=you"),
    ("contact=me", "system { location=here }", "contact=me system { location=here }"),
    ("server { name=a port=1 }", "server { name=a tag=x }", "server { name=a port=1 tag=x }"),
    ("server { name=b }", "server { port=1 name=a }", "server { name=a port=1 } server { name=b }"),
    ("server { name=a }", "server { name=a tls { } }", "server { name=a tls { } }"),
    // An empty container without presence does not exist.
    ("", "system { clock { } }", ""),
    // Replace removes everything that the request does not contain, at and below its node.
    (
        "server { name=a port=1 tag=x alias { name=n note=m } }",
        "server!replace { name=a tag=y }",
        "server { name=a tag=y }",
    ),
    (
        "system { location=here clock { zone=z } } contact=me",
        "system!replace { location=there }",
        "contact=me system { location=there }",
    ),
    (
        "server { name=a tls { certificate=x peer { id=1 } } }",
        "server { name=a tls!replace { } }",
        "server { name=a tls { } }",
    ),
    ("server { name=a port=1 }", "server!replace { name=a tls!merge { } }", "server { name=a tls { } }"),
    ("", "server!replace { name=a }", "server { name=a }"),
    ("contact=me", "contact!replace=you", "contact=you"),
    // Create.
    ("contact=me", "system!create { location=here }", "contact=me system { location=here }"),
    ("", "server!create { name=a tls { certificate=x } }", "server { name=a tls { certificate=x } }"),
    ("server { name=a tag=x }", "server { name=a tag!create=y }", "server { name=a tag=x tag=y }"),
    // Delete and remove; what is below a removed node has no effect.
    ("contact=me", "contact!delete", ""),
    ("contact=me", "contact!remove=another", ""),
    ("", "contact!remove", ""),
    (
        "server { name=a port=1 } server { name=b }",
        "server!delete { name=a port=2 tls { peer!create { id=1 } } }",
        "server { name=b }",
    ),
    ("server { name=a }", "server!remove { name=b }", "server { name=a }"),
    ("server { name=a }", "server!remove { name=a }", ""),
    ("server { name=a tls { } }", "server { name=a tls!delete { } }", "server { name=a }"),
    ("server { name=a }", "server { name=a tls!remove { certificate=x } }", "server { name=a }"),
    ("system { location=here clock { zone=z } }", "system { clock!delete { } }", "system { location=here }"),
    ("", "system!remove { }", ""),
    (
        "server { name=a tag=x tag=y }",
        "server { name=a tag!delete=x tag!remove=z }",
        "server { name=a tag=y }",
    ),
    ("server { name=a tag=x }", "server { name=a tag!delete=x }", "server { name=a }"),
    // A case replaces the others, and does so for choices within cases.
    ("server { name=a a=1 inner { b=2 } }", "server { name=a c=3 }", "server { name=a c=3 }"),
    (
        "server { name=a c=3 d { k=1 } e=2 f=4 }",
        "server { name=a inner { b=1 } }",
        "server { name=a inner { b=1 } }",
    ),
    ("server { name=a c=3 f=4 }", "server { name=a g=5 }", "server { name=a c=3 g=5 }"),
    ("server { name=a a=1 }", "server { name=a d { k=1 } }", "server { name=a d { k=1 } }"),
    ("server { name=a a=1 }", "server { name=a e=1 }", "server { name=a e=1 }"),
    ("server { name=a a=1 }", "server { name=a a!delete c=1 }", "server { name=a c=1 }"),
    ("server { name=a a=1 }", "server { name=a c!remove }", "server { name=a a=1 }"),
    // Keys in another sequence than the list has them.
    ("", "pair { x=1 y=2 }", "pair { x=1 y=2 }"),
    ("pair { x=1 y=2 z=3 }", "pair { z=4 x=1 y=2 }", "pair { x=1 y=2 z=4 }"),
    ("pair { x=1 y=2 }", "pair { x=2 y=1 }", "pair { x=2 y=1 } pair { x=1 y=2 }"),
    // Order of entries.
    ("", "rule { id=b } rule { id=a }", "rule { id=b } rule { id=a }"),
    ("rule { id=b }", "rule@first { id=a } rule@last { id=c }", "rule { id=a } rule { id=b } rule { id=c }"),
    ("rule { id=a } rule { id=b }", "rule@after:a { id=c }", "rule { id=a } rule { id=c } rule { id=b }"),
    (
        "rule { id=a } rule { id=b }",
        "rule!create@before:b { id=c }",
        "rule { id=a } rule { id=c } rule { id=b }",
    ),
    ("rule { id=a } rule { id=b }", "rule@first { id=b }", "rule { id=b } rule { id=a }"),
    (
        "rule { id=a action=x } rule { id=b }",
        "rule!replace { id=a action=y }",
        "rule { id=a action=y } rule { id=b }",
    ),
    ("dns=1 dns=2", "dns@first=3 dns@after:1=2", "dns=3 dns=1 dns=2"),
    ("dns=1 dns=2", "dns@last=1", "dns=2 dns=1"),
    ("dns=1 dns=2", "dns=1", "dns=1 dns=2"),
];

/// A tree, an edit, the reason why it is refused, and the path at fault.
const REFUSED: &[(&str, &str, EditReason, &str)] = &[
    ("contact=me", "contact!create=you", EditReason::DataExists, "/example:contact"),
    ("", "contact!delete", EditReason::DataMissing, "/example:contact"),
    ("server { name=a }", "server!create { name=a }", EditReason::DataExists, "/example:server[name='a']"),
    ("", "server!delete { name=a }", EditReason::DataMissing, "/example:server[name='a']"),
    ("", "server!none { name=a }", EditReason::DataMissing, "/example:server[name='a']"),
    (
        "server { name=a }",
        "server { name=a tls!delete { } }",
        EditReason::DataMissing,
        "/example:server[name='a']/tls",
    ),
    (
        "server { name=a tls { } }",
        "server { name=a tls!create { } }",
        EditReason::DataExists,
        "/example:server[name='a']/tls",
    ),
    ("", "system { clock!delete { } }", EditReason::DataMissing, "/example:system/clock"),
    (
        "system { clock { zone=z } }",
        "system { clock!create { } }",
        EditReason::DataExists,
        "/example:system/clock",
    ),
    (
        "system { clock { zone=z } }",
        "system { clock { zone!create=y } }",
        EditReason::DataExists,
        "/example:system/clock/zone",
    ),
    (
        "server { name=a tag=x }",
        "server { name=a tag!create=x }",
        EditReason::DataExists,
        "/example:server[name='a']/tag[.='x']",
    ),
    (
        "server { name=a tag=x }",
        "server { name=a tag!delete=y }",
        EditReason::DataMissing,
        "/example:server[name='a']/tag[.='y']",
    ),
    ("", "rule@after:b { id=a }", EditReason::UnknownAnchor, "/example:rule[id='a']"),
    ("", "dns@before:b=a", EditReason::UnknownAnchor, "/example:dns[.='a']"),
    ("", "server@first { name=a }", EditReason::NotUserOrdered, "/example:server"),
    ("", "server { name=a tag@first=a }", EditReason::NotUserOrdered, "/example:server[name='a']/tag[.='a']"),
    ("", "server { name!delete=a }", EditReason::KeyRemoved, "/example:server/name"),
    ("", "server { name=a name=b }", EditReason::Duplicate, "/example:server[name='a']/name"),
    ("", "server { name=a port=1 port=2 }", EditReason::Duplicate, "/example:server[name='a']/port"),
    ("", "server { port=1 port=2 name=a }", EditReason::Duplicate, "/example:server/port"),
    (
        "server { name=a }",
        "server { port!delete name=a }",
        EditReason::DataMissing,
        "/example:server[name='a']/port",
    ),
    ("", "server { tls { } name=a }", EditReason::KeysNotFirst, "/example:server"),
    ("", "server { name=a port }", EditReason::MissingValue, "/example:server[name='a']/port"),
    ("", "state { uptime=1 }", EditReason::NotConfiguration, "/example:state"),
    // The keys of one entry can have quotes of one kind.
    ("", "server!delete { name=it's }", EditReason::DataMissing, "/example:server[name=\"it's\"]"),
];

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
        // A replaced subtree is built again, and only equal to the one before.
        assert!(request.contains("server!replace") || after.is_same_version(&before), "{request}");
    }
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
    let editor = || Editor::new(&schema, &Tree::new(), Operation::Merge);
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
