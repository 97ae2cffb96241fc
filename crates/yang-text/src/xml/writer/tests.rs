use proptest::prelude::*;

use super::super::{Event, Tokenizer};
use super::*;

const A: NcName<'_> = NcName::from_static("a");
const B: NcName<'_> = NcName::from_static("b");
const NONE: XmlText<'_> = XmlText::from_static("");
const U: XmlText<'_> = XmlText::from_static("urn:u");
const V: XmlText<'_> = XmlText::from_static("urn:v");

fn text(text: &str) -> XmlText<'_> {
    XmlText::new(text).unwrap()
}

fn written(write: impl FnOnce(&mut Writer)) -> String {
    let mut writer = Writer::new();
    write(&mut writer);
    assert_eq!(writer.depth(), 0);
    String::from_utf8(writer.take_output(Vec::new())).unwrap()
}

#[test]
fn special_characters_are_escaped_in_text() {
    let xml = written(|w| w.leaf(NONE, A, text("<&>\"' ]]> \r\n\té")));
    assert_eq!(xml, "<a>&lt;&amp;&gt;\"' ]]&gt; &#13;\n\té</a>");
}

#[test]
fn special_characters_and_white_space_are_escaped_in_attributes() {
    let xml = written(|w| {
        w.start(NONE, A).attribute(B, text("<&>\"' \r\n\té"));
        w.end();
    });
    assert_eq!(xml, "<a b=\"&lt;&amp;&gt;&quot;' &#13;&#10;&#9;é\"/>");
}

#[test]
fn namespaces_are_declared_only_where_they_change() {
    let xml = written(|w| {
        w.start(U, A);
        w.leaf(U, B, NONE);
        w.leaf(V, B, text("1"));
        w.start(NONE, A);
        w.leaf(NONE, B, NONE);
        w.end();
        w.leaf(U, B, NONE);
        w.end();
    });
    let expected = r#"<a xmlns="urn:u"><b/><b xmlns="urn:v">1</b><a xmlns=""><b/></a><b/></a>"#;
    assert_eq!(xml, expected);
}

#[test]
fn prefixes_are_declared_once_and_never_twice_for_two_namespaces() {
    let p = NcName::from_static("p");
    let xml = written(|w| {
        w.start(NONE, A).qualified_attribute(U, p, A, text("1")).qualified_attribute(V, p, A, text("2"));
        let mut tag = w.start(NONE, B);
        assert_eq!(tag.declare(U, p), "p");
        assert_eq!(tag.declare(V, p), "p1");
        assert_eq!(tag.declare(text(super::super::XML_NAMESPACE), p), "xml");
        assert_eq!(tag.declare(text("urn:w"), NcName::from_static("xmlns")), "ns");
        assert_eq!(tag.declare(text("urn:x"), NcName::from_static("XMLx")), "ns1");
        w.end();
        w.end();
        w.start(NONE, A).declare(V, p);
        w.end();
    });
    // The scope of the first two declarations ends with their element.
    assert!(xml.starts_with(r#"<a xmlns:p="urn:u" p:a="1" xmlns:p1="urn:v" p1:a="2"><b"#), "{xml}");
    assert!(xml.ends_with(r#"</a><a xmlns:p="urn:v"/>"#), "{xml}");
}

#[test]
fn bound_prefixes_are_written_as_given() {
    let p = NcName::from_static("p");
    let xml = written(|w| {
        w.start_prefixed(p, A).bind(None, V).bind(Some(p), U).bind(Some(B), U);
        w.start(V, B);
        w.end();
        w.start(U, B);
        w.end();
        w.start_prefixed(p, B);
        w.text(text("1"));
        w.end();
        w.end();
    });
    assert_eq!(
        xml,
        "<p:a xmlns=\"urn:v\" xmlns:p=\"urn:u\" xmlns:b=\"urn:u\"><b/><b xmlns=\"urn:u\"/><p:b>1</p:b></p:a>"
    );
}

#[test]
fn output_is_taken_in_pieces_without_a_change() {
    let (mut writer, mut octets) = (Writer::new(), Vec::new());
    let mut take = |writer: &mut Writer| octets.extend(writer.take_output(Vec::new()));
    writer.start(U, A);
    take(&mut writer);
    writer.text(text("x]]"));
    take(&mut writer);
    writer.text(text(">y"));
    writer.text(NONE);
    writer.start(U, B);
    take(&mut writer);
    writer.end();
    writer.end();
    writer.end();
    take(&mut writer);
    assert_eq!(octets, br#"<a xmlns="urn:u">x]]&gt;y<b/></a>"#);
}

#[test]
fn characters_that_xml_cannot_hold_are_refused() {
    for c in ['\0', '\u{8}', '\u{b}', '\u{c}', '\u{e}', '\u{1f}', '\u{fffe}', '\u{ffff}'] {
        assert_eq!(XmlText::new(&format!("a{c}")), None, "{c:?}");
    }
    for c in
        ['\t', '\n', '\r', ' ', '\u{7f}', '\u{85}', '\u{d7ff}', '\u{e000}', '\u{fffd}', '\u{10ffff}', ']']
    {
        assert!(XmlText::new(&format!("a{c}")).is_some(), "{c:?}");
    }
}

#[test]
fn names_that_xml_does_not_allow_are_refused() {
    for name in ["", "1", "-a", "a b", "a:b", "a>", "\u{d7}", "a\u{37e}", &"a".repeat(257)] {
        assert_eq!(NcName::new(name), None, "{name:?}");
    }
    for name in ["a", "_", "a-1.b", "é", "\u{37f}", "a\u{b7}", &"a".repeat(256)] {
        assert_eq!(NcName::new(name).map(NcName::as_str), Some(name));
    }
}

#[test]
fn text_is_split_between_characters() {
    let cases = [
        ("abc", 2, "ab"),
        ("abc", 9, "abc"),
        ("aé", 2, "a"),
        ("é", 1, "é"),
        ("éa", 0, "é"),
        ("", 5, ""),
        ("", 0, ""),
    ];
    for (whole, length, head) in cases {
        let (first, rest) = text(whole).split_at_most(length);
        assert_eq!(
            (first.as_str(), rest.as_str()),
            (head, whole.strip_prefix(head).unwrap()),
            "{whole:?} {length}"
        );
    }
}

proptest! {
    #[test]
    fn tokenizer_reads_exactly_the_text_and_value_that_were_written(
        content in "(?s).{0,20}[]<>&'\"\r\n\t]{0,5}.{0,5}",
        value in "(?s).{0,20}[]<>&'\"\r\n\t]{0,5}",
    ) {
        let (Some(content), Some(value)) = (XmlText::new(&content), XmlText::new(&value)) else { return Ok(()) };
        let xml = written(|w| {
            w.start(U, A).attribute(B, value);
            let (first, second) = content.split_at_most(7);
            w.text(first);
            w.text(second);
            w.end();
        });
        let (mut tokenizer, mut octets, mut read) = (Tokenizer::new(), xml.as_bytes(), String::new());
        while let Some(event) = tokenizer.next_event(&mut octets).unwrap() {
            match event {
                Event::Start(start) => prop_assert_eq!(start.attributes.get("", "b"), Some(value.as_str())),
                Event::Text(piece) => read.push_str(piece),
                Event::End(_) => {}
            }
        }
        prop_assert_eq!(read, content.as_str());
    }
}
