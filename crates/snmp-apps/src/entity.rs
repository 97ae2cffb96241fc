//! An SNMP entity: one worker's engine and its applications (RFC 3411 §3.1).
//!
//! ```text
//! handle ─► engine.receive ─► responder.respond ─► engine.respond ─► reply
//!                                   │ not yet
//!                                   ▼
//!             pending ◄── value_ready, set_finished, deadlines ──► poll ─► replies
//! ```
//!
//! Each request is processed with one state: its access rights and its values never come from two
//! different transactions.

use std::{collections::VecDeque, ops::Range, sync::Arc, time::Duration};

use portreeve_datastore::{Refusal, RefusalKind, State, StateReader, TransactionResult};
use portreeve_mib::{LookupToken, ServedObjects};
use portreeve_smi::{ErrorStatus, SecurityLevel, Timestamp, TmStateReference};
use portreeve_snmp_engine::{
    Engine, ReceiveOutcome, RejectReason, Response, StateReference,
    access::vacm::{ViewType, find_view},
    statistics::{Counter, Recorder},
    var_bind_area,
};
use portreeve_snmp_message::{OwnedPdu, Pdu, PduType};

use crate::{
    finished_set::{FinishedSet, FinishedSets},
    pending::{PendingRequest, PendingTable, WaitsFor},
    responder::{
        NO_ERROR, RequestContext, Responder, ResponderOutcome, ResponseStatus, SizeLimits, accept_set, echo,
        too_big,
    },
    set::{SetClaim, SetRequest, SetToken},
};

/// The engine and applications of one worker. `S` identifies the source of a request, so that the
/// response can be sent to that source later. Requests of one session have equal sources.
pub struct Entity<S> {
    engine: Engine,
    state: StateReader,
    responder: Responder,
    pending: PendingTable<S>,
    sets: VecDeque<SetRequest>,
    ready_values: VecDeque<LookupToken>,
    set_results: VecDeque<(SetToken, TransactionResult)>,
    finished_sets: FinishedSets<S>,
    next_token: u64,
    settings: EntitySettings,
}

/// The settings of an [`Entity`].
#[derive(Clone, Copy, Debug)]
pub struct EntitySettings {
    /// The maximum size in octets of a response over UDP to an unauthenticated read request: a
    /// request with a community, or from an SNMPv3 user at noAuthNoPriv. This limits the traffic to
    /// forged source addresses.
    pub max_community_datagram: usize,
    /// The time after which a pending request is answered with genErr.
    pub pending_timeout: Duration,
}

impl Default for EntitySettings {
    fn default() -> Self {
        Self { max_community_datagram: 1472, pending_timeout: Duration::from_secs(5) }
    }
}

/// The result of handling a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandleOutcome {
    /// The message is answered with a reply at this range of the reply buffer.
    Reply(Range<usize>),
    /// A response to a request without authentication (a community, or noAuthNoPriv), at this range
    /// of the reply buffer. The transport limits its rate where source addresses can be forged.
    UnauthenticatedReply(Range<usize>),
    /// The message is answered with a Report to an unauthenticated peer, at this range of the reply
    /// buffer.
    Report(Range<usize>),
    /// [`Entity::poll`] will return the response later.
    Pending,
    /// The message was dropped and counted.
    Dropped,
}

impl<S: Clone + PartialEq> Entity<S> {
    /// Creates an entity that serves these objects. It takes the current state for each request
    /// from `state`.
    pub fn new(engine: Engine, served: ServedObjects, state: StateReader, settings: EntitySettings) -> Self {
        Self {
            engine,
            state,
            responder: Responder { served },
            pending: PendingTable::new(),
            sets: VecDeque::new(),
            ready_values: VecDeque::new(),
            set_results: VecDeque::new(),
            finished_sets: FinishedSets::new(),
            next_token: 0,
            settings,
        }
    }

    /// Releases a state that has been replaced. Without messages, the entity and its objects would
    /// keep it. Each request begins again with its own time.
    pub fn refresh_state(&mut self, now: Timestamp) {
        self.responder.served.begin(self.state.refresh(), now);
    }

