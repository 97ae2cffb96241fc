//! Where a connection's calls and its task meet.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;

use portreeve_channel::PeerIdentity;
use portreeve_channel_ssh::server::{
    ChannelNumber, ChannelWriter, ConnectionCallbacks, ConnectionHandle, ControlFlow,
};

use crate::handler::MessageHandler;
use crate::outbox::Outbox;
use crate::session_state::{MessageSink, PauseReason, SessionState};
use crate::statistics::CloseReason;
use crate::worker::Scratch;

/// One connection's session, called from both sides on one thread, never from both at once.
pub(super) struct SshSession<H: MessageHandler> {
    pub(super) state: RefCell<SessionState<H>>,
    pub(super) outbox: Rc<Outbox>,
    pub(super) remote: RefCell<Option<ConnectionHandle>>,
    pub(super) channel: Cell<Option<ChannelNumber>>,
    /// Why the session is over.
    pub(super) close_reason: Cell<Option<CloseReason>>,
    /// Something is left to do for the task.
    pub(super) has_pending_work: Cell<bool>,
}

impl<H: MessageHandler> SshSession<H> {
    pub(super) fn new(state: SessionState<H>) -> Self {
        Self {
            outbox: Rc::clone(state.outbox()),
            state: RefCell::new(state),
            remote: RefCell::default(),
            channel: Cell::default(),
            close_reason: Cell::default(),
            has_pending_work: Cell::default(),
        }
    }

    /// What can be done without a call of the connection: answers that took time, messages that had to wait. Returns what is
    /// to be sent.
    pub(super) fn process(&self) -> Vec<u8> {
        self.has_pending_work.set(false);
        let mut relay = SendBuffer::default();
        let result = self.state.borrow_mut().process(&mut relay);
        self.record_result(result);
        relay.0
    }

    /// Keeps what a call brought about.
    fn record_result(&self, result: Result<PauseReason, CloseReason>) {
        match result {
            Ok(PauseReason::BatchLimit) => self.has_pending_work.set(true),
            Ok(PauseReason::Incomplete | PauseReason::Congested) => {}
            Err(reason) => self.set_close_reason(reason),
        }
    }

    /// The first reason counts.
    pub(super) fn set_close_reason(&self, reason: CloseReason) {
        if self.close_reason.get().is_none() {
            self.close_reason.set(Some(reason));
        }
    }

    /// After a call: whether it goes on, and whether the task has to.
    fn control_flow(
        &self,
        output: &ChannelWriter<'_>,
        result: Result<PauseReason, CloseReason>,
    ) -> ControlFlow {
        self.record_result(result);
        if self.state.borrow().backlog() > MAX_BACKLOG {
            self.set_close_reason(CloseReason::Stalled);
        }
        match self.close_reason.get() {
            None => {
                // Nothing waits for the window, but more is to be done: when the socket has had its turn.
                if output.is_congested() && !output.has_pending_data() {
                    self.has_pending_work.set(true);
                }
                ControlFlow::Continue
            }
            Some(CloseReason::ByPeer) => ControlFlow::CloseChannel,
            Some(_) => ControlFlow::Disconnect,
        }
    }
}

impl<H: MessageHandler> ConnectionCallbacks for SshSession<H> {
    fn connected(&self, remote: ConnectionHandle) {
        self.remote.replace(Some(remote));
    }

    fn authenticated(&self, peer: &PeerIdentity) -> bool {
        let named = self.state.borrow_mut().identify(peer);
        named.map_err(|reason| self.set_close_reason(reason)).is_ok()
    }

    fn open_subsystem(&self, channel: ChannelNumber, subsystem: &str) -> bool {
        //= rfc5592#5.3-6
        if subsystem != SUBSYSTEM || self.channel.get().is_some() || self.close_reason.get().is_some() {
            return false;
        }
        self.channel.set(Some(channel));
        true
    }

    fn receive(&self, output: &mut ChannelWriter<'_>, octets: &[u8]) -> ControlFlow {
        if self.close_reason.get().is_some() {
            return ControlFlow::Continue;
        }
        let mut state = self.state.borrow_mut();
        let worker = Rc::clone(&state.worker);
        let mut scratch = worker.scratch.borrow_mut();
        let Scratch { input, reply } = &mut *scratch;
        let mut result = Ok(PauseReason::Incomplete);
        for part in octets.chunks(input.len().max(1)) {
            let Some(arrived) = input.get_mut(..part.len()) else { break };
            arrived.copy_from_slice(part);
            result = state.receive(output, arrived, reply);
            if result.is_err() {
                break;
            }
        }
        drop((scratch, state));
        self.control_flow(output, result)
    }

    fn writable(&self, output: &mut ChannelWriter<'_>) -> ControlFlow {
        if self.close_reason.get().is_some() {
            return ControlFlow::Continue;
        }
        let mut state = self.state.borrow_mut();
        state.record_write_progress();
        let result = state.process(output);
        drop(state);
        self.control_flow(output, result)
    }

    fn on_eof(&self, output: &mut ChannelWriter<'_>) -> ControlFlow {
        if self.close_reason.get().is_some() {
            return ControlFlow::Continue;
        }
        let mut state = self.state.borrow_mut();
        state.set_peer_eof();
        let result = state.process(output);
        drop(state);
        self.control_flow(output, result)
    }

    fn closed(&self, _channel: ChannelNumber) {
        self.set_close_reason(self.state.borrow().eof_close_reason());
    }

    fn is_congested(&self, _channel: ChannelNumber) -> bool {
        self.state.borrow().backlog() > CONGESTION_THRESHOLD
    }
}

impl MessageSink for ChannelWriter<'_> {
    fn try_write(&mut self, octets: &[u8]) -> io::Result<usize> {
        ChannelWriter::try_write(self, octets)
    }

    fn is_congested(&self) -> bool {
        ChannelWriter::is_congested(self)
    }

    fn flush(&mut self) -> io::Result<()> {
        if ChannelWriter::is_congested(self) { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
    }
}

/// Collects what is to be sent from outside the connection's calls, whole messages, so that none that is answered within a call
/// comes in between. How much the peer has room for is not looked at: the connection takes the next burst when the one before has
/// left, and no request while something waits for room.
#[derive(Default)]
struct SendBuffer(Vec<u8>);

impl MessageSink for SendBuffer {
    fn try_write(&mut self, octets: &[u8]) -> io::Result<usize> {
        if self.is_congested() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        self.0.extend_from_slice(octets);
        Ok(octets.len())
    }

    fn is_congested(&self) -> bool {
        self.0.len() >= MAX_SEND_BUFFER
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.is_congested() { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
    }
}

/// The subsystem's name (RFC 5592 §3.3).
const SUBSYSTEM: &str = "snmp";
/// Octets that wait to be handled from which on the peer may send a trickle only.
const CONGESTION_THRESHOLD: usize = 64 * 1024;
/// Octets that wait to be handled which no peer keeping to its window can reach.
const MAX_BACKLOG: usize = 1 << 20;
/// Octets handed over at once.
const MAX_SEND_BUFFER: usize = 64 * 1024;
