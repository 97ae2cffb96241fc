use std::sync::{Arc, Mutex};

use portreeve_yang::{NodeId, Schema};
use proptest::{prelude::*, test_runner::Config};

use super::{Write, WriteAccess};
use crate::{
    EditReason, Editor, Operation, Tree,
    samples::{edit, perform, random_edit, random_edits, schema, tree},
};

/// Forbids one kind of change of one node, and records what was permitted.
struct Rules {
    node: Option<NodeId>,
    change: Write,
    asked: Mutex<Vec<(NodeId, Write)>>,
}

impl Rules {
    fn new(node: Option<NodeId>, change: Write) -> Arc<Self> {
        Arc::new(Self { node, change, asked: Mutex::default() })
    }
}

impl WriteAccess for Rules {
    fn may_write(&self, node: NodeId, change: Write) -> bool {
        self.asked.lock().unwrap().push((node, change));
        self.node != Some(node) || self.change != change
    }
}

fn node(schema: &Schema, path: &str) -> NodeId {
    let module = schema.module_by_name("example").unwrap();
    path.split('/').fold(NodeId::ROOT, |node, name| schema.data_child(node, module, name).unwrap())
}

const BASE: &str = "contact=me server { name=a port=1 a=1 tls { certificate=x peer { id=1 } } tag=t } \
                    server { name=b } rule { id=a } rule { id=b } dns=1 dns=2";

/// A request, a node and a change of it that the request makes, and the path that is reported.
const CHANGES: &[(&str, &str, Write, &str)] = &[
    ("system { location=x }", "system/location", Write::Create, "/example:system/location"),
    ("contact=you", "contact", Write::Update, "/example:contact"),
    ("contact!delete", "contact", Write::Delete, "/example:contact"),
    ("server { name=c }", "server", Write::Create, "/example:server[name='c']"),
    ("server { name=c port=1 }", "server/port", Write::Create, "/example:server[name='c']/port"),
    ("server!delete { name=b }", "server", Write::Delete, "/example:server[name='b']"),
    ("server { name=a port!replace=2 }", "server/port", Write::Update, "/example:server[name='a']/port"),
    // What a removal or replacement removes with its node.
    ("server!delete { name=a }", "server/port", Write::Delete, "/example:server[name='a']"),
    ("server!remove { name=a }", "server/tls/peer", Write::Delete, "/example:server[name='a']"),
    ("server!replace { name=a }", "server/port", Write::Delete, "/example:server[name='a']/port"),
    ("server!replace { name=a }", "server/tls/peer/id", Write::Delete, "/example:server[name='a']/tls"),
    ("server!replace { name=a }", "server/tag", Write::Delete, "/example:server[name='a']/tag[.='t']"),
    ("server!replace { name=a port=2 }", "server/port", Write::Update, "/example:server[name='a']/port"),
    // A case that another replaces.
    ("server { name=a c=1 }", "server/a", Write::Delete, "/example:server[name='a']/a"),
    ("server { name=a tls!delete { } }", "server/tls", Write::Delete, "/example:server[name='a']/tls"),
    ("server { name=b tls { } }", "server/tls", Write::Create, "/example:server[name='b']/tls"),
    ("server { name=a tag=u }", "server/tag", Write::Create, "/example:server[name='a']/tag[.='u']"),
    ("server { name=a tag!delete=t }", "server/tag", Write::Delete, "/example:server[name='a']/tag[.='t']"),
    // Another place in an order.
    ("rule@first { id=b }", "rule", Write::Update, "/example:rule[id='b']"),
    ("dns@first=2", "dns", Write::Update, "/example:dns[.='2']"),
    // The operation is refused before its effect is known.
    ("contact!create=you", "contact", Write::Create, "/example:contact"),
    ("system { location!delete }", "system/location", Write::Delete, "/example:system/location"),
    ("server!create { name=a }", "server", Write::Create, "/example:server[name='a']"),
    ("server!delete { name=c }", "server", Write::Delete, "/example:server[name='c']"),
    ("server!remove { name=c }", "server", Write::Delete, "/example:server[name='c']"),
    ("server { name=a tls!create { } }", "server/tls", Write::Create, "/example:server[name='a']/tls"),
    ("server { name=a tag!create=t }", "server/tag", Write::Create, "/example:server[name='a']/tag[.='t']"),
    ("system!delete { }", "system", Write::Delete, "/example:system"),
];

