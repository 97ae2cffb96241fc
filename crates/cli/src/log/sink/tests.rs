use super::*;

fn read(words: &[&str]) -> Result<Sink, Refused> {
    let mut rest = words[1..].iter().map(|word| (*word).to_owned());
    Sink::read_flag(words[0], &mut || rest.next())
}

#[test]
fn priorities_are_digits_or_letters_and_include_what_is_more_urgent() {
    for (words, expected) in [
        (&["e"][..], 0..=7),
        (&["E", "3"], 0..=3),
        (&["Ew"], 0..=4),
        (&["O", "warning-debug"], 4..=7),
        (&["N", "7-5"], 5..=7),
        (&["S", "!", "daemon"], 0..=0),
    ] {
        let priorities = read(words).unwrap().priorities;
        assert_eq!(priorities.start().0..=priorities.end().0, expected, "{words:?}");
    }
}

#[test]
fn what_is_no_place_is_refused_in_the_words_that_are_known() {
    for (words, expected) in [
        (&["q"][..], "Unknown logging option passed to -L: q."),
        (&["E", "x"], "invalid priority: x"),
        (&["s", "q"], "invalid syslog facility: q"),
        (&["f"], ""),
        (&["E"], ""),
        (&["F", "3"], ""),
    ] {
        assert_eq!(read(words).map(|_| ()), Err(Refused::Usage(expected.to_owned())), "{words:?}");
    }
    assert!(matches!(read(&["f", "/nonexistent/log"]), Err(Refused::Message(_))));
}
