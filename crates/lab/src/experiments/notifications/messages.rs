//! The measured notification: a linkDown with the variables that the agent sends.

use portreeve_smi::ber::{BufferFullError, ForwardWriter, ReverseWriter};
use portreeve_smi::{MessageProcessingModel, OidRef, Value};
use portreeve_snmp_manager::{Operation, Request};
use portreeve_snmp_message::{PduType, prepend_community_message, prepend_pdu};

use crate::error::Result;

/// Returns the notification as an SNMPv2c message.
pub(super) fn community_message(community: &str, kind: PduType) -> Result<Vec<u8>> {
    let mut buffer = [0; 512];
    let mut writer = ForwardWriter::resume(&mut buffer, HEADROOM);
    for (name, value) in VARIABLES {
        writer.var_bind(name, &value)?;
    }
    let end = writer.len();
    let mut writer = ReverseWriter::before(&mut buffer, HEADROOM..end);
    prepend(&mut writer, community, kind)?;
    Ok(writer.written().to_vec())
}

fn prepend(
    writer: &mut ReverseWriter<'_>,
    community: &str,
    kind: PduType,
) -> std::result::Result<(), BufferFullError> {
    prepend_pdu(writer, kind, REQUEST_ID, 0, 0)?;
    prepend_community_message(writer, MessageProcessingModel::V2c, community.as_bytes())
}

/// Returns the notification as an inform.
pub(super) fn inform() -> Request {
    let mut request = Request::new(Operation::Inform);
    VARIABLES.iter().for_each(|(name, value)| request.push(name, *value));
    request
}

/// Returns the notification as the operands of a command.
pub(in crate::experiments) fn operands() -> Vec<String> {
    [
        "4200",
        ".1.3.6.1.6.3.1.1.5.3",
        ".1.3.6.1.2.1.2.2.1.1.2",
        "i",
        "2",
        ".1.3.6.1.2.1.2.2.1.7.2",
        "i",
        "2",
        ".1.3.6.1.2.1.2.2.1.8.2",
        "i",
        "2",
    ]
    .map(String::from)
    .into()
}

/// sysUpTime.0, snmpTrapOID.0, ifIndex, ifAdminStatus and ifOperStatus.
const VARIABLES: [(&[u32], Value<'static>); 5] = [
    (&[1, 3, 6, 1, 2, 1, 1, 3, 0], Value::TimeTicks(4200)),
    (&[1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0], Value::ObjectId(OidRef::Arcs(&[1, 3, 6, 1, 6, 3, 1, 1, 5, 3]))),
    (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 1, 2], Value::Integer(2)),
    (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 7, 2], Value::Integer(2)),
    (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 8, 2], Value::Integer(2)),
];

/// Four octets when encoded, like the identifiers of real senders.
const REQUEST_ID: i32 = 0x5052_4545;
/// Room for the headers before the variables.
const HEADROOM: usize = 128;

#[cfg(test)]
mod tests {
    use portreeve_snmp_message::{CommunityMessage, Pdu};

    use super::*;

    #[test]
    fn all_forms_have_the_same_variables() {
        let encoded = community_message("lab", PduType::TrapV2).unwrap();
        let mut message = CommunityMessage::parse(&encoded).unwrap();
        let pdu = Pdu::parse(&mut message.pdu).unwrap();
        assert_eq!((message.community, pdu.pdu_type), (&b"lab"[..], PduType::TrapV2));
        assert_eq!(pdu.var_binds.encoded(), inform().variables().encoded());
        let operands = operands();
        let names: Vec<String> =
            pdu.var_binds.iter().map(|bind| format!(".{:?}", bind.name.to_buf())).collect();
        let given: Vec<String> = operands[2..].chunks(3).map(|words| words[0].clone()).collect();
        assert_eq!(names[2..], given);
        let Some(Value::ObjectId(kind)) = pdu.var_binds.iter().nth(1).map(|bind| bind.value) else {
            unreachable!("the second variable is snmpTrapOID.0");
        };
        assert_eq!(format!(".{:?}", kind.to_buf()), operands[1]);
    }
}
