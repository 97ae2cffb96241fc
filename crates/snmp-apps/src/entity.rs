//! An SNMP entity: one worker's engine and its applications (RFC 3411 §3.1).
//!
//! ```text
//! handle ─► engine.receive ─► responder.answer ─► engine.respond ─► reply
//!                                   │ later
//!                                   ▼
//!                pending ◄── announce, durable, deadlines ──► poll ─► replies
//! ```

use std::{collections::VecDeque, ops::Range, sync::Arc, time::Duration};

use portreeve_mib::{Record, Served, Token};
use portreeve_smi::{ErrorStatus, SecurityLevel, Timestamp, TmStateReference};
use portreeve_snmp_engine::{
    Engine, Failure, Receipt, Response, StateReference,
    statistics::{Counter, Recorder},
    var_bind_area,
};
use portreeve_snmp_message::{OwnedPdu, Pdu, PduType};

use crate::{
    pending::{Pending, PendingTable, WaitsFor},
    responder::{Answer, DONE, Question, Responder, Room, echo, too_big},
    set::{Rejected, SetTurn},
};

/// One worker's engine and applications. `S` is what the driver needs to send an answer back later.
pub struct Entity<S> {
    engine: Engine,
    responder: Responder,
    pending: PendingTable<S>,
    persist: VecDeque<Persist>,
    announced: VecDeque<Token>,
    durable: VecDeque<(Token, bool)>,
    next_token: u64,
    settings: Settings,
}

/// What may differ from site to site.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The longest answer to a read over UDP with a community, in octets: what an address that anybody can forge may
    /// be sent.
    pub max_community_datagram: usize,
    /// How long a request may wait for a value before it is answered genErr.
    pub patience: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self { max_community_datagram: 1472, patience: Duration::from_secs(5) }
    }
}

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This part of the reply buffer is to be sent back.
    Reply(Range<usize>),
    /// The same, with a Report to somebody who has proven nothing.
    Report(Range<usize>),
    /// The answer will come from [`Entity::poll`].
    Pending,
    /// Dropped and counted.
    Dropped,
}

/// Records to be made durable. Say [`Entity::durable`] with the same token when they are, or cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Persist {
    /// Names the request that waits.
    pub token: Token,
    /// All or none of them.
    pub records: Vec<Record>,
}

