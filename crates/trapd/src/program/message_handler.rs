//! The message handler of the worker: passes accepted notifications to the writer, and answers
//! informs when they are on disk.

use std::{collections::HashMap, net::SocketAddr, sync::Arc, time::Duration};

use portreeve_lcd::Lcd;
use portreeve_smi::{SecurityLevel, Timestamp, TransportDomain};
use portreeve_snmp_apps::{
    AcceptedNotification, NotificationReceiver, PendingAcknowledgement, SourceCounts, StoreResult,
};
use portreeve_snmp_engine::{Engine, NotificationOutcome, senders::SenderEvent};
use portreeve_transport::{Disposition, MessageHandler, MessageSource};

use super::{
    kernel_drops::KernelDrops,
    queue::{Item, Queue, Results},
    source_log::log_sources,
    time::ReceptionClock,
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
    /// The notifications for which the queue had no room, since the last summary.
    discarded: SourceCounts,
    kernel_drops: KernelDrops,
    clock: ReceptionClock,
    reply: Box<[u8]>,
    /// The results that are being handled.
    stored: Vec<(u64, StoreResult)>,
    summary: SummaryTime,
}

struct Pending {
    source: MessageSource,
    acknowledgement: PendingAcknowledgement,
    level: SecurityLevel,
}

/// The time of the next log lines about refused and discarded notifications: soon after the first
/// one, and then once a minute.
#[derive(Default)]
struct SummaryTime {
    last: Option<Timestamp>,
    next: Timestamp,
}

impl SummaryTime {
    fn record_event(&mut self, now: Timestamp) {
        let allowed = self.last.map_or(Timestamp::ZERO, |last| last + SUMMARY_INTERVAL);
        self.next = self.next.min(allowed.max(now + SUMMARY_DELAY));
    }

    /// Sets the next time after a summary, which was logged unless there was nothing to log.
    fn record_summary(&mut self, now: Timestamp, is_logged: bool) {
        self.next = now + SUMMARY_INTERVAL;
        if is_logged {
            self.last = Some(now);
        }
    }
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
            discarded: SourceCounts::default(),
            kernel_drops: KernelDrops::new(listeners),
            clock: ReceptionClock::default(),
            reply: vec![0; reply_size].into_boxed_slice(),
            stored: Vec::new(),
            summary: SummaryTime::default(),
        }
    }

    /// Passes an accepted notification to the writer. Returns false if there is no room for it.
    fn pass_on(&mut self, now: Timestamp, source: &MessageSource, accepted: AcceptedNotification) -> bool {
        let AcceptedNotification { notification, acknowledgement } = accepted;
        let inform = acknowledgement.as_ref().map(|_| self.next_inform);
        let clock = match inform {
            None => notification
                .security_engine_id
                .and_then(|engine_id| Some((engine_id, self.engine.sender_clock(&engine_id, now)?))),
            Some(_) => None,
        };
        let level = notification.security_level;
        let mut octets = size_of::<Item>() + notification.memory_size();
        if inform.is_some() {
            // It shares the variables with the notification. Up to half of the table is empty.
            octets += 2 * size_of::<(u64, Pending)>();
        }
        let notification = Arc::new(notification);
        let (received, listener) = (self.clock.now(), source.listener);
        let item = Item { notification, inform, received, listener, clock, octets };
        if !self.queue.push(item) {
            self.discarded.count(source.peer());
            self.summary.record_event(now);
            return false;
        }
        if let (Some(inform), Some(acknowledgement)) = (inform, acknowledgement) {
            self.next_inform += 1;
            self.pending.insert(inform, Pending { source: source.clone(), acknowledgement, level });
        }
        true
    }

    /// Counts a message that the engine has rejected.
    fn count_rejected(&mut self, now: Timestamp, source: &MessageSource) {
        self.receiver.count_rejected(&source.tm_state);
        self.summary.record_event(now);
    }

    /// Logs the events of senders, and the counts of refused and discarded notifications if they
    /// are due.
    fn log(&mut self, now: Timestamp) {
        while let Some(event) = self.engine.poll_sender_event() {
            match event {
                SenderEvent::SharedEngineId { engine_id, addresses: [first, second] } => {
                    tracing::warn!(%engine_id, %first, %second, "two senders have the same engine ID");
                }
                SenderEvent::ManyEngines { count, max_engines } => tracing::warn!(
                    count,
                    max_engines,
                    "the table of senders of SNMPv3 traps is nearly full: {FORGET_HINT}"
                ),
                SenderEvent::TooManyEngines => tracing::warn!(
                    "the table of senders of SNMPv3 traps is full: traps of further senders are refused; {FORGET_HINT}"
                ),
            }
        }
        if now >= self.summary.next {
            let is_logged = self.log_summary();
            self.summary.record_summary(now, is_logged);
        }
    }

    /// Logs the counts since the last summary. Returns whether there were any.
    fn log_summary(&mut self) -> bool {
        let by_source = [
            ("notifications refused", self.receiver.take_refused()),
            ("notifications discarded: the queue is full", std::mem::take(&mut self.discarded)),
            (LOST_EVENT, self.results.take_lost()),
        ];
        let mut is_logged = false;
        for (event, counts) in &by_source {
            is_logged |= log_sources(event, counts);
        }
        let count = self.kernel_drops.take();
        if count > 0 {
            tracing::warn!(count, "datagrams dropped by the kernel: the receive buffer was full");
        }
        is_logged || count > 0
    }
}

