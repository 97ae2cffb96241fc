//! Labels of SNMP messages.

use portreeve_smi::MessageProcessingModel;
use portreeve_smi::ber::Reader;
use portreeve_snmp_message::{
    CommunityMessage, Pdu, PduType, ScopedPdu, ScopedPduData, V3Message, Version, peek_version,
};

/// Removes the complete messages from a stream and returns their labels.
pub(super) fn take(pending: &mut Vec<u8>) -> Vec<String> {
    let mut labels = Vec::new();
    while let Some(message) = length(pending).and_then(|length| super::take(pending, length)) {
        labels.push(label(&message));
    }
    labels
}

/// Returns the length of the first message, with its header.
fn length(octets: &[u8]) -> Option<usize> {
    let (_tag, first) = (octets.first()?, *octets.get(1)?);
    if first < 0x80 {
        return Some(2 + usize::from(first));
    }
    let count = usize::from(first & 0x7f).min(4);
    Some(2 + count + super::number(octets.get(2..2 + count)?))
}

/// Returns the label of one message: the version and the type of the PDU, as far as it is not
/// encrypted.
pub(super) fn label(message: &[u8]) -> String {
    match peek_version(message) {
        Ok(Version::Known(MessageProcessingModel::V3)) => label_v3(message),
        Ok(Version::Known(MessageProcessingModel::V1)) => format!("v1 {}", community_pdu(message)),
        Ok(Version::Known(_)) => format!("v2c {}", community_pdu(message)),
        _ => UNKNOWN.into(),
    }
}

fn community_pdu(message: &[u8]) -> &'static str {
    CommunityMessage::parse(message).map_or(UNKNOWN, |mut message| pdu_name(&mut message.pdu))
}

fn label_v3(message: &[u8]) -> String {
    let Ok(parsed) = V3Message::parse(message) else { return UNKNOWN.into() };
    match parsed.data {
        ScopedPduData::Encrypted(_) => "v3, encrypted PDU".into(),
        ScopedPduData::Plaintext(range) => {
            let mut reader = Reader::new(message.get(range).unwrap_or_default());
            let name = ScopedPdu::parse(&mut reader).map_or(UNKNOWN, |mut scoped| pdu_name(&mut scoped.pdu));
            format!("v3 {name}")
        }
    }
}

fn pdu_name(reader: &mut Reader<'_>) -> &'static str {
    match Pdu::parse(reader).map(|pdu| pdu.pdu_type) {
        Ok(PduType::GetRequest) => "get-request",
        Ok(PduType::Response) => "response",
        Ok(PduType::Report) => "report",
        Ok(_) => "other PDU",
        Err(_) => UNKNOWN,
    }
}

const UNKNOWN: &str = "unknown message";
