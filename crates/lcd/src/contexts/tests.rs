use super::*;
use crate::samples::name;

#[test]
fn names_are_distinct_and_ordered_by_length_before_octets() {
    let names: ContextNames = ["b", "aa", "", "a", "b"].map(name).into_iter().collect();
    assert!(names.iter().eq(&["a", "b", "aa"].map(name)));
    for known in ["", "a", "b", "aa"] {
        assert!(names.contains(known.as_bytes()), "{known:?}");
    }
    assert!(!names.contains(b"c") && !names.contains(b"ab"));
    assert_eq!(names.first_from(|name| name != b"aa"), Some(&name("aa")));
    assert_eq!(names.first_from(|_| true), None);
}
