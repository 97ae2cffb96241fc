//! The message handler of one worker.

use portreeve_channel::ChannelStep;
use portreeve_datastore::{PushError, Refusal, RefusalKind};
use portreeve_smi::{SecurityLevel, Timestamp, TransportDomain};
use portreeve_snmp_apps::{Entity, HandleOutcome};
use portreeve_snmp_engine::statistics::{Counter, Recorder};
use portreeve_transport::{Disposition, MessageHandler, MessageSource, SessionEvent};

use crate::datastore_thread::{Job, JobQueue, ResultPath, SetJob};
use crate::notifications::AgentEvents;
use crate::set_log::{QuotedName, SetLog};
use crate::worker_queue::WorkerEvent;

/// Connects the transport with the entity, the datastore's thread and events of other threads.
pub(crate) struct AgentHandler {
    entity: Entity<MessageSource>,
    /// The path of events and results to this worker.
    results: ResultPath,
    /// The queue of the datastore's thread.
    sets: JobQueue,
    recorder: Recorder,
    set_log: SetLog,
    /// Reports authentication failures; `None` if no notifications are sent.
    events: Option<AgentEvents>,
    /// A buffer in which delayed responses are built.
    scratch: Box<[u8]>,
    /// Time of the last call, the base of timeouts.
    now: Timestamp,
}

impl AgentHandler {
    pub(crate) fn new(
        entity: Entity<MessageSource>,
        results: ResultPath,
        sets: JobQueue,
        recorder: Recorder,
        set_log: SetLog,
        events: Option<AgentEvents>,
        reply_buffer: usize,
    ) -> Self {
        let scratch = vec![0; reply_buffer].into_boxed_slice();
        Self { entity, results, sets, recorder, set_log, events, scratch, now: Timestamp::ZERO }
    }

    fn log_sets(&mut self) {
        while let Some(set) = self.entity.poll_finished_set() {
            self.set_log.log(&set);
        }
    }

    /// Reports messages that were not properly authenticated, if snmpEnableAuthenTraps is set.
    fn report_authentication_failures(&mut self) {
        if self.entity.take_authentication_failures() > 0
            && self.entity.state().lcd.scalars().enable_authen_traps.enabled
            && let Some(events) = &self.events
        {
            events.authentication_failed();
        }
    }

    /// Passes the pending request to the datastore's thread if it is a SET. If too many SETs wait
    /// there, the SET is answered at once.
    fn queue_set(&mut self, now: Timestamp, source: &MessageSource, reply: &mut [u8]) -> HandleOutcome {
        let Some(set) = self.entity.poll_set() else { return HandleOutcome::Pending };
        let (token, octets) = (set.token(), set.octets());
        let principal = set.principal();
        let owner = format!("{} at {}", QuotedName(principal.security_name), source.peer()).into();
        let principal = (principal.security_model, principal.security_name.into());
        let job = Job::Set(SetJob { set, owner, worker: self.results.clone() });
        match self.sets.push(job, octets, principal) {
            // The queue is closed because the agent stops: a SET that is not executed is not
            // answered.
            Ok(()) | Err(PushError::Closed) => HandleOutcome::Pending,
            Err(full @ (PushError::Full(_) | PushError::ShareUsed(_))) => {
                let refusal = Refusal::new(RefusalKind::ResourceUnavailable, full.to_string());
                self.entity.finish_set(now, token, Err(refusal), reply)
            }
        }
    }
}

impl MessageHandler for AgentHandler {
    fn handle(
        &mut self,
        now: Timestamp,
        source: &MessageSource,
        message: &mut [u8],
        reply: &mut [u8],
    ) -> Disposition {
        self.now = now;
        let max_size = source.max_message_size;
        self.entity.record_sets(self.set_log.is_enabled());
        let mut outcome = self.entity.handle(now, source, &source.tm_state, max_size, message, reply);
        self.report_authentication_failures();
        if outcome == HandleOutcome::Pending {
            outcome = self.queue_set(now, source, reply);
        }
        self.log_sets();
        match outcome {
            HandleOutcome::Reply(range) => Disposition::Reply(range),
            HandleOutcome::UnauthenticatedReply(range) => Disposition::UnauthenticatedReply(range),
            HandleOutcome::Report(range) => Disposition::Report(range),
            HandleOutcome::Dropped => Disposition::Dropped,
            HandleOutcome::Pending => Disposition::Pending,
        }
    }

