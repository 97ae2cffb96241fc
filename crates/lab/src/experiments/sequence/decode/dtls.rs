//! Labels of the records of DTLS (RFC 6347, RFC 9147).

use super::tls::{self, ALERT, APPLICATION_DATA, CHANGE_CIPHER_SPEC, HANDSHAKE};

/// Returns the labels of the records in a datagram.
pub(super) fn labels(mut datagram: &[u8]) -> Vec<String> {
    let mut labels = Vec::new();
    while let Some(kind) = datagram.first() {
        // The header of an encrypted record of DTLS 1.3 can omit the length.
        if kind & 0xe0 == UNIFIED_HEADER {
            labels.push("encrypted".into());
            datagram =
                unified_record_length(datagram).and_then(|length| datagram.get(length..)).unwrap_or(&[]);
            continue;
        }
        let Some(length) = datagram.get(11..13).map(super::number) else { break };
        let content = datagram.get(HEADER..).unwrap_or_default();
        let epoch = datagram.get(3..5).map_or(0, super::number);
        labels.push(label(*kind, epoch, content));
        datagram = content.get(length..).unwrap_or_default();
    }
    labels
}

fn label(kind: u8, epoch: usize, content: &[u8]) -> String {
    match (kind, epoch) {
        (CHANGE_CIPHER_SPEC, _) => "ChangeCipherSpec".into(),
        (HANDSHAKE, 0) => {
            let name = tls::name(content.first().copied().unwrap_or_default());
            let [total, length] = [1..4, 9..12].map(|range| content.get(range).map_or(0, super::number));
            if length < total { format!("{name} (part)") } else { name.into() }
        }
        (HANDSHAKE, _) => "encrypted handshake".into(),
        (ALERT, 0) => "alert".into(),
        (ALERT, _) => "encrypted alert".into(),
        (APPLICATION_DATA, _) => "application data".into(),
        (ACKNOWLEDGMENT, _) => "acknowledgment".into(),
        (other, _) => format!("record {other}"),
    }
}

/// Returns the length of an encrypted record of DTLS 1.3 with its header, or `None` if it extends
/// to the end of the datagram.
fn unified_record_length(datagram: &[u8]) -> Option<usize> {
    let flags = *datagram.first()?;
    if flags & LENGTH_PRESENT == 0 || flags & CONNECTION_ID_PRESENT != 0 {
        return None;
    }
    let before = if flags & LONG_SEQUENCE == 0 { 2 } else { 3 };
    Some(before + 2 + super::number(datagram.get(before..before + 2)?))
}

const HEADER: usize = 13;
const ACKNOWLEDGMENT: u8 = 26;
const UNIFIED_HEADER: u8 = 0x20;
const CONNECTION_ID_PRESENT: u8 = 0x10;
const LONG_SEQUENCE: u8 = 0x08;
const LENGTH_PRESENT: u8 = 0x04;
