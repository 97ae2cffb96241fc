//! Prepares responses and Reports: writes headers and security parameters in front of the variable
//! bindings.

use std::{fmt, ops::Range};

use portreeve_smi::{
    MessageProcessingModel, SecurityLevel, SecurityModel, Timestamp,
    ber::{BufferFullError, ReverseWriter, Tag},
};
use portreeve_snmp_message::{
    HeaderData, MsgFlags, PduType, prepend_community_message, prepend_pdu, prepend_scoped_pdu,
    prepend_v3_message,
};

use crate::{
    LocalEngine,
    security::usm::{Outgoing, UserKeys, UsmSendError},
};

/// The PDU fields around variable bindings that are already in the buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutgoingPdu {
    pub(crate) pdu_type: PduType,
    pub(crate) request_id: i32,
    pub(crate) error_status: i32,
    pub(crate) error_index: i32,
}

/// The fields that exist only in SNMPv3 messages.
pub(crate) struct OutgoingV3<'a> {
    pub(crate) msg_id: i32,
    pub(crate) level: SecurityLevel,
    pub(crate) context_engine_id: &'a [u8],
    pub(crate) context_name: &'a [u8],
    pub(crate) security: OutgoingSecurity<'a>,
}

pub(crate) enum OutgoingSecurity<'a> {
    Usm { user_name: &'a [u8], keys: Option<&'a UserKeys>, salt: u64 },
    Tsm,
}

/// Turns the variable bindings at `var_binds` into a message of SNMPv1 or SNMPv2c. Returns its
/// range in the buffer.
pub(crate) fn community_message(
    buffer: &mut [u8],
    var_binds: Range<usize>,
    pdu: OutgoingPdu,
    model: MessageProcessingModel,
    community: &[u8],
) -> Result<Range<usize>, PrepareError> {
    let mut writer = ReverseWriter::before(buffer, var_binds);
    prepend(&mut writer, pdu)?;
    //= rfc3584#5.2.2-p1
    prepend_community_message(&mut writer, model, community)?;
    Ok(writer.range())
}

/// Turns the variable bindings at `var_binds` into an SNMPv3 response or Report. Returns its range
/// in the buffer.
pub(crate) fn v3_message(
    buffer: &mut [u8],
    var_binds: Range<usize>,
    pdu: OutgoingPdu,
    message: &OutgoingV3<'_>,
    local: &LocalEngine,
    now: Timestamp,
) -> Result<Range<usize>, PrepareError> {
    let mut writer = ReverseWriter::before(buffer, var_binds);
    prepend(&mut writer, pdu)?;
    //= rfc3412#7.1-6
    prepend_scoped_pdu(&mut writer, message.context_engine_id, message.context_name)?;
    let mut header = HeaderData {
        //= rfc3412#7.1-7b
        msg_id: message.msg_id,
        //= rfc3412#7.1-7c
        max_size: u32::try_from(local.max_message_size).unwrap_or(u32::MAX),
        //= rfc3412#7.1-7d
        flags: MsgFlags::new(message.level, pdu.pdu_type.is_confirmed()),
        //= rfc3412#7.1-7e
        security_model: SecurityModel::USM,
    };
    match &message.security {
        OutgoingSecurity::Usm { user_name, keys, salt } => {
            let authoritative = local.as_authoritative(now);
            //= rfc3412#7.1-8a
            let outgoing = Outgoing::response(&authoritative, user_name, *keys, message.level)?;
            let unsigned = outgoing.secure(*salt, &mut writer)?;
            //= rfc3412#7.1-7a
            prepend_v3_message(&mut writer, &header)?;
            unsigned.sign(writer.written_mut())?;
        }
        //= rfc5591#4.2-3
        //= rfc5591#4.2-4
        OutgoingSecurity::Tsm => {
            header.security_model = SecurityModel::TSM;
            writer.header(Tag::OCTET_STRING, 0)?;
            prepend_v3_message(&mut writer, &header)?;
        }
    }
    Ok(writer.range())
}

/// The reason why a message could not be prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PrepareError {
    /// The message does not fit into the buffer.
    BufferFull,
    /// The security model cannot protect the message.
    Security(UsmSendError),
}

impl From<BufferFullError> for PrepareError {
    fn from(_: BufferFullError) -> Self {
        Self::BufferFull
    }
}

impl From<UsmSendError> for PrepareError {
    fn from(reason: UsmSendError) -> Self {
        match reason {
            UsmSendError::BufferFull => Self::BufferFull,
            other => Self::Security(other),
        }
    }
}

impl fmt::Display for PrepareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BufferFull => f.write_str("message does not fit into its buffer"),
            Self::Security(reason) => reason.fmt(f),
        }
    }
}

fn prepend(writer: &mut ReverseWriter<'_>, pdu: OutgoingPdu) -> Result<(), BufferFullError> {
    prepend_pdu(writer, pdu.pdu_type, pdu.request_id, pdu.error_status, pdu.error_index)
}
