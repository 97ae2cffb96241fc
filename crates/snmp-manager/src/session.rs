//! One manager's conversation with one agent, without sockets or clock.
//!
//! ```text
//! request ──► queued ──poll_output──► on its way ──handle_input──► finished ──poll_event──►
//!               ▲                          │ handle_timeout
//!               └───────── again ──────────┘
//! ```
//! SNMPv3 puts a discovery request of its own in front while the agent's engine ID is unknown, and starts a request
//! over once when the agent's authenticated Report has told its clock.
//!
//! Whoever drives a session hands in what arrives from the agent's address, and only from there (M4).

mod accept;
mod community;
mod diagnostics;
mod engine;
mod extension;
mod ids;
mod options;
mod pending;
mod reports;
mod resent;
mod security;
mod tsm;
mod usm;

use std::collections::VecDeque;

use portreeve_smi::{ClockReading, EngineId, MessageProcessingModel, Timestamp};

use crate::{
    Credentials, DropReason, InvalidRequestError, Operation, Request, RequestError, Response, RetryPolicy,
    explain::Evidence,
    retry::{RetryAction, RetryTimer, RttEstimator},
};
use ids::IdSequence;
use pending::{PendingRequest, Purpose};
use resent::ResentRequests;
use security::Security;

pub use options::SessionOptions;

/// The state machine. Any number of requests may be on their way at once.
pub struct Session {
    security: Security,
    retry: RetryPolicy,
    rtt: RttEstimator,
    /// Requests that left more than once and have ended.
    resent: ResentRequests,
    max_message_size: usize,
    pending: Vec<PendingRequest>,
    finished: VecDeque<RequestEvent>,
    request_ids: IdSequence,
    msg_ids: IdSequence,
    next_handle: u64,
    last_drop_reason: Option<DropReason>,
    evidence: Evidence,
    /// The message polled out last.
    output: Vec<u8>,
    /// Memory of responses handed back.
    spare_buffers: Vec<Vec<u8>>,
}

/// Names one request of one session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestHandle(u64);

/// How one request ended.
#[derive(Debug)]
pub struct RequestEvent {
    /// Which request.
    pub handle: RequestHandle,
    /// What became of it.
    pub result: Result<Response, RequestError>,
}

impl Session {
    /// A session in which nothing has been asked yet. `seed` is random: from it come request-ids, msgIDs and salts.
    pub fn new(credentials: Credentials, options: &SessionOptions, seed: u64) -> Self {
        Self {
            security: Security::new(credentials, options, seed),
            retry: options.retry,
            rtt: RttEstimator::default(),
            resent: ResentRequests::default(),
            max_message_size: options.max_message_size,
            pending: Vec::new(),
            finished: VecDeque::new(),
            request_ids: IdSequence::starting_at(seed as u32),
            msg_ids: IdSequence::starting_at((seed >> 32) as u32),
            next_handle: 0,
            last_drop_reason: None,
            evidence: Evidence::default(),
            output: Vec::new(),
            spare_buffers: Vec::new(),
        }
    }

    /// Takes a request in. It leaves with the next [`Self::poll_output`] that finds the session ready for it; how it
    /// ended comes out of [`Self::poll_event`].
    pub fn request(&mut self, request: &Request) -> RequestHandle {
        let handle = RequestHandle(self.next_handle);
        self.next_handle += 1;
        if let Some(validate) = self.validate(request) {
            self.finished
                .push_back(RequestEvent { handle, result: Err(RequestError::InvalidRequest(validate)) });
            return handle;
        }
        let timer = RetryTimer::new(self.retry);
        self.pending.push(PendingRequest::for_caller(handle, request, self.request_ids.next(), timer));
        self.discover_if_needed();
        handle
    }

    /// Gives a request up: it is neither sent again nor told of.
    pub fn cancel(&mut self, handle: RequestHandle) {
        self.pending.retain(|pending| pending.purpose != Purpose::Caller(handle));
        self.finished.retain(|event| event.handle != handle);
    }

    /// Takes in a datagram, or a whole message of a stream; it is decrypted in place. What is not an acceptable answer
    /// to a request on its way changes nothing but [`Self::last_drop_reason`].
    pub fn handle_input(&mut self, now: Timestamp, message: &mut [u8]) {
        if let Err(ignored) = self.accept(now, message) {
            self.last_drop_reason = Some(ignored);
        }
    }

