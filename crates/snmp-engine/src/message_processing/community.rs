//! SNMPv1 and SNMPv2c: the message consists of a community and a PDU (RFC 3584 §5.2).

use std::sync::Arc;

use portreeve_lcd::Lcd;
use portreeve_smi::{
    MessageProcessingModel, SecurityLevel, TmStateReference,
    ber::{Reader, Tag},
};
use portreeve_snmp_message::{CommunityMessage, Pdu, PduType, TrapV1};

use super::{PduRules, ReceivedMessage, ReceivedPdu, RegisteredPdus};
use crate::{
    LocalEngine, StateReference,
    reject_reason::RejectReason,
    security,
    short_name::ShortName,
    state_reference::{SecurityStateReference, V3State},
};

/// Parses the PDU in a message of version `model`, which must be of a registered type.
pub(crate) fn prepare_data_elements<'m>(
    lcd: &Lcd,
    local: &LocalEngine,
    model: MessageProcessingModel,
    transport: &TmStateReference,
    max_size: usize,
    registered: RegisteredPdus,
    message: &'m [u8],
) -> Result<ReceivedMessage<'m>, RejectReason> {
    let parsed = CommunityMessage::parse(message).map_err(|_| RejectReason::Malformed)?;
    let mut reader = parsed.pdu;
    let is_trap = reader.peek_tag() == Some(Tag::TRAP_V1) && model == MessageProcessingModel::V1;
    let pdu = match (is_trap, registered) {
        (false, _) => Some(ReceivedPdu::Other(parse_pdu(&mut reader, model)?)),
        (true, RegisteredPdus::Notifications) => Some(ReceivedPdu::TrapV1(parse_trap(&mut reader)?)),
        // Not parsed, because it is rejected.
        (true, RegisteredPdus::Requests) => None,
    };
    //= rfc3584#5.1-p1
    let (security, level) = if transport.domain.is_secure() {
        (session_security(lcd, transport, parsed.community)?, transport.transport_level)
    } else {
        let row =
            security::community::process_incoming_msg(lcd, &local.engine_id, parsed.community, transport)?;
        (SecurityStateReference::Community(Arc::clone(row)), SecurityLevel::NoAuthNoPriv)
    };
    let pdu = pdu.ok_or(RejectReason::UnknownPduHandler)?;
    match &pdu {
        ReceivedPdu::Other(Pdu { pdu_type: PduType::Response | PduType::Report, .. }) => {
            return Err(RejectReason::Unexpected);
        }
        ReceivedPdu::Other(pdu) if !registered.contain(pdu.pdu_type) => {
            return Err(RejectReason::UnknownPduHandler);
        }
        _ => {}
    }
    let state = StateReference { security, model, level, v3: V3State::default(), max_size };
    Ok(ReceivedMessage { pdu, state, security_engine_id: None })
}

fn parse_trap<'m>(reader: &mut Reader<'m>) -> Result<TrapV1<'m>, RejectReason> {
    let trap = TrapV1::parse(reader).map_err(|_| RejectReason::Malformed)?;
    if reader.is_empty() && PduRules::V1.allows_all(&trap.var_binds) {
        Ok(trap)
    } else {
        Err(RejectReason::Malformed)
    }
}

/// Returns the security state of a community message in a session: the authenticated identity of
/// the session. Fails unless the configuration allows communities in sessions. The value of the
/// community is not checked; the response repeats it.
fn session_security(
    lcd: &Lcd,
    transport: &TmStateReference,
    community: &[u8],
) -> Result<SecurityStateReference, RejectReason> {
    let name = transport.security_name.as_ref().filter(|_| lcd.tables().communities_in_sessions);
    match (name, ShortName::new(community)) {
        (Some(name), Some(community)) => {
            Ok(SecurityStateReference::Session { name: Arc::clone(name), community })
        }
        _ => Err(RejectReason::BadCommunityName),
    }
}

fn parse_pdu<'m>(reader: &mut Reader<'m>, model: MessageProcessingModel) -> Result<Pdu<'m>, RejectReason> {
    let pdu = Pdu::parse(reader).map_err(|_| RejectReason::Malformed)?;
    let rules = PduRules::of(model);
    let is_supported = match pdu.pdu_type {
        PduType::GetRequest | PduType::GetNextRequest | PduType::SetRequest | PduType::Response => true,
        PduType::GetBulkRequest | PduType::InformRequest | PduType::TrapV2 => rules.bulk,
        PduType::Report => false,
    };
    if is_supported && reader.is_empty() && rules.allows_all(&pdu.var_binds) {
        Ok(pdu)
    } else {
        Err(RejectReason::Malformed)
    }
}
