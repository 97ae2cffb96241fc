//! The command responder (RFC 3413 §3.2): from a request to the response's variable bindings.

use portreeve_lcd::{Lcd, View};
use portreeve_mib::{LookupToken, Requester, ServedObjects, StateRecord};
use portreeve_smi::{ErrorStatus, Timestamp, ber::ForwardWriter};
use portreeve_snmp_engine::{
    RejectReason, Response, StateReference,
    access::vacm::{AccessError, ViewType, find_view},
};
use portreeve_snmp_message::{Pdu, PduType};

use crate::{
    retrieval::{self, RetrievalContext, StopReason, get, get_bulk, get_next},
    set::{ResponseStatus, SetLock, SetLockGuard, Transaction},
};

/// Serves objects to those who may see and change them.
pub(crate) struct Responder {
    pub(crate) served: ServedObjects,
    pub(crate) set_lock: SetLock,
    /// Whether a SET that comes now has to queue behind others.
    pub(crate) sets_queued: bool,
}

/// What became of a request.
pub(crate) enum ResponderOutcome {
    /// A response, whose variable bindings stand in the area.
    Response(Response),
    /// Refused as a whole, with a Report where the version knows them.
    Rejected(RejectReason),
    /// The outcome waits for the value of this variable, counted from 1.
    AwaitValue(LookupToken, usize),
    /// A SET that waits for its turn.
    AwaitSetLock,
    /// A SET whose records must be durable first.
    AwaitDurable(Transaction, Vec<StateRecord>, SetLockGuard),
}

/// A request as the responder sees it.
#[derive(Clone, Copy)]
pub(crate) struct RequestContext<'q> {
    pub(crate) now: Timestamp,
    /// Who asks, about which context.
    pub(crate) state: &'q StateReference,
    pub(crate) pdu: &'q Pdu<'q>,
    pub(crate) limits: SizeLimits,
}

/// Octets that the variable bindings of a response may have.
#[derive(Clone, Copy)]
pub(crate) struct SizeLimits {
    /// Surely fits: where a GetBulk response is cut.
    pub(crate) guaranteed: usize,
    /// May fit: a longer response is tooBig without trying.
    pub(crate) max: usize,
}

impl Responder {
    /// Answers by the rights in `lcd`. Variable bindings go to the start of `area`.
    pub(crate) fn respond(
        &mut self,
        request: RequestContext<'_>,
        lcd: &Lcd,
        area: &mut [u8],
    ) -> ResponderOutcome {
        let RequestContext { state, pdu, .. } = request;
        //= rfc3413#3.2-1
        //= rfc3413#3.2-2
        //= rfc3413#3.2-4
        let view_type = if pdu.pdu_type == PduType::SetRequest { ViewType::Write } else { ViewType::Read };
        //= rfc3413#3.2-5
        match find_view(lcd, &state.principal(), view_type, state.context_name()) {
            Ok(view) if view_type == ViewType::Write => self.set(request, view, area),
            Ok(view) => self.read(request, view, area),
            //= rfc3413#3.2-5-p3
            Err(AccessError::NoSuchContext) => ResponderOutcome::Rejected(RejectReason::UnknownContext),
            // Who may read but not write is told so for the variable, as managers expect; RFC 3413 would have it
            // authorizationError here too.
            Err(AccessError::NoSuchView) if view_type == ViewType::Write => {
                echo(pdu, ResponseStatus(ErrorStatus::NoAccess, 1), area)
            }
            //= rfc3413#3.2-5-p1
            Err(AccessError::NoSuchView | AccessError::NoAccessEntry | AccessError::NoGroupName) => {
                // An SNMPv1 peer is told noSuchName, which always blames a variable.
                //= rfc3584#4.4-p2
                let error_index = usize::from(!state.rules().v2_errors);
                echo(pdu, ResponseStatus(ErrorStatus::AuthorizationError, error_index), area)
            }
            //= rfc3413#3.2-5-p5
            Err(AccessError::NotInView) => echo(pdu, ResponseStatus(ErrorStatus::GenErr, 0), area),
        }
    }

