//! `samples DIR`: writes one message of every kind, one file each, for an independent dissector.
//!
//! The samples also cover kinds that a manager and an agent rarely exchange.

use std::fs;
use std::path::Path;

use portreeve_smi::ber::{BufferFullError, ForwardWriter, ReverseWriter, Tag};
use portreeve_smi::{MessageProcessingModel, OidRef, SecurityLevel, SecurityModel, Value};
use portreeve_snmp_message::{
    HeaderData, MsgFlags, PduType, TrapV1, VarBinds, prepend_community_message, prepend_pdu,
    prepend_scoped_pdu, prepend_v3_message,
};

use crate::error::{Context, Result};

/// Writes `DIR/*.ber` and creates the directory.
pub(crate) fn write(arguments: &[String]) -> Result<()> {
    let [directory] = arguments else { return Err(crate::commands::usage_error("samples")) };
    let directory = Path::new(directory);
    fs::create_dir_all(directory).context(directory.display())?;
    for (name, message) in all()? {
        let path = directory.join(format!("{name}.ber"));
        fs::write(&path, message).context(path.display())?;
    }
    Ok(())
}

/// Returns every kind by name: the SNMPv1 trap, and each SNMPv2 PDU in v2c and v3 messages.
fn all() -> Result<Vec<(String, Vec<u8>)>> {
    let mut samples = vec![("v1-trap".to_owned(), build(trap_v1)?)];
    for (name, kind) in KINDS {
        samples.push((format!("v2c-{name}"), build(|writer| community(writer, kind))?));
        samples.push((format!("v3-{name}"), build(|writer| v3(writer, kind))?));
    }
    Ok(samples)
}

/// Encodes bindings with every type of value, and the headers that `wrap` adds.
fn build(
    wrap: impl FnOnce(&mut ReverseWriter<'_>) -> std::result::Result<(), BufferFullError>,
) -> Result<Vec<u8>> {
    let mut buffer = [0; 1472];
    let mut writer = ForwardWriter::resume(&mut buffer, HEADROOM);
    for (name, value) in &BINDINGS {
        writer.var_bind(name, value)?;
    }
    let end = writer.len();
    let mut writer = ReverseWriter::before(&mut buffer, HEADROOM..end);
    wrap(&mut writer)?;
    Ok(writer.written().to_vec())
}

fn trap_v1(writer: &mut ReverseWriter<'_>) -> std::result::Result<(), BufferFullError> {
    let trap = TrapV1 {
        enterprise: OidRef::Arcs(&[1, 3, 6, 1, 6, 3, 1, 1, 5]),
        agent_address: [192, 0, 2, 161],
        generic: 3,
        specific: 0,
        time_stamp: 14_096_763,
        var_binds: VarBinds::default(),
    };
    trap.prepend(writer)?;
    prepend_community_message(writer, MessageProcessingModel::V1, b"public")
}

fn community(writer: &mut ReverseWriter<'_>, kind: PduType) -> std::result::Result<(), BufferFullError> {
    prepend_pdu(writer, kind, REQUEST_ID, 0, 0)?;
    prepend_community_message(writer, MessageProcessingModel::V2c, b"public")
}

/// Encodes at noAuthNoPriv: encryption is tested with real keys and a running agent.
fn v3(writer: &mut ReverseWriter<'_>, kind: PduType) -> std::result::Result<(), BufferFullError> {
    prepend_pdu(writer, kind, REQUEST_ID, 0, 0)?;
    prepend_scoped_pdu(writer, &ENGINE_ID, b"")?;
    let since = writer.len();
    writer.octet_string(b"")?;
    writer.octet_string(b"")?;
    writer.octet_string(b"sample")?;
    writer.integer(4711)?;
    writer.integer(7)?;
    writer.octet_string(&ENGINE_ID)?;
    writer.wrap(Tag::SEQUENCE, since)?;
    writer.wrap(Tag::OCTET_STRING, since)?;
    let header = HeaderData {
        msg_id: REQUEST_ID,
        max_size: 1472,
        flags: MsgFlags::new(SecurityLevel::NoAuthNoPriv, kind.is_confirmed()),
        security_model: SecurityModel::USM,
    };
    prepend_v3_message(writer, &header)
}

const KINDS: [(&str, PduType); 8] = [
    ("get", PduType::GetRequest),
    ("getnext", PduType::GetNextRequest),
    ("response", PduType::Response),
    ("set", PduType::SetRequest),
    ("getbulk", PduType::GetBulkRequest),
    ("inform", PduType::InformRequest),
    ("trap", PduType::TrapV2),
    ("report", PduType::Report),
];

const BINDINGS: [(&[u32], Value<'static>); 13] = [
    (&[1, 3, 6, 1, 2, 1, 1, 3, 0], Value::TimeTicks(14_096_763)),
    (&[1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0], Value::ObjectId(OidRef::Arcs(&[1, 3, 6, 1, 6, 3, 1, 1, 5, 3]))),
    (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 1, 7], Value::Integer(-7)),
    (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 2, 7], Value::OctetString(b"eth0")),
    (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 5, 7], Value::Gauge32(u32::MAX)),
    (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 10, 7], Value::Counter32(3_221_225_472)),
    (&[1, 3, 6, 1, 2, 1, 31, 1, 1, 1, 6, 7], Value::Counter64(u64::MAX)),
    (&[1, 3, 6, 1, 2, 1, 4, 20, 1, 1], Value::IpAddress([192, 0, 2, 1])),
    (&[1, 3, 6, 1, 2, 1, 99, 1], Value::Opaque(&[0x9f, 0x78, 0x04, 0x42, 0xf6, 0x00, 0x00])),
    (&[1, 3, 6, 1, 2, 1, 99, 2], Value::Null),
    (&[1, 3, 6, 1, 2, 1, 99, 3], Value::NoSuchObject),
    (&[1, 3, 6, 1, 2, 1, 99, 4], Value::NoSuchInstance),
    (&[2, 999, u32::MAX], Value::EndOfMibView),
];

const ENGINE_ID: [u8; 11] = [0x80, 0, 0, 0, 5, 1, 2, 3, 4, 5, 6];

const REQUEST_ID: i32 = 0x5052_4545;

const HEADROOM: usize = 256;

#[cfg(test)]
mod tests;
