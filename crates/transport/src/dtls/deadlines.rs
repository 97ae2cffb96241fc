//! What happens by the clock: flights repeated, sessions closed for their age or for others.

use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Instant;

use super::peers::Peers;
use super::port::DtlsPort;
use crate::handler::MessageHandler;
use crate::statistics::{CloseReason, add};
use crate::worker::Worker;

/// Looks after the peers of the worker's DTLS socket number `index`; never returns.
pub(crate) async fn keep_time<H: MessageHandler>(worker: Rc<Worker<H>>, index: usize) {
    let Some(port) = worker.dtls.get(index) else { return };
    loop {
        let wanted = port.peers.borrow().next_alarm();
        tokio::select! {
            biased;
            () = port.attention.notified() => port.make_room(&worker),
            () = port.rearmed.notified() => {}
            () = async { worker.sleep_until(wanted.unwrap_or_default()).await }, if wanted.is_some() => {
                port.look_after(&worker);
            }
        }
        tokio::task::yield_now().await;
    }
}

impl DtlsPort {
    /// Closes those whose place another has got.
    fn make_room<H: MessageHandler>(&self, worker: &Worker<H>) {
        let mut peers = self.peers.borrow_mut();
        for address in peers.displaced() {
            let Some(entry) = peers.get_mut(address) else { continue };
            for slot in entry.slots() {
                if let Some(session) = slot.take_if(|session| session.is_displaced()) {
                    session.close(worker, &self.socket, CloseReason::ForRoom);
                }
            }
            self.rearm(worker, &mut peers, address);
        }
    }

    /// Does what is due.
    fn look_after<H: MessageHandler>(&self, worker: &Worker<H>) {
        let mut peers = self.peers.borrow_mut();
        let now = worker.clock.now();
        add(&worker.statistics.handshakes_given_up, peers.half_open.trim(now));
        while let Some(address) = peers.due(now) {
            self.look_after_one(worker, &mut peers, address);
        }
    }

    fn look_after_one<H: MessageHandler>(&self, worker: &Worker<H>, peers: &mut Peers, address: SocketAddr) {
        let (now, instant) = (worker.clock.now(), Instant::now());
        let Some(entry) = peers.get_mut(address) else { return };
        for slot in entry.slots() {
            let Some(session) = slot else { continue };
            let (deadline, late) = session.deadline(worker);
            let mut ended = (deadline <= now).then_some(late);
            if ended.is_none() && session.channel_timeout().is_some_and(|timeout| timeout <= instant) {
                let mut message = self.message.borrow_mut();
                ended = session
                    .pass_time(instant)
                    .and_then(|()| session.progress(worker, &self.socket, &mut message, None))
                    .err();
            }
            if let Some(reason) = ended
                && let Some(session) = slot.take()
            {
                session.close(worker, &self.socket, reason);
            }
        }
        self.settle(worker, peers, address);
    }
}
