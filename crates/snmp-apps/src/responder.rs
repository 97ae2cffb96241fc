//! The command responder (RFC 3413 §3.2): processes a request and writes the variable bindings of
//! the response.

use std::sync::Arc;

use portreeve_datastore::{Refusal, State};
use portreeve_lcd::View;
use portreeve_mib::{LookupToken, ServedObjects};
use portreeve_smi::{ErrorStatus, Timestamp, ber::ForwardWriter};
use portreeve_snmp_engine::{
    RejectReason, Response, StateReference,
    access::vacm::{AccessError, ViewType, find_view},
};
use portreeve_snmp_message::{Pdu, PduType};

use crate::{
    retrieval::{self, RetrievalContext, StopReason, get, get_bulk, get_next},
    set::access_refusal,
};

/// Serves objects to principals with access to them.
pub(crate) struct Responder {
    pub(crate) served: ServedObjects,
}

/// error-status and error-index of a response. The index is counted from 1; 0 means all variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ResponseStatus(pub(crate) ErrorStatus, pub(crate) usize);

impl From<&Refusal> for ResponseStatus {
    fn from(refusal: &Refusal) -> Self {
        Self(refusal.kind.error_status(), refusal.variable())
    }
}

/// The result of processing a request.
pub(crate) enum ResponderOutcome {
    /// A response whose variable bindings have been written to the area.
    Response(Response),
    /// The request was rejected as a whole, with a Report if the version supports it.
    Rejected(RejectReason),
    /// The response waits for the value of this variable, counted from 1.
    AwaitValue(LookupToken, usize),
    /// A SET that may be executed.
    ExecuteSet,
    /// A SET that is refused without being executed.
    Refused(Refusal),
}

/// The parts of a request that the responder needs.
#[derive(Clone, Copy)]
pub(crate) struct RequestContext<'q> {
    pub(crate) now: Timestamp,
    /// The principal and context of the request.
    pub(crate) state: &'q StateReference,
    pub(crate) pdu: &'q Pdu<'q>,
    pub(crate) limits: SizeLimits,
}

/// Limits for the length of a response's variable bindings, in octets.
#[derive(Clone, Copy)]
pub(crate) struct SizeLimits {
    /// Variable bindings of at most this length always fit. GetBulk responses are truncated to this
    /// length.
    pub(crate) guaranteed: usize,
    /// Variable bindings of at most this length may fit. A longer response becomes tooBig without
    /// an attempt to encode it.
    pub(crate) max: usize,
}

impl Responder {
    /// Processes a request with the access rights and the values of one state. Variable bindings
    /// are written to the start of `area`.
    pub(crate) fn respond(
        &mut self,
        request: RequestContext<'_>,
        shared: &Arc<State>,
        area: &mut [u8],
    ) -> ResponderOutcome {
        let RequestContext { state, pdu, .. } = request;
        //= rfc3413#3.2-1
        //= rfc3413#3.2-2
        //= rfc3413#3.2-4
        let view_type = if pdu.pdu_type == PduType::SetRequest { ViewType::Write } else { ViewType::Read };
        //= rfc3413#3.2-5
        match find_view(&shared.lcd, &state.principal(), view_type, state.context_name()) {
            Ok(_) if view_type == ViewType::Write => accept_set(request, area),
            Ok(view) => self.read(request, shared, view, area),
            //= rfc3413#3.2-5-p3
            Err(AccessError::NoSuchContext) => ResponderOutcome::Rejected(RejectReason::UnknownContext),
            Err(error) if view_type == ViewType::Write => {
                ResponderOutcome::Refused(access_refusal(error, state))
            }
            //= rfc3413#3.2-5-p1
            Err(AccessError::NoSuchView | AccessError::NoAccessEntry | AccessError::NoGroupName) => {
                // SNMPv1 peers receive noSuchName, which requires the index of a variable.
                //= rfc3584#4.4-p2
                let error_index = usize::from(!state.rules().v2_errors);
                echo(pdu, ResponseStatus(ErrorStatus::AuthorizationError, error_index), area)
            }
            //= rfc3413#3.2-5-p5
            Err(AccessError::NotInView) => echo(pdu, ResponseStatus(ErrorStatus::GenErr, 0), area),
        }
    }

    fn read(
        &mut self,
        request: RequestContext<'_>,
        shared: &Arc<State>,
        view: &View,
        area: &mut [u8],
    ) -> ResponderOutcome {
        let RequestContext { now, state, pdu, limits } = request;
        self.served.enter_context(state.context_name());
        self.served.begin(shared, now);
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
}

/// Accepts a SET for execution, unless its response would be too long.
pub(crate) fn accept_set(request: RequestContext<'_>, area: &mut [u8]) -> ResponderOutcome {
    let RequestContext { state, pdu, limits, .. } = request;
    // The response repeats the variables of the request. Check that it fits before any variable is
    // changed.
    if pdu.var_binds.encoded().len() > limits.guaranteed {
        return too_big(state, pdu, area);
    }
    ResponderOutcome::ExecuteSet
}

/// Builds a response that repeats the variables of the request.
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

/// Builds the tooBig response (RFC 3416 §4.2.1): without variables or, for SNMPv1, with the
/// variables of the request.
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

/// The status of a successful SET.
pub(crate) const NO_ERROR: ResponseStatus = ResponseStatus(ErrorStatus::NoError, 0);
