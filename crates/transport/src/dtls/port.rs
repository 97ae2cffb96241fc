//! One worker's socket of one DTLS listener: where each datagram goes.

use std::cell::RefCell;
use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::os::fd::AsFd;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use portreeve_channel::{AcceptOutcome, DatagramAcceptor, SecureDatagrams};
use portreeve_smi::{TmStateReference, TransportAddress, TransportDomain};
use portreeve_sys::{BATCH_SIZE, DatagramBatch, Endpoint, ReceivedDatagram, SMALL_BATCH};
use tokio::sync::Notify;

use super::peer_table::PeerTable;
use super::session::{DtlsSession, catch_panic, transmit};
use crate::datagrams::DatagramSocket;
use crate::handler::{MessageHandler, MessageSource};
use crate::statistics::{CloseReason, SessionStatistics, add, increment};
use crate::worker::{NoSessionError, Worker};

/// One worker's socket of one DTLS listener, and who is there.
pub(crate) struct DtlsPort {
    /// The listener's number.
    listener: usize,
    /// The port's number among the worker's.
    index: usize,
    pub(super) socket: DatagramSocket,
    pub(super) peers: RefCell<PeerTable>,
    /// Room for one decrypted message, or one datagram.
    pub(super) message: RefCell<Box<[u8]>>,
    /// Rouses the timekeeper because a session has to make room.
    pub(super) eviction_notify: Arc<Notify>,
    /// Rouses it because an alarm has become the first.
    pub(super) timer_changed: Notify,
}

impl DtlsPort {
    /// Registers a bound, non-blocking socket with the current runtime.
    pub(crate) fn new(listener: usize, index: usize, socket: UdpSocket) -> io::Result<Self> {
        Ok(Self {
            listener,
            index,
            socket: DatagramSocket::new(socket)?,
            peers: RefCell::default(),
            message: RefCell::new(vec![0; MAX_DATAGRAM_LEN].into()),
            eviction_notify: Arc::default(),
            timer_changed: Notify::new(),
        })
    }

    /// Sends one answer that took time.
    pub(crate) fn send_deferred(
        &self,
        to: &MessageSource,
        message: &[u8],
        statistics: &SessionStatistics,
    ) -> Result<(), NoSessionError> {
        let mut peers = self.peers.borrow_mut();
        let entry = match to.peer() {
            TransportAddress::Ip(peer) => peers.get_mut(peer),
            _ => None,
        };
        let session = entry.and_then(|entry| entry.session.as_mut());
        let session = session.filter(|session| Some(session.id()) == to.session()).ok_or(NoSessionError)?;
        session.send_deferred(&self.socket, &mut self.message.borrow_mut(), message, statistics);
        Ok(())
    }

    /// Takes in one datagram; returns how much of `queue_reply` is to be sent back.
    fn handle_datagram<H: MessageHandler>(
        &self,
        worker: &Worker<H>,
        from: Endpoint,
        datagram: &mut [u8],
        answer: &mut [u8],
    ) -> Option<usize> {
        let acceptor = worker.security.dtls.as_deref()?;
        let mut peers = self.peers.borrow_mut();
        let answered = match acceptor.hello_random(datagram) {
            Some(hello) => self.handle_hello(worker, acceptor, &mut peers, from, hello, datagram, answer),
            None => {
                // A hello that has grown by its cookie may come in fragments, which look like anything else.
                let begun = self.continue_half_open(worker, &mut peers, from, None, datagram);
                let is_known = peers.get_mut(from.peer).is_some();
                if is_known || !begun {
                    self.handle_record(worker, &mut peers, from, datagram, answer)
                } else {
                    None
                }
            }
        };
        self.finish_handshake(worker, &mut peers, from.peer);
        answered
    }

