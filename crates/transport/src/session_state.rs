//! One session: the guard, the protocol that it carries, and the received octets that the protocol
//! has not handled.
//!
//! ```text
//!            ┌─ output pending, or no input wanted: no reading (back pressure) ◀─┐
//!            ▼                                                                   │
//! octets ──▶ inbox ──▶ protocol.receive ──▶ output ──▶ sink ── partial write ─▶ outbox
//!                      protocol.produce ─────▲
//! ```
//! An idle session holds no buffer: octets are handled in the buffer they were read into. Only the
//! beginning of an incomplete message and the unsent rest of a response are stored. A peer that
//! announces a long message therefore occupies no memory until it sends the octets.

use std::mem;
use std::rc::Rc;

use portreeve_channel::PeerIdentity;
use portreeve_smi::Timestamp;

use crate::handler::MessageHandler;
use crate::outbox::{MessageSink, Outbox};
use crate::protocol::{Awaited, Progress, Received, SessionOutput, SessionProtocol, SessionWaker};
use crate::services::Service;
use crate::session_guard::SessionGuard;
use crate::session_limits::SessionSlot;
use crate::session_source::SessionSource;
use crate::snmp_session::SnmpProtocol;
use crate::statistics::CloseReason;
use crate::worker::{Stage, Worker};

/// The state of one session, separate from the connection that carries it.
pub(crate) struct SessionState<H: MessageHandler> {
    guard: SessionGuard<H>,
    /// The protocol; `None` until the peer is authenticated and has chosen one.
    protocol: Option<Box<dyn SessionProtocol>>,
    /// Octets that were read but not handled yet: an incomplete message, or several messages while
    /// the session does not handle more.
    inbox: Vec<u8>,
    pause: PauseReason,
    input_end: Option<InputEnd>,
}

/// The reason why handling of messages paused.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum PauseReason {
    /// The rest is not a complete message.
    Incomplete,
    /// Output is pending, and the peer must accept it first.
    Congested,
    /// The protocol wants no input; it wakes the session when it wants more.
    Blocked,
    /// The session has handled [`MAX_BATCH`] messages; other sessions run first.
    BatchLimit,
}

/// The events for which a session waits, besides wakeups and its deadline.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum NextEvent {
    Readable,
    Writable,
    /// The session neither reads nor writes until it is woken.
    None,
}

/// The reason why a session receives nothing more.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum InputEnd {
    /// The peer has finished sending; it may still wait for responses.
    PeerFinished,
    /// The peer has sent the last message of the protocol.
    LastMessage,
}

impl<H: MessageHandler + 'static> SessionState<H> {
    /// Creates the session of `source`, without a protocol.
    pub(crate) fn new(worker: Rc<Worker<H>>, source: SessionSource, slot: SessionSlot) -> Self {
        Self {
            guard: SessionGuard::new(worker, source, slot),
            protocol: None,
            inbox: Vec::new(),
            pause: PauseReason::Incomplete,
            input_end: None,
        }
    }

    /// Records the authenticated identity of the peer.
    pub(crate) fn set_identity(&mut self, identity: &PeerIdentity) {
        self.guard.set_identity(identity);
    }

    /// Starts the service with this name. Fails if the listener has none, or if the peer may not
    /// use it; the caller must close the session then.
    pub(crate) fn open_named(&mut self, name: &str) -> Result<(), CloseReason> {
        let services = self.guard.worker.services(self.guard.source.listener);
        services.find(name).map_or(Err(CloseReason::Error), |service| self.open(name, service))
    }

    /// Starts the service of a listener that offers only one, so that a peer that may not use it is
    /// refused before it has to choose. Fails like [`open_named`](Self::open_named).
    pub(crate) fn open_only(&mut self) -> Result<(), CloseReason> {
        let services = self.guard.worker.services(self.guard.source.listener);
        services.only().map_or(Ok(()), |(name, service)| self.open(name, service))
    }

    /// Returns whether a service was started.
    pub(crate) fn is_open(&self) -> bool {
        self.protocol.is_some()
    }

    /// Starts the first service of the listener. Fails if there is none, or if the peer may not use
    /// it; the caller must close the session then.
    pub(crate) fn open_first(&mut self) -> Result<(), CloseReason> {
        let services = self.guard.worker.services(self.guard.source.listener);
        services.first().map_or(Err(CloseReason::Error), |(name, service)| self.open(name, service))
    }

    /// Starts a service. Fails if the peer may not use it; the caller must close the session then.
    fn open(&mut self, name: &str, service: &Service) -> Result<(), CloseReason> {
        // The configuration may have been replaced since the handshake.
        self.guard.check_credential()?;
        self.guard.assign_security_name(name, service)?;
        let guard = &self.guard;
        let protocol: Box<dyn SessionProtocol> = match service {
            Service::Snmp => Box::new(SnmpProtocol::new(Rc::clone(&guard.worker), Rc::clone(guard.outbox()))),
            Service::Other(service) => {
                service.open(&guard.source, SessionWaker::new(guard.slot().handle()))?
            }
        };
        self.protocol = Some(protocol);
        Ok(())
    }
}

