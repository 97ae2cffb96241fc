//! Timers of DTLS sessions: retransmissions, timeouts and evictions.

use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Instant;

use super::peer_table::PeerTable;
use super::port::DtlsPort;
use crate::handler::MessageHandler;
use crate::statistics::add;
use crate::worker::Worker;

/// Handles the timers of the worker's DTLS socket with this index; never returns.
pub(crate) async fn run_timers<H: MessageHandler>(worker: Rc<Worker<H>>, index: usize) {
    let Some(port) = worker.dtls.get(index) else { return };
    loop {
        let wanted = port.peers.borrow().next_timer();
        tokio::select! {
            biased;
            () = port.eviction_notify.notified() => port.handle_notices(&worker),
            () = port.timer_changed.notified() => {}
            () = async { worker.sleep_until(wanted.unwrap_or_default()).await }, if wanted.is_some() => {
                port.handle_due_timers(&worker);
            }
        }
        tokio::task::yield_now().await;
    }
}

impl DtlsPort {
    /// Closes the evicted sessions, and the sessions whose identity is no longer accepted.
    fn handle_notices<H: MessageHandler>(&self, worker: &Worker<H>) {
        let mut peers = self.peers.borrow_mut();
        for address in peers.notified() {
            let Some(entry) = peers.get_mut(address) else { continue };
            for slot in entry.slots() {
                let reason = slot.as_ref().and_then(|session| session.handle_notice(worker));
                if let Some(reason) = reason
                    && let Some(session) = slot.take()
                {
                    session.close(worker, &self.socket, reason);
                }
            }
            self.update_timer(worker, &mut peers, address);
        }
    }

    /// Handles all timers that have fired.
    fn handle_due_timers<H: MessageHandler>(&self, worker: &Worker<H>) {
        let mut peers = self.peers.borrow_mut();
        let now = worker.clock.now();
        add(&worker.statistics.handshakes_dropped, peers.half_open.trim(now));
        while let Some(address) = peers.pop_due(now) {
            self.handle_timer(worker, &mut peers, address);
        }
    }

    fn handle_timer<H: MessageHandler>(
        &self,
        worker: &Worker<H>,
        peers: &mut PeerTable,
        address: SocketAddr,
    ) {
        let (now, instant) = (worker.clock.now(), Instant::now());
        let Some(entry) = peers.get_mut(address) else { return };
        for slot in entry.slots() {
            let Some(session) = slot else { continue };
            let (deadline, reason) = session.deadline(worker);
            let mut close_reason = (deadline <= now).then_some(reason);
            if close_reason.is_none() && session.channel_timeout().is_some_and(|timeout| timeout <= instant) {
                let mut message = self.message.borrow_mut();
                close_reason = session
                    .handle_timeout(instant)
                    .and_then(|()| session.process_events(worker, &self.socket, &mut message, None))
                    .err();
            }
            if let Some(reason) = close_reason
                && let Some(session) = slot.take()
            {
                session.close(worker, &self.socket, reason);
            }
        }
        self.finish_handshake(worker, peers, address);
    }
}
