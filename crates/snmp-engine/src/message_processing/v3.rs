//! SNMPv3 (RFC 3412 §7.2): header, security parameters and a scopedPDU.

use std::sync::Arc;

use portreeve_smi::{
    EngineId, MessageProcessingModel, SecurityLevel, SecurityModel, Timestamp, TmStateReference, ber::Reader,
};
use portreeve_snmp_message::{HeaderData, Pdu, PduType, ScopedPdu, ScopedPduData, V3Message};

use super::{ReceivedMessage, ReceivedPdu, RegisteredPdus};
use crate::{
    LocalEngine, StateReference,
    reject_reason::RejectReason,
    report_target::{ReportSecurity, ReportTarget},
    security::{
        UsePrefix, tsm,
        usm::{
            self, NoPeers, SecurityParameters, UserCache, UserKeys, UserLookup, UsmIncomingContext,
            UsmRejectReason,
        },
    },
    senders::{Arrival, Senders},
    short_name::ShortName,
    state_reference::{SecurityStateReference, V3State},
};

/// The engine state against which a message is checked.
pub(crate) struct IncomingContext<'s> {
    pub(crate) local: &'s LocalEngine,
    pub(crate) now: Timestamp,
    pub(crate) transport: &'s TmStateReference,
    /// The maximum size of a message to the peer, as limited by the transport and by this engine.
    pub(crate) max_size: usize,
    pub(crate) users: &'s UserCache,
    pub(crate) use_prefix: UsePrefix,
    pub(crate) registered: RegisteredPdus,
    /// The senders of traps; `None` if no traps are accepted.
    pub(crate) senders: Option<&'s mut Senders>,
}

/// The reason why a message is rejected, and the destination of the Report about the rejection.
pub(crate) struct V3RejectError {
    pub(crate) reason: RejectReason,
    pub(crate) report_target: Option<ReportTarget>,
}

impl From<RejectReason> for V3RejectError {
    fn from(reason: RejectReason) -> Self {
        Self { reason, report_target: None }
    }
}

/// Parses the PDU in an SNMPv3 message, which is decrypted in place. It must be of a registered
/// type.
pub(crate) fn prepare_data_elements<'m>(
    context: &mut IncomingContext<'_>,
    message: &'m mut [u8],
) -> Result<ReceivedMessage<'m>, V3RejectError> {
    //= rfc3412#7.2-2
    //= rfc3412#7.2-3
    let parsed = V3Message::parse(message).map_err(|_| RejectReason::Malformed)?;
    let header = parsed.header;
    //= rfc3412#7.2-5a
    //= rfc3412#7.2-5b
    //= rfc3412#7.2-5c
    //= rfc3412#7.2-5d
    //= rfc3412#7.2-5e
    let level = header.flags.level();
    let verified = match header.security_model {
        SecurityModel::USM => {
            verify_usm(context, message, &parsed, level.ok_or(RejectReason::InvalidMessage)?)?
        }
        SecurityModel::TSM => {
            verify_tsm(context, message, &parsed, level.ok_or(RejectReason::InvalidMessage)?)?
        }
        //= rfc3412#7.2-4
        _ => return Err(RejectReason::UnknownSecurityModel.into()),
    };
    let max_size = reply_size(context, &header);
    //= rfc3412#7.2-7
    //= rfc3412#7.2-8
    let scoped_pdu = message.get(verified.scoped_pdu).ok_or(RejectReason::Malformed)?;
    let ScopedPdu { context_engine_id, context_name, pdu: mut reader } =
        ScopedPdu::parse(&mut Reader::new(scoped_pdu)).map_err(|_| RejectReason::Malformed)?;
    let pdu = Pdu::parse(&mut reader).map_err(|_| RejectReason::Malformed)?;
    reader.finish().map_err(|_| RejectReason::Malformed)?;
    let context_name = ShortName::new(context_name).ok_or(RejectReason::Malformed)?;
    let context_engine_id = ShortName::new(context_engine_id);
    let is_in_session = matches!(verified.security, SecurityStateReference::Tsm(_));
    let state = StateReference {
        security: verified.security,
        model: MessageProcessingModel::V3,
        level: verified.level,
        v3: V3State { msg_id: header.msg_id, context_engine_id, context_name },
        max_size,
    };
    // With USM, the sender of a trap is authoritative: a trap with the engine ID of this engine is
    // one of its own that was sent back to it.
    let is_own = header.security_model == SecurityModel::USM && verified.is_authoritative;
    //= rfc3412#7.2-9
    match pdu.pdu_type {
        //= rfc3412#7.2-10a
        PduType::Response | PduType::Report => Err(RejectReason::Unexpected.into()),
        //= rfc3412#7.2-13a
        _ if pdu.pdu_type.is_confirmed() && !verified.is_authoritative => {
            Err(RejectReason::Unexpected.into())
        }
        //= rfc3412#7.2-13b
        //= rfc3412#7.2-13c
        pdu_type
            if is_registered(context, pdu_type, &state, is_in_session)
                && !(pdu_type == PduType::TrapV2 && is_own) =>
        {
            let security_engine_id = verified.security_engine_id;
            Ok(ReceivedMessage { pdu: ReceivedPdu::Other(pdu), state, security_engine_id })
        }
        //= rfc3412#7.2-14
        _ => {
            let reportable = header.flags.is_reportable() && pdu.pdu_type.is_confirmed();
            let report_target =
                if reportable { ReportTarget::of_request(&state, pdu.request_id) } else { None };
            Err(V3RejectError { reason: RejectReason::UnknownPduHandler, report_target })
        }
    }
}

