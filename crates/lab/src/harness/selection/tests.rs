use super::select;
use crate::harness::fake;

fn names(words: &[&str]) -> Option<Vec<&'static str>> {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let selected = select(&words, fake::ALL).ok()?;
    Some(selected.iter().map(|experiment| experiment.name).collect())
}

#[test]
fn experiments_are_selected_by_name_paper_or_all() {
    assert_eq!(names(&["second"]), Some(vec!["second"]));
    assert_eq!(names(&["000"]), Some(vec!["first", "second"]));
    assert_eq!(names(&["002"]), Some(vec!["second"]));
    assert_eq!(names(&["all"]).map(|all| all.len()), Some(fake::ALL.len()));
}

#[test]
fn selection_is_in_the_order_of_the_registry_without_duplicates() {
    assert_eq!(names(&["second", "first", "000", "second"]), Some(vec!["first", "second"]));
}

#[test]
fn unknown_words_and_an_empty_selection_are_rejected() {
    for words in [&[][..], &["third-party"], &["first", "999"], &["00"], &["Table"]] {
        assert_eq!(names(words), None, "{words:?}");
    }
}
