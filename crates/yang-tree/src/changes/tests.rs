use portreeve_yang::Schema;

use super::{Change, ChangeKind};
use crate::{
    Tree,
    samples::{edit, schema, tree},
};

/// Returns the paths of changes with a sign of their kind.
fn listed(schema: &Schema, before: &Tree, after: &Tree) -> Vec<String> {
    let line = |Change { path, kind }: Change| {
        let sign = match kind {
            ChangeKind::Row { before: None, .. } | ChangeKind::ValueAdded { .. } => "+",
            ChangeKind::Row { after: None, .. } | ChangeKind::ValueRemoved => "-",
            ChangeKind::Row { .. } => "~",
            ChangeKind::Position { .. } => "@",
        };
        format!("{sign} {}", path.display(schema))
    };
    before.changes(schema, after).into_iter().map(line).collect()
}

#[test]
fn changes_name_the_rows_that_were_created_changed_or_removed() {
    let schema = schema();
    let before = "contact=me server { name=a port=1 alias { name=x } } server { name=b tls { } tag=t } dns=1 rule { id=a } rule { id=b }";
    let cases: &[(&str, &[&str])] = &[
        ("", &[]),
        ("contact=me", &[]),
        ("contact=you", &["~ /"]),
        ("system { clock { zone=z } }", &["~ /"]),
        ("server { name=a port=2 }", &["~ /example:server[name='a']"]),
        ("server { name=a alias { name=x note=n } }", &["~ /example:server[name='a']/alias[name='x']"]),
        ("server { name=a alias { name=y } }", &["+ /example:server[name='a']/alias[name='y']"]),
        ("server!remove { name=a }", &["- /example:server[name='a']"]),
        ("server { name=c tls { } }", &["+ /example:server[name='c']"]),
        (
            "server { name=b tls!delete { } tag!delete=t tag=u }",
            &[
                "- /example:server[name='b']/tls",
                "- /example:server[name='b']/tag[.='t']",
                "+ /example:server[name='b']/tag[.='u']",
            ],
        ),
        ("dns=2", &["+ /example:dns[.='2']"]),
        ("rule@first { id=b }", &["@ /example:rule[id='b']"]),
        ("rule@first { id=b action=x }", &["~ /example:rule[id='b']", "@ /example:rule[id='b']"]),
    ];
    for (request, expected) in cases {
        let before = tree(&schema, before);
        let after = edit(&schema, &before, request).unwrap();
        assert_eq!(listed(&schema, &before, &after), *expected, "{request}");
        assert_eq!(listed(&schema, &after, &before).len(), expected.len(), "{request}");
    }
}

#[test]
fn row_that_is_replaced_by_an_equal_one_is_not_a_change() {
    let schema = schema();
    let before = tree(&schema, "server { name=a tls { certificate=x } }");
    let after = tree(&schema, "server { name=a tls { certificate=x } }");
    assert_eq!(listed(&schema, &before, &after), [""; 0]);
}
