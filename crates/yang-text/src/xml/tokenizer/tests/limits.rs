use super::super::super::*;
use super::*;
use XmlErrorReason::*;

#[track_caller]
fn assert_limit(accepted: &str, rejected: &str, reason: XmlErrorReason) {
    assert_eq!(trace_whole(accepted).1, None);
    assert_eq!(trace_whole(rejected).1.map(|error| error.reason), Some(reason));
    assert_eq!(trace(rejected.as_bytes().chunks(1)).1, trace_whole(rejected).1);
}

#[test]
fn elements_are_nested_up_to_the_limit() {
    let nested = |depth| format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth));
    assert_limit(&nested(MAX_DEPTH), &nested(MAX_DEPTH + 1), DeepElement);
}

#[test]
fn names_have_the_longest_length_at_most() {
    let element = |length| format!("<{0}></{0}>", "a".repeat(length));
    assert_limit(&element(MAX_NAME), &element(MAX_NAME + 1), LongName);
    let prefixed = |length| format!("<a xmlns:p='u'><p:{}/></a>", "é".repeat(length));
    assert_limit(&prefixed((MAX_NAME - 2) / 2), &prefixed((MAX_NAME - 2) / 2 + 1), LongName);
    let attribute = |length| format!("<a {}=''/>", "a".repeat(length));
    assert_limit(&attribute(MAX_NAME), &attribute(MAX_NAME + 1), LongName);
    let prefix = |length| format!("<a xmlns:{}='u'/>", "a".repeat(length));
    assert_limit(&prefix(MAX_NAME), &prefix(MAX_NAME + 1), LongName);
}

#[test]
fn elements_have_the_largest_number_of_attributes_at_most() {
    let element = |count: usize| {
        let attributes: String = (0..count).map(|number| format!(" a{number}=''")).collect();
        format!("<a{attributes}/>")
    };
    assert_limit(&element(MAX_ATTRIBUTES), &element(MAX_ATTRIBUTES + 1), ManyAttributes);
}

#[test]
fn prefixes_in_scope_are_limited_over_all_open_elements() {
    let nested = |count: usize| {
        let starts: String = (0..count).map(|number| format!("<b xmlns:p{number}='u' xmlns='v'/>")).collect();
        let outer: String = (0..count).map(|number| format!(" xmlns:p{number}='u'")).collect();
        format!("<a{outer}>{starts}</a>")
    };
    assert_limit(&nested(MAX_BINDINGS - 2), &nested(MAX_BINDINGS - 1), ManyBindings);
}

#[test]
fn namespaces_have_the_longest_length_at_most() {
    let element = |length| format!("<a xmlns='{}'/>", "u".repeat(length));
    assert_limit(&element(MAX_NAMESPACE), &element(MAX_NAMESPACE + 1), LongNamespace);
}

#[test]
fn tags_have_the_longest_length_at_most() {
    let element = |length: usize| format!("<a b='{}'/>", "x".repeat(length - "<a b=''/>".len()));
    assert_limit(&element(MAX_TAG), &element(MAX_TAG + 1), LongTag);
    // Quotation marks do not suspend the limit.
    assert_limit("<a/>", &format!("<a {}", "''".repeat(MAX_TAG)), LongTag);
    assert_limit("<a></a>", &format!("<a></a{}>", " ".repeat(MAX_TAG)), LongTag);
}

/// Reads `piece` so often that 64 MB are read, and returns the largest allocation in bytes.
fn largest_allocation(tokenizer: &mut Tokenizer, piece: &[u8]) -> usize {
    let mut largest = 0;
    for _ in 0..(64 << 20) / piece.len() {
        let mut octets = piece;
        while tokenizer.next_event(&mut octets).unwrap().is_some() {}
        let capacity = tokenizer.pending.capacity() + tokenizer.elements.capacity();
        largest = largest.max(capacity + tokenizer.attributes.capacity());
    }
    largest
}

#[test]
fn siblings_in_a_skipped_element_occupy_no_memory() {
    let mut tokenizer = Tokenizer::new();
    let start = tokenizer.next_event(&mut &b"<a>"[..]).unwrap();
    assert!(matches!(start, Some(Event::Start(_))));
    tokenizer.skip_element();
    let sibling =
        format!("<b xmlns:p='u' p:c='1&amp;2'>{}</b><c><![CDATA[{0}]]></c><!--x-->", "x".repeat(4000));
    let largest = largest_allocation(&mut tokenizer, sibling.as_bytes());
    assert!(largest < 4096, "{largest} bytes");
    assert_eq!(tokenizer.next_event(&mut &b"</a>"[..]).unwrap().map(|_| ()), None);
    tokenizer.finish().unwrap();
}

#[test]
fn endless_text_occupies_no_memory() {
    let mut tokenizer = Tokenizer::new();
    let mut start = &b"<a>"[..];
    while tokenizer.next_event(&mut start).unwrap().is_some() {}
    let largest = largest_allocation(&mut tokenizer, "text ] é &amp; ".repeat(4).repeat(100).as_bytes());
    assert!(largest < 4096, "{largest} bytes");
}

#[test]
fn memory_of_the_largest_tags_is_limited_and_released() {
    let mut tokenizer = Tokenizer::new();
    let prefix = "p".repeat(MAX_NAME - 10);
    for depth in 0..MAX_DEPTH {
        let attribute = format!("xmlns:{prefix}{depth}='{}'", "u".repeat(MAX_NAMESPACE));
        let value = "x".repeat(MAX_TAG - 2000);
        let tag = format!("<{} {attribute} v='{value}'>", "e".repeat(MAX_NAME));
        let mut octets = tag.as_bytes();
        tokenizer.next_event(&mut octets).unwrap().unwrap();
    }
    let capacity = |tokenizer: &Tokenizer| {
        tokenizer.pending.capacity() + tokenizer.elements.capacity() + tokenizer.attributes.capacity()
    };
    assert!(capacity(&tokenizer) < 512 << 10, "{} bytes", capacity(&tokenizer));
    tokenizer.reset();
    assert!(capacity(&tokenizer) < 16 << 10, "{} bytes", capacity(&tokenizer));
}

/// Returns the number of octets that all windows together contain, in which a run is searched.
fn examined_octets(document: &[u8]) -> usize {
    let (mut tokenizer, mut octets, mut examined) = (Tokenizer::new(), document, 0);
    loop {
        examined += tokenizer.window.min(octets.len());
        if tokenizer.next_event(&mut octets).unwrap().is_none() {
            return examined;
        }
    }
}

#[test]
fn text_is_not_examined_again_after_each_carriage_return() {
    for text in ["\r", "x\r", "\r\n", "xxxxxxxxxxxxxxxxxxxxxxxxxxxx\r\n"] {
        let text = text.repeat(10_000);
        let document = [b"<a>", text.as_bytes()].concat();
        let examined = examined_octets(&document);
        assert!(examined < 130 * document.len(), "{examined} of {}", document.len());
    }
}