    fn read(&mut self, request: RequestContext<'_>, view: &View, area: &mut [u8]) -> ResponderOutcome {
        let RequestContext { now, state, pdu, limits } = request;
        self.served.enter_context(state.context_name());
        self.served.begin(now);
        let mut context = RetrievalContext {
            served: &mut self.served,
            view,
            rules: state.rules(),
            steps_left: retrieval::MAX_STEPS,
        };
        let limit = if pdu.pdu_type == PduType::GetBulkRequest { limits.guaranteed } else { limits.max };
        let limit = limit.min(area.len());
        let mut reply = ForwardWriter::new(area.get_mut(..limit).unwrap_or_default());
        let read = match pdu.pdu_type {
            PduType::GetRequest => get(&mut context, pdu.var_binds, &mut reply),
            PduType::GetNextRequest => get_next(&mut context, pdu.var_binds, &mut reply),
            _ => get_bulk(&mut context, pdu, &mut reply),
        };
        match read {
            Ok(()) => ResponderOutcome::Response(Response {
                request_id: pdu.request_id,
                error_status: ErrorStatus::NoError,
                error_index: 0,
                var_binds: reply.len(),
            }),
            Err(StopReason::Rejected(status, variable)) => echo(pdu, ResponseStatus(status, variable), area),
            Err(StopReason::Full) => too_big(state, pdu, area),
            Err(StopReason::ValuePending(token, variable)) => ResponderOutcome::AwaitValue(token, variable),
        }
    }

    fn set(&mut self, request: RequestContext<'_>, view: &View, area: &mut [u8]) -> ResponderOutcome {
        let RequestContext { now, state, pdu, limits } = request;
        // The response repeats the request's variables: that it fits must be known before anything changes.
        if pdu.var_binds.encoded().len() > limits.guaranteed {
            return too_big(state, pdu, area);
        }
        let free = if self.sets_queued { None } else { self.set_lock.try_acquire() };
        let Some(guard) = free else { return ResponderOutcome::AwaitSetLock };
        self.served.enter_context(state.context_name());
        self.served.begin(now);
        let principal = state.principal();
        let requester =
            Requester { security_model: principal.security_model, security_name: principal.security_name };
        match Transaction::prepare(&mut self.served, view, requester, now, pdu) {
            Err(rejected) => echo(pdu, rejected, area),
            Ok(transaction) => {
                let records = transaction.records();
                if records.is_empty() {
                    transaction.publish();
                    return echo(pdu, NO_ERROR, area);
                }
                ResponderOutcome::AwaitDurable(transaction, records, guard)
            }
        }
    }
}

/// A response that repeats the request's variables.
pub(crate) fn echo(
    pdu: &Pdu<'_>,
    ResponseStatus(error_status, error_index): ResponseStatus,
    area: &mut [u8],
) -> ResponderOutcome {
    let octets = pdu.var_binds.encoded();
    let mut writer = ForwardWriter::new(area);
    match writer.raw(octets) {
        Ok(()) => ResponderOutcome::Response(Response {
            request_id: pdu.request_id,
            error_status,
            error_index,
            var_binds: octets.len(),
        }),
        Err(_) => ResponderOutcome::Rejected(RejectReason::ResponseTooBig),
    }
}

/// The response to a request whose outcome would be too long (RFC 3416 §4.2.1): without variables, but in SNMPv1
/// with those of the request.
pub(crate) fn too_big(state: &StateReference, pdu: &Pdu<'_>, area: &mut [u8]) -> ResponderOutcome {
    if state.rules().echo_on_too_big {
        return echo(pdu, ResponseStatus(ErrorStatus::TooBig, 0), area);
    }
    ResponderOutcome::Response(Response {
        request_id: pdu.request_id,
        error_status: ErrorStatus::TooBig,
        error_index: 0,
        var_binds: 0,
    })
}

/// The status of a SET that is done.
pub(crate) const NO_ERROR: ResponseStatus = ResponseStatus(ErrorStatus::NoError, 0);