impl<H: MessageHandler> SessionState<H> {
    pub(crate) fn worker(&self) -> &Rc<Worker<H>> {
        &self.guard.worker
    }

    pub(crate) fn source(&self) -> &SessionSource {
        &self.guard.source
    }

    /// Returns the queue of pending octets, through which the session is woken.
    pub(crate) fn outbox(&self) -> &Rc<Outbox> {
        self.guard.outbox()
    }

    /// Returns whether the peer sends too many octets that are not part of a message.
    pub(crate) fn exceeds_idle_traffic(&mut self, octets: u64) -> bool {
        self.guard.exceeds_idle_traffic(octets)
    }

    /// Records the memory of an inactive session. `octets` is the number of octets that the channel
    /// has received so far; its buffers may contain all of them.
    pub(crate) fn record_memory(&self, octets: u64) {
        self.guard.record_memory(self.inbox.capacity(), octets);
    }

    /// Returns the current deadline at which the session will be closed, and the close reason.
    pub(crate) fn deadline(&self) -> (Timestamp, CloseReason) {
        self.guard.deadline(self.awaited())
    }

    /// Returns what the session waits for if it is active.
    fn awaited(&self) -> Awaited {
        self.protocol.as_ref().map_or(Awaited::Message, |protocol| protocol.awaited())
    }

    /// Sends pending output and handles received messages, as far as possible without waiting. Does
    /// not read from the socket.
    pub(crate) fn process(&mut self, sink: &mut dyn MessageSink) -> Result<PauseReason, CloseReason> {
        let pause = self.process_input(sink);
        self.guard.outbox().end_turn();
        pause
    }

    fn process_input(&mut self, sink: &mut dyn MessageSink) -> Result<PauseReason, CloseReason> {
        self.check_peer()?;
        self.guard.write_pending(sink)?;
        if !self.guard.is_flushed(sink) {
            return Ok(self.set_pause(PauseReason::Congested));
        }
        match self.guard.worker.stage.get() {
            Stage::Serving => {}
            Stage::Finishing => return self.send_ready_output(sink),
            Stage::Closing => return self.end_when_sent(sink, CloseReason::Shutdown),
        }
        let pause = self.handle_inbox(sink)?;
        if pause == PauseReason::Incomplete && self.is_finished(sink) {
            return self.end_when_sent(sink, self.eof_close_reason());
        }
        Ok(pause)
    }

    /// Sends the output of the protocol, and handles no input.
    fn send_ready_output(&mut self, sink: &mut dyn MessageSink) -> Result<PauseReason, CloseReason> {
        let (_, pause) = self.handle_messages(sink, &mut [])?;
        Ok(if pause == PauseReason::Incomplete { self.set_pause(PauseReason::Blocked) } else { pause })
    }

