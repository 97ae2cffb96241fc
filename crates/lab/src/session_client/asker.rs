//! A manager that asks for sysUpTime.0 again and again.

use std::time::Instant;

use portreeve_snmp_manager::{Credentials, Operation, Request, Secret, Session, SessionOptions, Timestamp};

use super::{Message, place::Place};
use crate::failure::Result;
use crate::requests::SYS_UP_TIME;

/// One session's manager.
pub(super) struct Asker {
    session: Session,
    request: Request,
    begun: Instant,
}

impl Asker {
    pub(super) fn new(place: &Place, message: Message) -> Self {
        let credentials = match message {
            Message::V2c => Credentials::V2c(Secret::from(place.community.as_str())),
            Message::Tsm => Credentials::Transport,
        };
        // The agent is known by its name already, as after its first answer; it is looked for no more.
        let options =
            SessionOptions { security_engine_id: Some(place.engine_id), ..SessionOptions::default() };
        let request = Request::read(Operation::Get, [SYS_UP_TIME]);
        Self { session: Session::new(credentials, &options, SEED), request, begun: Instant::now() }
    }

    /// The next request.
    pub(super) fn question(&mut self) -> Result<&[u8]> {
        let now = self.now();
        self.session.request(&self.request);
        Ok(self.session.poll_output(now).ok_or("the manager has nothing to ask")?)
    }

    /// Whether the message answers it.
    pub(super) fn accept(&mut self, message: &mut [u8]) -> Result<bool> {
        self.session.handle_input(self.now(), message);
        let Some(event) = self.session.poll_event() else { return Ok(false) };
        let response = event.result?;
        let known = response.var_binds().iter().all(|bind| !bind.value.is_exception());
        if response.is_error() || !known {
            return Err("the agent does not show sysUpTime.0".into());
        }
        self.session.recycle(response);
        Ok(true)
    }

    fn now(&self) -> Timestamp {
        Timestamp::ZERO + self.begun.elapsed()
    }
}

/// Any: nobody else is in the namespace.
const SEED: u64 = 0x5052_4545_5052_4545;
