//! An SNMP entity: one worker's engine and its applications (RFC 3411 §3.1).
//!
//! ```text
//! handle ─► engine.receive ─► responder.outcome ─► engine.respond ─► reply
//!                                   │ later
//!                                   ▼
//!                pending ◄── announce, durable, deadlines ──► poll ─► replies
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
    pending::{PendingRequest, PendingTable, WaitsFor},
    responder::{NO_ERROR, RequestContext, Responder, ResponderOutcome, SizeLimits, echo, too_big},
    set::{ResponseStatus, SetLock},
};

/// One worker's engine and applications. `S` is what the driver needs to send an outcome back later.
pub struct Entity<S> {
    engine: Engine,
    responder: Responder,
    pending: PendingTable<S>,
    persist_queue: VecDeque<PersistRequest>,
    ready_values: VecDeque<LookupToken>,
    persist_results: VecDeque<(LookupToken, bool)>,
    next_token: u64,
    settings: EntitySettings,
}

/// What may differ from site to site.
#[derive(Clone, Copy, Debug)]
pub struct EntitySettings {
    /// The longest outcome to a read over UDP with a community, in octets: what an address that anybody can forge may
    /// be sent.
    pub max_community_datagram: usize,
    /// How long a request may wait for a value before it is answered genErr.
    pub pending_timeout: Duration,
}

impl Default for EntitySettings {
    fn default() -> Self {
        Self { max_community_datagram: 1472, pending_timeout: Duration::from_secs(5) }
    }
}

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandleOutcome {
    /// This part of the reply buffer is to be sent back.
    Reply(Range<usize>),
    /// The same, with a Report to somebody who has proven nothing.
    Report(Range<usize>),
    /// The outcome will come from [`Entity::poll`].
    Pending,
    /// Dropped and counted.
    Dropped,
}

/// Records to be made durable. Say [`Entity::persist_finished`] with the same token when they are, or cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersistRequest {
    /// Names the request that waits.
    pub token: LookupToken,
    /// All or none of them.
    pub records: Vec<StateRecord>,
}

impl<S: Clone> Entity<S> {
    /// An engine that serves these objects. All workers of one engine share `set_lock`.
    pub fn new(engine: Engine, served: ServedObjects, set_lock: SetLock, settings: EntitySettings) -> Self {
        Self {
            engine,
            responder: Responder { served, set_lock, sets_queued: false },
            pending: PendingTable::new(),
            persist_queue: VecDeque::new(),
            ready_values: VecDeque::new(),
            persist_results: VecDeque::new(),
            next_token: 0,
            settings,
        }
    }

