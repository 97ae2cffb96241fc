use super::*;

#[test]
fn the_second_column_begins_behind_the_longest_of_the_first() {
    let rows = [("--once".to_owned(), "poll once"), ("-h, --help".to_owned(), "show this")];
    assert_eq!(table(rows), "  --once      poll once\n  -h, --help  show this\n");
}

#[test]
fn what_is_too_long_for_the_first_column_has_a_line_of_its_own() {
    let rows = [
        ("--listen TRANSPORT:ADDRESS:PORT".to_owned(), "where the first agent listens"),
        ("-h, --help".to_owned(), "show this"),
    ];
    let expected = "  --listen TRANSPORT:ADDRESS:PORT\n              where the first agent listens\n  -h, --help  show this\n";
    assert_eq!(table(rows), expected);
}

#[test]
fn lines_fit_a_terminal_unless_a_word_does_not() {
    let long = "x".repeat(100);
    let does = format!(
        "a sentence that goes on for longer than the terminal is wide, {long} and then some more of it"
    );
    let text = row(2, "--flag", 20, &does);
    let lines: Vec<_> = text.lines().collect();
    assert!(lines.iter().all(|line| line.len() <= LINE || line.trim() == long), "{text}");
    assert!(lines[1..].iter().all(|line| line.starts_with(&" ".repeat(24))), "{text}");
    assert_eq!(text.split_whitespace().skip(1).collect::<Vec<_>>().join(" "), does);
}
