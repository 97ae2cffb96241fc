//! The guard of a session: its slot, deadlines and unsent output. Independent of the protocol that
//! the session carries.

use std::io;
use std::rc::Rc;
use std::time::Duration;

use portreeve_channel::PeerIdentity;
use portreeve_smi::Timestamp;

use crate::handler::{MessageHandler, SessionEvent};
use crate::limits::Limits;
use crate::outbox::{MessageSink, Outbox};
use crate::protocol::{Awaited, Progress};
use crate::services::Service;
use crate::session_limits::{SessionSlot, new_session_memory};
use crate::session_log::{IDENTITY_NOT_ACCEPTED, NoSecurityNameMessage, SESSION_ENDED, SESSION_REFUSED};
use crate::session_source::SessionSource;
use crate::statistics::CloseReason;
use crate::worker::Worker;

/// The guard of one session.
pub(crate) struct SessionGuard<H> {
    pub(crate) worker: Rc<Worker<H>>,
    pub(crate) source: SessionSource,
    outbox: Rc<Outbox>,
    slot: SessionSlot,
    opened_at: Timestamp,
    /// The time of the last message, or of the end of the last stall if that was later: a peer that
    /// has just accepted output is not idle.
    active_at: Timestamp,
    peer_progress: PeerProgress,
    idle_traffic: IdleTraffic,
}

impl<H: MessageHandler> SessionGuard<H> {
    pub(crate) fn new(worker: Rc<Worker<H>>, source: SessionSource, slot: SessionSlot) -> Self {
        let outbox = Rc::new(Outbox::new(slot.handle().clone(), Rc::clone(&worker.output_budget)));
        worker.sessions.borrow_mut().insert(slot.id(), Rc::clone(&outbox));
        slot.record_listener(source.listener);
        let now = worker.clock.now();
        Self {
            worker,
            source,
            outbox,
            slot,
            opened_at: now,
            active_at: now,
            peer_progress: PeerProgress::default(),
            idle_traffic: IdleTraffic::default(),
        }
    }

    /// Returns the queue of pending octets, through which the session can also be woken.
    pub(crate) fn outbox(&self) -> &Rc<Outbox> {
        &self.outbox
    }

    pub(crate) fn slot(&self) -> &SessionSlot {
        &self.slot
    }

    /// Records the authenticated identity of the peer.
    pub(crate) fn set_identity(&mut self, identity: &PeerIdentity) {
        self.source.identity = Some(identity.clone());
    }

    /// Returns whether the configuration may have been replaced since the last call, so that the
    /// peer must be checked again.
    ///
    /// # Errors
    /// The session was evicted, or the credential of its peer is revoked.
    pub(crate) fn check(&self) -> Result<bool, CloseReason> {
        let handle = self.slot.handle();
        if handle.is_evicted() {
            return Err(CloseReason::Evicted);
        }
        if self.source.identity.is_none() || !handle.take_recheck() {
            return Ok(false);
        }
        self.check_credential().map(|()| true)
    }

    /// Checks that the credential of the peer is not revoked.
    pub(crate) fn check_credential(&self) -> Result<(), CloseReason> {
        match &self.source.identity {
            Some(identity) if self.worker.security.is_revoked(self.source.domain, identity) => {
                Err(self.identity_not_accepted())
            }
            _ => Ok(()),
        }
    }

    /// Maps the identity of the peer, if it has one, to the tmSecurityName of the session, for the
    /// service with this name. Fails if it has no tmSecurityName.
    pub(crate) fn assign_security_name(&mut self, name: &str, service: &Service) -> Result<(), CloseReason> {
        let &SessionSource { domain, peer, .. } = &self.source;
        let Some(identity) = &self.source.identity else { return Ok(()) };
        let is_snmp = matches!(service, Service::Snmp);
        let Some(security_name) = self.worker.security.names.security_name(domain, identity) else {
            self.worker.log_session(domain, peer, SESSION_REFUSED, &NoSecurityNameMessage(identity));
            if is_snmp {
                self.worker.session_event(domain, SessionEvent::NoSecurityName);
            }
            return Err(CloseReason::NoSecurityName);
        };
        let service = (!is_snmp).then_some(name);
        self.worker.log_accepted(domain, peer, &security_name, identity, service);
        if is_snmp {
            self.worker.session_event(domain, SessionEvent::Accepted);
        }
        self.source.security_name = Some(security_name);
        Ok(())
    }

    /// Checks that the configuration, which may have been replaced, still maps the peer to the same
    /// tmSecurityName.
    pub(crate) fn check_security_name(&self) -> Result<(), CloseReason> {
        let names = &self.worker.security.names;
        let SessionSource { domain, identity, security_name, .. } = &self.source;
        let name = identity.as_ref().and_then(|peer| names.security_name(*domain, peer));
        if name == *security_name { Ok(()) } else { Err(self.identity_not_accepted()) }
    }

