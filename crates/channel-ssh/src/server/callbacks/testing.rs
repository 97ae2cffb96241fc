//! Callbacks for tests.

use std::cell::RefCell;

use super::*;

/// Callbacks that reject everything.
#[derive(Debug, Default)]
pub(in crate::server) struct RejectingCallbacks {
    /// The values passed to `set_on_worker`.
    pub(in crate::server) moves: RefCell<Vec<bool>>,
}

impl ConnectionCallbacks for RejectingCallbacks {
    fn set_on_worker(&self, is_on_worker: bool) {
        self.moves.borrow_mut().push(is_on_worker);
    }

    fn connected(&self, _: ConnectionHandle) {}

    fn authenticated(&self, _: &PeerIdentity) -> bool {
        false
    }

    fn open_subsystem(&self, _: ChannelNumber, _: &str) -> bool {
        false
    }

    fn receive(&self, _: &mut ChannelWriter<'_>, _: &[u8]) -> ControlFlow {
        ControlFlow::Disconnect
    }

    fn writable(&self, _: &mut ChannelWriter<'_>) -> ControlFlow {
        ControlFlow::Disconnect
    }

    fn on_eof(&self, _: &mut ChannelWriter<'_>) -> ControlFlow {
        ControlFlow::Disconnect
    }

    fn closed(&self, _: ChannelNumber) {}

    fn is_congested(&self, _: ChannelNumber) -> bool {
        false
    }
}
