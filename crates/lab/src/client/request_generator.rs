//! A manager that requests sysUpTime.0 repeatedly.

use std::time::Instant;

use portreeve_snmp_manager::{Credentials, Operation, Request, Secret, Session, SessionOptions, Timestamp};

use super::{Message, target::Target};
use crate::error::Result;
use crate::requests::SYS_UP_TIME;

/// The manager of one session.
pub(super) struct RequestGenerator {
    session: Session,
    request: Request,
    begun: Instant,
}

impl RequestGenerator {
    pub(super) fn new(target: &Target, message: Message) -> Result<Self> {
        let credentials = match message {
            Message::V2c => Credentials::V2c(Secret::from(target.file.get("RO")?)),
            Message::Tsm => Credentials::Transport,
            Message::V1 | Message::Usm(..) => return Err("only v2c and the Transport Security Model".into()),
        };
        // The engine ID is known, as it is after a first response, so no engine ID discovery takes
        // place.
        let options = SessionOptions { security_engine_id: target.engine_id()?, ..SessionOptions::default() };
        let request = Request::read(Operation::Get, [SYS_UP_TIME]);
        Ok(Self { session: Session::new(credentials, &options, SEED), request, begun: Instant::now() })
    }

    /// Encodes the next request and returns its message.
    pub(super) fn next_request(&mut self) -> Result<&[u8]> {
        let now = self.now();
        self.session.request(&self.request);
        Ok(self.session.poll_output(now).ok_or("the manager library did not create a request")?)
    }

    /// Returns true if the message completes the request.
    pub(super) fn accept(&mut self, message: &mut [u8]) -> Result<bool> {
        self.session.handle_input(self.now(), message);
        let Some(event) = self.session.poll_event() else { return Ok(false) };
        let response = event.result?;
        let known = response.var_binds().iter().all(|bind| !bind.value.is_exception());
        if response.is_error() || !known {
            return Err("the agent has no sysUpTime.0".into());
        }
        self.session.recycle(response);
        Ok(true)
    }

    fn now(&self) -> Timestamp {
        Timestamp::ZERO + self.begun.elapsed()
    }
}

/// A constant is unique enough, because the namespace contains no other managers.
const SEED: u64 = 0x5052_4545_5052_4545;
