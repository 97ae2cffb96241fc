//! Tests of the tokenizer: well-formed documents, errors with their positions, limits.

mod documents;
mod errors;
mod limits;
mod skipping;
mod splits;

use super::*;

/// Returns the events of a document that arrives in `pieces`, with adjacent pieces of texts joined,
/// and the error that ends it.
fn trace<'p>(pieces: impl IntoIterator<Item = &'p [u8]>) -> (String, Option<XmlError>) {
    let (mut tokenizer, mut events) = (Tokenizer::new(), String::new());
    for mut octets in pieces {
        loop {
            match tokenizer.next_event(&mut octets) {
                Ok(Some(event)) => append_event(event, &mut events),
                Ok(None) => break,
                Err(error) => return (events, Some(error)),
            }
        }
        assert!(octets.is_empty(), "octets are left without an event");
    }
    (events, tokenizer.finish().err())
}

fn trace_whole(document: impl AsRef<[u8]>) -> (String, Option<XmlError>) {
    trace([document.as_ref()])
}

/// Appends `<{namespace}name name=value …>`, the escaped text, or `</>`.
fn append_event(event: Event<'_>, events: &mut String) {
    match event {
        Event::Start(start) => {
            events.push_str(&format!("<{{{}}}{}", start.name.namespace, start.name.local));
            for Attribute { name, prefix, value } in start.attributes.iter() {
                assert_eq!(start.attributes.get(name.namespace, name.local), Some(value));
                assert_eq!(prefix.is_empty(), name.namespace.is_empty());
                events.push_str(&format!(" {{{}}}{}={value:?}", name.namespace, name.local));
            }
            events.push('>');
        }
        Event::Text(text) => {
            assert!(!text.is_empty());
            // A string would escape a combining character only at the start of a piece.
            events.extend(text.chars().flat_map(char::escape_debug));
        }
        Event::End(_) => events.push_str("</>"),
    }
}

use super::super::Attribute;
