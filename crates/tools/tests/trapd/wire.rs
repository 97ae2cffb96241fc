//! Messages in octets, for tests that send without waiting for responses.

use portreeve_smi::{MessageProcessingModel, OidRef, Value, ber::ForwardWriter, ber::ReverseWriter};
use portreeve_snmp_message::{PduType, TrapV1, VarBinds, prepend_community_message, prepend_pdu};

use crate::site::{TRAP_OID, UP_TIME};

/// Returns a notification with this number as its request-id and in a variable.
pub(crate) fn notification(pdu_type: PduType, number: u32) -> Vec<u8> {
    let mut variables = vec![0; 200];
    let mut writer = ForwardWriter::new(&mut variables);
    let kind = OidRef::Arcs(&[1, 3, 6, 1, 6, 3, 1, 1, 5, 1]);
    writer.var_bind(UP_TIME, &Value::TimeTicks(1)).unwrap();
    writer.var_bind(TRAP_OID, &Value::ObjectId(kind)).unwrap();
    number_variable(&mut writer, number);
    let mut octets = vec![0; 300];
    let length = writer.len();
    let mut writer = ReverseWriter::new(&mut octets);
    writer.raw(&variables[..length]).unwrap();
    prepend_pdu(&mut writer, pdu_type, i32::try_from(FIRST_ID + number).unwrap(), 0, 0).unwrap();
    prepend_community_message(&mut writer, MessageProcessingModel::V2c, b"public").unwrap();
    writer.written().to_vec()
}

/// Returns an SNMPv1 trap with this number in a variable, and with a long enterprise.
pub(crate) fn long_trap_v1(number: u32) -> Vec<u8> {
    let mut variables = vec![0; 200];
    let mut writer = ForwardWriter::new(&mut variables);
    number_variable(&mut writer, number);
    let length = writer.len();
    let mut octets = vec![0; 1000];
    let mut writer = ReverseWriter::new(&mut octets);
    writer.raw(&variables[..length]).unwrap();
    let enterprise: Vec<u32> = [1, 3, 6, 1].into_iter().chain(std::iter::repeat_n(u32::MAX, 120)).collect();
    let trap = TrapV1 {
        enterprise: OidRef::Arcs(&enterprise),
        agent_address: [192, 0, 2, 1],
        generic: 6,
        specific: 17,
        time_stamp: 1,
        var_binds: VarBinds::default(),
    };
    trap.prepend(&mut writer).unwrap();
    prepend_community_message(&mut writer, MessageProcessingModel::V1, b"public").unwrap();
    writer.written().to_vec()
}

fn number_variable(writer: &mut ForwardWriter<'_>, number: u32) {
    let name = format!("number {number}.");
    writer.var_bind(&[1, 3, 6, 1, 2, 1, 1, 5, 0], &Value::OctetString(name.as_bytes())).unwrap();
}

/// Returns the number and the error-status of a response, whose lengths are all below 128 or have
/// one octet more.
pub(crate) fn number_and_status(response: &[u8]) -> (u32, u8) {
    let position = response.windows(2).position(|octets| octets == [2, 4]).unwrap();
    let id = u32::from_be_bytes(response[position + 2..position + 6].try_into().unwrap());
    (id - FIRST_ID, response[position + 8])
}

/// A request for the engine ID (RFC 3414 section 4). Its response shows that the receiver has
/// handled the earlier messages.
pub(crate) const DISCOVERY: &[u8] = &[
    0x30, 0x38, 2, 1, 3, // SNMPv3
    0x30, 0x0e, 2, 1, 1, 2, 3, 0, 0xff, 0xe3, 4, 1, 4, 2, 1, 3, // msgGlobalData
    4, 0x10, 0x30, 0x0e, 4, 0, 2, 1, 0, 2, 1, 0, 4, 0, 4, 0, 4, 0, // msgSecurityParameters
    0x30, 0x11, 4, 0, 4, 0, 0xa0, 0x0b, 2, 1, 1, 2, 1, 0, 2, 1, 0, 0x30, 0, // scopedPDU
];
/// The first request-id, whose encoding has four octets.
const FIRST_ID: u32 = 0x4000_0000;
