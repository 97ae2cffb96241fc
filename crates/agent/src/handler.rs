//! One worker's entity, as the transport drives it.

use std::sync::Arc;

use portreeve_channel::Step;
use portreeve_smi::{Timestamp, TransportDomain};
use portreeve_snmp_apps::{Entity, Outcome, Persist};
use portreeve_snmp_engine::statistics::{Counter, Recorder};
use portreeve_store::{Record, Writer};
use portreeve_transport::{Disposition, MessageHandler, SessionEvent, Source, WorkerWaker};

use crate::inbox::{Inbox, Tiding};

/// Between the transport's sources and buffers, the entity, the store and the tidings of other threads.
pub(crate) struct AgentHandler {
    entity: Entity<Source>,
    inbox: Inbox,
    waker: WorkerWaker,
    writer: Arc<Writer>,
    recorder: Recorder,
    /// Where answers that took time are built.
    scratch: Box<[u8]>,
    /// The time of the last call, from which timeouts are reckoned.
    now: Timestamp,
}

impl AgentHandler {
    pub(crate) fn new(
        entity: Entity<Source>,
        inbox: Inbox,
        waker: WorkerWaker,
        writer: Arc<Writer>,
        recorder: Recorder,
        reply_buffer: usize,
    ) -> Self {
        let scratch = vec![0; reply_buffer].into_boxed_slice();
        Self { entity, inbox, waker, writer, recorder, scratch, now: Timestamp::ZERO }
    }

    /// Hands records that must be durable to the store, whose thread then leaves word in the inbox.
    fn persist(&mut self) {
        while let Some(Persist { token, records }) = self.entity.poll_persist() {
            let batch = records.into_iter().map(into_stored).collect();
            let (inbox, waker) = (self.inbox.clone(), self.waker.clone());
            self.writer.submit(batch, move |result| {
                if let Err(error) = &result {
                    tracing::error!(%error, "a SET is refused because it cannot be stored");
                }
                inbox.tell(&waker, Tiding::Durable(token, result.is_ok()));
            });
        }
    }
}

impl MessageHandler for AgentHandler {
    fn handle(
        &mut self,
        now: Timestamp,
        source: &Source,
        message: &mut [u8],
        reply: &mut [u8],
    ) -> Disposition {
        self.now = now;
        let max_size = source.max_message_size;
        match self.entity.handle(now, source, &source.tm_state, max_size, message, reply) {
            Outcome::Reply(range) => Disposition::Reply(range),
            Outcome::Report(range) => Disposition::Report(range),
            Outcome::Dropped => Disposition::Dropped,
            Outcome::Pending => {
                self.persist();
                Disposition::Pending
            }
        }
    }

    fn poll(&mut self, now: Timestamp, send: &mut dyn FnMut(&Source, &[u8])) {
        self.now = now;
        while let Some(tiding) = self.inbox.take() {
            match tiding {
                Tiding::Announced(token) => self.entity.announce(token),
                Tiding::Durable(token, succeeded) => self.entity.durable(token, succeeded),
            }
        }
        self.entity.poll(now, &mut self.scratch, send);
        self.persist();
    }

    fn next_timeout(&self) -> Option<Timestamp> {
        self.entity.next_timeout(self.now)
    }

    fn session_event(&mut self, domain: TransportDomain, event: SessionEvent) {
        session_counters(domain, event).iter().for_each(|counter| self.recorder.count(*counter));
    }

    fn session_closed(&mut self, domain: TransportDomain, session: u64) {
        // Their answers could go nowhere.
        for _ in 0..self.entity.forget(|source| source.session() == Some(session)) {
            self.session_event(domain, SessionEvent::AnswerLost);
        }
    }
}

/// Which of the transport models' counters tell of it (RFC 5592 §7, RFC 6353 §7).
fn session_counters(domain: TransportDomain, event: SessionEvent) -> &'static [Counter] {
    match domain {
        TransportDomain::Ssh => ssh_counters(event),
        TransportDomain::Tls | TransportDomain::Dtls => tls_counters(event),
        TransportDomain::Udp | TransportDomain::Tcp | TransportDomain::Unix => &[],
    }
}

fn ssh_counters(event: SessionEvent) -> &'static [Counter] {
    match event {
        SessionEvent::Unnamed | SessionEvent::HandshakeFailed(Step::ClientIdentity) => {
            &[Counter::SnmpSshtmSessionUserAuthFailures]
        }
        SessionEvent::HandshakeFailed(Step::Subsystem) => &[Counter::SnmpSshtmSessionNoSubsystems],
        //= rfc5592#5.4-1
        SessionEvent::ClosedByUs => &[Counter::SnmpSshtmSessionCloses],
        //= rfc5592#5.2-2
        SessionEvent::AnswerLost => &[Counter::SnmpSshtmSessionNoSessions],
        // Nothing is counted of sessions that others open, nor of what came to no identity.
        SessionEvent::HandshakeFailed(_) | SessionEvent::Accepted => &[],
    }
}

fn tls_counters(event: SessionEvent) -> &'static [Counter] {
    match event {
        //= rfc6353#5.1.2-1
        SessionEvent::Accepted => &[Counter::SnmpTlstmSessionAccepts],
        //= rfc6353#5.3.2-p1
        //= rfc6353#5.3.2-p2
        SessionEvent::Unnamed | SessionEvent::HandshakeFailed(Step::ClientIdentity) => {
            &[Counter::SnmpTlstmSessionInvalidClientCertificates, Counter::SnmpTlstmSessionOpenErrors]
        }
        //= rfc6353#5.3.2-p3
        SessionEvent::HandshakeFailed(_) => &[Counter::SnmpTlstmSessionOpenErrors],
        //= rfc6353#5.4-1
        SessionEvent::ClosedByUs => &[Counter::SnmpTlstmSessionServerCloses],
        //= rfc6353#5.2-3
        SessionEvent::AnswerLost => &[Counter::SnmpTlstmSessionNoSessions],
    }
}

fn into_stored(record: portreeve_mib::Record) -> Record {
    match record.value {
        Some(value) => Record::set(record.key, value),
        None => Record::remove(record.key),
    }
}

#[cfg(test)]
mod tests;
