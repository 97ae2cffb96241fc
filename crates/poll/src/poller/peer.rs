//! One target: its session, what of its round is still to be asked, and when to look at it next.

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
    /// What a table asks next is written here.
    request: Request,
    /// The agent's sysUpTime and boots as it told them last.
    clock: (Option<u32>, Option<i32>),
    /// Questions of this round that wait for room in the window.
    waiting: VecDeque<usize>,
    in_flight: Vec<(RequestHandle, InFlightRequest)>,
    results: VecDeque<PollResult>,
    next_round: Timestamp,
    rounds: u64,
    /// Before this nothing is sent, as the pace has it.
    not_before: Timestamp,
    may_send: bool,
    is_ready: bool,
    wake_time: Option<Timestamp>,
}

/// What a request is for.
#[derive(Clone, Copy)]
enum InFlightRequest {
    Instances(usize),
    Subtree(usize, manager::WalkRequestId),
}

impl Peer {
    /// A target at `endpoint`, polled first at `first`. `seed` is random.
    ///
    /// # Errors
    /// For a pass phrase of fewer than eight octets.
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
            // Tables need to know whether the agent has restarted.
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

    /// What is polled.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Where it is.
    pub fn endpoint(&self) -> PeerEndpoint {
        self.endpoint
    }

    /// Asks in the words of other peers that are asked for the same.
    pub(super) fn share_spec(&mut self, query_specs: &mut QuerySpecs) {
        self.queries.iter_mut().for_each(|query| query.share_spec(query_specs));
    }

    pub(super) fn is_done(&self) -> bool {
        let is_reading = self.tables.iter().any(Table::is_walking);
        let has_to_ask = is_reading || !self.waiting.is_empty() || !self.in_flight.is_empty();
        self.rounds > 0 && !has_to_ask && self.results.is_empty()
    }

    /// Takes in a datagram. An answer is kept in the memory of one of `spare_responses`, if there is any.
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
        // A Report of the agent's may have made the session want to send.
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

    /// Lets the session have one more request, where the window allows it.
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

    /// What the last round has not asked yet is asked now; nothing is asked twice at a time.
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

/// What results call it.
impl std::fmt::Debug for Peer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&Arc::clone(&self.target.name))
    }
}
