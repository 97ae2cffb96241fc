//! The state shared by a connection's callbacks and its task.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;
use std::sync::Arc;

use portreeve_channel::PeerIdentity;
use portreeve_channel_ssh::server::{
    ChannelNumber, ChannelWriter, ConnectionCallbacks, ConnectionHandle, ControlFlow,
};

use super::login_turns::LoginTurns;
use crate::handler::MessageHandler;
use crate::outbox::Outbox;
use crate::session_state::{MessageSink, PauseReason, SessionState};
use crate::statistics::CloseReason;
use crate::worker::Scratch;

/// The session of one connection, used by the callbacks and the task. Both run on the same thread,
/// so never at the same time.
pub(super) struct SshSession<H: MessageHandler> {
    pub(super) state: RefCell<SessionState<H>>,
    pub(super) outbox: Rc<Outbox>,
    pub(super) connection: RefCell<Option<ConnectionHandle>>,
    pub(super) channel: Cell<Option<ChannelNumber>>,
    /// The close reason, if the session is to be closed.
    pub(super) close_reason: Cell<Option<CloseReason>>,
    /// True if the task has more work to do.
    pub(super) has_pending_work: Cell<bool>,
    pub(super) login_turns: Arc<LoginTurns>,
}

impl<H: MessageHandler> SshSession<H> {
    pub(super) fn new(state: SessionState<H>) -> Self {
        Self {
            outbox: Rc::clone(state.outbox()),
            login_turns: LoginTurns::new(state.worker.handshake_turns.clone()),
            state: RefCell::new(state),
            connection: RefCell::default(),
            channel: Cell::default(),
            close_reason: Cell::default(),
            has_pending_work: Cell::default(),
        }
    }

    /// Does the work that needs no callback: deferred responses and queued messages. Returns the
    /// octets to send.
    pub(super) fn process(&self) -> Vec<u8> {
        self.has_pending_work.set(false);
        let mut buffer = SendBuffer::default();
        let result = self.state.borrow_mut().process(&mut buffer);
        self.record_result(result);
        buffer.0
    }

    /// Records the result of handling messages.
    fn record_result(&self, result: Result<PauseReason, CloseReason>) {
        match result {
            Ok(PauseReason::BatchLimit) => self.has_pending_work.set(true),
            Ok(PauseReason::Incomplete | PauseReason::Congested) => {}
            Err(reason) => self.set_close_reason(reason),
        }
    }

    /// Sets the close reason; only the first one counts.
    pub(super) fn set_close_reason(&self, reason: CloseReason) {
        if self.close_reason.get().is_none() {
            self.close_reason.set(Some(reason));
        }
    }

    /// Records the result of a callback. Returns whether the connection continues. Sets
    /// `has_pending_work` if the task has to continue.
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
                // The callback stopped because it has written enough for one turn; the peer's
                // window is not full. The task handles the remaining requests after the socket has
                // been served.
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
    fn connected(&self, connection: ConnectionHandle) {
        self.connection.replace(Some(connection));
    }

    fn set_on_worker(&self, is_on_worker: bool) {
        self.login_turns.set_on_worker(is_on_worker);
    }

    fn authenticated(&self, peer: &PeerIdentity) -> bool {
        self.login_turns.set_logged_in();
        let result = self.state.borrow_mut().identify(peer);
        result.map_err(|reason| self.set_close_reason(reason)).is_ok()
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
        for chunk in octets.chunks(input.len().max(1)) {
            let Some(received) = input.get_mut(..chunk.len()) else { break };
            received.copy_from_slice(chunk);
            result = state.receive(output, received, reply);
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

/// Collects the responses that are sent from outside the callbacks. Contains only whole messages,
/// so that a response sent within a callback is never inserted into the middle of a message. The
/// peer's window is not checked: the connection accepts the next buffer when the previous one has
/// been sent, and handles no request while data awaits window space.
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

/// The name of the subsystem (RFC 5592 §3.3).
const SUBSYSTEM: &str = "snmp";
/// The number of unhandled octets above which the peer's window is kept at two octets.
const CONGESTION_THRESHOLD: usize = 64 * 1024;
/// The maximum number of unhandled octets; only a peer that violates its window can exceed it.
const MAX_BACKLOG: usize = 1 << 20;
/// The maximum number of octets passed to the connection in one call.
const MAX_SEND_BUFFER: usize = 64 * 1024;
