//! Compares the tokenizer with quick-xml, which accepts more: each document that the tokenizer
//! accepts must have the same events there.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

use std::fmt::Write;

use portreeve_yang_text::xml::{Event, Tokenizer};
use proptest::prelude::*;
use quick_xml::XmlVersion::Implicit1_0;
use quick_xml::events::Event as OracleEvent;
use quick_xml::name::{QName, ResolveResult};
use quick_xml::reader::NsReader;

/// Returns the events of a document that arrives in pieces of the given length, or `None` if it is
/// refused.
fn events(document: &str, length: usize) -> Option<String> {
    let (mut tokenizer, mut events) = (Tokenizer::new(), String::new());
    for mut octets in document.as_bytes().chunks(length) {
        while let Some(event) = tokenizer.next_event(&mut octets).ok()? {
            match event {
                Event::Start(start) => {
                    append_name(start.name.namespace, start.name.local, &mut events);
                    for attribute in start.attributes.iter() {
                        append_name(attribute.name.namespace, attribute.name.local, &mut events);
                        write!(events, "={:?}", attribute.value).unwrap();
                    }
                    events.push('>');
                }
                Event::Text(text) => events.push_str(text),
                Event::End(end) => {
                    append_name(end.name.namespace, end.name.local, &mut events);
                    events.push('/');
                }
            }
        }
    }
    tokenizer.finish().ok().map(|()| events)
}

/// Returns the events that quick-xml reads.
fn oracle_events(document: &str) -> Result<String, quick_xml::Error> {
    let document = document.strip_prefix('\u{feff}').unwrap_or(document);
    let mut reader = NsReader::from_str(document);
    reader.config_mut().expand_empty_elements = true;
    let (mut events, mut depth) = (String::new(), 0);
    loop {
        let event = reader.read_event()?;
        let name = |name: QName<'_>, is_attribute: bool, events: &mut String| {
            let resolver = reader.resolver();
            let (namespace, local) = match is_attribute {
                true => resolver.resolve_attribute(name),
                false => resolver.resolve_element(name),
            };
            let namespace = match namespace {
                ResolveResult::Bound(namespace) => namespace.0,
                ResolveResult::Unbound => "",
                ResolveResult::Unknown(prefix) => panic!("prefix {prefix:?} is not bound"),
            };
            append_name(namespace, local.into_inner(), events);
        };
        match event {
            OracleEvent::Start(start) => {
                depth += 1;
                name(start.name(), false, &mut events);
                for attribute in start.attributes() {
                    let attribute = attribute?;
                    if attribute.key.as_namespace_binding().is_none() {
                        name(attribute.key, true, &mut events);
                        write!(events, "={:?}", attribute.normalized_value(Implicit1_0)?).unwrap();
                    }
                }
                events.push('>');
            }
            OracleEvent::End(end) => {
                depth -= 1;
                name(end.name(), false, &mut events);
                events.push('/');
            }
            OracleEvent::Text(text) if depth > 0 => events.push_str(&text.xml10_content()),
            OracleEvent::CData(text) => events.push_str(&text.xml10_content()),
            OracleEvent::GeneralRef(reference) => events.push(match reference.resolve_char_ref()? {
                Some(c) => c,
                None => match &*reference.xml10_content() {
                    "lt" => '<',
                    "gt" => '>',
                    "amp" => '&',
                    "quot" => '"',
                    "apos" => '\'',
                    other => panic!("entity {other:?} is not defined"),
                },
            }),
            OracleEvent::Text(_) | OracleEvent::Comment(_) | OracleEvent::Decl(_) => {}
            OracleEvent::Eof => return Ok(events),
            other => panic!("{other:?} must not be accepted"),
        }
    }
}

fn append_name(namespace: &str, local: &str, events: &mut String) {
    write!(events, " {{{namespace}}}{local}").unwrap();
}

