use portreeve_usage::{Flag, OptionGroup, OptionLetter};

use super::*;

#[test]
fn prose_is_escaped_with_bold_literals_and_one_sentence_per_line() {
    let table = [
        ("a-b", "a\\-b"),
        (".5 'x' \\n", "\\&.5 \\(aqx\\(aq \\en"),
        ("one. Two. three", "one.\nTwo. three"),
        ("a `-C` b", "a \\fB\\-C\\fR b"),
        ("`.x`.", "\\fB\\&.x\\fR."),
        ("0x… ~^", "0x\\[u2026] \\(ti\\(ha"),
    ];
    for (text, expected) in table {
        assert_eq!(prose(text), expected);
    }
    assert_eq!(argument("OF \"it\""), "\"OF \\(dqit\\(dq\"");
}

#[test]
fn letters_of_an_option_are_rendered_as_an_indented_list() {
    let letters = vec![OptionLetter { letter: 'E', value: " OID".into(), help: "end there" }];
    let entries = vec![OptionEntry { flag: Flag::both('C', "more", "more").with_value("OPTS"), letters }];
    let page = Page { options: vec![OptionGroup { heading: "", entries }], ..Page::new("a b", 1, "does it") };
    let text = render(&page);
    assert!(text.contains(".TH \"A\\-B\" 1 "), "{text}");
    assert!(text.contains(".TP\n\\fB\\-C\\fR, \\fB\\-\\-more\\fR \\fIOPTS\\fR\nmore\n"), "{text}");
    assert!(text.contains(".RS\n.TP 8\n\\fBE\\fR\\fI OID\\fR\nend there\n.RE\n"), "{text}");
}
