use super::*;

#[test]
fn modules_are_found_only_outside_comments_strings_and_braces() {
    let cases: &[(&str, &[&str])] = &[
        ("A-MIB DEFINITIONS ::= BEGIN END", &["A-MIB"]),
        (
            "-- X DEFINITIONS\nA-MIB\n DEFINITIONS ::= BEGIN END B-MIB DEFINITIONS ::= BEGIN END",
            &["A-MIB", "B-MIB"],
        ),
        ("A-MIB { iso org(3) } DEFINITIONS ::= BEGIN END", &["A-MIB"]),
        ("\"X DEFINITIONS\" A-MIB DEFINITIONS", &["A-MIB"]),
        ("DEFINITIONS ::= BEGIN", &[]),
        ("a-mib DEFINITIONS ::= BEGIN", &[]),
        ("\"never closed A-MIB DEFINITIONS", &[]),
        ("", &[]),
    ];
    for (text, expected) in cases {
        assert_eq!(module_names(text.as_bytes()), *expected, "{text}");
    }
}
