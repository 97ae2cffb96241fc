//! An SNMP entity: one worker's engine and its applications (RFC 3411 §3.1).
//!
//! ```text
//! handle ─► engine.receive ─► responder.respond ─► engine.respond ─► reply
//!                                   │ not yet
//!                                   ▼
//!             pending ◄── value_ready, persist_finished, deadlines ──► poll ─► replies
//! ```

use std::{collections::VecDeque, ops::Range, sync::Arc, time::Duration};

use portreeve_mib::{LookupToken, ServedObjects, StateRecord};
use portreeve_smi::{ErrorStatus, SecurityLevel, Timestamp, TmStateReference};
use portreeve_snmp_engine::{
    Engine, ReceiveOutcome, RejectReason, Response, StateReference,
    statistics::{Counter, Recorder},
    var_bind_area,
};
use portreeve_snmp_message::{OwnedPdu, Pdu, PduType};

use crate::{
    finished_set::{FinishedSet, FinishedSets},
    pending::{PendingRequest, PendingTable, WaitsFor},
    responder::{NO_ERROR, RequestContext, Responder, ResponderOutcome, SizeLimits, echo, too_big},
    set::{ResponseStatus, SetLock},
};

/// The engine and applications of one worker. `S` identifies the source of a request, so that the
/// response can be sent to that source later.
pub struct Entity<S> {
    engine: Engine,
    responder: Responder,
    pending: PendingTable<S>,
    persist_queue: VecDeque<PersistRequest>,
    ready_values: VecDeque<LookupToken>,
    persist_results: VecDeque<(LookupToken, bool)>,
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

/// Records to be made durable. Call [`Entity::persist_finished`] with the same token when writing
/// has succeeded or failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersistRequest {
    /// Identifies the pending request.
    pub token: LookupToken,
    /// The records, which must be written completely or not at all.
    pub records: Vec<StateRecord>,
}

