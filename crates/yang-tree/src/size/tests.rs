use proptest::{prelude::*, test_runner::Config};

use super::TreeSize;
use crate::{
    Tree,
    samples::{edit, random_edit, random_edits, schema, tree},
};

#[test]
fn size_counts_leafs_values_and_presence_containers() {
    let schema = schema();
    for (content, leafs, octets) in [
        ("", 0, 0),
        ("contact=four", 1, 4),
        ("server { name=ab port=161 } system { clock { zone=z } }", 3, 6),
        ("server { name=ab tls { } }", 2, 2),
        ("server { name=a tls { certificate=xyz peer { id=12 } } }", 4, 6),
        ("dns=1 dns=22 rule { id=r }", 3, 4),
    ] {
        assert_eq!(tree(&schema, content).size(), TreeSize { leafs, octets }, "{content}");
    }
}

#[test]
fn quota_limits_leafs_and_octets() {
    let quota = TreeSize { leafs: 3, octets: 10 };
    assert!(TreeSize { leafs: 3, octets: 10 }.is_within(quota));
    assert!(!TreeSize { leafs: 4, octets: 0 }.is_within(quota));
    assert!(!TreeSize { leafs: 0, octets: 11 }.is_within(quota));
}

proptest! {
    #![proptest_config(Config::with_cases(100))]
    #[test]
    fn size_after_edits_and_merges_is_that_of_a_counted_tree(
        base in random_edits(), one in random_edit(), two in random_edit(),
    ) {
        let schema = schema();
        let base = base.iter().fold(Tree::new(), |tree, request| edit(&schema, &tree, request).unwrap_or(tree));
        let counted = |tree: &Tree| Tree::from_root(tree.root().clone()).size();
        prop_assert_eq!(base.size(), counted(&base));
        let ours = edit(&schema, &base, &one).unwrap_or(base.clone());
        let theirs = edit(&schema, &base, &two).unwrap_or(base.clone());
        if let Ok(merged) = ours.merge(&schema, &base, &theirs) {
            prop_assert_eq!(merged.size(), counted(&merged));
        }
    }
}
