//! SNMPv3 (RFC 3412 §7.2): header, security parameters and a scopedPDU.

use std::sync::Arc;

use portreeve_smi::{
    EngineId, MessageProcessingModel, SecurityLevel, SecurityModel, Timestamp, TmStateReference, ber::Reader,
};
use portreeve_snmp_message::{HeaderData, Pdu, PduType, ScopedPdu, ScopedPduData, V3Message};

use crate::{
    LocalEngine, Request, StateReference,
    failure::Failure,
    report_target::{ReportSecurity, ReportTarget},
    security::{
        UsePrefix, tsm,
        usm::{self, IncomingContext, NoPeers, UserCache},
    },
    short_name::ShortName,
    state_reference::{SecurityState, V3State},
};

/// What a message is judged by.
pub(crate) struct Scene<'s> {
    pub(crate) local: &'s LocalEngine,
    pub(crate) now: Timestamp,
    pub(crate) transport: &'s TmStateReference,
    /// The longest message that can go back, by transport and by ourselves.
    pub(crate) max_size: usize,
    pub(crate) users: &'s UserCache,
    pub(crate) use_prefix: UsePrefix,
}

/// Why a message goes no further, and whom a Report about it may be sent to.
pub(crate) struct Rejection {
    pub(crate) failure: Failure,
    pub(crate) report_to: Option<ReportTarget>,
}

impl From<Failure> for Rejection {
    fn from(failure: Failure) -> Self {
        Self { failure, report_to: None }
    }
}

/// The request in an SNMPv3 message, which is decrypted in place.
pub(crate) fn prepare_data_elements<'m>(
    scene: &Scene<'_>,
    message: &'m mut [u8],
) -> Result<Request<'m>, Rejection> {
    //= rfc3412#7.2-2
    //= rfc3412#7.2-3
    let parsed = V3Message::parse(message).map_err(|_| Failure::Malformed)?;
    let header = parsed.header;
    //= rfc3412#7.2-5a
    //= rfc3412#7.2-5b
    //= rfc3412#7.2-5c
    //= rfc3412#7.2-5d
    //= rfc3412#7.2-5e
    let level = header.flags.level();
    let opened = match header.security_model {
        SecurityModel::USM => open_usm(scene, message, &parsed, level.ok_or(Failure::InvalidMessage)?)?,
        SecurityModel::TSM => open_tsm(scene, message, &parsed, level.ok_or(Failure::InvalidMessage)?)?,
        //= rfc3412#7.2-4
        _ => return Err(Failure::UnknownSecurityModel.into()),
    };
    let max_size = reply_size(scene, &header);
    //= rfc3412#7.2-7
    //= rfc3412#7.2-8
    let scoped_pdu = message.get(opened.scoped_pdu).ok_or(Failure::Malformed)?;
    let ScopedPdu { context_engine_id, context_name, pdu: mut reader } =
        ScopedPdu::parse(&mut Reader::new(scoped_pdu)).map_err(|_| Failure::Malformed)?;
    let pdu = Pdu::parse(&mut reader).map_err(|_| Failure::Malformed)?;
    reader.finish().map_err(|_| Failure::Malformed)?;
    let context_name = ShortName::new(context_name).ok_or(Failure::Malformed)?;
    let context_engine_id = EngineId::from_wire(context_engine_id).ok();
    let state = StateReference {
        security: opened.security,
        model: MessageProcessingModel::V3,
        level: opened.level,
        v3: V3State { msg_id: header.msg_id, context_engine_id, context_name },
        max_size,
    };
    //= rfc3412#7.2-9
    match pdu.pdu_type {
        //= rfc3412#7.2-10a
        PduType::Response | PduType::Report => Err(Failure::Unexpected.into()),
        //= rfc3412#7.2-13a
        _ if pdu.pdu_type.is_confirmed() && !opened.is_ours => Err(Failure::Unexpected.into()),
        //= rfc3412#7.2-13b
        //= rfc3412#7.2-13c
        PduType::GetRequest | PduType::GetNextRequest | PduType::GetBulkRequest | PduType::SetRequest
            if is_local(scene, context_engine_id) =>
        {
            Ok(Request { pdu, state })
        }
        //= rfc3412#7.2-14
        _ => {
            let reportable = header.flags.is_reportable() && pdu.pdu_type.is_confirmed();
            let report_to = if reportable { ReportTarget::of_request(&state, pdu.request_id) } else { None };
            Err(Rejection { failure: Failure::UnknownPduHandler, report_to })
        }
    }
}

