use super::*;

#[test]
fn second_column_of_help_is_aligned() {
    let rows = [("--once".to_owned(), "poll once"), ("-h, --help".to_owned(), "show this")];
    assert_eq!(format_table(rows), "  --once      poll once\n  -h, --help  show this\n");
}

#[test]
fn overlong_first_column_gets_its_own_line() {
    let rows = [
        ("--listen TRANSPORT:ADDRESS:PORT".to_owned(), "where the first agent listens"),
        ("-h, --help".to_owned(), "show this"),
    ];
    let expected = "  --listen TRANSPORT:ADDRESS:PORT\n              where the first agent listens\n  -h, --help  show this\n";
    assert_eq!(format_table(rows), expected);
}

#[test]
fn help_lines_fit_terminal_unless_a_word_is_longer() {
    let long = "x".repeat(100);
    let help = format!(
        "a sentence that goes on for longer than the terminal is wide, {long} and then some more of it"
    );
    let text = format_row(2, "--flag", 20, &help);
    let lines: Vec<_> = text.lines().collect();
    assert!(lines.iter().all(|line| line.len() <= MAX_LINE_WIDTH || line.trim() == long), "{text}");
    assert!(lines[1..].iter().all(|line| line.starts_with(&" ".repeat(24))), "{text}");
    assert_eq!(text.split_whitespace().skip(1).collect::<Vec<_>>().join(" "), help);
}