/// An element with declarations, attributes and content.
fn element() -> impl Strategy<Value = String> {
    let empty =
        (tag(), "[ \n]?").prop_map(|((name, attributes), space)| format!("<{name}{attributes}{space}/>"));
    empty.prop_recursive(6, 40, 6, |inner| {
        let content = prop_oneof![3 => inner, 2 => text()];
        (tag(), prop::collection::vec(content, 0..6), "[ \t\r\n]{0,2}").prop_map(
            |((name, attributes), content, space)| {
                format!("<{name}{attributes}>{}</{name}{space}>", content.concat())
            },
        )
    })
}

/// The name of an element, and its attributes with the space before each.
fn tag() -> impl Strategy<Value = (String, String)> {
    let name = prop_oneof!["[a-zé_][a-z0-9.-]{0,3}", "[pq]:[a-zé_][a-z0-9.-]{0,3}"];
    let attribute = prop_oneof![
        3 => Just(String::new()),
        1 => "[ \n]{1,2}xmlns(:[pq])?[ ]?=[ ]?'urn:[uv]'",
        1 => "[ \n]{1,2}([pq]:)?[a-c]=('([a-z\"> \r\n\t]|&(lt|gt|amp|quot|apos|#x?4[0-9]);){0,6}'|\"[']?\")",
    ];
    (name, prop::collection::vec(attribute, 0..4).prop_map(|attributes| attributes.concat()))
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-zé€\u{1f600} \r\n\t>'\"-]{0,12}",
        1 => "&(lt|gt|amp|quot|apos|#[1-9][0-9]{2,3}|#xE[0-9A-Fa-f]);",
        1 => "<!\\[CDATA\\[([a-z<&é \r\n]|\\][a-z]){0,8}\\]{0,2}\\]\\]>",
        1 => "<!--([a-z<&é \r\n]|-[a-z]){0,8}-->",
    ]
}

/// A document in which both prefixes are bound.
fn document() -> impl Strategy<Value = String> {
    let head = "\u{feff}?[\n ]{0,2}(<\\?xml version=('1\\.0'|\"1\\.0\")( encoding=\"[Uu]tf-8\")? ?\\?>)?[\r\n]?(<!--x-->)?";
    (head, element(), "[\r\n ]{0,2}(<!--y-->)?").prop_map(|(head, element, tail)| {
        format!("{head}<r xmlns:p='urn:u' xmlns:q='urn:w'>{element}</r>{tail}")
    })
}

proptest! {
    #[test]
    fn events_are_the_same_as_those_of_quick_xml(document in document(), length in 1..20_usize) {
        let Some(events) = events(&document, length) else {
            // Random attributes can have one name.
            let is_duplicate = oracle_events(&document).is_err() || has_one_name_twice(&document);
            prop_assert!(is_duplicate, "{document:?} is refused");
            return Ok(());
        };
        prop_assert_eq!(events, oracle_events(&document).unwrap());
    }

    #[test]
    fn quick_xml_accepts_each_changed_document_that_the_tokenizer_accepts(
        document in document(),
        place in any::<prop::sample::Index>(),
        insertion in "[<>/&;'\"=\\]!?a:x -]{0,2}",
        removed in 0..3_usize,
    ) {
        let place = place.index(document.chars().count());
        let head: String = document.chars().take(place).collect();
        let tail: String = document.chars().skip(place + removed).collect();
        let changed = format!("{head}{insertion}{tail}");
        if let Some(events) = events(&changed, 7) {
            prop_assert_eq!(events, oracle_events(&changed).unwrap());
        }
    }
}

/// Returns true if two attributes of an element have one name after their prefixes are resolved,
/// which quick-xml does not check. It compares local names, so that it returns true for some other
/// documents too.
fn has_one_name_twice(document: &str) -> bool {
    document.split('<').any(|tag| {
        let names: Vec<_> =
            ["a", "b", "c"].into_iter().filter(|name| tag.matches(&format!("{name}=")).count() > 1).collect();
        !names.is_empty()
    })
}

#[test]
fn most_random_documents_are_accepted() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    let mut runner = TestRunner::deterministic();
    let accepted = (0..200).filter(|_| {
        let document = document().new_tree(&mut runner).unwrap().current();
        events(&document, 7).is_some()
    });
    assert!(accepted.count() > 120);
}
