//! Message exchanges without a network. A test whose name begins with a number from the attack list
//! tests that attack.

mod agent;
mod community;
mod counters;
mod explain;
mod extension;
mod localized_users;
mod retransmission;
mod tsm;
mod usm;

use std::time::Duration;

use portreeve_smi::{SecurityLevel, Timestamp};

use super::*;
use agent::{Agent, AgentInput, FakeResponse, ReceivedRequest};

const NAME: [u32; 9] = [1, 3, 6, 1, 2, 1, 1, 3, 0];
const OTHER: [u32; 9] = [1, 3, 6, 1, 2, 1, 1, 5, 0];

/// A session and its current time.
struct TestSession {
    session: Session,
    now: Timestamp,
}

impl TestSession {
    fn new(credentials: Credentials) -> Self {
        Self::with_options(credentials, SessionOptions::default())
    }

    fn with_options(credentials: Credentials, options: SessionOptions) -> Self {
        Self {
            session: Session::new(credentials, &options, 0x1234_5678_9abc_def0),
            now: Timestamp::from_secs(1),
        }
    }

    fn request(&mut self, operation: Operation) -> RequestHandle {
        self.session.request(&Request::read(operation, [NAME]))
    }

    /// Returns the next message to send, if there is one. Asserts that it is the only one.
    fn poll_message(&mut self) -> Option<Vec<u8>> {
        let message = self.session.poll_output(self.now).map(<[u8]>::to_vec);
        assert!(self.session.poll_output(self.now).is_none(), "one message was expected");
        message
    }

    fn receive(&mut self, mut message: Vec<u8>) {
        self.session.handle_input(self.now, &mut message);
    }

    fn advance(&mut self, time: Duration) {
        self.now = self.now + time;
        self.session.handle_timeout(self.now);
    }

    /// Returns the result of the only request, if it has ended.
    fn result(&mut self) -> Option<Result<Response, RequestError>> {
        self.session.poll_event().map(|event| event.result)
    }

    /// Asserts that the message is dropped for this reason and that the request continues.
    fn assert_dropped(&mut self, message: Vec<u8>, reason: DropReason) {
        self.receive(message);
        assert!(self.session.poll_event().is_none());
        assert_eq!(self.session.last_drop_reason(), Some(reason));
    }
}
