//! Describes the parts of a message that can be read without keys.

use portreeve_smi::ber::{Reader, Tag};
use portreeve_snmp_message::V3Message;

/// Describes version and length; for SNMPv3 also the message ID and the security level.
pub(super) fn summary(octets: &[u8]) -> String {
    let length = octets.len();
    match (version(octets), V3Message::parse(octets)) {
        (Some(V3), Ok(message)) => {
            let header = message.header;
            let level =
                header.flags.level().map_or_else(|| "no valid level".to_owned(), |level| level.to_string());
            format!("SNMPv3, {length} octets, msgID {}, {level}", header.msg_id)
        }
        (Some(0), _) => format!("SNMPv1, {length} octets"),
        (Some(1), _) => format!("SNMPv2c, {length} octets"),
        _ => format!("{length} octets, malformed message"),
    }
}

/// Describes the parameters of the User-based Security Model (RFC 3414 §2.4); `None` if the message
/// does not contain them.
pub(super) fn usm_summary(octets: &[u8]) -> Option<String> {
    if version(octets)? != V3 {
        return None;
    }
    let message = V3Message::parse(octets).ok()?;
    let mut reader = Reader::new(octets.get(message.security_parameters)?);
    let mut fields = reader.enter(Tag::SEQUENCE).ok()?;
    let engine_id = fields.octet_string().ok()?;
    let (boots, time) = (fields.integer().ok()?, fields.integer().ok()?);
    let user = fields.octet_string().ok()?;
    let mac = fields.octet_string().ok()?;
    let digits: String = engine_id.iter().map(|octet| format!("{octet:02x}")).collect();
    let engine = if digits.is_empty() { "none yet".to_owned() } else { format!("0x{digits}") };
    Some(format!(
        "usm: engine {engine}, boots {boots}, time {time}, user \"{}\", digest of {} octets",
        user.escape_ascii(),
        mac.len()
    ))
}

fn version(octets: &[u8]) -> Option<i32> {
    Reader::new(octets).enter(Tag::SEQUENCE).ok()?.integer().ok()
}

const V3: i32 = 3;
