use proptest::{prelude::*, test_runner::Config};

use super::MAX_CONFLICTS;
use crate::{
    Tree,
    samples::{edit, flattened, random_edit, random_edit_of, random_edits, schema, text, tree},
};

const BASE: &str = "contact=me server { name=a port=1 a=1 tls { certificate=x } alias { name=x } } server { name=b } dns=1 dns=2 \
                    rule { id=a } rule { id=b }";

/// Two edits of the base, and the merged tree as edits of the base.
const MERGED: &[(&str, &str, &str)] = &[
    ("", "", ""),
    ("contact=you", "", "contact=you"),
    ("contact=you", "contact=you", "contact=you"),
    ("contact=you system { location=here }", "contact=you", "contact=you system { location=here }"),
    ("contact=you", "system { location=here }", "contact=you system { location=here }"),
    ("server { name=a port=2 }", "server { name=a tag=t }", "server { name=a port=2 tag=t }"),
    ("server { name=a port=2 }", "server { name=c }", "server { name=a port=2 } server { name=c }"),
    (
        "server!delete { name=b }",
        "server { name=a alias { name=y } }",
        "server!delete { name=b } server { name=a alias { name=y } }",
    ),
    ("server!delete { name=b }", "server!delete { name=b }", "server!delete { name=b }"),
    // Two creations are one if they are equal, as are two deletions.
    ("server { name=c port=1 tag=t }", "server { name=c tag=t port=1 }", "server { name=c port=1 tag=t }"),
    (
        "server { name=b tls { certificate=y } }",
        "server { name=b tls { certificate=y } }",
        "server { name=b tls { certificate=y } }",
    ),
    (
        "server { name=a tls!delete { } }",
        "server { name=a tls!delete { } }",
        "server { name=a tls!delete { } }",
    ),
    ("contact!delete", "contact!delete", "contact!delete"),
    (
        "server { name=a tls { peer { id=1 } } }",
        "server { name=a tls { certificate=y } }",
        "server { name=a tls { certificate=y peer { id=1 } } }",
    ),
    ("server { name=a tag=t tag=u }", "server { name=a tag=u tag=v }", "server { name=a tag=t tag=u tag=v }"),
    ("dns!delete=1", "contact=you", "dns!delete=1 contact=you"),
    ("rule@first { id=b }", "rule { id=a action=x }", "rule@first { id=b } rule { id=a action=x }"),
    ("rule { id=a action=x }", "rule@first { id=c }", "rule { id=a action=x } rule@first { id=c }"),
    ("rule { id=c }", "rule { id=c }", "rule { id=c }"),
];

/// Two edits of the base, and the paths of their conflicts.
const CONFLICTS: &[(&str, &str, &[&str])] = &[
    ("contact=you", "contact!delete", &["/example:contact"]),
    ("contact=you", "contact=them", &["/example:contact"]),
    ("system { location=x }", "system { location=y }", &["/example:system/location"]),
    ("server!delete { name=a }", "server { name=a port=2 }", &["/example:server[name='a']"]),
    ("server!delete { name=a }", "server { name=a alias { name=x note=n } }", &["/example:server[name='a']"]),
    (
        "server { name=a tls!delete { } }",
        "server { name=a tls { certificate=y } }",
        &["/example:server[name='a']/tls"],
    ),
    ("server { name=c port=1 }", "server { name=c port=2 }", &["/example:server[name='c']"]),
    ("server { name=c port=1 }", "server { name=c tag=t }", &["/example:server[name='c']"]),
    ("server { name=c }", "server { name=c alias { name=x } }", &["/example:server[name='c']"]),
    (
        "server { name=b tls { } }",
        "server { name=b tls { certificate=y } }",
        &["/example:server[name='b']/tls"],
    ),
    ("server { name=a a=2 }", "server { name=a c=1 }", &["/example:server[name='a']/a"]),
    ("server { name=b a=2 }", "server { name=b c=1 }", &["/example:server[name='b']"]),
    ("rule@first { id=b }", "rule { id=c }", &["/example:rule"]),
    ("dns=3", "dns=4", &["/example:dns"]),
    (
        "server { name=a port=2 } contact=x",
        "server { name=a port=3 } contact=y",
        &["/example:contact", "/example:server[name='a']/port"],
    ),
];

#[test]
fn merge_contains_the_changes_of_both_versions() {
    let schema = schema();
    let base = tree(&schema, BASE);
    for (one, two, both) in MERGED {
        let (ours, theirs) = (edit(&schema, &base, one).unwrap(), edit(&schema, &base, two).unwrap());
        let expected = text(&schema, &edit(&schema, &base, both).unwrap());
        for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
            let merged = ours
                .merge(&schema, &base, theirs)
                .unwrap_or_else(|conflicts| panic!("{one}, {two}: {conflicts:?}"));
            assert_eq!(text(&schema, &merged), expected, "{one}, {two}");
        }
    }
}

