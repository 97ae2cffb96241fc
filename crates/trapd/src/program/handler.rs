//! The message handler of the worker: passes accepted notifications to the writer, and answers
//! informs when they are on disk.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use portreeve_lcd::Lcd;
use portreeve_smi::{SecurityLevel, Timestamp, TransportAddress, TransportDomain};
use portreeve_snmp_apps::{
    AcceptedNotification, NotificationReceiver, PendingAcknowledgement, RefusedSources,
};
use portreeve_snmp_engine::{Engine, NotificationOutcome, senders::SenderEvent};
use portreeve_transport::{Disposition, MessageHandler, MessageSource};

use super::{
    queue::{Item, Queue, Results},
    time,
};

/// The message handler of the worker.
pub(crate) struct ReceivingHandler {
    engine: Engine,
    lcd: Arc<Lcd>,
    receiver: NotificationReceiver,
    queue: Queue,
    results: Results,
    /// The informs that wait until they are on disk.
    pending: HashMap<u64, Pending>,
    next_inform: u64,
    /// The notifications for which the queue had no room.
    discarded: RefusedSources,
    discarded_count: u64,
    /// The addresses of the listeners.
    listeners: Vec<SocketAddr>,
    reply: Box<[u8]>,
    summary: Summary,
}

struct Pending {
    source: MessageSource,
    acknowledgement: PendingAcknowledgement,
    level: SecurityLevel,
}

/// Limits the log lines about refused and discarded notifications.
struct Summary {
    logged_at: Instant,
    refused: u64,
    discarded: u64,
}

/// The parts of a handler.
pub(crate) struct HandlerParts {
    pub(crate) engine: Engine,
    pub(crate) lcd: Arc<Lcd>,
    pub(crate) receiver: NotificationReceiver,
    pub(crate) queue: Queue,
    pub(crate) results: Results,
    pub(crate) listeners: Vec<SocketAddr>,
    pub(crate) reply_size: usize,
}

impl ReceivingHandler {
    pub(crate) fn new(parts: HandlerParts) -> Self {
        let HandlerParts { engine, lcd, receiver, queue, results, listeners, reply_size } = parts;
        Self {
            engine,
            lcd,
            receiver,
            queue,
            results,
            pending: HashMap::new(),
            next_inform: 0,
            discarded: RefusedSources::default(),
            discarded_count: 0,
            listeners,
            reply: vec![0; reply_size].into_boxed_slice(),
            summary: Summary { logged_at: Instant::now(), refused: 0, discarded: 0 },
        }
    }

    /// Passes an accepted notification to the writer. Returns false if there is no room for it.
    fn pass_on(&mut self, now: Timestamp, source: &MessageSource, accepted: AcceptedNotification) -> bool {
        let AcceptedNotification { notification, acknowledgement } = accepted;
        let octets = ITEM_SIZE + notification.var_binds().encoded().len();
        let inform = acknowledgement.as_ref().map(|_| self.next_inform);
        let clock = match inform {
            None => notification
                .security_engine_id
                .and_then(|engine_id| Some((engine_id, self.engine.sender_clock(&engine_id, now)?))),
            Some(_) => None,
        };
        let level = notification.security_level;
        let addresses = self.addresses(source);
        let item = Item { notification, inform, received: time::now(), addresses, clock, octets };
        if !self.queue.push(item) {
            self.discarded.count(source.peer());
            self.discarded_count += 1;
            return false;
        }
        if let (Some(inform), Some(acknowledgement)) = (inform, acknowledgement) {
            self.next_inform += 1;
            self.pending.insert(inform, Pending { source: source.clone(), acknowledgement, level });
        }
        true
    }

    /// Returns the addresses as snmptrapd prints them.
    fn addresses(&self, source: &MessageSource) -> String {
        let transport = match source.domain() {
            TransportDomain::Udp => "UDP",
            TransportDomain::Tcp => "TCP",
            TransportDomain::Ssh => "SSH",
            TransportDomain::Tls => "TLSTCP",
            TransportDomain::Dtls => "DTLSUDP",
            TransportDomain::Unix => "UNIX",
        };
        let text = |address: SocketAddr| format!("[{}]:{}", address.ip(), address.port());
        let peer = match source.peer() {
            TransportAddress::Ip(address) => text(address),
            local @ TransportAddress::Local { .. } => local.to_string(),
        };
        let own = self.listeners.get(source.listener).copied().map_or_else(String::new, text);
        format!("{transport}: {peer}->{own}")
    }

