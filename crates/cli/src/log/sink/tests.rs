use super::*;

fn parse(words: &[&str]) -> Result<Sink, FlagError> {
    let mut rest = words[1..].iter().map(|word| (*word).to_owned());
    Sink::parse_flag(words[0], &mut || rest.next())
}

#[test]
fn log_flag_accepts_one_priority_or_a_range_of_priorities() {
    for (words, expected) in [
        (&["e"][..], 0..=7),
        (&["E", "3"], 0..=3),
        (&["Ew"], 0..=4),
        (&["O", "warning-debug"], 4..=7),
        (&["N", "7-5"], 5..=7),
        (&["S", "!", "daemon"], 0..=0),
    ] {
        let priorities = parse(words).unwrap().priorities;
        assert_eq!(priorities.start().0..=priorities.end().0, expected, "{words:?}");
    }
}

#[test]
fn invalid_log_flag_is_rejected_with_net_snmp_message() {
    for (words, expected) in [
        (&["q"][..], "Unknown logging option passed to -L: q."),
        (&["E", "x"], "invalid priority: x"),
        (&["s", "q"], "invalid syslog facility: q"),
        (&["f"], ""),
        (&["E"], ""),
        (&["F", "3"], ""),
    ] {
        assert_eq!(parse(words).map(|_| ()), Err(FlagError::Usage(expected.to_owned())), "{words:?}");
    }
    assert!(matches!(parse(&["f", "/nonexistent/log"]), Err(FlagError::Message(_))));
}
