//! The events do not depend on how a document is divided.

use proptest::prelude::*;

use super::documents::DOCUMENTS;
use super::errors::ERRORS;
use super::*;

#[test]
fn events_and_errors_are_the_same_for_each_split_in_three() {
    let documents = DOCUMENTS.iter().map(|(document, _)| document.as_bytes());
    for document in documents.chain(ERRORS.iter().map(|(document, ..)| *document)) {
        let whole = trace_whole(document);
        assert_eq!(trace(document.chunks(1)), whole, "{:?}", String::from_utf8_lossy(document));
        for first in 0..document.len() {
            for second in first..document.len() {
                let pieces = [&document[..first], &document[first..second], &document[second..]];
                assert_eq!(trace(pieces), whole, "{:?}", pieces.map(String::from_utf8_lossy));
            }
        }
    }
}

/// Octets that are often well-formed, and often nearly so.
fn octets() -> impl Strategy<Value = Vec<u8>> {
    let fragment = prop_oneof![
        8 => prop::sample::select(FRAGMENTS).prop_map(|fragment| fragment.to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ];
    prop::collection::vec(fragment, 0..30)
        .prop_map(|fragments| [&b"<a xmlns:p='u'>"[..], &fragments.concat()].concat())
}

const FRAGMENTS: &[&[u8]] = &[
    b"<a>",
    b"</a>",
    b"<b/>",
    b"<p:c d='1' p:d=\"2\">",
    b"</p:c>",
    b"<e xmlns='v'\n>",
    b"</e>",
    b"text",
    b" ",
    b"\n",
    b"\r",
    b"\r\n",
    b"&lt;",
    b"&#x41;",
    b"&",
    b"]",
    b"]]",
    b">",
    b"<![CDATA[",
    b"]]>",
    b"<!--",
    b"--",
    b"-->",
    b"<",
    b"\xc3\xa9",
    b"\xef\xbf\xbd",
    b"\xf0\x9f\x98\x80",
    b"\xef\xbf",
    b"'",
    b"\"",
    b"<?xml version='1.0'?>",
];

proptest! {
    #[test]
    fn events_and_errors_do_not_depend_on_the_split(
        document in octets(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(document.len())).collect();
        cuts.extend([0, document.len()]);
        cuts.sort_unstable();
        let pieces = cuts.windows(2).map(|cut| &document[cut[0]..cut[1]]);
        prop_assert_eq!(trace(pieces), trace_whole(&document));
    }
}
