use super::*;

#[test]
fn stars_and_question_marks_match_what_they_should() {
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
        assert_eq!(wildcard(pattern, name), expected, "{pattern} {name}");
    }
}

#[test]
fn a_negated_pattern_takes_back_what_another_gave() {
    let list = PatternList::from_commas("*.example,!secret.example");
    assert!(list.matches("open.example"));
    assert!(!list.matches("secret.example"));
    assert!(!PatternList::from_commas("!secret.example").matches("open.example"), "nothing was given");
    assert!(!PatternList::from_commas("").matches(""));
}

#[test]
fn many_stars_take_no_longer_than_the_product_of_lengths() {
    let pattern = "*a".repeat(500);
    assert!(!wildcard(&pattern, &"a".repeat(499)));
    assert!(wildcard(&pattern, &"a".repeat(5000)));
}