    /// Logs that the configuration does not accept the peer any more, and returns the close reason.
    pub(crate) fn identity_not_accepted(&self) -> CloseReason {
        let SessionSource { domain, peer, .. } = self.source;
        self.worker.log_session(domain, peer, SESSION_ENDED, &IDENTITY_NOT_ACCEPTED);
        CloseReason::IdentityRevoked
    }

    /// Returns whether the peer has sent too many octets since the last message that are not part
    /// of a message, for example endless rekeys or records without content. `octets` is the total
    /// number of octets that the channel has received so far.
    pub(crate) fn exceeds_idle_traffic(&mut self, octets: u64) -> bool {
        self.idle_traffic.is_exceeded(octets)
    }

    /// Records octets that the channel has passed on.
    pub(crate) fn record_payload(&mut self, octets: usize) {
        let octets = u32::try_from(octets).unwrap_or(u32::MAX);
        self.idle_traffic.payload = self.idle_traffic.payload.saturating_add(octets);
        if let PeerProgress::Sending { deadline } = &mut self.peer_progress {
            *deadline = extended(*deadline, octets, self.worker.clock.now(), &self.worker.limits);
        }
    }

    /// Records the memory of an inactive session, including `stored` received octets. `octets` is
    /// the number of octets that the channel has received so far; its buffers may contain all of
    /// them.
    pub(crate) fn record_memory(&self, stored: usize, octets: u64) {
        if !self.slot.is_active() {
            let base = new_session_memory(self.source.domain, self.source.peer);
            let octets = usize::try_from(octets).unwrap_or(usize::MAX);
            self.slot.record_memory(base.saturating_add(stored).saturating_add(octets));
        }
    }

    /// Records the progress of the protocol.
    pub(crate) fn record_progress(&mut self, progress: Progress) {
        if progress == Progress::None {
            return;
        }
        self.active_at = self.worker.clock.now();
        self.idle_traffic.payload = 0;
        self.idle_traffic.restarts = true;
        if progress != Progress::Message {
            self.slot.record_accepted_message(self.active_at);
        }
    }

    /// Returns whether the peer has accepted all output.
    pub(crate) fn is_flushed(&self, sink: &dyn MessageSink) -> bool {
        self.outbox.is_empty() && !sink.is_congested()
    }

    /// Starts the stall timeout if output has remained.
    pub(crate) fn record_output(&mut self, sink: &dyn MessageSink) {
        if !self.is_flushed(sink) {
            self.start_stall();
        }
    }

    /// Starts the stall timeout until the last octets are sent.
    pub(crate) fn await_last_octets(&mut self) {
        self.start_stall();
    }

