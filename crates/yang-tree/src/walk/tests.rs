use super::{Walk, WalkStep};
use crate::samples::{edit, random_edits, schema, text, tree};
use portreeve_yang::Schema;
use proptest::{prelude::*, test_runner::Config};

/// Writes the steps of a walk in the notation of the samples. Enters only nodes that are not
/// skipped.
fn walked(schema: &Schema, mut walk: Walk, skipped: &str) -> String {
    let mut words = Vec::new();
    let name = |node| schema.node(node).name.to_string();
    loop {
        let skip = match walk.step(schema) {
            None => return words.join(" "),
            Some(WalkStep::Enter(node)) => {
                words.extend([name(node), "{".to_owned()]);
                name(node) == skipped
            }
            Some(WalkStep::Leaf(node, value)) => {
                words.push(format!("{}={value}", name(node)));
                false
            }
            Some(WalkStep::Leave(_)) => {
                words.push("}".to_owned());
                false
            }
        };
        if skip {
            walk.skip();
        }
    }
}

proptest! {
    #![proptest_config(Config::with_cases(100))]
    #[test]
    fn walk_visits_the_nodes_in_the_order_of_navigation(edits in random_edits()) {
        let schema = schema();
        let mut data = tree(&schema, "");
        for request in edits {
            data = edit(&schema, &data, &request).unwrap_or(data);
        }
        prop_assert_eq!(walked(&schema, Walk::new(&data), ""), text(&schema, &data));
    }
}

#[test]
fn walk_passes_over_skipped_nodes() {
    let schema = schema();
    let data = tree(
        &schema,
        "server { name=a tls { certificate=x peer { id=1 } } tag=t } server { name=b } dns=1 dns=2",
    );
    assert_eq!(
        walked(&schema, Walk::new(&data), "tls"),
        "server { name=a tls { } tag=t } server { name=b } dns=1 dns=2"
    );
    assert_eq!(walked(&schema, Walk::new(&data), "server"), "server { } server { } dns=1 dns=2");
}

#[test]
fn walk_continues_in_its_version_after_the_tree_has_changed() {
    let schema = schema();
    let mut data = tree(&schema, "server { name=a } server { name=b } rule { id=b } rule { id=a }");
    let before = text(&schema, &data);
    let mut walk = Walk::new(&data);
    assert!(matches!(walk.step(&schema), Some(WalkStep::Enter(_))));
    data = edit(&schema, &data, "server!delete { name=b } rule@first { id=a }").unwrap();
    assert_eq!(format!("server {{ {}", walked(&schema, walk, "")), before);
    assert_ne!(text(&schema, &data), before);
}