#[test]
fn different_changes_of_a_node_are_conflicts_with_its_path() {
    let schema = schema();
    let base = tree(&schema, BASE);
    for (one, two, paths) in CONFLICTS {
        let (ours, theirs) = (edit(&schema, &base, one).unwrap(), edit(&schema, &base, two).unwrap());
        for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
            let conflicts = ours.merge(&schema, &base, theirs).expect_err(one).paths;
            let found: Vec<_> = conflicts.iter().map(|path| path.display(&schema).to_string()).collect();
            assert_eq!(found, *paths, "{one}, {two}");
        }
    }
}

#[test]
fn change_that_was_taken_back_is_no_conflict_with_a_removal() {
    let schema = schema();
    let base = tree(&schema, BASE);
    for (there, back, removal) in [
        ("server { name=a port=2 }", "server { name=a port=1 }", "server!delete { name=a }"),
        (
            "server { name=a tls { certificate=y } }",
            "server { name=a tls { certificate=x } }",
            "server { name=a tls!delete { } }",
        ),
    ] {
        let ours = edit(&schema, &edit(&schema, &base, there).unwrap(), back).unwrap();
        let theirs = edit(&schema, &base, removal).unwrap();
        assert_eq!(ours.merge(&schema, &base, &theirs).unwrap(), theirs, "{removal}");
        assert_eq!(theirs.merge(&schema, &base, &ours).unwrap(), theirs, "{removal}");
    }
}

#[test]
fn number_of_reported_conflicts_is_limited() {
    let schema = schema();
    let servers = |port: &str| {
        let entries: Vec<_> =
            (0..500).map(|number| format!("server {{ name={number} port={port} }}")).collect();
        tree(&schema, &entries.join(" "))
    };
    let conflicts = servers("1").merge(&schema, &servers("2"), &servers("3")).unwrap_err();
    assert_eq!(conflicts.paths.len(), MAX_CONFLICTS);
}

proptest! {
    #![proptest_config(Config::with_cases(200))]
    #[test]
    fn merged_tree_has_each_change_of_either_version(base in random_edits(), one in random_edit(), two in random_edit()) {
        let schema = schema();
        let base = base.iter().fold(Tree::new(), |tree, request| edit(&schema, &tree, request).unwrap_or(tree));
        let ours = edit(&schema, &base, &one).unwrap_or(base.clone());
        let theirs = edit(&schema, &base, &two).unwrap_or(base.clone());
        let merged = ours.merge(&schema, &base, &theirs);
        let reverse = theirs.merge(&schema, &base, &ours);
        prop_assert_eq!(merged.is_ok(), reverse.is_ok());
        let Ok(merged) = merged else { return Ok(()) };
        prop_assert_eq!(&merged, &reverse.unwrap());
        let [base, ours, theirs, merged] = [&base, &ours, &theirs, &merged].map(|tree| flattened(&schema, tree));
        for path in base.keys().chain(ours.keys()).chain(theirs.keys()).chain(merged.keys()) {
            let [base, ours, theirs, merged] = [&base, &ours, &theirs, &merged].map(|all| all.get(path));
            prop_assert!(ours == base || theirs == base || ours == theirs, "{} was merged", path);
            prop_assert_eq!(merged, if ours == base { theirs } else { ours }, "{}", path);
        }
    }

    #[test]
    fn merge_of_changes_in_different_entries_is_that_of_both_edits_in_sequence(
        base in random_edits(), one in random_edit_of("a"), two in random_edit_of("b"),
    ) {
        let schema = schema();
        let base = base.iter().fold(Tree::new(), |tree, request| edit(&schema, &tree, request).unwrap_or(tree));
        let (Ok(ours), Ok(theirs)) = (edit(&schema, &base, &one), edit(&schema, &base, &two)) else { return Ok(()) };
        let merged = ours.merge(&schema, &base, &theirs).unwrap();
        prop_assert_eq!(&merged, &edit(&schema, &ours, &two).unwrap());
        prop_assert_eq!(&merged, &edit(&schema, &theirs, &one).unwrap());
    }

    #[test]
    fn merge_with_an_unchanged_version_is_the_changed_one(base in random_edits(), request in random_edit()) {
        let schema = schema();
        let base = base.iter().fold(Tree::new(), |tree, request| edit(&schema, &tree, request).unwrap_or(tree));
        let changed = edit(&schema, &base, &request).unwrap_or(base.clone());
        prop_assert!(changed.merge(&schema, &base, &base).unwrap().is_same_version(&changed));
        prop_assert!(base.merge(&schema, &base, &changed).unwrap().is_same_version(&changed));
        prop_assert_eq!(changed.merge(&schema, &base, &changed).unwrap(), changed);
    }

    #[test]
    fn merge_of_changes_that_a_version_has_already_is_this_version(
        base in random_edits(), request in random_edit(), more in random_edit_of("other"),
    ) {
        let schema = schema();
        let base = base.iter().fold(Tree::new(), |tree, request| edit(&schema, &tree, request).unwrap_or(tree));
        let twice = [(); 2].map(|()| edit(&schema, &base, &request).unwrap_or(base.clone()));
        let ours = edit(&schema, &twice[0], &more).unwrap_or(twice[0].clone());
        prop_assert!(ours.merge(&schema, &base, &twice[1]).unwrap().is_same_version(&ours));
    }
}
