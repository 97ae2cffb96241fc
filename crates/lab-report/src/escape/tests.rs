use super::*;

#[test]
fn markup_is_escaped() {
    assert_eq!(
        escaped("<script>alert('1 & \"2\"')</script>"),
        "&lt;script&gt;alert(&#39;1 &amp; &quot;2&quot;&#39;)&lt;/script&gt;"
    );
}

#[test]
fn invisible_characters_are_replaced() {
    let text = "a\0b\u{1b}[31mc\u{202e}d\u{2066}e\u{feff}f\u{ffff}g\u{85}h\r\ni\tj";
    assert_eq!(escaped(text), "a�b�[31mc�d�e�f�g�h�\ni\tj");
    assert_eq!(escaped("µ – é 漢 🦀"), "µ – é 漢 🦀");
}

proptest::proptest! {
    #[test]
    fn escaped_text_has_no_markup(text in "\\PC*|.{0,40}") {
        let escaped = escaped(&text);
        proptest::prop_assert!(!escaped.contains(['<', '>', '"', '\'']));
        let entities = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
        let rest = entities.iter().fold(escaped, |rest, entity| rest.replace(entity, ""));
        proptest::prop_assert!(!rest.contains('&'));
    }
}