/// A message whose sender is known.
struct Opened {
    scoped_pdu: std::ops::Range<usize>,
    security: SecurityState,
    level: SecurityLevel,
    /// Whether securityEngineID is ours.
    is_ours: bool,
}

fn open_usm(
    scene: &Scene<'_>,
    message: &mut [u8],
    parsed: &V3Message,
    level: SecurityLevel,
) -> Result<Opened, Rejection> {
    let mut context = IncomingContext {
        local: scene.local.as_authoritative(scene.now),
        users: scene.users,
        peers: &mut NoPeers,
        now: scene.now,
    };
    match usm::process_incoming_msg(&mut context, message, parsed, level) {
        Ok(incoming) => Ok(Opened {
            scoped_pdu: incoming.scoped_pdu,
            security: SecurityState::Usm(Arc::clone(incoming.user)),
            level,
            is_ours: incoming.authoritative,
        }),
        Err(rejected) => {
            let report_to = may_report(message, parsed).map(|request_id| ReportTarget {
                msg_id: parsed.header.msg_id,
                request_id,
                security: ReportSecurity::claimed(message, &rejected),
                level: SecurityLevel::NoAuthNoPriv,
                max_size: reply_size(scene, &parsed.header).min(MAX_AMPLIFICATION * message.len()),
            });
            Err(Rejection { failure: Failure::Usm(rejected.failure), report_to })
        }
    }
}

fn open_tsm(
    scene: &Scene<'_>,
    message: &[u8],
    parsed: &V3Message,
    level: SecurityLevel,
) -> Result<Opened, Rejection> {
    let ScopedPduData::Plaintext(scoped_pdu) = parsed.data.clone() else {
        return Err(Failure::Malformed.into());
    };
    let name = tsm::process_incoming_msg(scene.transport, level, scene.use_prefix).map_err(|failure| {
        let report_to = may_report(message, parsed).map(|request_id| ReportTarget {
            msg_id: parsed.header.msg_id,
            request_id,
            security: ReportSecurity::Tsm,
            level: SecurityLevel::NoAuthNoPriv,
            max_size: reply_size(scene, &parsed.header).min(MAX_AMPLIFICATION * message.len()),
        });
        Rejection { failure: Failure::Tsm(failure), report_to }
    })?;
    //= rfc5591#5.2-1
    Ok(Opened { scoped_pdu, security: SecurityState::Tsm(name), level, is_ours: true })
}

/// The request-id that a Report about a message we could not open shall carry, zero where it is unreadable; `None`
/// where no Report may be sent.
fn may_report(message: &[u8], parsed: &V3Message) -> Option<i32> {
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

/// Whether a contextEngineID means this engine: by its own ID, or by the one that asks for it (RFC 5343 §3.2).
fn is_local(scene: &Scene<'_>, context_engine_id: Option<EngineId>) -> bool {
    context_engine_id.is_some_and(|id| id == scene.local.engine_id || id == EngineId::LOCAL)
}

fn reply_size(scene: &Scene<'_>, header: &HeaderData) -> usize {
    usize::try_from(header.max_size).unwrap_or(usize::MAX).min(scene.max_size)
}

/// How many times as long as the message a Report to an unproven sender may be, so that nobody gains by forging addresses.
const MAX_AMPLIFICATION: usize = 3;