impl<S: Clone> Entity<S> {
    /// Creates an entity that serves these objects. All workers of an engine share `set_lock`.
    pub fn new(engine: Engine, served: ServedObjects, set_lock: SetLock, settings: EntitySettings) -> Self {
        Self {
            engine,
            responder: Responder { served, set_lock, sets_queued: false },
            pending: PendingTable::new(),
            persist_queue: VecDeque::new(),
            ready_values: VecDeque::new(),
            persist_results: VecDeque::new(),
            finished_sets: FinishedSets::new(),
            next_token: 0,
            settings,
        }
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
        match self.engine.receive(now, transport, max_size, message, reply) {
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
                self.process(now, source, &request.state, &pdu, None, reply)
            }
        }
    }

    /// Reports that a value is available. Pending requests may be waiting for it.
    pub fn value_ready(&mut self, token: LookupToken) {
        self.ready_values.push_back(token);
    }

    /// Reports that the records of a [`PersistRequest`] are durable, or that writing them has
    /// failed.
    pub fn persist_finished(&mut self, token: LookupToken, succeeded: bool) {
        self.persist_results.push_back((token, succeeded));
    }

    /// Drops the pending requests of closed sources and returns their number.
    pub fn drop_requests_of(&mut self, is_closed: impl Fn(&S) -> bool) -> usize {
        self.pending.drop_requests_of(is_closed)
    }

    /// Returns the next records to be made durable.
    pub fn poll_persist(&mut self) -> Option<PersistRequest> {
        self.persist_queue.pop_front()
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
        // Access may have been revoked since the requests were received.
        self.engine.refresh();
        while let Some((token, succeeded)) = self.persist_results.pop_front() {
            let waits = |entry: &PendingRequest<S>| entry.waits_for.is_durability_of(token);
            if let Some(entry) = self.pending.take(waits) {
                self.finish_set(now, entry, succeeded, reply, &mut send);
            }
        }
        while let Some(token) = self.ready_values.pop_front() {
            let waits = |entry: &PendingRequest<S>| entry.waits_for.is_value_of(token);
            // A request that has to wait again is appended to the queue and not retried a second
            // time for the same value.
            for _ in 0..self.pending.count(waits) {
                let Some(entry) = self.pending.take(waits) else { break };
                self.retry(now, entry, reply, &mut send);
            }
        }
        let waiting = |entry: &PendingRequest<S>| entry.deadline > now && entry.waits_for.is_set_lock();
        while let Some((position, entry)) = self.pending.take_from(waiting) {
            if !self.retry(now, entry, reply, &mut send) {
                // Another SET still holds the lock: the request remains at its position in the
                // queue.
                self.pending.move_last_to(position);
                break;
            }
        }
        let overdue = |entry: &PendingRequest<S>| entry.deadline <= now && !entry.waits_for.is_durable();
        while let Some(entry) = self.pending.take(overdue) {
            let pdu = entry.pdu.as_pdu();
            let error_index = entry.waits_for.variable();
            let outcome = echo(&pdu, ResponseStatus(ErrorStatus::GenErr, error_index), var_bind_area(reply));
            if let Some(range) = self.finish(now, &entry.source, &entry.state, &pdu, outcome, reply) {
                send(&entry.source, level_of(&entry.state), reply.get(range).unwrap_or_default());
            }
        }
    }

    /// Returns the time at which [`Entity::poll`] must be called at the latest.
    pub fn next_timeout(&self, now: Timestamp) -> Option<Timestamp> {
        let lock_retry =
            self.pending.any(|entry| entry.waits_for.is_set_lock()).then(|| now + SET_LOCK_RETRY_INTERVAL);
        [lock_retry, self.pending.next_deadline()].into_iter().flatten().min()
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
        now: Timestamp,
        source: &S,
        state: &StateReference,
        pdu: &Pdu<'_>,
        deadline: Option<Timestamp>,
        reply: &mut [u8],
    ) -> HandleOutcome {
        let lcd = Arc::clone(self.engine.snapshot());
        let limits = SizeLimits { guaranteed: self.engine.room_for_var_binds(state), max: state.max_size() };
        self.responder.sets_queued =
            deadline.is_none() && self.pending.any(|entry| entry.waits_for.is_set_lock());
        let request = RequestContext { now, state, pdu, limits };
        let outcome = self.responder.respond(request, &lcd, var_bind_area(reply));
        let waits_for = match outcome {
            ResponderOutcome::AwaitValue(token, variable) => WaitsFor::Value(token, variable),
            ResponderOutcome::AwaitSetLock => WaitsFor::SetLock,
            ResponderOutcome::AwaitDurable(transaction, records, guard) => {
                self.next_token += 1;
                let token = LookupToken(self.next_token);
                self.persist_queue.push_back(PersistRequest { token, records });
                WaitsFor::Durable(token, transaction, guard)
            }
            outcome => {
                return outcome_of(state, self.finish(now, source, state, pdu, outcome, reply));
            }
        };
        if self.pending.is_full() && !waits_for.is_durable() {
            // Only a SET may be rejected with resourceUnavailable (RFC 3416 §4.2).
            let status =
                if waits_for.is_set_lock() { ErrorStatus::ResourceUnavailable } else { ErrorStatus::GenErr };
            let outcome = echo(pdu, ResponseStatus(status, waits_for.variable()), var_bind_area(reply));
            return outcome_of(state, self.finish(now, source, state, pdu, outcome, reply));
        }
        self.pending.push(PendingRequest {
            source: source.clone(),
            state: state.clone(),
            pdu: OwnedPdu::from(pdu),
            waits_for,
            deadline: deadline.unwrap_or(now + self.settings.pending_timeout),
        });
        HandleOutcome::Pending
    }

    /// Retries a pending request. Returns `false` if it has to wait again.
    fn retry(
        &mut self,
        now: Timestamp,
        entry: PendingRequest<S>,
        reply: &mut [u8],
        send: &mut impl FnMut(&S, SecurityLevel, &[u8]),
    ) -> bool {
        let pdu = entry.pdu.as_pdu();
        match self.process(now, &entry.source, &entry.state, &pdu, Some(entry.deadline), reply) {
            HandleOutcome::Reply(range)
            | HandleOutcome::UnauthenticatedReply(range)
            | HandleOutcome::Report(range) => {
                send(&entry.source, level_of(&entry.state), reply.get(range).unwrap_or_default());
            }
            HandleOutcome::Dropped => {}
            HandleOutcome::Pending => return false,
        }
        true
    }

    /// Publishes a SET whose records are durable, or undoes it if writing has failed, and sends the
    /// response.
    fn finish_set(
        &mut self,
        now: Timestamp,
        entry: PendingRequest<S>,
        succeeded: bool,
        reply: &mut [u8],
        send: &mut impl FnMut(&S, SecurityLevel, &[u8]),
    ) {
        let PendingRequest { source, state, pdu, waits_for, .. } = entry;
        let WaitsFor::Durable(_, transaction, guard) = waits_for else { return };
        let pdu = pdu.as_pdu();
        let status = if succeeded {
            transaction.publish();
            NO_ERROR
        } else {
            transaction.undo()
        };
        drop(guard);
        let outcome = echo(&pdu, status, var_bind_area(reply));
        if let Some(range) = self.finish(now, &source, &state, &pdu, outcome, reply) {
            send(&source, level_of(&state), reply.get(range).unwrap_or_default());
        }
    }

    /// Turns an outcome into a message. A response that is too long is replaced by a tooBig
    /// response. If the tooBig response is also too long, no response is sent.
    fn finish(
        &mut self,
        now: Timestamp,
        source: &S,
        state: &StateReference,
        pdu: &Pdu<'_>,
        outcome: ResponderOutcome,
        reply: &mut [u8],
    ) -> Option<Range<usize>> {
        // The record contains the result of the SET, even if its response is too long to be sent.
        self.finished_sets.record(source, state, pdu, &outcome);
        let response = match outcome {
            ResponderOutcome::Response(response) => response,
            ResponderOutcome::Rejected(failure) => {
                return self.engine.reject(now, state, pdu.request_id, failure, reply);
            }
            ResponderOutcome::AwaitValue(..)
            | ResponderOutcome::AwaitSetLock
            | ResponderOutcome::AwaitDurable(..) => return None,
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

/// The interval at which a SET retries to acquire the lock while another worker holds it.
const SET_LOCK_RETRY_INTERVAL: Duration = Duration::from_millis(1);