    fn poll(&mut self, now: Timestamp, send: &mut dyn FnMut(&MessageSource, SecurityLevel, &[u8])) {
        self.now = now;
        while let Some(event) = self.results.queue.pop() {
            match event {
                WorkerEvent::ValueReady(token) => self.entity.value_ready(token),
                WorkerEvent::SetFinished(token, result) => self.entity.set_finished(token, result),
                WorkerEvent::StateReplaced => self.entity.refresh_state(now),
            }
        }
        self.entity.record_sets(self.set_log.is_enabled());
        self.entity.poll(now, &mut self.scratch, send);
        self.log_sets();
    }

    fn next_timeout(&self) -> Option<Timestamp> {
        self.entity.next_timeout(self.now)
    }

    fn session_event(&mut self, domain: TransportDomain, event: SessionEvent) {
        session_counters(domain, event).iter().for_each(|counter| self.recorder.count(*counter));
    }

    fn session_closed(&mut self, domain: TransportDomain, session: u64) {
        // Responses to these requests can no longer be sent.
        for _ in 0..self.entity.drop_requests_of(|source| source.session() == Some(session)) {
            self.session_event(domain, SessionEvent::ResponseLost);
        }
    }
}

/// Returns the counters of the transport models that an event increments (RFC 5592 §7, RFC 6353
/// §7).
fn session_counters(domain: TransportDomain, event: SessionEvent) -> &'static [Counter] {
    match domain {
        TransportDomain::Ssh => ssh_counters(event),
        TransportDomain::Tls | TransportDomain::Dtls => tls_counters(event),
        TransportDomain::Udp | TransportDomain::Tcp | TransportDomain::Unix => &[],
    }
}

fn ssh_counters(event: SessionEvent) -> &'static [Counter] {
    match event {
        SessionEvent::NoSecurityName | SessionEvent::HandshakeFailed(ChannelStep::ClientIdentity) => {
            &[Counter::SnmpSshtmSessionUserAuthFailures]
        }
        SessionEvent::HandshakeFailed(ChannelStep::Subsystem) => &[Counter::SnmpSshtmSessionNoSubsystems],
        //= rfc5592#5.4-1
        SessionEvent::ClosedLocally => &[Counter::SnmpSshtmSessionCloses],
        //= rfc5592#5.2-2
        SessionEvent::ResponseLost => &[Counter::SnmpSshtmSessionNoSessions],
        // There are no counters for accepted sessions, nor for handshakes that fail in other steps.
        SessionEvent::HandshakeFailed(_) | SessionEvent::Accepted => &[],
    }
}

fn tls_counters(event: SessionEvent) -> &'static [Counter] {
    match event {
        //= rfc6353#5.1.2-1
        SessionEvent::Accepted => &[Counter::SnmpTlstmSessionAccepts],
        //= rfc6353#5.3.2-p1
        //= rfc6353#5.3.2-p2
        SessionEvent::NoSecurityName | SessionEvent::HandshakeFailed(ChannelStep::ClientIdentity) => {
            &[Counter::SnmpTlstmSessionInvalidClientCertificates, Counter::SnmpTlstmSessionOpenErrors]
        }
        //= rfc6353#5.3.2-p3
        SessionEvent::HandshakeFailed(_) => &[Counter::SnmpTlstmSessionOpenErrors],
        //= rfc6353#5.4-1
        SessionEvent::ClosedLocally => &[Counter::SnmpTlstmSessionServerCloses],
        //= rfc6353#5.2-3
        SessionEvent::ResponseLost => &[Counter::SnmpTlstmSessionNoSessions],
    }
}

#[cfg(test)]
mod tests;
