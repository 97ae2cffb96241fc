use super::*;

#[test]
fn wildcards_match_expected_names() {
    for (pattern, name, expected) in [
        ("", "", true),
        ("", "a", false),
        ("*", "", true),
        ("*", "anything", true),
        ("a?c", "abc", true),
        ("a?c", "ac", false),
        ("*.example", "a.b.example", true),
        ("*.example", "example", false),
        ("10.1.*.?", "10.1.200.4", true),
        ("10.1.*.?", "10.1.200.44", false),
        ("a*b*c", "aXbYbZc", true),
        ("a*b*c", "aXbYbZ", false),
        ("**", "x", true),
        ("A", "a", false),
    ] {
        assert_eq!(matches_wildcard(pattern, name), expected, "{pattern} {name}");
    }
}

#[test]
fn negated_pattern_excludes_a_matching_name() {
    let list = PatternList::from_commas("*.example,!secret.example");
    assert!(list.matches("open.example"));
    assert!(!list.matches("secret.example"));
    assert!(
        !PatternList::from_commas("!secret.example").matches("open.example"),
        "a negated pattern alone matches nothing"
    );
    assert!(!PatternList::from_commas("").matches(""));
}

#[test]
fn pattern_with_many_stars_is_matched_in_polynomial_time() {
    let pattern = "*a".repeat(500);
    assert!(!matches_wildcard(&pattern, &"a".repeat(499)));
    assert!(matches_wildcard(&pattern, &"a".repeat(5000)));
}