    /// A hello: of a handshake that goes on already, or of a new one.
    #[expect(
        clippy::too_many_arguments,
        reason = "a datagram, where it came from, and who may be meant by it"
    )]
    fn handle_hello<H: MessageHandler>(
        &self,
        worker: &Worker<H>,
        acceptor: &dyn DatagramAcceptor,
        peers: &mut PeerTable,
        from: Endpoint,
        hello: [u8; 32],
        datagram: &mut [u8],
        answer: &mut [u8],
    ) -> Option<usize> {
        let known = peers.get_mut(from.peer).and_then(|entry| entry.handshake.as_ref());
        if known.is_some_and(|rising| rising.hello == hello) {
            return self.handle_record(worker, peers, from, datagram, answer);
        }
        if self.continue_half_open(worker, peers, from, Some(&hello), datagram) {
            return None;
        }
        match catch_panic(|| acceptor.accept(Instant::now(), from.peer, datagram, answer)) {
            Ok(AcceptOutcome::Reply(length)) => {
                worker.allow_unauthenticated_reply(from.peer.ip()).then_some(length)
            }
            Ok(AcceptOutcome::Channel(channel)) => {
                self.start_handshake(worker, peers, from, hello, channel);
                None
            }
            Ok(AcceptOutcome::Dropped) | Err(_) => {
                increment(&worker.statistics.datagrams_without_session);
                None
            }
        }
    }

    /// Something for the session of an address, or for its handshake: whichever can read it does.
    fn handle_record<H: MessageHandler>(
        &self,
        worker: &Worker<H>,
        peers: &mut PeerTable,
        from: Endpoint,
        datagram: &mut [u8],
        answer: &mut [u8],
    ) -> Option<usize> {
        let Some(entry) = peers.get_mut(from.peer) else {
            increment(&worker.statistics.datagrams_without_session);
            return None;
        };
        let mut answered = None;
        for slot in entry.slots() {
            let Some(session) = slot else { continue };
            let mut message = self.message.borrow_mut();
            let room = if answered.is_none() { Some(&mut *answer) } else { None };
            let result = session
                .handle_datagram(Instant::now(), from.local, datagram)
                .and_then(|()| session.process_events(worker, &self.socket, &mut message, room));
            match result {
                Ok(length) => answered = answered.or(length),
                Err(reason) => {
                    if let Some(session) = slot.take() {
                        session.close(worker, &self.socket, reason);
                    }
                }
            }
        }
        answered
    }

    /// Another datagram of a half-open handshake; false where there is none, or another than this hello's.
    fn continue_half_open<H: MessageHandler>(
        &self,
        worker: &Worker<H>,
        peers: &mut PeerTable,
        from: Endpoint,
        hello: Option<&[u8; 32]>,
        datagram: &mut [u8],
    ) -> bool {
        let Some(half_open) = peers.half_open.get_mut(from.peer) else { return false };
        if hello.is_some_and(|hello| half_open.hello != *hello) {
            return false;
        }
        let taken = catch_panic(|| half_open.channel.handle_datagram(Instant::now(), datagram));
        if taken.is_ok() && !half_open.channel.is_reachable() {
            return true;
        }
        if let Some(half_open) = peers.half_open.remove(from.peer)
            && taken.is_ok()
        {
            self.start_handshake(worker, peers, from, half_open.hello, half_open.channel);
        }
        true
    }

    /// Gives a handshake its slot, or keeps it among the half-open ones until its peer has proven its address.
    fn start_handshake<H: MessageHandler>(
        &self,
        worker: &Worker<H>,
        peers: &mut PeerTable,
        from: Endpoint,
        hello: [u8; 32],
        mut channel: Box<dyn SecureDatagrams>,
    ) {
        let now = worker.clock.now();
        if !channel.is_reachable() {
            if !worker.allow_unauthenticated_reply(from.peer.ip()) {
                return;
            }
            let mut message = self.message.borrow_mut();
            if transmit(&mut *channel, &self.socket, &from, &mut message, &worker.statistics).is_ok() {
                let given_up = peers.half_open.insert(now, from.peer, hello, channel);
                add(&worker.statistics.handshakes_dropped, given_up);
                self.timer_changed.notify_one();
            }
            return;
        }
        let Some(slot) = worker.admission.admit_with_waker(from.peer.ip(), Arc::clone(&self.eviction_notify))
        else {
            increment(&worker.statistics.sessions_refused);
            if let Some(suppressed) = worker.error_log.allow(Instant::now()) {
                tracing::warn!(peer = %from.peer, suppressed, "session refused: all session places are in use");
            }
            return;
        };
        increment(&worker.statistics.sessions_opened);
        let tm_state = TmStateReference {
            session: Some(slot.id()),
            ..TmStateReference::unauthenticated(TransportDomain::Dtls, TransportAddress::Ip(from.peer))
        };
        let source = MessageSource {
            tm_state,
            local: from.local,
            max_message_size: worker.limits.max_message_size.min(MAX_MESSAGE_LEN),
            listener: self.listener,
            socket: self.index,
        };
        let mut session = DtlsSession::new(hello, source, from.peer, channel, slot, now);
        let mut message = self.message.borrow_mut();
        let result = session.process_events(worker, &self.socket, &mut message, None);
        drop(message);
        match result {
            Ok(_) => {
                if let Some(older) = peers.start_handshake(from.peer, session) {
                    older.close(worker, &self.socket, CloseReason::Evicted);
                }
            }
            Err(reason) => session.close(worker, &self.socket, reason),
        }
    }

    /// Puts a finished handshake in its session's slot, and arms the address' alarm.
    pub(super) fn finish_handshake<H: MessageHandler>(
        &self,
        worker: &Worker<H>,
        peers: &mut PeerTable,
        address: SocketAddr,
    ) {
        if let Some(entry) = peers.get_mut(address)
            && let Some(risen) = entry.handshake.take_if(|rising| rising.is_open())
            && let Some(older) = entry.session.replace(risen)
        {
            // Its peer has forgotten the keys, so it is told nothing that it could read.
            older.close(worker, &self.socket, CloseReason::ByPeer);
        }
        self.update_timer(worker, peers, address);
    }

    pub(super) fn update_timer<H: MessageHandler>(
        &self,
        worker: &Worker<H>,
        peers: &mut PeerTable,
        address: SocketAddr,
    ) {
        let Some(entry) = peers.get_mut(address) else { return };
        let wanted = entry.slots().into_iter().flatten().map(|session| {
            let deadline = session.deadline(worker).0;
            // An open channel waits for nothing, as a rule, and then nobody need ask what time it is.
            let left = session.channel_timeout().map(|at| at.saturating_duration_since(Instant::now()));
            left.map_or(deadline, |left| deadline.min(worker.clock.now() + left))
        });
        let wanted = wanted.min();
        if peers.set_timer(address, wanted) {
            self.timer_changed.notify_one();
        }
    }
}