    /// Handles one message that came over `transport`, decrypting it in place; `max_size` is the longest message that
    /// can go back. A reply is built in `reply`.
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
                if request.state.is_community_based()
                    && transport.domain.is_datagram()
                    && pdu.pdu_type != PduType::SetRequest
                {
                    request.state.limit_size(self.settings.max_community_datagram);
                }
                self.process(now, source, &request.state, &pdu, None, reply)
            }
        }
    }

    /// Says that a value is at hand for which requests may be waiting.
    pub fn value_ready(&mut self, token: LookupToken) {
        self.ready_values.push_back(token);
    }

    /// Says that the records of a [`PersistRequest`] are durable, or never will be.
    pub fn persist_finished(&mut self, token: LookupToken, succeeded: bool) {
        self.persist_results.push_back((token, succeeded));
    }

    /// Forgets the requests of sources that are gone; returns how many.
    pub fn drop_requests_of(&mut self, is_gone: impl Fn(&S) -> bool) -> usize {
        self.pending.drop_requests_of(is_gone)
    }

    /// What is to be made durable next.
    pub fn poll_persist(&mut self) -> Option<PersistRequest> {
        self.persist_queue.pop_front()
    }

    /// Answers what can be answered by now. `reply` is scratch.
    pub fn poll(&mut self, now: Timestamp, reply: &mut [u8], mut send: impl FnMut(&S, &[u8])) {
        // Rights may have been revoked since the requests came in.
        self.engine.refresh();
        while let Some((token, succeeded)) = self.persist_results.pop_front() {
            let waits = |entry: &PendingRequest<S>| matches!(entry.waits_for, WaitsFor::Durable(own, ..) if own == token);
            if let Some(entry) = self.pending.take(waits) {
                self.finish_set(now, entry, succeeded, reply, &mut send);
            }
        }
        while let Some(token) = self.ready_values.pop_front() {
            let waits = |entry: &PendingRequest<S>| matches!(entry.waits_for, WaitsFor::Value(own, _) if own == token);
            // One that waits again goes to the end, and is not tried twice for one announcement.
            for _ in 0..self.pending.count(waits) {
                let Some(entry) = self.pending.take(waits) else { break };
                self.retry(now, entry, reply, &mut send);
            }
        }
        let waiting = |entry: &PendingRequest<S>| entry.deadline > now && entry.waits_for.is_set_lock();
        while let Some((position, entry)) = self.pending.take_from(waiting) {
            if !self.retry(now, entry, reply, &mut send) {
                // Still somebody else's turn: it keeps its place in the queue.
                self.pending.move_last_to(position);
                break;
            }
        }
        let overdue = |entry: &PendingRequest<S>| entry.deadline <= now && !entry.waits_for.is_durable();
        while let Some(entry) = self.pending.take(overdue) {
            let pdu = entry.pdu.as_pdu();
            let error_index = entry.waits_for.variable();
            let outcome = echo(&pdu, ResponseStatus(ErrorStatus::GenErr, error_index), var_bind_area(reply));
            if let Some(range) = self.finish(now, &entry.state, &pdu, outcome, reply) {
                send(&entry.source, reply.get(range).unwrap_or_default());
            }
        }
    }

    /// When [`Entity::poll`] wants to be called, if nothing else happens before.
    pub fn next_timeout(&self, now: Timestamp) -> Option<Timestamp> {
        let lock_retry =
            self.pending.any(|entry| entry.waits_for.is_set_lock()).then(|| now + SET_LOCK_RETRY_INTERVAL);
        [lock_retry, self.pending.next_deadline()].into_iter().flatten().min()
    }

    /// This worker's counters.
    pub fn statistics(&self) -> &Recorder {
        self.engine.statistics()
    }

    /// The engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Answers a request now, or keeps it. `deadline` is that of a request which has waited before.
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
                return self
                    .finish(now, state, pdu, outcome, reply)
                    .map_or(HandleOutcome::Dropped, HandleOutcome::Reply);
            }
        };
        if self.pending.is_full() && !waits_for.is_durable() {
            // Only a SET may be told that resources are short (RFC 3416 §4.2).
            let status =
                if waits_for.is_set_lock() { ErrorStatus::ResourceUnavailable } else { ErrorStatus::GenErr };
            let outcome = echo(pdu, ResponseStatus(status, waits_for.variable()), var_bind_area(reply));
            return self
                .finish(now, state, pdu, outcome, reply)
                .map_or(HandleOutcome::Dropped, HandleOutcome::Reply);
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

    /// Tries a request again that has waited; `false` if it waits again.
    fn retry(
        &mut self,
        now: Timestamp,
        entry: PendingRequest<S>,
        reply: &mut [u8],
        send: &mut impl FnMut(&S, &[u8]),
    ) -> bool {
        let pdu = entry.pdu.as_pdu();
        match self.process(now, &entry.source, &entry.state, &pdu, Some(entry.deadline), reply) {
            HandleOutcome::Reply(range) | HandleOutcome::Report(range) => {
                send(&entry.source, reply.get(range).unwrap_or_default());
            }
            HandleOutcome::Dropped => {}
            HandleOutcome::Pending => return false,
        }
        true
    }

    /// Publishes a SET whose records are durable, or undoes one whose records are not, and answers it.
    fn finish_set(
        &mut self,
        now: Timestamp,
        entry: PendingRequest<S>,
        succeeded: bool,
        reply: &mut [u8],
        send: &mut impl FnMut(&S, &[u8]),
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
        if let Some(range) = self.finish(now, &state, &pdu, outcome, reply) {
            send(&source, reply.get(range).unwrap_or_default());
        }
    }

    /// Makes an outcome a message. What is too long is answered tooBig, and where even that is too long, not at all.
    fn finish(
        &mut self,
        now: Timestamp,
        state: &StateReference,
        pdu: &Pdu<'_>,
        outcome: ResponderOutcome,
        reply: &mut [u8],
    ) -> Option<Range<usize>> {
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

    /// Counts what a response says of its request: variables read or changed, or an operation not allowed.
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

/// How often a SET asks whether it is its turn, while another worker's is under way.
const SET_LOCK_RETRY_INTERVAL: Duration = Duration::from_millis(1);
