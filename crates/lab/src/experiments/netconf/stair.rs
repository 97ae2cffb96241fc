//! The measured data: entries of the list of the module `stair`, each with ten texts of 255
//! characters.

use std::iter;
use std::ops::RangeInclusive;

use portreeve_smi::OwnedValue;

use crate::netconf_client::PreparedRequest;

/// The module, written to a file for the server.
pub(super) const MODULE: &str = include_str!("../../../../yang-compiler/examples/stair.yang");
/// The name of the file.
pub(super) const FILE: &str = "stair.yang";
/// Texts of an entry.
pub(super) const TEXTS: usize = 10;
/// Characters of a text.
pub(super) const TEXT_LENGTH: usize = 255;

/// Returns an edit of these entries: all of their texts, in one request. `serial` makes the texts
/// differ from those of earlier edits.
pub(super) fn edit(target: &str, entries: RangeInclusive<usize>, serial: usize) -> PreparedRequest {
    let head = format!("<edit-config><target><{target}/></target><config>");
    let tail = "</config></edit-config>".to_owned();
    PreparedRequest::new(iter::once(head).chain(table(entries, serial)).chain(iter::once(tail)))
}

/// Returns these entries as an XML document.
pub(super) fn document(entries: RangeInclusive<usize>, serial: usize) -> String {
    table(entries, serial).collect()
}

/// Yields the parts of the XML element that contains these entries.
fn table(entries: RangeInclusive<usize>, serial: usize) -> impl Iterator<Item = String> {
    let entries = entries.map(move |entry| {
        let mut xml = format!("<stairEntry><stairIndex>{entry}</stairIndex>");
        for number in 1..=TEXTS {
            xml += &format!("<stairText{number}>{}</stairText{number}>", text(entry, number, serial));
        }
        xml + "</stairEntry>"
    });
    let head = format!("<stairTable xmlns=\"{NAMESPACE}\">");
    iter::once(head).chain(entries).chain(iter::once("</stairTable>".to_owned()))
}

/// Returns an edit of one text of an entry.
pub(super) fn edit_one(target: &str, entry: usize, serial: usize) -> PreparedRequest {
    let text = text(entry, 1, serial);
    PreparedRequest::new([format!(
        "<edit-config><target><{target}/></target><config><stairTable xmlns=\"{NAMESPACE}\"><stairEntry>\
         <stairIndex>{entry}</stairIndex><stairText1>{text}</stairText1></stairEntry></stairTable></config></edit-config>"
    )])
}

/// Returns the edit that removes all entries.
pub(super) fn removal(target: &str) -> PreparedRequest {
    PreparedRequest::new([format!(
        "<edit-config><target><{target}/></target><config><stairTable xmlns=\"{NAMESPACE}\" \
         xmlns:nc=\"urn:ietf:params:xml:ns:netconf:base:1.0\" nc:operation=\"remove\"/></config></edit-config>"
    )])
}

/// Returns a request for all entries in running.
pub(super) fn get_config() -> PreparedRequest {
    PreparedRequest::new([format!(
        "<get-config><source><running/></source><filter type=\"subtree\"><stairTable xmlns=\"{NAMESPACE}\"/></filter>\
         </get-config>"
    )])
}

/// Returns the name and the new value of variable `number` of all texts of all entries.
pub(super) fn variable(number: usize, serial: usize) -> (Vec<u32>, OwnedValue) {
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

    use super::{TEXT_LENGTH, text, variable};

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
}