/// Logs what was not logged before the program ends.
impl Drop for ReceivingHandler {
    fn drop(&mut self) {
        self.log_summary();
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
                    Err(_) => {
                        self.summary.record_event(now);
                        Disposition::Dropped
                    }
                }
            }
            NotificationOutcome::Discovery(range) => Disposition::Reply(range),
            NotificationOutcome::Report { range, level, reason } => {
                // Every sender of informs discovers the engine ID and the clock.
                if !reason.is_discovery() {
                    self.count_rejected(now, source);
                }
                match level {
                    SecurityLevel::NoAuthNoPriv => Disposition::Report(range),
                    _ => Disposition::Reply(range),
                }
            }
            NotificationOutcome::Dropped(_) => {
                self.count_rejected(now, source);
                Disposition::Dropped
            }
        };
        self.log(now);
        disposition
    }

    fn poll(&mut self, now: Timestamp, send: &mut dyn FnMut(&MessageSource, SecurityLevel, &[u8])) {
        self.results.take(&mut self.stored);
        for (inform, result) in self.stored.drain(..) {
            let Some(pending) = self.pending.remove(&inform) else { continue };
            let Pending { source, acknowledgement, level } = pending;
            let response = acknowledgement.complete(&mut self.engine, now, result, &mut self.reply);
            if let Some(response) = response.and_then(|range| self.reply.get(range)) {
                send(&source, level, response);
            }
        }
        if self.results.has_lost() {
            self.summary.record_event(now);
        }
        self.log(now);
    }

    fn next_timeout(&self) -> Option<Timestamp> {
        Some(self.summary.next)
    }

    fn session_closed(&mut self, _: TransportDomain, session: u64) {
        // Their senders send these informs again.
        self.pending.retain(|_, pending| pending.source.session() != Some(session));
    }
}

/// The event of traps that could not be written.
pub(crate) const LOST_EVENT: &str = "traps lost: the disk does not accept them";
/// The cure for a full table of senders.
const FORGET_HINT: &str = "stop the receiver, and run portreeve trapd --forget-senders";
/// The time between two summaries of notifications that were not written.
const SUMMARY_INTERVAL: Duration = Duration::from_secs(60);
/// The time between the first of these notifications and the summary.
const SUMMARY_DELAY: Duration = Duration::from_secs(1);