/// A message that has passed all checks of its security model.
struct VerifiedMessage {
    scoped_pdu: std::ops::Range<usize>,
    security: SecurityStateReference,
    level: SecurityLevel,
    /// True if securityEngineID is the ID of this engine.
    is_authoritative: bool,
    /// securityEngineID, for USM.
    security_engine_id: Option<EngineId>,
}

fn verify_usm(
    context: &mut IncomingContext<'_>,
    message: &mut [u8],
    parsed: &V3Message,
    level: SecurityLevel,
) -> Result<VerifiedMessage, V3RejectError> {
    if let Some((parameters, engine_id)) = trap_sender(context, message, parsed) {
        return verify_trap(context, message, parsed, level, &parameters, engine_id);
    }
    let mut usm_context = UsmIncomingContext {
        local: context.local.as_authoritative(context.now),
        users: context.users,
        peers: &mut NoPeers,
        now: context.now,
    };
    match usm::process_incoming_msg(&mut usm_context, message, parsed, level) {
        Ok(incoming) => Ok(VerifiedMessage {
            scoped_pdu: incoming.scoped_pdu,
            security: SecurityStateReference::Usm(Arc::clone(incoming.user)),
            level,
            is_authoritative: incoming.authoritative,
            security_engine_id: Some(context.local.engine_id),
        }),
        Err(rejected) => {
            let report_target = report_request_id(message, parsed).map(|request_id| ReportTarget {
                msg_id: parsed.header.msg_id,
                request_id,
                security: ReportSecurity::claimed(message, &rejected),
                level: SecurityLevel::NoAuthNoPriv,
                max_size: reply_size(context, &parsed.header).min(MAX_AMPLIFICATION * message.len()),
            });
            Err(V3RejectError { reason: RejectReason::Usm(rejected.reason), report_target })
        }
    }
}

/// Returns the security parameters and the authoritative engine of a message that can only be a
/// trap; `None` for all other messages.
///
/// A message with the reportable flag is not a trap (RFC 3412 §6.4). If it has the engine ID of
/// another engine, its sender needs the Report to discover the ID of this engine.
fn trap_sender(
    context: &IncomingContext<'_>,
    message: &[u8],
    parsed: &V3Message,
) -> Option<(SecurityParameters, EngineId)> {
    if context.senders.is_none() || parsed.header.flags.is_reportable() {
        return None;
    }
    let parameters = SecurityParameters::parse(message, parsed.security_parameters.clone()).ok()?;
    let engine_id = EngineId::from_wire(message.get(parameters.engine_id.clone())?).ok()?;
    (engine_id != context.local.engine_id).then_some((parameters, engine_id))
}

/// Verifies a message of another authoritative engine. No Report is sent about it.
fn verify_trap(
    context: &mut IncomingContext<'_>,
    message: &mut [u8],
    parsed: &V3Message,
    level: SecurityLevel,
    parameters: &SecurityParameters,
    engine_id: EngineId,
) -> Result<VerifiedMessage, V3RejectError> {
    let Some(senders) = context.senders.as_deref_mut() else {
        return Err(RejectReason::UnknownPduHandler.into());
    };
    let source = context.transport.address;
    let user_name = message.get(parameters.user_name.clone()).unwrap_or_default();
    // A user of this engine ID has precedence over the users of all engines.
    let user = match context.users.user(engine_id.as_bytes(), user_name) {
        Some(user) => Ok(Some(Arc::clone(user))),
        None => senders.user_of(&Arrival { message, parameters, engine_id, level, source, now: context.now }),
    };
    let verified = user.and_then(|user| {
        let mut usm_context = UsmIncomingContext {
            local: context.local.as_authoritative(context.now),
            users: &OneUser(user),
            peers: &mut senders.clocks,
            now: context.now,
        };
        usm::process_incoming_msg(&mut usm_context, message, parsed, level)
            .map(|incoming| (incoming.scoped_pdu, Arc::clone(incoming.user)))
            .map_err(|rejected| rejected.reason)
    });
    match verified {
        Ok((scoped_pdu, user)) => {
            if level.is_authenticated() {
                senders.record_source(engine_id, source);
                senders.record_engine_count();
            }
            Ok(VerifiedMessage {
                scoped_pdu,
                security: SecurityStateReference::Usm(user),
                level,
                is_authoritative: false,
                security_engine_id: Some(engine_id),
            })
        }
        Err(reason) => {
            if reason == UsmRejectReason::UnknownEngineId {
                senders.record_unknown_engine();
            }
            Err(RejectReason::Usm(reason).into())
        }
    }
}