/// Serves the worker's DTLS socket number `index`; never returns.
pub(crate) async fn serve<H: MessageHandler>(worker: Rc<Worker<H>>, index: usize) {
    let Some(port) = worker.dtls.get(index) else { return };
    let mut batch = DatagramBatch::new(MAX_DATAGRAM_LEN);
    let mut in_a_row = 0;
    let mut few = true;
    loop {
        match port.socket.receive(&mut batch, few).await {
            Ok(count) => {
                few = count < SMALL_BATCH;
                for slot in 0..count {
                    handle(&worker, port, &mut batch, slot);
                }
                // Where the socket's buffer is full, answers are lost, as datagrams may be.
                if let Ok(flushed) = batch.flush(port.socket.as_fd()) {
                    add(&worker.statistics.datagram_send_errors, flushed.failed);
                }
                worker.update_timer();
                in_a_row += count;
                if in_a_row >= MAX_BATCH {
                    // There may be more, but others on this thread have their turn first.
                    in_a_row = 0;
                    tokio::task::yield_now().await;
                }
            }
            Err(error) => {
                // An ICMP error of an earlier answer, or the like; it is taken off the socket by being told.
                increment(&worker.statistics.datagram_receive_errors);
                if let Some(suppressed) = worker.error_log.allow(Instant::now()) {
                    tracing::warn!(%error, suppressed, "reading a DTLS socket failed");
                }
                tokio::task::yield_now().await;
            }
        }
    }
}

/// Closes all sessions of all ports, when the worker ends.
pub(crate) fn close_all<H: MessageHandler>(worker: &Worker<H>) {
    for port in &worker.dtls {
        let sessions = port.peers.borrow_mut().drain();
        for session in sessions {
            session.close(worker, &port.socket, CloseReason::Shutdown);
        }
    }
}

/// Takes in the datagram in one slot of the batch and queues its answer.
fn handle<H: MessageHandler>(worker: &Worker<H>, port: &DtlsPort, batch: &mut DatagramBatch, slot: usize) {
    let Some(ReceivedDatagram { endpoint, truncated, message, reply: answer }) = batch.slot(slot) else {
        return;
    };
    let Some(endpoint) = endpoint else {
        return increment(&worker.statistics.datagrams_without_sender);
    };
    if truncated {
        return increment(&worker.statistics.datagrams_truncated);
    }
    if let Some(length) = port.handle_datagram(worker, endpoint, message, answer)
        && !batch.queue_reply(slot, 0..length)
    {
        increment(&worker.statistics.datagram_send_errors);
    }
}

/// Datagrams taken in before other sockets and timers of the worker are looked at: fewer than of UDP, because one may
/// cost a signature.
const MAX_BATCH: usize = BATCH_SIZE;

/// The longest message: what one record carries (RFC 6347 §4.1).
const MAX_MESSAGE_LEN: usize = 1 << 14;

/// The longest datagram: a record and what frames it, or several short ones.
const MAX_DATAGRAM_LEN: usize = MAX_MESSAGE_LEN + 2048;