    /// Ends the session, or waits until its last octets are sent.
    fn end_when_sent(
        &mut self,
        sink: &dyn MessageSink,
        reason: CloseReason,
    ) -> Result<PauseReason, CloseReason> {
        if !sink.has_unsent() {
            return Err(reason);
        }
        self.guard.await_last_octets();
        Ok(self.set_pause(PauseReason::Congested))
    }

    /// Returns the event for which the session waits.
    pub(crate) fn next_event(&self, sink: &dyn MessageSink) -> NextEvent {
        if !self.guard.is_flushed(sink) || self.pause == PauseReason::Congested {
            NextEvent::Writable
        } else if self.input_end.is_some() || self.pause == PauseReason::Blocked {
            NextEvent::None
        } else {
            NextEvent::Readable
        }
    }

    /// Handles received octets.
    pub(crate) fn receive(
        &mut self,
        sink: &mut dyn MessageSink,
        received: &mut [u8],
    ) -> Result<PauseReason, CloseReason> {
        // The configuration may have been replaced since the last message.
        self.check_peer()?;
        self.guard.record_payload(received.len());
        if self.inbox.is_empty() {
            let (handled, pause) = self.handle_messages(sink, received)?;
            self.inbox.extend_from_slice(received.get(handled..).unwrap_or_default());
            return Ok(pause);
        }
        self.inbox.extend_from_slice(received);
        self.handle_inbox(sink)
    }

    /// Records that the peer has finished sending; it may still wait for responses.
    pub(crate) fn set_peer_eof(&mut self) {
        self.input_end.get_or_insert(InputEnd::PeerFinished);
    }

    /// Returns the close reason for a stream that ends now.
    pub(crate) fn eof_close_reason(&self) -> CloseReason {
        if self.inbox.is_empty() || self.input_end == Some(InputEnd::LastMessage) {
            CloseReason::ByPeer
        } else {
            CloseReason::ByPeerMidMessage
        }
    }

    /// Counts the close and notifies the protocol.
    pub(crate) fn report_closed(&mut self, reason: CloseReason) {
        self.guard.close(reason);
        if let Some(mut protocol) = self.protocol.take() {
            // The session ends anyway.
            let _ = self.guard.worker.catch_protocol_panic(|| protocol.closed(&self.guard.source, reason));
        }
    }

    fn set_pause(&mut self, pause: PauseReason) -> PauseReason {
        self.pause = pause;
        pause
    }

    /// Checks whether the session may continue.
    pub(crate) fn check_peer(&mut self) -> Result<(), CloseReason> {
        let is_recheck = self.guard.check()?;
        if is_recheck && self.protocol.is_some() { self.guard.check_security_name() } else { Ok(()) }
    }

    /// Checks that the credential of the peer is not revoked.
    pub(crate) fn check_credential(&self) -> Result<(), CloseReason> {
        self.guard.check_credential()
    }

    /// Returns whether the peer sends nothing more and has received all output.
    fn is_finished(&self, sink: &dyn MessageSink) -> bool {
        self.input_end.is_some()
            && self.guard.is_flushed(sink)
            && !self.guard.outbox().awaits_answers()
            && !self.protocol.as_ref().is_some_and(|protocol| protocol.has_unanswered_messages())
    }

    /// Handles the complete messages in the inbox.
    fn handle_inbox(&mut self, sink: &mut dyn MessageSink) -> Result<PauseReason, CloseReason> {
        let mut inbox = mem::take(&mut self.inbox);
        let (handled, pause) = self.handle_messages(sink, &mut inbox)?;
        if handled < inbox.len() {
            inbox.drain(..handled);
            self.inbox = inbox;
        }
        Ok(pause)
    }

