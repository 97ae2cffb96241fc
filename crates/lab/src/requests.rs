//! The measured requests as encoded messages.

use portreeve_smi::ber::{BufferFullError, ReverseWriter, Tag};
use portreeve_smi::{MessageProcessingModel, OidBuf, OidRef};
use portreeve_snmp_message::{PduType, prepend_community_message, prepend_pdu};

use crate::error::Result;

/// The name of the instance SNMPv2-MIB::sysUpTime.0.
pub(crate) const SYS_UP_TIME: &[u32] = &[1, 3, 6, 1, 2, 1, 1, 3, 0];

/// SNMPv2-MIB::sysDescr, whose successor is its instance.
pub(crate) const SYS_DESCR: &[u32] = &[1, 3, 6, 1, 2, 1, 1, 1];

/// The name of the column IF-MIB::ifDescr.
pub(crate) const IF_DESCR: &[u32] = &[1, 3, 6, 1, 2, 1, 2, 2, 1, 2];

/// Returns an SNMPv2c GET of one instance.
pub(crate) fn get(community: &str, name: &[u32]) -> Result<Vec<u8>> {
    message(community, PduType::GetRequest, 0, 0, name)
}

/// Returns an SNMPv2c GETNEXT of one name.
pub(crate) fn get_next(community: &str, name: &[u32]) -> Result<Vec<u8>> {
    message(community, PduType::GetNextRequest, 0, 0, name)
}

/// Returns an SNMPv2c GETBULK of one name, without non-repeaters.
pub(crate) fn get_bulk(community: &str, max_repetitions: i32, name: &[u32]) -> Result<Vec<u8>> {
    message(community, PduType::GetBulkRequest, 0, max_repetitions, name)
}

fn message(community: &str, kind: PduType, first: i32, second: i32, name: &[u32]) -> Result<Vec<u8>> {
    let name = OidBuf::from_arcs(name)?;
    let mut buffer = [0; 512];
    let mut writer = ReverseWriter::new(&mut buffer);
    write(&mut writer, community, kind, first, second, &name)?;
    Ok(writer.written().to_vec())
}

fn write(
    writer: &mut ReverseWriter<'_>,
    community: &str,
    kind: PduType,
    first: i32,
    second: i32,
    name: &OidBuf,
) -> std::result::Result<(), BufferFullError> {
    writer.header(Tag::NULL, 0)?;
    writer.oid(&OidRef::Arcs(name))?;
    writer.wrap(Tag::SEQUENCE, 0)?;
    prepend_pdu(writer, kind, REQUEST_ID, first, second)?;
    prepend_community_message(writer, MessageProcessingModel::V2c, community.as_bytes())
}

/// Four octets when encoded, like the identifiers of real managers.
const REQUEST_ID: i32 = 0x5052_4545;