impl<S: Clone> Entity<S> {
    /// An engine that serves these objects. All workers of one engine share `turn`.
    pub fn new(engine: Engine, served: Served, turn: SetTurn, settings: Settings) -> Self {
        Self {
            engine,
            responder: Responder { served, turn, sets_wait: false },
            pending: PendingTable::new(),
            persist: VecDeque::new(),
            announced: VecDeque::new(),
            durable: VecDeque::new(),
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
    ) -> Outcome {
        match self.engine.receive(now, transport, max_size, message, reply) {
            Receipt::Report(range, SecurityLevel::NoAuthNoPriv) => Outcome::Report(range),
            Receipt::Report(range, _) => Outcome::Reply(range),
            Receipt::Dropped(_) => Outcome::Dropped,
            Receipt::Request(mut request) => {
                let pdu = request.pdu;
                self.count_request(&pdu);
                if request.state.is_community_based()
                    && transport.domain.is_datagram()
                    && pdu.pdu_type != PduType::SetRequest
                {
                    request.state.limit_size(self.settings.max_community_datagram);
                }
                self.answer(now, source, &request.state, &pdu, None, reply)
            }
        }
    }

    /// Says that a value is at hand for which requests may be waiting.
    pub fn announce(&mut self, token: Token) {
        self.announced.push_back(token);
    }

    /// Says that the records of a [`Persist`] are durable, or never will be.
    pub fn durable(&mut self, token: Token, succeeded: bool) {
        self.durable.push_back((token, succeeded));
    }

    /// Forgets the requests of sources that are gone; returns how many.
    pub fn forget(&mut self, is_gone: impl Fn(&S) -> bool) -> usize {
        self.pending.forget(is_gone)
    }

    /// What is to be made durable next.
    pub fn poll_persist(&mut self) -> Option<Persist> {
        self.persist.pop_front()
    }

    /// Answers what can be answered by now. `reply` is scratch.
    pub fn poll(&mut self, now: Timestamp, reply: &mut [u8], mut send: impl FnMut(&S, &[u8])) {
        // Rights may have been revoked since the requests came in.
        self.engine.refresh();
        while let Some((token, succeeded)) = self.durable.pop_front() {
            let waits =
                |entry: &Pending<S>| matches!(entry.waits_for, WaitsFor::Durable(own, ..) if own == token);
            if let Some(entry) = self.pending.take(waits) {
                self.finish_set(now, entry, succeeded, reply, &mut send);
            }
        }
        while let Some(token) = self.announced.pop_front() {
            let waits =
                |entry: &Pending<S>| matches!(entry.waits_for, WaitsFor::Value(own, _) if own == token);
            // One that waits again goes to the end, and is not tried twice for one announcement.
            for _ in 0..self.pending.count(waits) {
                let Some(entry) = self.pending.take(waits) else { break };
                self.retry(now, entry, reply, &mut send);
            }
        }
        let waiting = |entry: &Pending<S>| entry.deadline > now && entry.waits_for.is_turn();
        while let Some((position, entry)) = self.pending.take_from(waiting) {
            if !self.retry(now, entry, reply, &mut send) {
                // Still somebody else's turn: it keeps its place in the queue.
                self.pending.move_last_to(position);
                break;
            }
        }
        let overdue = |entry: &Pending<S>| entry.deadline <= now && !entry.waits_for.is_durable();
        while let Some(entry) = self.pending.take(overdue) {
            let pdu = entry.pdu.as_pdu();
            let blamed = entry.waits_for.variable();
            let answer = echo(&pdu, Rejected(ErrorStatus::GenErr, blamed), var_bind_area(reply));
            if let Some(range) = self.finish(now, &entry.state, &pdu, answer, reply) {
                send(&entry.source, reply.get(range).unwrap_or_default());
            }
        }
    }

    /// When [`Entity::poll`] wants to be called, if nothing else happens before.
    pub fn next_timeout(&self, now: Timestamp) -> Option<Timestamp> {
        let turn = self.pending.any(|entry| entry.waits_for.is_turn()).then(|| now + TURN_RETRY);
        [turn, self.pending.next_deadline()].into_iter().flatten().min()
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
    fn answer(
        &mut self,
        now: Timestamp,
        source: &S,
        state: &StateReference,
        pdu: &Pdu<'_>,
        deadline: Option<Timestamp>,
        reply: &mut [u8],
    ) -> Outcome {
        let lcd = Arc::clone(self.engine.snapshot());
        let room = Room { safe: self.engine.room_for_var_binds(state), most: state.max_size() };
        self.responder.sets_wait = deadline.is_none() && self.pending.any(|entry| entry.waits_for.is_turn());
        let question = Question { now, state, pdu, room };
        let answer = self.responder.answer(question, &lcd, var_bind_area(reply));
        let waits_for = match answer {
            Answer::Later(token, variable) => WaitsFor::Value(token, variable),
            Answer::LaterTurn => WaitsFor::Turn,
            Answer::Durable(transaction, records, turn) => {
                self.next_token += 1;
                let token = Token(self.next_token);
                self.persist.push_back(Persist { token, records });
                WaitsFor::Durable(token, transaction, turn)
            }
            answer => {
                return self.finish(now, state, pdu, answer, reply).map_or(Outcome::Dropped, Outcome::Reply);
            }
        };
        if self.pending.is_full() && !waits_for.is_durable() {
            // Only a SET may be told that resources are short (RFC 3416 §4.2).
            let status =
                if waits_for.is_turn() { ErrorStatus::ResourceUnavailable } else { ErrorStatus::GenErr };
            let answer = echo(pdu, Rejected(status, waits_for.variable()), var_bind_area(reply));
            return self.finish(now, state, pdu, answer, reply).map_or(Outcome::Dropped, Outcome::Reply);
        }
        self.pending.push(Pending {
            source: source.clone(),
            state: state.clone(),
            pdu: OwnedPdu::from(pdu),
            waits_for,
            deadline: deadline.unwrap_or(now + self.settings.patience),
        });
        Outcome::Pending
    }

    /// Tries a request again that has waited; `false` if it waits again.
    fn retry(
        &mut self,
        now: Timestamp,
        entry: Pending<S>,
        reply: &mut [u8],
        send: &mut impl FnMut(&S, &[u8]),
    ) -> bool {
        let pdu = entry.pdu.as_pdu();
        match self.answer(now, &entry.source, &entry.state, &pdu, Some(entry.deadline), reply) {
            Outcome::Reply(range) | Outcome::Report(range) => {
                send(&entry.source, reply.get(range).unwrap_or_default());
            }
            Outcome::Dropped => {}
            Outcome::Pending => return false,
        }
        true
    }

    /// Publishes a SET whose records are durable, or undoes one whose records are not, and answers it.
    fn finish_set(
        &mut self,
        now: Timestamp,
        entry: Pending<S>,
        succeeded: bool,
        reply: &mut [u8],
        send: &mut impl FnMut(&S, &[u8]),
    ) {
        let Pending { source, state, pdu, waits_for, .. } = entry;
        let WaitsFor::Durable(_, transaction, turn) = waits_for else { return };
        let pdu = pdu.as_pdu();
        let status = if succeeded {
            transaction.publish();
            DONE
        } else {
            transaction.undo()
        };
        drop(turn);
        let answer = echo(&pdu, status, var_bind_area(reply));
        if let Some(range) = self.finish(now, &state, &pdu, answer, reply) {
            send(&source, reply.get(range).unwrap_or_default());
        }
    }

    /// Makes an answer a message. What is too long is answered tooBig, and where even that is too long, not at all.
    fn finish(
        &mut self,
        now: Timestamp,
        state: &StateReference,
        pdu: &Pdu<'_>,
        answer: Answer,
        reply: &mut [u8],
    ) -> Option<Range<usize>> {
        let response = match answer {
            Answer::Response(response) => response,
            Answer::Refused(failure) => {
                return self.engine.refuse(now, state, pdu.request_id, failure, reply);
            }
            Answer::Later(..) | Answer::LaterTurn | Answer::Durable(..) => return None,
        };
        //= rfc3413#3.2-6
        if let Ok(range) = self.engine.respond(now, state, &response, reply) {
            self.count_outcome(state, pdu, &response);
            return Some(range);
        }
        let Answer::Response(shorter) = too_big(state, pdu, var_bind_area(reply)) else { return None };
        match self.engine.respond(now, state, &shorter, reply) {
            Ok(range) => Some(range),
            Err(_) => {
                let _: Failure = self.engine.drop_silently();
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
const TURN_RETRY: Duration = Duration::from_millis(1);