    /// The next message to send, to be called until there is none.
    pub fn poll_output(&mut self, now: Timestamp) -> Option<&[u8]> {
        loop {
            let ready = self.security.is_ready();
            let index = self
                .pending
                .iter()
                .position(|pending| pending.queued && (ready || pending.purpose == Purpose::Discovery))?;
            let pending = self.pending.get_mut(index)?;
            //= rfc3412#7.1-1b
            let msg_id = self.msg_ids.next();
            //= rfc3412#7.1-9d
            pending.msg_ids.push(msg_id);
            pending.queued = false;
            pending.timer.on_sent(now, &mut self.rtt);
            match self.security.build(pending, now, msg_id, &mut self.output) {
                //= rfc3412#7.1-9e
                Ok(range) if range.len() <= self.max_message_size => return self.output.get(range),
                Ok(_) => self.end(index, Err(RequestError::InvalidRequest(InvalidRequestError::TooLong))),
                //= rfc3412#7.1-9c
                Err(validate) => self.end(index, Err(RequestError::InvalidRequest(validate))),
            }
        }
    }

    //= rfc3413#3.1-3
    /// How the requests ended, in the order in which they did.
    pub fn poll_event(&mut self) -> Option<RequestEvent> {
        self.finished.pop_front()
    }

    /// When [`Self::handle_timeout`] is to be called next, `None` while nothing is on its way.
    pub fn next_timeout(&self) -> Option<Timestamp> {
        self.pending.iter().filter_map(|pending| pending.timer.expires()).min()
    }

    /// Lets time pass: what was not answered is queued to leave again, or ends.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        let mut index = 0;
        while let Some(pending) = self.pending.get_mut(index) {
            match pending.timer.action(now) {
                RetryAction::Wait => {}
                RetryAction::Resend => {
                    if let Security::Usm(usm) = &mut self.security
                        && pending.purpose != Purpose::Discovery
                        && usm.on_timeout()
                    {
                        pending.forget_msg_ids();
                    }
                    pending.queued = true;
                    pending.timer.on_queued();
                }
                RetryAction::GiveUp if pending.purpose == Purpose::Discovery => {
                    return self.end_all(RequestError::Timeout(self.last_drop_reason));
                }
                RetryAction::GiveUp => {
                    self.end(index, Err(RequestError::Timeout(self.last_drop_reason)));
                    continue;
                }
            }
            index += 1;
        }
    }

    /// Why the last message that was not taken for an answer was not.
    pub fn last_drop_reason(&self) -> Option<DropReason> {
        self.last_drop_reason
    }

    /// The agent's engine ID, once known (SNMPv3).
    pub fn engine_id(&self) -> Option<EngineId> {
        self.security.engine_id()
    }

    /// What the agent's clock reads, as its authentic messages have told it; `None` before one has (SNMPv3 with USM).
    pub fn engine_clock(&self, now: Timestamp) -> Option<ClockReading> {
        self.security.engine_clock(now)
    }

    /// Whether the next answer needs memory that [`Self::recycle`] has not given.
    pub fn needs_memory(&self) -> bool {
        self.spare_buffers.is_empty()
    }

    /// Takes a response that is done with, this session's or another's, so that its memory serves another.
    pub fn recycle(&mut self, response: Response) {
        if self.spare_buffers.len() < MAX_SPARE_BUFFERS {
            self.spare_buffers.push(response.into_memory());
        }
    }

    /// Whether the session speaks SNMPv1, which has no GetBulk and no Counter64.
    pub fn is_v1(&self) -> bool {
        self.version() == MessageProcessingModel::V1
    }

    fn validate(&self, request: &Request) -> Option<InvalidRequestError> {
        if !self.is_v1() {
            return None;
        }
        if matches!(request.operation(), Operation::GetBulk { .. }) {
            return Some(InvalidRequestError::BulkInV1);
        }
        request.has_counter64().then_some(InvalidRequestError::Counter64InV1)
    }

    fn discover_if_needed(&mut self) {
        let looking = self.pending.iter().any(|pending| pending.purpose == Purpose::Discovery);
        if !looking {
            let timer = RetryTimer::new(self.retry);
            self.pending.extend(self.security.discovery(&mut self.request_ids, timer));
        }
    }

    /// The keys have changed: what is on its way cannot be answered any more.
    fn restart_all(&mut self) {
        self.pending.iter_mut().for_each(PendingRequest::restart);
    }

    /// Ends one request; only the caller's own are told of.
    fn end(&mut self, index: usize, result: Result<Response, RequestError>) {
        let ended = self.pending.swap_remove(index);
        if let Purpose::Caller(handle) = ended.purpose {
            self.finished.push_back(RequestEvent { handle, result });
        }
    }

    fn end_all(&mut self, error: RequestError) {
        while !self.pending.is_empty() {
            self.end(0, Err(error));
        }
    }
}

/// How many pieces of memory are kept for later.
const MAX_SPARE_BUFFERS: usize = 64;

#[cfg(test)]
mod tests;
