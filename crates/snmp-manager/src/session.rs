//! The message exchange of one manager with one agent, without sockets or clock.
//!
//! ```text
//! request ──► queued ──poll_output──► in flight ──handle_input──► finished ──poll_event──►
//!               ▲                          │ handle_timeout
//!               └───── retransmission ─────┘
//! ```
//! In SNMPv3 the session first discovers the agent's engine ID, and restarts a request once after
//! an authenticated Report with the agent's clock.
//!
//! The caller must pass only messages that come from the agent's address (attack M4).

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
    Credentials, DropReason, InvalidRequestError, LocalizedUsers, Operation, Request, RequestError, Response,
    RetryPolicy,
    explain::Evidence,
    retry::{RetryAction, RetryTimer, RttEstimator},
};
use pending::{PendingRequest, Purpose};
use resent::ResentRequests;
use security::Security;

pub(crate) use ids::IdSequence;
pub use options::SessionOptions;
pub(crate) use security::{HEADROOM, PADDING};
pub(crate) use tsm::LEVEL as TSM_LEVEL;
pub(crate) use usm::{finish as finish_usm, too_long as too_long_usm};

/// The state machine of a session. Any number of requests can be in flight.
pub struct Session {
    security: Security,
    retry: RetryPolicy,
    rtt: RttEstimator,
    /// Requests that were sent more than once and have been answered.
    resent: ResentRequests,
    max_message_size: usize,
    pending: Vec<PendingRequest>,
    finished: VecDeque<RequestEvent>,
    request_ids: IdSequence,
    msg_ids: IdSequence,
    next_handle: u64,
    last_drop_reason: Option<DropReason>,
    evidence: Evidence,
    /// The message that the last call of `poll_output` returned.
    output: Vec<u8>,
    /// The buffers of recycled responses.
    spare_buffers: Vec<Vec<u8>>,
}

/// Identifies a request within its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestHandle(u64);

/// The result of one request.
#[derive(Debug)]
pub struct RequestEvent {
    /// The request that ended.
    pub handle: RequestHandle,
    /// The Response, or the reason why there is none.
    pub result: Result<Response, RequestError>,
}

impl Session {
    /// Creates a session. `seed` must be random: request-ids, msgIDs and salts are derived from it.
    pub fn new(credentials: Credentials, options: &SessionOptions, seed: u64) -> Self {
        Self::with_security(Security::new(credentials, options, seed), options, seed)
    }

    /// Like [`Self::new`], for a user of USM whose keys are known for some engines only. If the
    /// discovered engine is another one, requests end with [`RequestError::NoKeys`].
    pub fn with_localized_users(users: LocalizedUsers, options: &SessionOptions, seed: u64) -> Self {
        Self::with_security(Security::localized(users, options, seed), options, seed)
    }

    fn with_security(security: Security, options: &SessionOptions, seed: u64) -> Self {
        Self {
            security,
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

    /// Queues a request. [`Self::poll_output`] returns its message as soon as the session is ready
    /// for it; [`Self::poll_event`] returns its result.
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

    /// Cancels a request: it is not sent again and gives no event.
    pub fn cancel(&mut self, handle: RequestHandle) {
        self.pending.retain(|pending| pending.purpose != Purpose::Caller(handle));
        self.finished.retain(|event| event.handle != handle);
    }

    /// Processes a received datagram, or a whole message of a stream; decrypts it in place. A
    /// message that is not acceptable only changes [`Self::last_drop_reason`].
    pub fn handle_input(&mut self, now: Timestamp, message: &mut [u8]) {
        // The reason is recorded.
        let _ = self.accept_input(now, message);
    }

    /// Like [`Self::handle_input`].
    ///
    /// # Errors
    /// Returns the reason why the message was dropped, for programs that count
    /// [dropped messages](DropReason::counter).
    pub fn accept_input(&mut self, now: Timestamp, message: &mut [u8]) -> Result<(), DropReason> {
        self.accept(now, message).inspect_err(|reason| self.last_drop_reason = Some(*reason))
    }

    /// Returns the next message to send. Call it until it returns `None`.
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
    /// Returns the results of requests, in the order in which they ended.
    pub fn poll_event(&mut self) -> Option<RequestEvent> {
        self.finished.pop_front()
    }

    /// Returns the time at which [`Self::handle_timeout`] must be called; `None` while no request
    /// is in flight.
    pub fn next_timeout(&self) -> Option<Timestamp> {
        self.pending.iter().filter_map(|pending| pending.timer.expires()).min()
    }

    /// Handles the requests whose timeout has expired: queues each of them for retransmission, or
    /// ends it.
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

    /// Returns the reason why the last dropped message was dropped.
    pub fn last_drop_reason(&self) -> Option<DropReason> {
        self.last_drop_reason
    }

    /// Returns the agent's engine ID, once it is known (SNMPv3).
    pub fn engine_id(&self) -> Option<EngineId> {
        self.security.engine_id()
    }

    /// Returns the current reading of the agent's clock, derived from its authentic messages;
    /// `None` before the first one (SNMPv3 with USM).
    pub fn engine_clock(&self, now: Timestamp) -> Option<ClockReading> {
        self.security.engine_clock(now)
    }

    /// Returns true if the session has no spare buffer for the next response. [`Self::recycle`]
    /// provides one.
    pub fn needs_memory(&self) -> bool {
        self.spare_buffers.is_empty()
    }

    /// Takes back a used response, of this or another session, to reuse its memory.
    pub fn recycle(&mut self, response: Response) {
        if self.spare_buffers.len() < MAX_SPARE_BUFFERS {
            self.spare_buffers.push(response.into_memory());
        }
    }

    /// Returns true if the session uses SNMPv1, which has no GetBulk and no Counter64.
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
        if request.operation() == Operation::Inform {
            return Some(InvalidRequestError::InformInV1);
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

    /// Restarts all requests after a change of keys: responses to earlier transmissions are no
    /// longer acceptable.
    fn restart_all(&mut self) {
        self.pending.iter_mut().for_each(PendingRequest::restart);
    }

    /// Ends one request. Only the caller's own requests give an event.
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

/// The maximum number of spare buffers.
const MAX_SPARE_BUFFERS: usize = 64;

#[cfg(test)]
mod tests;
