//! Arbitrary text in a file: parsing never panics, and every problem has a line number of the file.

use std::path::Path;

use portreeve_config::{NoFiles, options::SECTIONS, parse};
use proptest::prelude::*;

/// Text made of real headings, options and examples, so that parsing does not already fail at the
/// first character.
fn plausible() -> impl Strategy<Value = String> {
    let heading = prop::sample::select(SECTIONS.iter().map(|section| section.heading()).collect::<Vec<_>>());
    let keys = SECTIONS.iter().flat_map(|section| section.options.iter().map(|option| option.name));
    let key = prop::sample::select(keys.collect::<Vec<_>>());
    let examples = SECTIONS.iter().flat_map(|section| section.options.iter().map(|option| option.example));
    let example = prop::sample::select(examples.collect::<Vec<_>>()).prop_map(str::to_owned);
    let value = prop_oneof![
        example,
        any::<i64>().prop_map(|number| number.to_string()),
        "\"[ -~]{0,40}\"",
        "\\[(\"[a-z0-9.*:]{0,12}\",?){0,3}\\]",
    ];
    let line = prop_oneof![
        1 => heading,
        4 => (key, value).prop_map(|(key, value)| format!("{key} = {value}")),
    ];
    prop::collection::vec(line, 0..20).prop_map(|lines| lines.join("\n"))
}

fn assert_parse_reports_valid_lines(text: &str) {
    if let Err(rejected) = parse(text, Path::new("x"), &NoFiles) {
        assert!(!rejected.0.is_empty());
        assert!(rejected.0.iter().all(|problem| problem.line <= text.lines().count() + 1), "{rejected}");
    }
}

proptest! {
    #[test]
    fn problems_in_arbitrary_text_have_valid_line_numbers(text in ".{0,200}") {
        assert_parse_reports_valid_lines(&text);
    }

    #[test]
    fn problems_in_plausible_text_have_valid_line_numbers(text in plausible()) {
        assert_parse_reports_valid_lines(&text);
    }
}

#[test]
fn problems_in_deeply_nested_text_have_valid_line_numbers() {
    assert_parse_reports_valid_lines(&format!("a = {}", "[".repeat(100_000)));
    assert_parse_reports_valid_lines(&format!("[{}]", "a.".repeat(100_000)));
}