    /// Handles one message received over `transport` and decrypts it in place. A reply is built in
    /// `reply` and is at most `max_size` octets long.
    pub fn handle(
        &mut self,
        now: Timestamp,
        source: &S,
        transport: &TmStateReference,
        max_size: usize,
        message: &mut [u8],
        reply: &mut [u8],
    ) -> HandleOutcome {
        let shared = Arc::clone(self.state.refresh());
        match self.engine.receive(&shared.lcd, now, transport, max_size, message, reply) {
            ReceiveOutcome::Report(range, SecurityLevel::NoAuthNoPriv) => HandleOutcome::Report(range),
            ReceiveOutcome::Report(range, _) => HandleOutcome::Reply(range),
            ReceiveOutcome::Dropped(_) => HandleOutcome::Dropped,
            ReceiveOutcome::Request(mut request) => {
                let pdu = request.pdu;
                self.count_request(&pdu);
                let is_address_unverified =
                    transport.domain.is_datagram() && !transport.transport_level.is_authenticated();
                // The limit does not apply to a SET: its response repeats the variables of the
                // request and is not much longer than the request.
                if is_address_unverified
                    && is_unauthenticated(&request.state)
                    && pdu.pdu_type != PduType::SetRequest
                {
                    request.state.limit_size(self.settings.max_community_datagram);
                }
                let incoming = Incoming { now, source, state: &request.state, pdu: &pdu };
                self.process(incoming, &shared, None, reply)
            }
        }
    }

    /// Reports that a value is available. Pending requests may be waiting for it.
    pub fn value_ready(&mut self, token: LookupToken) {
        self.ready_values.push_back(token);
    }

    /// Reports the result of a SET. The next [`Entity::poll`] sends the response.
    pub fn set_finished(&mut self, token: SetToken, result: TransactionResult) {
        self.set_results.push_back((token, result));
    }

    /// Answers a SET at once with this result. The response is built in `reply`.
    pub fn finish_set(
        &mut self,
        now: Timestamp,
        token: SetToken,
        result: TransactionResult,
        reply: &mut [u8],
    ) -> HandleOutcome {
        match self.pending.take_set(token) {
            Some(entry) => self.answer_set(now, &entry, result, reply),
            None => HandleOutcome::Dropped,
        }
    }

    /// Drops the pending requests of closed sources and returns their number.
    pub fn drop_requests_of(&mut self, is_closed: impl Fn(&S) -> bool) -> usize {
        self.pending.drop_requests_of(is_closed)
    }

    /// Returns the next SET to be executed. Report its result with [`Entity::set_finished`] or
    /// [`Entity::finish_set`]. SETs are returned in the order in which they were received.
    pub fn poll_set(&mut self) -> Option<SetRequest> {
        self.sets.pop_front()
    }

    /// Enables or disables the recording of finished SETs, which is disabled by default. If it is
    /// enabled, call [`Entity::poll_finished_set`] after each [`Entity::handle`] and
    /// [`Entity::poll`] until it returns `None`. The number of records that wait for the caller is
    /// limited.
    pub fn record_sets(&mut self, enabled: bool) {
        self.finished_sets.is_enabled = enabled;
    }

    /// Returns the next record of a finished SET.
    pub fn poll_finished_set(&mut self) -> Option<FinishedSet<S>> {
        self.finished_sets.pop()
    }

    /// Completes all pending requests that can be completed now. For each response, `send` is
    /// called with the source of the request, its security level and the response. `reply` is
    /// scratch space.
    pub fn poll(&mut self, now: Timestamp, reply: &mut [u8], mut send: impl FnMut(&S, SecurityLevel, &[u8])) {
        while let Some((token, result)) = self.set_results.pop_front() {
            if let Some(entry) = self.pending.take_set(token) {
                let outcome = self.answer_set(now, &entry, result, reply);
                send_outcome(outcome, &entry, reply, &mut send);
            }
        }
        // Access may have been revoked since the requests were received.
        let shared = Arc::clone(self.state.refresh());
        while let Some(token) = self.ready_values.pop_front() {
            // A request that has to wait again is appended to the queue and not retried a second
            // time for the same value.
            for _ in 0..self.pending.count_reads(token) {
                let Some(entry) = self.pending.take_read(token) else { break };
                let pdu = entry.pdu.as_pdu();
                let outcome =
                    self.process(Incoming::of(&entry, now, &pdu), &shared, Some(entry.deadline), reply);
                send_outcome(outcome, &entry, reply, &mut send);
            }
        }
        for entry in self.pending.take_overdue(now) {
            let pdu = entry.pdu.as_pdu();
            let status = ResponseStatus(ErrorStatus::GenErr, entry.waits_for.variable());
            let outcome = echo(&pdu, status, var_bind_area(reply));
            let refusal = Refusal::new(RefusalKind::Internal, "the request waited too long");
            let outcome = self.finish(Incoming::of(&entry, now, &pdu), outcome, Some(refusal), reply);
            send_outcome(outcome, &entry, reply, &mut send);
        }
    }

    /// Returns the time at which [`Entity::poll`] must be called at the latest.
    pub fn next_timeout(&self, now: Timestamp) -> Option<Timestamp> {
        let result = (!self.set_results.is_empty()).then_some(now);
        [result, self.pending.next_deadline()].into_iter().flatten().min()
    }

