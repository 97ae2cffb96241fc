//! One worker's entity, as the transport drives it.

use std::sync::Arc;

use portreeve_apps::{Entity, Outcome, Persist};
use portreeve_channel::Step;
use portreeve_engine::statistics::{Counter, Recorder};
use portreeve_smi::{Timestamp, TransportDomain};
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
        if let Some(counter) = session_counter(domain, event) {
            self.recorder.count(counter);
        }
    }

    fn session_closed(&mut self, session: u64) {
        self.entity.forget(|source| source.session() == Some(session));
    }
}

/// Which of the transport models' counters tells of it (RFC 5592 §7, RFC 6353 §7).
fn session_counter(domain: TransportDomain, event: SessionEvent) -> Option<Counter> {
    let is_ssh = match domain {
        TransportDomain::Ssh => true,
        TransportDomain::Tls | TransportDomain::Dtls => false,
        TransportDomain::Udp | TransportDomain::Tcp | TransportDomain::Unix => return None,
    };
    match (is_ssh, event) {
        (false, SessionEvent::Accepted) => Some(Counter::SnmpTlstmSessionAccepts),
        //= rfc6353#5.3.2-p1
        //= rfc6353#5.3.2-p2
        (false, SessionEvent::Unnamed | SessionEvent::HandshakeFailed(Step::ClientIdentity)) => {
            Some(Counter::SnmpTlstmSessionInvalidClientCertificates)
        }
        (false, SessionEvent::ClosedByUs) => Some(Counter::SnmpTlstmSessionServerCloses),
        (true, SessionEvent::Unnamed | SessionEvent::HandshakeFailed(Step::ClientIdentity)) => {
            Some(Counter::SnmpSshtmSessionUserAuthFailures)
        }
        (true, SessionEvent::HandshakeFailed(Step::Subsystem)) => Some(Counter::SnmpSshtmSessionNoSubsystems),
        (true, SessionEvent::ClosedByUs) => Some(Counter::SnmpSshtmSessionCloses),
        // Nothing is counted of handshakes that came to no identity, nor of SSH sessions that others open.
        (_, SessionEvent::HandshakeFailed(_)) | (true, SessionEvent::Accepted) => None,
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
