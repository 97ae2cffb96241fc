//! One target: its session, the remaining queries of this round, and its next wake time.

mod poll_result;
mod responses;
mod schedule;

use std::{collections::VecDeque, sync::Arc};

use portreeve_crypto::PasswordTooShortError;
use portreeve_smi::Timestamp;
use portreeve_snmp_manager::{
    self as manager, Operation, Request, RequestHandle, Response, RetryPolicy, Session, SessionOptions,
};

use super::{
    PeerEndpoint,
    queries::{PollQuery, QuerySpecs, queries},
    table::Table,
};
use crate::{Credential, Target};

pub use poll_result::{PollResult, ResultSubject, Variable};

/// A target while it is polled.
pub struct Peer {
    target: Target,
    endpoint: PeerEndpoint,
    session: Session,
    queries: Vec<PollQuery>,
    tables: Vec<Table>,
    /// The buffer for the requests of walks.
    request: Request,
    /// The agent's last known sysUpTime and boots.
    clock: (Option<u32>, Option<i32>),
    /// Numbers of the queries of this round that wait for space in the window.
    waiting: VecDeque<usize>,
    in_flight: Vec<(RequestHandle, InFlightRequest)>,
    results: VecDeque<PollResult>,
    next_round: Timestamp,
    rounds: u64,
    /// The earliest time of the next message; the target's pace determines it.
    not_before: Timestamp,
    may_send: bool,
    is_ready: bool,
    wake_time: Option<Timestamp>,
}

/// The query or the step of a walk for which a request was sent.
#[derive(Clone, Copy)]
enum InFlightRequest {
    Instances(usize),
    Subtree(usize, manager::WalkRequestId),
}

impl Peer {
    /// Creates a peer for a target at `endpoint`, polled first at `first`. `seed` must be random.
    ///
    /// # Errors
    /// A pass phrase has fewer than eight octets.
    pub fn new(
        target: Target,
        endpoint: PeerEndpoint,
        first: Timestamp,
        seed: u64,
    ) -> Result<Self, PasswordTooShortError> {
        let options = SessionOptions {
            retry: RetryPolicy::adaptive(target.timeout),
            context_name: target.context.clone(),
            ..SessionOptions::default()
        };
        let session = Session::new(target.credential.to_credentials()?, &options, seed);
        let boots = matches!(&*target.credential, Credential::V3(_));
        let mut in_flight = queries(&target.group.get, target.variables, boots);
        if in_flight.is_empty() {
            // Walks do not detect restarts of the agent, so a query without objects does.
            in_flight.push(PollQuery::new(&[], boots));
        }
        Ok(Self {
            queries: in_flight,
            tables: target.group.walk.iter().map(Table::new).collect(),
            request: Request::new(Operation::GetNext),
            clock: (None, None),
            target,
            endpoint,
            session,
            waiting: VecDeque::new(),
            in_flight: Vec::new(),
            results: VecDeque::new(),
            next_round: first,
            rounds: 0,
            not_before: Timestamp::ZERO,
            may_send: false,
            is_ready: false,
            wake_time: None,
        })
    }

    /// Returns the target.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Returns the socket and the address of the target's datagrams.
    pub fn endpoint(&self) -> PeerEndpoint {
        self.endpoint
    }

    /// Shares the specifications of queries with other peers that have the same queries.
    pub(super) fn share_spec(&mut self, query_specs: &mut QuerySpecs) {
        self.queries.iter_mut().for_each(|query| query.share_spec(query_specs));
    }

    pub(super) fn is_done(&self) -> bool {
        let is_reading = self.tables.iter().any(Table::is_walking);
        let has_to_ask = is_reading || !self.waiting.is_empty() || !self.in_flight.is_empty();
        self.rounds > 0 && !has_to_ask && self.results.is_empty()
    }

    /// Processes a received datagram. A response is stored in one of `spare_responses`, if there is
    /// one.
    pub(super) fn handle_input(
        &mut self,
        now: Timestamp,
        message: &mut [u8],
        spare_responses: &mut Vec<Response>,
    ) {
        if self.session.needs_memory()
            && let Some(response) = spare_responses.pop()
        {
            self.session.recycle(response);
        }
        self.session.handle_input(now, message);
        // Processing a Report may give the session a message to send.
        self.may_send = true;
        self.handle_events(now);
    }

    pub(super) fn handle_timeout(&mut self, now: Timestamp) {
        if self.next_round <= now {
            self.start_round(now);
        }
        if self.session.next_timeout().is_some_and(|at| at <= now) {
            self.session.handle_timeout(now);
            self.may_send = true;
            self.handle_events(now);
        }
    }

    pub(super) fn poll_output(&mut self, now: Timestamp, message: &mut Vec<u8>) -> Option<PeerEndpoint> {
        self.is_ready = false;
        if now < self.not_before {
            return None;
        }
        self.start_request();
        let sent = self.session.poll_output(now).map(|output| {
            message.clear();
            message.extend_from_slice(output);
        });
        self.may_send = sent.is_some();
        self.handle_events(now);
        sent.map(|()| {
            self.not_before = now + self.target.pace;
            self.endpoint
        })
    }

    /// Starts one more request, if the window allows it.
    fn start_request(&mut self) {
        if self.in_flight.len() >= self.target.window {
            return;
        }
        if let Some(index) = self.waiting.pop_front() {
            let handle = self.session.request(self.queries[index].request());
            self.in_flight.push((handle, InFlightRequest::Instances(index)));
            return;
        }
        for (index, table) in self.tables.iter_mut().enumerate().filter(|(_, table)| table.has_request()) {
            if let Some(query) = table.next_request(&mut self.request) {
                let handle = self.session.request(&self.request);
                return self.in_flight.push((handle, InFlightRequest::Subtree(index, query)));
            }
        }
    }

    pub(super) fn poll_report(&mut self) -> Option<PollResult> {
        self.results.pop_front()
    }

    /// Queues all queries that are neither waiting nor in flight.
    fn start_round(&mut self, now: Timestamp) {
        self.rounds += 1;
        while self.next_round <= now {
            self.next_round = self.next_round + self.target.interval;
        }
        for index in 0..self.queries.len() {
            let busy = self.waiting.contains(&index) || self.is_in_flight(index);
            if !busy {
                self.waiting.push_back(index);
            }
        }
        let is_v1 = self.session.is_v1();
        self.tables.iter_mut().for_each(|table| table.start_walk(is_v1));
    }

    fn is_in_flight(&self, query: usize) -> bool {
        self.in_flight
            .iter()
            .any(|(_, in_flight)| matches!(in_flight, InFlightRequest::Instances(index) if *index == query))
    }
}

/// Shows only the name of the target.
impl std::fmt::Debug for Peer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&Arc::clone(&self.target.name))
    }
}
