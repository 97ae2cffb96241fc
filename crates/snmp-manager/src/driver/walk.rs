//! Fast walks over a client's socket.

use portreeve_snmp_message::VarBind;

use super::{Client, ClientError};
use crate::{
    FastWalk, Operation, Request, RequestError, RequestHandle, WalkEnd, WalkError, WalkProgress,
    WalkRequestId,
};

impl Client {
    /// Visits every variable of `walk` in order, with several requests in flight.
    ///
    /// ```no_run
    /// use portreeve_snmp_manager::{Client, Credentials, FastWalk, SessionOptions, WalkOptions};
    /// use portreeve_secret::Secret;
    ///
    /// let community = Credentials::V2c(Secret::from("public"));
    /// let options = SessionOptions::default();
    /// let mut client = Client::open(&"192.0.2.1".parse()?, community, &options)?;
    /// let if_table = [1, 3, 6, 1, 2, 1, 2, 2];
    /// let mut walk = FastWalk::new(&if_table, WalkOptions::default());
    /// client.walk(&mut walk, |bind| println!("{:?} {:?}", bind.name, bind.value))?;
    /// println!("{} variables", walk.found());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A request got no Response, the link failed, or the agent's responses are invalid for a walk.
    pub fn walk(
        &mut self,
        walk: &mut FastWalk,
        mut visit: impl FnMut(&VarBind<'_>),
    ) -> Result<WalkEnd, ClientWalkError> {
        if self.session.is_v1() {
            walk.disable_bulk();
        }
        let mut in_flight = Vec::new();
        let result = self.run_walk(walk, &mut in_flight, &mut visit);
        in_flight.into_iter().for_each(|(handle, _)| self.session.cancel(handle));
        result
    }

    fn run_walk(
        &mut self,
        walk: &mut FastWalk,
        in_flight: &mut Vec<(RequestHandle, WalkRequestId)>,
        visit: &mut impl FnMut(&VarBind<'_>),
    ) -> Result<WalkEnd, ClientWalkError> {
        let mut request = Request::new(Operation::GetNext);
        loop {
            while let Some(request_id) = walk.next_request(&mut request) {
                in_flight.push((self.send(&request), request_id));
            }
            let Some(event) = self.next_event()? else {
                let error = RequestError::Timeout(self.session.last_drop_reason());
                return Err(ClientWalkError::Client(ClientError::Request(error)));
            };
            let Some(index) = in_flight.iter().position(|(handle, _)| *handle == event.handle) else {
                continue;
            };
            let (_, request_id) = in_flight.swap_remove(index);
            let progress = walk.accept(request_id, &event.result, &mut *visit)?;
            if let Ok(response) = event.result {
                self.recycle(response);
            }
            if let WalkProgress::Done(end) = progress {
                return Ok(end);
            }
        }
    }
}

/// The reason why a client's walk ended early.
#[derive(Debug)]
pub enum ClientWalkError {
    /// A request has no Response, or the link failed.
    Client(ClientError),
    /// The agent's responses are invalid for a walk.
    Walk(WalkError),
}

impl std::fmt::Display for ClientWalkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Client(error) => error.fmt(f),
            Self::Walk(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ClientWalkError {}

impl From<WalkError> for ClientWalkError {
    fn from(error: WalkError) -> Self {
        match error {
            WalkError::Request(error) => Self::Client(ClientError::Request(error)),
            error => Self::Walk(error),
        }
    }
}

impl From<std::io::Error> for ClientWalkError {
    fn from(error: std::io::Error) -> Self {
        Self::Client(ClientError::Io(error))
    }
}