#[test]
fn forbidden_changes_are_refused_with_their_path() {
    let schema = schema();
    let base = tree(&schema, BASE);
    for (request, name, change, path) in CHANGES {
        let forbidden = node(&schema, name);
        let editor = |rules| Editor::new(schema.clone(), &base, Operation::Merge).with_access(rules);
        let result = perform(&schema, editor(Rules::new(Some(forbidden), *change)), request);
        let error = result.expect_err(request);
        assert_eq!(error.reason, EditReason::AccessDenied, "{request}");
        assert_eq!(error.path.display(&schema).to_string(), *path, "{request}");
        // Only this change of this node is forbidden.
        for other in [Write::Create, Write::Update, Write::Delete].into_iter().filter(|it| it != change) {
            let result = perform(&schema, editor(Rules::new(Some(forbidden), other)), request);
            assert!(
                result.is_ok() || result.is_err_and(|error| error.reason != EditReason::AccessDenied),
                "{request}: {other:?} of {name}"
            );
        }
    }
}

#[test]
fn nodes_that_do_not_change_need_no_permission() {
    let schema = schema();
    let base = tree(&schema, BASE);
    for request in [
        "contact=me",
        "server { name=a port=1 tls { certificate=x } tag=t }",
        "server!replace { name=a port=1 a=1 tls { certificate=x peer { id=1 } } tag=t }",
        "rule@first { id=a }",
        "dns@last=2",
        BASE,
    ] {
        for operation in [Operation::Merge, Operation::Enter] {
            let rules = Rules::new(None, Write::Create);
            let editor = Editor::new(schema.clone(), &base, operation).with_access(rules.clone());
            perform(&schema, editor, request).unwrap();
            assert_eq!(*rules.asked.lock().unwrap(), [], "{request}");
        }
    }
}

#[test]
fn rules_are_asked_once_for_each_node_and_change() {
    let schema = schema();
    let rules = Rules::new(None, Write::Create);
    let editor = Editor::new(schema.clone(), &Tree::new(), Operation::Merge).with_access(rules.clone());
    let entries: Vec<_> = (0..100).map(|number| format!("server {{ name=s{number} port=1 }}")).collect();
    perform(&schema, editor, &entries.join(" ")).unwrap();
    assert_eq!(rules.asked.lock().unwrap().len(), 3);
}

proptest! {
    #![proptest_config(Config::with_cases(100))]
    /// The check of an edit and the check of two trees ask for the same changes, except that an
    /// edit asks for its operations as well.
    #[test]
    fn check_of_two_trees_agrees_with_the_edit(base in random_edits(), request in random_edit()) {
        let schema = schema();
        let base = base.iter().fold(Tree::new(), |tree, request| edit(&schema, &tree, request).unwrap_or(tree));
        let asked = Rules::new(None, Write::Create);
        let editor = |rules| Editor::new(schema.clone(), &base, Operation::Merge).with_access(rules);
        let Ok(after) = perform(&schema, editor(asked.clone()), &request) else { return Ok(()) };
        let compared = Rules::new(None, Write::Create);
        prop_assert!(base.check_access(&schema, &after, compared.clone()).is_ok());
        let asked = asked.asked.lock().unwrap().clone();
        for change in compared.asked.lock().unwrap().iter() {
            prop_assert!(asked.contains(change), "{:?} in {}", change, request);
            let rules = Rules::new(Some(change.0), change.1);
            let error = base.check_access(&schema, &after, rules.clone()).unwrap_err();
            prop_assert_eq!(error.reason, EditReason::AccessDenied);
            let refused = perform(&schema, editor(rules), &request).unwrap_err();
            prop_assert_eq!(refused.reason, EditReason::AccessDenied);
        }
    }
}
