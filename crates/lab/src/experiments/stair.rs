//! The measured data: entries of the list of the module `stair`, each with ten texts of 255
//! characters.

use std::iter;
use std::ops::RangeInclusive;

use portreeve_smi::OwnedValue;
use portreeve_snmp_manager::{Operation, Request};

use crate::netconf_client::PreparedRequest;

/// The module, written to a file for the server.
pub(crate) const MODULE: &str = include_str!("../../../yang-compiler/examples/stair.yang");
/// The name of the file.
pub(crate) const FILE: &str = "stair.yang";
/// Texts of an entry.
pub(crate) const TEXTS: usize = 10;
/// Characters of a text.
pub(crate) const TEXT_LENGTH: usize = 255;

/// Returns an edit of these entries: all of their texts, in one request. `serial` makes the texts
/// differ from those of earlier edits.
pub(crate) fn edit(target: &str, entries: RangeInclusive<usize>, serial: usize) -> PreparedRequest {
    let head = format!("<edit-config><target><{target}/></target><config>");
    let tail = "</config></edit-config>".to_owned();
    PreparedRequest::new(iter::once(head).chain(table(entries, serial)).chain(iter::once(tail)))
}

/// Returns these entries as an XML document.
pub(crate) fn document(entries: RangeInclusive<usize>, serial: usize) -> String {
    table(entries, serial).collect()
}

/// Yields the parts of the XML element that contains these entries.
fn table(entries: RangeInclusive<usize>, serial: usize) -> impl Iterator<Item = String> {
    in_table(entries.map(move |entry| entry_with(entry, TEXTS, serial)))
}

/// Yields the parts of the XML element that contains this number of objects.
fn table_of(objects: usize, serial: usize) -> impl Iterator<Item = String> {
    in_table((0..objects.div_ceil(TEXTS)).map(move |before| {
        let texts = (objects - before * TEXTS).min(TEXTS);
        entry_with(before + 1, texts, serial)
    }))
}

/// Returns the XML element of an entry with its first texts.
fn entry_with(entry: usize, texts: usize, serial: usize) -> String {
    let mut xml = format!("<stairEntry><stairIndex>{entry}</stairIndex>");
    for number in 1..=texts {
        xml += &format!("<stairText{number}>{}</stairText{number}>", text(entry, number, serial));
    }
    xml + "</stairEntry>"
}

fn in_table(entries: impl Iterator<Item = String>) -> impl Iterator<Item = String> {
    let head = format!("<stairTable xmlns=\"{NAMESPACE}\">");
    iter::once(head).chain(entries).chain(iter::once("</stairTable>".to_owned()))
}

/// Returns an edit of one text of an entry.
pub(crate) fn edit_one(target: &str, entry: usize, serial: usize) -> PreparedRequest {
    let text = text(entry, 1, serial);
    PreparedRequest::new([format!(
        "<edit-config><target><{target}/></target><config><stairTable xmlns=\"{NAMESPACE}\"><stairEntry>\
         <stairIndex>{entry}</stairIndex><stairText1>{text}</stairText1></stairEntry></stairTable></config></edit-config>"
    )])
}

/// Returns an edit of a number of objects in the order of [`variable`]: all texts of the first
/// entries, and the first texts of one more.
pub(crate) fn edit_objects(target: &str, objects: usize, serial: usize) -> PreparedRequest {
    let head = format!("<edit-config><target><{target}/></target><config>");
    let tail = "</config></edit-config>".to_owned();
    PreparedRequest::new(iter::once(head).chain(table_of(objects, serial)).chain(iter::once(tail)))
}

/// Returns SETs of a number of objects with values that belong to `serial`.
pub(crate) fn sets(objects: usize, per_request: usize, serial: usize) -> Vec<Request> {
    (0..objects)
        .step_by(per_request.max(1))
        .map(|first| {
            let mut request = Request::new(Operation::Set);
            for number in first..(first + per_request).min(objects) {
                let (name, value) = variable(number, serial);
                request.push(&name, value.as_value());
            }
            request
        })
        .collect()
}

/// Returns the edit that removes all entries.
pub(crate) fn removal(target: &str) -> PreparedRequest {
    PreparedRequest::new([format!(
        "<edit-config><target><{target}/></target><config><stairTable xmlns=\"{NAMESPACE}\" \
         xmlns:nc=\"urn:ietf:params:xml:ns:netconf:base:1.0\" nc:operation=\"remove\"/></config></edit-config>"
    )])
}

/// Returns a request for all entries in running.
pub(crate) fn get_config() -> PreparedRequest {
    PreparedRequest::new([format!(
        "<get-config><source><running/></source><filter type=\"subtree\"><stairTable xmlns=\"{NAMESPACE}\"/></filter>\
         </get-config>"
    )])
}

/// Returns the name and the new value of variable `number` of all texts of all entries.
pub(crate) fn variable(number: usize, serial: usize) -> (Vec<u32>, OwnedValue) {
    let (entry, column) = (number / TEXTS + 1, number % TEXTS + 1);
    // The first column is the index.
    let arcs = STAIR_ENTRY.iter().copied().chain([column as u32 + 1, entry as u32]).collect();
    (arcs, OwnedValue::OctetString(text(entry, column, serial).into_bytes()))
}

fn text(entry: usize, number: usize, serial: usize) -> String {
    let start = format!("{serial:08} {entry:06} {number:02} ");
    format!("{start:x<TEXT_LENGTH$}")
}

const NAMESPACE: &str = "https://github.com/portreeve/portreeve/yang/stair";
const STAIR_ENTRY: &[u32] = &[1, 3, 6, 1, 4, 1, 32473, 3, 1, 1];

#[cfg(test)]
mod tests {
    use portreeve_smi::OwnedValue;

    use super::{TEXT_LENGTH, sets, table_of, text, variable};

    #[test]
    fn every_text_has_the_length_of_the_measurements_and_differs_from_others() {
        let texts = [text(1, 1, 1), text(10_000, 10, 1), text(1, 10, 1), text(1, 1, usize::MAX)];
        assert!(texts.iter().all(|text| text.len() == TEXT_LENGTH), "{texts:?}");
        assert!(texts.iter().enumerate().all(|(index, text)| !texts[..index].contains(text)));
    }

    #[test]
    fn variables_are_the_columns_of_one_entry_after_the_other() {
        let (name, value) = variable(19, 3);
        assert_eq!(name, [1, 3, 6, 1, 4, 1, 32473, 3, 1, 1, 11, 2]);
        assert_eq!(value, OwnedValue::OctetString(text(2, 10, 3).into_bytes()));
    }
    #[test]
    fn edit_and_sets_contain_the_same_objects() {
        for objects in [1, 10, 36, 37, 100] {
            let xml: String = table_of(objects, 7).collect();
            assert_eq!(xml.matches("</stairText").count(), objects);
            for number in [0, objects - 1] {
                let (_, OwnedValue::OctetString(value)) = variable(number, 7) else { panic!("no text") };
                assert!(xml.contains(&format!(">{}<", String::from_utf8(value).unwrap())), "{number}");
            }
            assert_eq!(sets(objects, 36, 7).len(), objects.div_ceil(36));
            assert_eq!(sets(objects, 1, 7).len(), objects);
        }
    }
}