    /// Returns the number of messages since the last call that were not properly authenticated.
    pub fn take_authentication_failures(&mut self) -> u64 {
        self.engine.take_authentication_failures()
    }

    /// Returns the state that the last message used.
    pub fn state(&self) -> &Arc<State> {
        self.state.current()
    }

    /// Returns the counters of this worker.
    pub fn statistics(&self) -> &Recorder {
        self.engine.statistics()
    }

    /// Returns the entity's engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Processes a request now, or stores it as pending. `deadline` is set if the request was
    /// already pending.
    fn process(
        &mut self,
        incoming: Incoming<'_, S>,
        shared: &Arc<State>,
        deadline: Option<Timestamp>,
        reply: &mut [u8],
    ) -> HandleOutcome {
        let Incoming { now, source, state, pdu } = incoming;
        let limits = SizeLimits { guaranteed: self.engine.room_for_var_binds(state), max: state.max_size() };
        let request = RequestContext { now, state, pdu, limits };
        let mut outcome = self.responder.respond(request, shared, var_bind_area(reply));
        if matches!(outcome, ResponderOutcome::Refused(_)) && self.may_receive_rights(source, shared) {
            outcome = accept_set(request, var_bind_area(reply));
        }
        let waits_for = match outcome {
            ResponderOutcome::AwaitValue(token, variable) => WaitsFor::Value(token, variable),
            ResponderOutcome::ExecuteSet => {
                self.next_token += 1;
                WaitsFor::SetStart(SetToken(self.next_token), SetClaim::default())
            }
            ResponderOutcome::Refused(refusal) => return self.refuse(incoming, refusal, reply),
            outcome => return self.finish(incoming, outcome, None, reply),
        };
        if self.pending.is_full_for(&waits_for) {
            // Only a SET may be rejected with resourceUnavailable (RFC 3416 §4.2).
            if waits_for.is_any_set() {
                let text = "too many requests of this worker wait";
                let refusal = Refusal::new(RefusalKind::ResourceUnavailable, text);
                return self.refuse(incoming, refusal, reply);
            }
            let status = ResponseStatus(ErrorStatus::GenErr, waits_for.variable());
            let outcome = echo(pdu, status, var_bind_area(reply));
            return self.finish(incoming, outcome, None, reply);
        }
        let owned = Arc::new(OwnedPdu::from(pdu));
        if let WaitsFor::SetStart(token, claim) = &waits_for {
            let set = SetRequest::new(*token, claim.clone(), state.clone(), Arc::clone(&owned));
            self.sets.push_back(set);
        }
        self.pending.push(PendingRequest {
            source: source.clone(),
            state: state.clone(),
            pdu: owned,
            waits_for,
            deadline: deadline.unwrap_or(now + self.settings.pending_timeout),
        });
        HandleOutcome::Pending
    }

    /// Returns whether a pending SET of this source may change access rights. The SETs that follow
    /// it must not be refused by the rights of the current state: they are checked again when they
    /// are executed.
    fn may_receive_rights(&self, source: &S, shared: &State) -> bool {
        self.pending.sets().any(|entry| {
            let state = &entry.state;
            entry.source == *source
                && find_view(&shared.lcd, &state.principal(), ViewType::Write, state.context_name()).is_ok()
        })
    }

    /// Answers a SET that is refused.
    fn refuse(&mut self, incoming: Incoming<'_, S>, refusal: Refusal, reply: &mut [u8]) -> HandleOutcome {
        let outcome = echo(incoming.pdu, ResponseStatus::from(&refusal), var_bind_area(reply));
        self.finish(incoming, outcome, Some(refusal), reply)
    }

    /// Answers a SET that has been executed.
    fn answer_set(
        &mut self,
        now: Timestamp,
        entry: &PendingRequest<S>,
        result: TransactionResult,
        reply: &mut [u8],
    ) -> HandleOutcome {
        let pdu = entry.pdu.as_pdu();
        let incoming = Incoming::of(entry, now, &pdu);
        match result {
            Ok(()) => {
                let outcome = echo(&pdu, NO_ERROR, var_bind_area(reply));
                self.finish(incoming, outcome, None, reply)
            }
            Err(refusal) => self.refuse(incoming, refusal, reply),
        }
    }

    /// Answers a request, or drops it if no response to it can be sent.
    fn finish(
        &mut self,
        incoming: Incoming<'_, S>,
        outcome: ResponderOutcome,
        refusal: Option<Refusal>,
        reply: &mut [u8],
    ) -> HandleOutcome {
        // The record contains the result of the SET, even if its response is too long to be sent.
        let Incoming { source, state, pdu, .. } = incoming;
        self.finished_sets.record(source, state, pdu, &outcome, refusal);
        outcome_of(state, self.build_reply(incoming, outcome, reply))
    }