/// The user of one message.
struct OneUser(Option<Arc<UserKeys>>);

impl UserLookup for OneUser {
    fn user(&self, _: &[u8], _: &[u8]) -> Option<&Arc<UserKeys>> {
        self.0.as_ref()
    }
}

fn verify_tsm(
    context: &IncomingContext<'_>,
    message: &[u8],
    parsed: &V3Message,
    level: SecurityLevel,
) -> Result<VerifiedMessage, V3RejectError> {
    let ScopedPduData::Plaintext(scoped_pdu) = parsed.data.clone() else {
        return Err(RejectReason::Malformed.into());
    };
    let name = tsm::process_incoming_msg(context.transport, level, context.use_prefix).map_err(|reason| {
        let report_target = report_request_id(message, parsed).map(|request_id| ReportTarget {
            msg_id: parsed.header.msg_id,
            request_id,
            security: ReportSecurity::Tsm,
            level: SecurityLevel::NoAuthNoPriv,
            max_size: reply_size(context, &parsed.header).min(MAX_AMPLIFICATION * message.len()),
        });
        V3RejectError { reason: RejectReason::Tsm(reason), report_target }
    })?;
    //= rfc5591#5.2-1
    Ok(VerifiedMessage {
        scoped_pdu,
        security: SecurityStateReference::Tsm(name),
        level,
        is_authoritative: true,
        security_engine_id: None,
    })
}

/// Returns the request-id for a Report about a message that the security model rejected, or zero if
/// the request-id cannot be read; `None` if no Report may be sent.
fn report_request_id(message: &[u8], parsed: &V3Message) -> Option<i32> {
    //= rfc3412#7.1-3a
    //= rfc3412#7.1-3b
    if !parsed.header.flags.is_reportable() {
        return None;
    }
    let readable = match &parsed.data {
        ScopedPduData::Plaintext(range) => message.get(range.clone()),
        ScopedPduData::Encrypted(_) => None,
    };
    let pdu = readable
        .and_then(|octets| ScopedPdu::parse(&mut Reader::new(octets)).ok())
        .and_then(|mut scoped_pdu| Pdu::parse(&mut scoped_pdu.pdu).ok());
    match pdu {
        Some(pdu) if pdu.pdu_type.is_confirmed() => Some(pdu.request_id),
        Some(_) => None,
        None => Some(0),
    }
}

/// Returns whether a contextEngineID refers to this engine: it is the ID of this engine, or the ID
/// for the local engine (RFC 5343 §3.2).
fn is_local(context: &IncomingContext<'_>, context_engine_id: Option<EngineId>) -> bool {
    context_engine_id.is_some_and(|id| id == context.local.engine_id || id == EngineId::LOCAL)
}

/// Returns whether the application has registered for this PDU type and contextEngineID. A
/// notification receiver has registered for the notifications of all senders, and for the discovery
/// of its engine ID in a session (RFC 5343 §3.2). With USM, senders discover it by a Report.
///
/// Responses repeat the contextEngineID, so nothing is registered for one of more than 32 octets.
fn is_registered(
    context: &IncomingContext<'_>,
    pdu_type: PduType,
    state: &StateReference,
    is_in_session: bool,
) -> bool {
    let context_engine_id = state.context_engine_id();
    match context.registered {
        RegisteredPdus::Requests => {
            context.registered.contain(pdu_type) && is_local(context, context_engine_id)
        }
        RegisteredPdus::Notifications => {
            let is_discovery = pdu_type == PduType::GetRequest && context_engine_id == Some(EngineId::LOCAL);
            let is_notification =
                context.registered.contain(pdu_type) && state.v3.context_engine_id.is_some();
            is_notification || (is_discovery && is_in_session)
        }
    }
}

fn reply_size(context: &IncomingContext<'_>, header: &HeaderData) -> usize {
    usize::try_from(header.max_size).unwrap_or(usize::MAX).min(context.max_size)
}

/// The maximum size of a Report to an unauthenticated sender, as a multiple of the size of its
/// message. This limit prevents amplification attacks with forged source addresses.
const MAX_AMPLIFICATION: usize = 3;
