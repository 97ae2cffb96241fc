//! SNMPv1 and SNMPv2c: the message consists of a community and a PDU (RFC 3584 §5.2).

use std::sync::Arc;

use portreeve_lcd::Lcd;
use portreeve_smi::{MessageProcessingModel, SecurityLevel, TmStateReference, ber::Tag};
use portreeve_snmp_message::{CommunityMessage, Pdu, PduType};

use super::PduRules;
use crate::{
    LocalEngine, Request, StateReference,
    reject_reason::RejectReason,
    security,
    short_name::ShortName,
    state_reference::{SecurityStateReference, V3State},
};

/// Parses the request in a message of version `model`.
///
/// Only PDUs of the Confirmed Class are answered. All other PDUs are rejected.
pub(crate) fn prepare_data_elements<'m>(
    lcd: &Lcd,
    local: &LocalEngine,
    model: MessageProcessingModel,
    transport: &TmStateReference,
    max_size: usize,
    message: &'m [u8],
) -> Result<Request<'m>, RejectReason> {
    let parsed = CommunityMessage::parse(message).map_err(|_| RejectReason::Malformed)?;
    let mut reader = parsed.pdu;
    let is_trap = reader.peek_tag() == Some(Tag::TRAP_V1) && model == MessageProcessingModel::V1;
    let pdu = if is_trap { None } else { Some(parse_pdu(&mut reader, model)?) };
    //= rfc3584#5.1-p1
    let (security, level) = if transport.domain.is_secure() {
        (session_security(lcd, transport, parsed.community)?, transport.transport_level)
    } else {
        let row =
            security::community::process_incoming_msg(lcd, &local.engine_id, parsed.community, transport)?;
        (SecurityStateReference::Community(Arc::clone(row)), SecurityLevel::NoAuthNoPriv)
    };
    match pdu {
        Some(pdu) if pdu.pdu_type.is_confirmed() && pdu.pdu_type != PduType::InformRequest => Ok(Request {
            pdu,
            state: StateReference { security, model, level, v3: V3State::default(), max_size },
        }),
        Some(Pdu { pdu_type: PduType::Response | PduType::Report, .. }) => Err(RejectReason::Unexpected),
        _ => Err(RejectReason::UnknownPduHandler),
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

fn parse_pdu<'m>(
    reader: &mut portreeve_smi::ber::Reader<'m>,
    model: MessageProcessingModel,
) -> Result<Pdu<'m>, RejectReason> {
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