    /// Turns an outcome into a message. A response that is too long is replaced by a tooBig
    /// response. If the tooBig response is also too long, no response is sent.
    fn build_reply(
        &mut self,
        incoming: Incoming<'_, S>,
        outcome: ResponderOutcome,
        reply: &mut [u8],
    ) -> Option<Range<usize>> {
        let Incoming { now, state, pdu, .. } = incoming;
        let response = match outcome {
            ResponderOutcome::Response(response) => response,
            ResponderOutcome::Rejected(failure) => {
                return self.engine.reject(now, state, pdu.request_id, failure, reply);
            }
            ResponderOutcome::AwaitValue(..)
            | ResponderOutcome::ExecuteSet
            | ResponderOutcome::Refused(_) => return None,
        };
        //= rfc3413#3.2-6
        if let Ok(range) = self.engine.respond(now, state, &response, reply) {
            self.count_outcome(state, pdu, &response);
            return Some(range);
        }
        let ResponderOutcome::Response(shorter) = too_big(state, pdu, var_bind_area(reply)) else {
            return None;
        };
        match self.engine.respond(now, state, &shorter, reply) {
            Ok(range) => Some(range),
            Err(_) => {
                let _: RejectReason = self.engine.drop_silently();
                None
            }
        }
    }

    fn count_request(&self, pdu: &Pdu<'_>) {
        let counter = match pdu.pdu_type {
            PduType::GetRequest => Counter::SnmpInGetRequests,
            PduType::GetNextRequest => Counter::SnmpInGetNexts,
            PduType::SetRequest => Counter::SnmpInSetRequests,
            _ => return,
        };
        self.engine.statistics().count(counter);
    }

    /// Counts the variables that a request has read or changed, or an operation that was denied to
    /// a community.
    fn count_outcome(&self, state: &StateReference, pdu: &Pdu<'_>, response: &Response) {
        let statistics = self.engine.statistics();
        match response.error_status {
            ErrorStatus::NoError => {
                let is_set = pdu.pdu_type == PduType::SetRequest;
                let counter = if is_set { Counter::SnmpInTotalSetVars } else { Counter::SnmpInTotalReqVars };
                statistics.add(counter, pdu.var_binds.len() as u64);
            }
            //= rfc3584#5.2.1-p4
            ErrorStatus::NoAccess | ErrorStatus::AuthorizationError if state.is_community_based() => {
                statistics.count(Counter::SnmpInBadCommunityUses);
            }
            _ => {}
        }
    }
}

/// A request that is processed, and the time.
struct Incoming<'r, S> {
    now: Timestamp,
    source: &'r S,
    state: &'r StateReference,
    pdu: &'r Pdu<'r>,
}

impl<'r, S> Incoming<'r, S> {
    /// Returns a request that was pending, with its PDU.
    fn of(entry: &'r PendingRequest<S>, now: Timestamp, pdu: &'r Pdu<'r>) -> Self {
        Self { now, source: &entry.source, state: &entry.state, pdu }
    }
}

impl<S> Clone for Incoming<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Incoming<'_, S> {}

/// Returns the security level at which a request was received.
fn level_of(state: &StateReference) -> SecurityLevel {
    state.principal().security_level
}

/// Returns whether the sender of a request is not authenticated.
fn is_unauthenticated(state: &StateReference) -> bool {
    !level_of(state).is_authenticated()
}

/// Returns the outcome for a request with this reply; `None` means that the request is not
/// answered.
fn outcome_of(state: &StateReference, reply: Option<Range<usize>>) -> HandleOutcome {
    match reply {
        None => HandleOutcome::Dropped,
        Some(range) if is_unauthenticated(state) => HandleOutcome::UnauthenticatedReply(range),
        Some(range) => HandleOutcome::Reply(range),
    }
}

/// Sends the reply of a request that was pending, if it has one.
fn send_outcome<S>(
    outcome: HandleOutcome,
    entry: &PendingRequest<S>,
    reply: &[u8],
    send: &mut impl FnMut(&S, SecurityLevel, &[u8]),
) {
    match outcome {
        HandleOutcome::Reply(range)
        | HandleOutcome::UnauthenticatedReply(range)
        | HandleOutcome::Report(range) => {
            send(&entry.source, level_of(&entry.state), reply.get(range).unwrap_or_default());
        }
        HandleOutcome::Dropped | HandleOutcome::Pending => {}
    }
}
