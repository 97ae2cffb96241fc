//! Lists of arbitrary variables, encoded and parsed again.

use portreeve_smi::ber::{BufferFullError, ForwardWriter, ReverseWriter};
use portreeve_smi::{MessageProcessingModel, OidBuf, OidRef, Value};
use portreeve_snmp_message::{CommunityMessage, Pdu, PduType, prepend_community_message, prepend_pdu};

use crate::input::Input;

/// Checks that a written message can be parsed, and that encoding the result gives the same octets.
pub fn ber_writer(octets: &[u8]) {
    let mut input = Input::new(octets);
    let numbers = [input.number() as i32, input.number() as i32, input.number() as i32];
    let names = names(&mut input);
    let bindings: Vec<(&OidBuf, Value<'_>)> =
        names.iter().map(|(name, other)| (name, value(&mut input, other))).collect();

    let mut buffer = vec![0; 65_535];
    let Ok(message) = write(&mut buffer, numbers, &bindings) else { return };
    let message = message.to_vec();

    let mut parsed = CommunityMessage::parse(&message).expect("the message was just encoded");
    let pdu = Pdu::parse(&mut parsed.pdu).expect("the PDU was just encoded");
    assert_eq!([pdu.request_id, pdu.error_status, pdu.error_index], numbers);
    assert_eq!(pdu.var_binds.len(), bindings.len());
    for (read, (name, value)) in pdu.var_binds.iter().zip(&bindings) {
        assert_eq!(read.name, OidRef::Arcs(name));
        assert_eq!(read.value, *value);
        assert_eq!(read.value.content_len(), value.content_len());
    }

    let again: Vec<(OidBuf, Value<'_>)> = pdu.var_binds.iter().map(|b| (b.name.to_buf(), b.value)).collect();
    let again: Vec<(&OidBuf, Value<'_>)> = again.iter().map(|(name, value)| (name, *value)).collect();
    let mut second = vec![0; 65_535];
    assert_eq!(write(&mut second, numbers, &again).ok(), Some(message.as_slice()));
}

fn write<'b>(
    buffer: &'b mut [u8],
    [request_id, status, index]: [i32; 3],
    bindings: &[(&OidBuf, Value<'_>)],
) -> Result<&'b [u8], BufferFullError> {
    let mut writer = ForwardWriter::resume(buffer, HEADROOM);
    for (name, value) in bindings {
        writer.var_bind(name, value)?;
    }
    let end = writer.len();
    let mut writer = ReverseWriter::before(buffer, HEADROOM..end);
    prepend_pdu(&mut writer, PduType::Response, request_id, status, index)?;
    prepend_community_message(&mut writer, MessageProcessingModel::V2c, b"public")?;
    let range = writer.range();
    buffer.get(range).ok_or(BufferFullError)
}

/// Returns two identifiers for each variable: one for its name, and one for its value. The second
/// is used only if the type of the value is an object identifier.
fn names(input: &mut Input<'_>) -> Vec<(OidBuf, OidBuf)> {
    let count = input.octet() % 20;
    (0..count).map(|_| (name(input), name(input))).collect()
}

/// Returns 2 to 128 arcs that BER can express: the first at most 2, the second below 40 if the
/// first is not 2.
fn name(input: &mut Input<'_>) -> OidBuf {
    let mut oid = OidBuf::new();
    let first = u32::from(input.octet() % 3);
    let second = input.number() as u32 % if first == 2 { u32::MAX - 80 } else { 40 };
    let mut fits = oid.extend(&[first, second]).is_ok();
    for _ in 0..input.octet() % 130 {
        fits = fits && oid.push(input.number() as u32).is_ok();
        if input.is_empty() {
            break;
        }
    }
    oid
}

fn value<'a>(input: &mut Input<'a>, other: &'a OidBuf) -> Value<'a> {
    match input.octet() % 13 {
        0 => Value::Integer(input.number() as i32),
        1 => {
            let count = input.number() as usize % 600;
            Value::OctetString(input.octets(count))
        }
        2 => Value::Null,
        3 => Value::ObjectId(OidRef::Arcs(other)),
        4 => Value::IpAddress((input.number() as u32).to_be_bytes()),
        5 => Value::Counter32(input.number() as u32),
        6 => Value::Gauge32(input.number() as u32),
        7 => Value::TimeTicks(input.number() as u32),
        8 => {
            let count = input.number() as usize % 600;
            Value::Opaque(input.octets(count))
        }
        9 => Value::Counter64(input.number()),
        10 => Value::NoSuchObject,
        11 => Value::NoSuchInstance,
        _ => Value::EndOfMibView,
    }
}

/// Number of octets reserved for the headers in front of the bindings.
const HEADROOM: usize = 64;