    /// Logs what the engine has found out about senders, and the counts of lost notifications, at
    /// most once a minute.
    fn log(&mut self) {
        while let Some(event) = self.engine.poll_sender_event() {
            match event {
                SenderEvent::SharedEngineId { engine_id, addresses: [first, second] } => {
                    tracing::warn!(%engine_id, %first, %second, "two senders have the same engine ID");
                }
                SenderEvent::TooManyEngines => {
                    tracing::warn!("too many senders of SNMPv3 traps: traps of further senders are dropped");
                }
            }
        }
        if self.summary.logged_at.elapsed() < SUMMARY_INTERVAL {
            return;
        }
        let refused = total(self.receiver.refused());
        let (new_refused, new_discarded) =
            (refused - self.summary.refused, self.discarded_count - self.summary.discarded);
        if new_refused + new_discarded > 0 {
            let worst = |sources: &RefusedSources| {
                sources
                    .iter()
                    .max_by_key(|(_, count)| *count)
                    .map(|(address, count)| format!("{address} ({count})"))
            };
            let (refused_source, discarded_source) = (worst(self.receiver.refused()), worst(&self.discarded));
            tracing::info!(
                refused = new_refused,
                discarded = new_discarded,
                refused_source,
                discarded_source,
                "notifications refused or discarded since the previous summary; sources with most of them"
            );
        }
        self.summary = Summary { logged_at: Instant::now(), refused, discarded: self.discarded_count };
    }
}

impl MessageHandler for ReceivingHandler {
    fn handle(
        &mut self,
        now: Timestamp,
        source: &MessageSource,
        message: &mut [u8],
        reply: &mut [u8],
    ) -> Disposition {
        let (transport, max_size) = (&source.tm_state, source.max_message_size);
        let lcd = Arc::clone(&self.lcd);
        let outcome = self.engine.receive_notification(&lcd, now, transport, max_size, message, reply);
        let disposition = match outcome {
            NotificationOutcome::Notification(notification) => {
                match self.receiver.accept(transport, &notification) {
                    Ok(accepted) => {
                        let is_inform = accepted.acknowledgement.is_some();
                        match (self.pass_on(now, source, accepted), is_inform) {
                            (true, true) => Disposition::Pending,
                            (true, false) => Disposition::Accepted,
                            (false, _) => Disposition::Dropped,
                        }
                    }
                    Err(_) => Disposition::Dropped,
                }
            }
            NotificationOutcome::Discovery(range) => Disposition::Reply(range),
            NotificationOutcome::Report(range, SecurityLevel::NoAuthNoPriv) => Disposition::Report(range),
            NotificationOutcome::Report(range, _) => Disposition::Reply(range),
            NotificationOutcome::Dropped(_) => {
                self.receiver.count_dropped(transport);
                Disposition::Dropped
            }
        };
        self.log();
        disposition
    }

    fn poll(&mut self, now: Timestamp, send: &mut dyn FnMut(&MessageSource, SecurityLevel, &[u8])) {
        while let Some((inform, result)) = self.results.pop() {
            let Some(pending) = self.pending.remove(&inform) else { continue };
            let Pending { source, acknowledgement, level } = pending;
            let response = acknowledgement.complete(&mut self.engine, now, result, &mut self.reply);
            if let Some(response) = response.and_then(|range| self.reply.get(range)) {
                send(&source, level, response);
            }
        }
        self.log();
    }

    fn next_timeout(&self) -> Option<Timestamp> {
        None
    }

    fn session_closed(&mut self, _: TransportDomain, session: u64) {
        // Their senders send these informs again.
        self.pending.retain(|_, pending| pending.source.session() != Some(session));
    }
}

fn total(sources: &RefusedSources) -> u64 {
    sources.iter().map(|(_, count)| count).sum::<u64>() + sources.others()
}

/// The memory of a notification besides its variables, about.
const ITEM_SIZE: usize = 512;
/// The time between log lines about lost notifications.
const SUMMARY_INTERVAL: Duration = Duration::from_secs(60);
