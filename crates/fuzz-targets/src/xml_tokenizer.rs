//! Arbitrary octets as an XML document of a NETCONF client.

use portreeve_yang_text::xml::XmlErrorReason::{LongName, LongTag, ManyAttributes, ManyBindings};
use portreeve_yang_text::xml::{Event, NcName, Tokenizer, Writer, XmlError, XmlText};

/// The first octet is the length of the pieces in which the others arrive. Checks that events and
/// errors do not depend on it, that skipping the root accepts the same documents, and that a
/// document that is written from the events has the same events, within the limits.
pub fn xml_tokenizer(octets: &[u8]) {
    let Some((length, document)) = octets.split_first() else { return };
    let whole = read(document, document.len(), false);
    assert_eq!(whole, read(document, usize::from(*length), false));
    let (_, error) = read(document, usize::from(*length), true);
    assert_eq!(whole.1, error);
    let (events, None) = whole else { return };
    let mut writer = Writer::new();
    for event in &events {
        write(event, &mut writer);
    }
    let (again, error) = read(writer.output(), usize::from(*length), false);
    match error.map(|error| error.reason) {
        None => assert_eq!(again, events),
        // The writer declares namespaces at other places and escapes more characters.
        Some(ManyBindings | ManyAttributes | LongName | LongTag) => {}
        Some(reason) => panic!("{reason}"),
    }
}

/// An event that owns its texts.
#[derive(Debug, Eq, PartialEq)]
enum OwnedEvent {
    /// Namespace and name of the element, and of each attribute with its value.
    Start(String, String, Vec<[String; 3]>),
    Text(String),
    End,
}

fn read(document: &[u8], length: usize, skips_root: bool) -> (Vec<OwnedEvent>, Option<XmlError>) {
    let (mut tokenizer, mut events) = (Tokenizer::new(), Vec::new());
    for mut octets in document.chunks(length.max(1)) {
        loop {
            let event = match tokenizer.next_event(&mut octets) {
                Ok(Some(event)) => event,
                Ok(None) => break,
                Err(error) => return (events, Some(error)),
            };
            match (event, events.last_mut()) {
                (Event::Text(text), Some(OwnedEvent::Text(texts))) => texts.push_str(text),
                (Event::Text(text), _) => events.push(OwnedEvent::Text(text.to_owned())),
                (Event::End(_), _) => events.push(OwnedEvent::End),
                (Event::Start(start), _) => {
                    let attributes = start.attributes.iter().map(|attribute| {
                        [attribute.name.namespace, attribute.name.local, attribute.value].map(str::to_owned)
                    });
                    let (namespace, local) = (start.name.namespace.to_owned(), start.name.local.to_owned());
                    events.push(OwnedEvent::Start(namespace, local, attributes.collect()));
                    if skips_root {
                        tokenizer.skip_element();
                    }
                }
            }
        }
    }
    (events, tokenizer.finish().err())
}

fn write(event: &OwnedEvent, writer: &mut Writer) {
    let text = |text| XmlText::new(text).expect("the tokenizer has checked it");
    let name = |name| NcName::new(name).expect("the tokenizer has checked it");
    match event {
        OwnedEvent::Start(namespace, local, attributes) => {
            let mut tag = writer.start(text(namespace), name(local));
            for [namespace, local, value] in attributes {
                match namespace.as_str() {
                    "" => tag.attribute(name(local), text(value)),
                    namespace => {
                        tag.qualified_attribute(text(namespace), name("p"), name(local), text(value))
                    }
                };
            }
        }
        OwnedEvent::Text(content) => writer.text(text(content)),
        OwnedEvent::End => writer.end(),
    }
}