    /// Writes pending output, as far as possible without waiting.
    pub(crate) fn write_pending(&mut self, sink: &mut dyn MessageSink) -> Result<(), CloseReason> {
        if self.is_flushed(sink) {
            self.end_stall();
            return Ok(());
        }
        let progress = match sink.flush() {
            Ok(flushed) if sink.is_congested() => flushed,
            Ok(flushed) => {
                let drained = self.outbox.drain(|octets| sink.try_write(octets));
                drained.map_err(|_| CloseReason::Error)? || flushed
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => false,
            Err(_) => return Err(CloseReason::Error),
        };
        if self.is_flushed(sink) {
            self.end_stall();
        } else if progress || !matches!(self.peer_progress, PeerProgress::Stalled { .. }) {
            self.peer_progress = PeerProgress::Stalled { since: self.worker.clock.now() };
        }
        Ok(())
    }

    /// Records that the peer has not accepted all output.
    fn start_stall(&mut self) {
        if !matches!(self.peer_progress, PeerProgress::Stalled { .. }) {
            self.peer_progress = PeerProgress::Stalled { since: self.worker.clock.now() };
        }
    }

    /// Records that the peer has accepted all output.
    fn end_stall(&mut self) {
        if let PeerProgress::Stalled { .. } = self.peer_progress {
            self.peer_progress = PeerProgress::None;
            self.active_at = self.worker.clock.now();
        }
    }

    /// Starts or ends the measurement of the rate at which the peer sends a message.
    pub(crate) fn measure_rate(&mut self, awaited: Awaited) {
        match (awaited, &self.peer_progress) {
            (Awaited::RestOfMessage, PeerProgress::None) => {
                let deadline = self.worker.clock.now() + self.worker.limits.receive_rate_period;
                self.peer_progress = PeerProgress::Sending { deadline };
            }
            (Awaited::RestOfMessage, _) => {}
            (_, PeerProgress::Sending { .. }) => self.peer_progress = PeerProgress::None,
            (_, PeerProgress::None | PeerProgress::Stalled { .. }) => {}
        }
    }

    /// Returns the current deadline at which the session will be closed, and the close reason. An
    /// active session waits for `awaited`.
    pub(crate) fn deadline(&self, awaited: Awaited) -> (Timestamp, CloseReason) {
        let limits = &self.worker.limits;
        let end = self.opened_at + limits.max_session_duration;
        let (deadline, reason) = match (&self.peer_progress, awaited) {
            (PeerProgress::Stalled { since }, _) => (*since + limits.stall_timeout, CloseReason::Stalled),
            _ if !self.slot.is_active() => {
                (self.opened_at + limits.first_message_timeout, CloseReason::NoMessage)
            }
            (_, Awaited::Message) => (self.active_at + limits.idle_timeout, CloseReason::Idle),
            (_, Awaited::MessageWithin(time)) => (self.active_at + time, CloseReason::Idle),
            (PeerProgress::Sending { deadline }, Awaited::RestOfMessage) => (*deadline, CloseReason::TooSlow),
            (PeerProgress::None, Awaited::RestOfMessage) | (_, Awaited::Any) => {
                (end, CloseReason::MaxDuration)
            }
        };
        if end < deadline { (end, CloseReason::MaxDuration) } else { (deadline, reason) }
    }

    /// Removes the session from the worker and counts the close.
    pub(crate) fn close(&self, reason: CloseReason) {
        self.outbox.set_closed();
        self.worker.statistics.count_close(reason);
        self.worker.remove_session(self.slot.id());
        let SessionSource { domain, peer, .. } = self.source;
        tracing::debug!(%peer, transport = %domain, %reason, "session closed");
    }
}

/// The progress for which the session waits.
#[derive(Default)]
enum PeerProgress {
    /// The peer need not do anything but send a message.
    #[default]
    None,
    /// The peer has accepted none of the pending octets since this time.
    Stalled { since: Timestamp },
    /// The peer sends a message. The session is closed at the deadline.
    Sending { deadline: Timestamp },
}

/// Returns the deadline of a message of which more octets were received. It moves by one second for
/// each [`Limits::min_receive_rate`] octets, but is never later than
/// [`Limits::receive_rate_period`] from now, so that octets which arrive fast do not allow a long
/// pause.
fn extended(deadline: Timestamp, octets: u32, now: Timestamp, limits: &Limits) -> Timestamp {
    let rate = u64::from(limits.min_receive_rate.max(1));
    let allowed = Duration::from_micros(u64::from(octets) * 1_000_000 / rate);
    (deadline + allowed).min(now + limits.receive_rate_period)
}

/// The octets that a peer has sent since its last message.
#[derive(Default)]
struct IdleTraffic {
    /// The total number of octets received by the last message.
    start: u64,
    /// The octets that the channel has passed on since the last message.
    payload: u32,
    /// True if there was a message since the last check.
    restarts: bool,
}

impl IdleTraffic {
    fn is_exceeded(&mut self, octets: u64) -> bool {
        if std::mem::take(&mut self.restarts) {
            self.start = octets;
        }
        let allowed = MAX_IDLE_TRAFFIC + u64::from(self.payload) * MAX_PACKET_OVERHEAD;
        octets.saturating_sub(self.start) > allowed
    }
}

/// The maximum number of octets, beside those of messages, that a peer may send between messages.
const MAX_IDLE_TRAFFIC: u64 = 1 << 20;
/// The maximum number of octets that a channel receives for one octet that it passes on. A peer
/// whose SSH window we keep small, or that writes single octets, sends a packet for each octet.
const MAX_PACKET_OVERHEAD: u64 = 128;

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use portreeve_smi::Timestamp;

    use super::{IdleTraffic, extended};
    use crate::limits::Limits;

    #[test]
    fn deadline_of_a_message_moves_with_its_octets_and_is_never_far_away() {
        let limits = Limits::default();
        let at = |seconds| Timestamp::ZERO + Duration::from_secs(seconds);
        let mut deadline = at(130);
        // Two octets each second keep no session open.
        for second in 0..30 {
            deadline = extended(deadline, 2, at(100 + second), &limits);
        }
        assert!(deadline < at(131));
        deadline = extended(deadline, 10 * 1024, at(125), &limits);
        assert!(deadline >= at(140) && deadline < at(141));
        // A megabyte at once does not allow a pause of a thousand seconds.
        assert_eq!(extended(deadline, 1 << 20, at(126), &limits), at(156));
    }

    #[test]
    fn octets_without_content_are_limited_between_messages() {
        let mut traffic = IdleTraffic::default();
        assert!(!traffic.is_exceeded(1 << 20));
        assert!(traffic.is_exceeded((1 << 20) + 1));
        traffic.restarts = true;
        assert!(!traffic.is_exceeded(2 << 20));
        assert!(!traffic.is_exceeded(3 << 20));
        assert!(traffic.is_exceeded((3 << 20) + 1));
    }

    #[test]
    fn packets_of_one_octet_are_no_idle_traffic() {
        let mut traffic = IdleTraffic { payload: 60_000, ..IdleTraffic::default() };
        assert!(!traffic.is_exceeded(60_000 * 100));
        assert!(traffic.is_exceeded(60_000 * 200));
    }
}
