//! A strict parser of the text exposition format 0.0.4, which rejects what Prometheus rejects.

use std::collections::HashSet;

/// Panics if Prometheus would reject the text.
pub(crate) fn check(text: &str) {
    assert!(text.ends_with('\n'), "the last line has no line end");
    let (mut seen, mut samples) = (HashSet::new(), HashSet::new());
    let (mut family, mut is_counter) = (String::new(), false);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            let (name, words) = help.split_once(' ').unwrap();
            assert!(seen.insert(name.to_owned()), "{name} occurs twice");
            assert!(escapes(words, "\\n"), "{line}");
            let kind = lines.next().unwrap().strip_prefix(&format!("# TYPE {name} ")).unwrap();
            assert!(matches!(kind, "counter" | "gauge"), "{kind}");
            (family, is_counter) = (name.to_owned(), kind == "counter");
            continue;
        }
        let end = line.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_' && letter != ':');
        let (name, rest) = line.split_at(end.unwrap());
        assert!(name == family && !name.starts_with(|first: char| first.is_ascii_digit()), "{line}");
        let (labels, number) = match rest.strip_prefix('{') {
            Some(rest) => labels(rest, line),
            None => (Vec::new(), rest),
        };
        let number: f64 = number.strip_prefix(' ').unwrap().parse().unwrap();
        assert!(!is_counter || number >= 0.0, "{line}");
        let names: HashSet<&str> = labels.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names.len(), labels.len(), "a label occurs twice: {line}");
        let mut series = labels.clone();
        series.sort();
        assert!(samples.insert((name.to_owned(), series)), "a sample occurs twice: {line}");
    }
}

/// Parses the labels after the opening brace; returns the rest of the line too.
fn labels<'l>(mut rest: &'l str, line: &str) -> (Vec<(String, String)>, &'l str) {
    let mut labels = Vec::new();
    loop {
        let (name, after) = rest.split_once("=\"").unwrap();
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        assert!(
            name.chars().all(is_name) && !name.starts_with(|first: char| first.is_ascii_digit()),
            "{line}"
        );
        let mut is_escaped = false;
        let end = after.char_indices().find(|(_, letter)| {
            let ends = *letter == '"' && !is_escaped;
            is_escaped = *letter == '\\' && !is_escaped;
            ends
        });
        let (value, after) = after.split_at(end.unwrap().0);
        assert!(escapes(value, "\\n\""), "{line}");
        labels.push((name.to_owned(), value.to_owned()));
        match after.strip_prefix("\",") {
            Some(more) => rest = more,
            None => return (labels, after.strip_prefix("\"}").unwrap()),
        }
    }
}

/// Returns true if every backslash is followed by one of `letters`.
fn escapes(text: &str, letters: &str) -> bool {
    let mut all = text.chars();
    while let Some(letter) = all.next() {
        if letter == '\\' && !all.next().is_some_and(|next| letters.contains(next)) {
            return false;
        }
    }
    true
}