    /// Sends output of the protocol, and passes octets from the front of `stream` to it. Returns
    /// the number of octets handled and the reason for the pause.
    fn handle_messages(
        &mut self,
        sink: &mut dyn MessageSink,
        stream: &mut [u8],
    ) -> Result<(usize, PauseReason), CloseReason> {
        let (mut handled, mut sent) = (0, 0);
        for _ in 0..MAX_BATCH {
            if handled + sent >= MAX_BATCH_OCTETS {
                break;
            }
            // The configuration may be replaced between two messages.
            self.check_peer()?;
            match self.step(sink, stream.get_mut(handled..).unwrap_or_default())? {
                Ok(octets) => {
                    handled += octets.handled;
                    sent += octets.sent;
                }
                Err(pause) => return Ok((handled, self.set_pause(pause))),
            }
        }
        Ok((handled, self.set_pause(PauseReason::BatchLimit)))
    }

    /// Sends one piece of output, or handles one message. Returns the number of octets, or the
    /// reason to pause.
    fn step(
        &mut self,
        sink: &mut dyn MessageSink,
        stream: &mut [u8],
    ) -> Result<Result<StepOctets, PauseReason>, CloseReason> {
        let Self { guard, protocol: Some(protocol), input_end, .. } = self else {
            return Ok(Err(PauseReason::Incomplete));
        };
        if !guard.is_flushed(sink) {
            return Ok(Err(PauseReason::Congested));
        }
        let stream: &mut [u8] = if *input_end == Some(InputEnd::LastMessage) { &mut [] } else { stream };
        let mut output = SessionOutput::new(sink, guard.outbox());
        let call = || call_protocol(&mut **protocol, &guard.source, stream, &mut output);
        let step = guard.worker.catch_protocol_panic(call)??;
        if output.has_failed() {
            return Err(CloseReason::Error);
        }
        let sent = output.octets();
        guard.record_output(sink);
        let progress = protocol.take_progress();
        guard.record_progress(progress);
        guard.measure_rate(protocol.awaited());
        if progress == Progress::Last {
            *input_end = Some(InputEnd::LastMessage);
        }
        Ok(match step {
            Step::Paused(pause) => Err(pause),
            Step::Produced => Ok(StepOctets { handled: 0, sent }),
            Step::Received(Received { octets: 0, progress: Progress::None }) => Err(PauseReason::Incomplete),
            Step::Received(Received { octets, progress }) => {
                guard.record_progress(progress);
                if progress == Progress::Last {
                    *input_end = Some(InputEnd::LastMessage);
                }
                Ok(StepOctets { handled: octets, sent })
            }
        })
    }
}

/// The numbers of octets that a protocol has handled and sent in one call.
struct StepOctets {
    handled: usize,
    sent: usize,
}

/// The result of one call of a protocol.
enum Step {
    Produced,
    Received(Received),
    Paused(PauseReason),
}

/// Asks a protocol for output, and passes input to it if there is no output.
fn call_protocol(
    protocol: &mut dyn SessionProtocol,
    source: &SessionSource,
    stream: &mut [u8],
    output: &mut SessionOutput<'_>,
) -> Result<Step, CloseReason> {
    if protocol.produce(output)? {
        return Ok(Step::Produced);
    }
    if !protocol.wants_input() {
        return Ok(Step::Paused(PauseReason::Blocked));
    }
    if stream.is_empty() {
        return Ok(Step::Paused(PauseReason::Incomplete));
    }
    protocol.receive(source, stream, output).map(Step::Received)
}

/// The maximum number of messages that one session handles before other sessions run.
const MAX_BATCH: usize = 32;
/// The number of octets handled and sent after which other sessions run first. A message of SNMP is
/// shorter; a protocol with long messages handles them in several turns.
const MAX_BATCH_OCTETS: usize = 64 * 1024;

#[cfg(test)]
mod tests {
    use super::*;

    type Handler = Box<dyn MessageHandler>;

    #[test]
    fn idle_snmp_session_has_at_most_328_bytes_of_state() {
        let sizes =
            [size_of::<SessionState<Handler>>(), size_of::<SnmpProtocol<Handler>>(), size_of::<Outbox>()];
        assert!(sizes.iter().sum::<usize>() <= 328, "{sizes:?}");
    }
}
