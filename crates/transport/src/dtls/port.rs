//! The socket of one worker for one DTLS listener: dispatches each datagram.

use std::cell::{Cell, RefCell};
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
use crate::handler::{MessageHandler, MessageSource, ReplyPath};
use crate::session_limits::new_session_memory;
use crate::statistics::{CloseReason, SessionStatistics, add, increment};
use crate::worker::{NoSessionError, Worker};

/// The socket of one worker for one DTLS listener, with its peers.
pub(crate) struct DtlsPort {
    /// The listener's index.
    listener: usize,
    /// The index of this port in the worker.
    index: usize,
    pub(super) socket: DatagramSocket,
    pub(super) peers: RefCell<PeerTable>,
    /// A buffer for one decrypted message or one datagram.
    pub(super) message: RefCell<Box<[u8]>>,
    /// True if a datagram was a step of a handshake since the flag was last reset.
    has_handshake_step: Cell<bool>,
    /// Wakes the timer task because a session was evicted.
    pub(super) eviction_notify: Arc<Notify>,
    /// Wakes the timer task because the first timer has changed.
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
            has_handshake_step: Cell::new(false),
            eviction_notify: Arc::default(),
            timer_changed: Notify::new(),
        })
    }

    /// Sends a deferred response.
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

    /// Handles one datagram; returns the number of octets in `reply` to send to the peer.
    fn handle_datagram<H: MessageHandler>(
        &self,
        worker: &Worker<H>,
        from: Endpoint,
        datagram: &mut [u8],
        reply: &mut [u8],
    ) -> Option<usize> {
        let acceptor = worker.security.dtls.as_deref()?;
        let mut peers = self.peers.borrow_mut();
        let reply_len = match acceptor.hello_random(datagram) {
            Some(hello) => self.handle_hello(worker, acceptor, &mut peers, from, hello, datagram, reply),
            None => {
                // A ClientHello with a cookie may be fragmented, and its fragments look like any
                // other record, so a half-open handshake receives the datagram first.
                let is_half_open = self.continue_half_open(worker, &mut peers, from, None, datagram);
                let is_known = peers.get_mut(from.peer).is_some();
                if is_known || !is_half_open {
                    self.handle_record(worker, &mut peers, from, datagram, reply)
                } else {
                    None
                }
            }
        };
        self.finish_handshake(worker, &mut peers, from.peer);
        reply_len
    }

    /// Handles a ClientHello of an existing handshake, or starts a new one.
    #[expect(
        clippy::too_many_arguments,
        reason = "the datagram, its addresses, and the objects that may handle it"
    )]
    fn handle_hello<H: MessageHandler>(
        &self,
        worker: &Worker<H>,
        acceptor: &dyn DatagramAcceptor,
        peers: &mut PeerTable,
        from: Endpoint,
        hello: [u8; 32],
        datagram: &mut [u8],
        reply: &mut [u8],
    ) -> Option<usize> {
        let handshake = peers.get_mut(from.peer).and_then(|entry| entry.handshake.as_ref());
        if handshake.is_some_and(|handshake| handshake.hello == hello) {
            return self.handle_record(worker, peers, from, datagram, reply);
        }
        if self.continue_half_open(worker, peers, from, Some(&hello), datagram) {
            return None;
        }
        match catch_panic(|| acceptor.accept(Instant::now(), from.peer, datagram, reply)) {
            Ok(AcceptOutcome::Reply(length)) => {
                worker.allow_unauthenticated_reply(from.peer.ip()).then_some(length)
            }
            Ok(AcceptOutcome::Channel(channel)) => {
                self.has_handshake_step.set(true);
                self.start_handshake(worker, peers, from, hello, channel);
                None
            }
            Ok(AcceptOutcome::Dropped) | Err(_) => {
                increment(&worker.statistics.datagrams_without_session);
                None
            }
        }
    }

    /// Passes a datagram to the session and the handshake of its address; whichever can decrypt it
    /// handles it.
    fn handle_record<H: MessageHandler>(
        &self,
        worker: &Worker<H>,
        peers: &mut PeerTable,
        from: Endpoint,
        datagram: &mut [u8],
        reply: &mut [u8],
    ) -> Option<usize> {
        let Some(entry) = peers.get_mut(from.peer) else {
            increment(&worker.statistics.datagrams_without_session);
            return None;
        };
        let mut reply_len = None;
        for slot in entry.slots() {
            let Some(session) = slot else { continue };
            if !session.is_open() {
                self.has_handshake_step.set(true);
            }
            let mut message = self.message.borrow_mut();
            let reply_buffer = if reply_len.is_none() { Some(&mut *reply) } else { None };
            let result = session
                .handle_datagram(Instant::now(), from.local, datagram)
                .and_then(|()| session.process_events(worker, &self.socket, &mut message, reply_buffer));
            match result {
                Ok(length) => reply_len = reply_len.or(length),
                Err(reason) => {
                    if let Some(session) = slot.take() {
                        session.close(worker, &self.socket, reason);
                    }
                }
            }
        }
        reply_len
    }

    /// Handles a further datagram of a half-open handshake. Returns false if the address has no
    /// half-open handshake, or if a different ClientHello started it.
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
        self.has_handshake_step.set(true);
        if !half_open.count_received(datagram.len()) {
            peers.half_open.remove(from.peer);
            increment(&worker.statistics.handshakes_dropped);
            return true;
        }
        let now = Instant::now();
        let result = catch_panic(|| half_open.channel.handle_datagram(now, datagram));
        if result.is_ok() && !half_open.channel.is_reachable() {
            if hello.is_some() && worker.allow_unauthenticated_reply(from.peer.ip()) {
                self.repeat_reply(worker, &mut *half_open.channel, from, now);
            }
            return true;
        }
        if let Some(half_open) = peers.half_open.remove(from.peer)
            && result.is_ok()
        {
            self.start_handshake(worker, peers, from, half_open.hello, half_open.channel);
        }
        true
    }

    /// Sends the request for the cookie again to a peer that has repeated its ClientHello: the
    /// request was lost. Half-open handshakes have no timers of their own, so that nothing is sent
    /// to a forged address on its own.
    fn repeat_reply<H: MessageHandler>(
        &self,
        worker: &Worker<H>,
        channel: &mut dyn SecureDatagrams,
        to: Endpoint,
        now: Instant,
    ) {
        // The channel repeats its flight at its own timeout, which is a moment after the peer's.
        let due = channel.next_timeout().map_or(now, |timeout| timeout.max(now));
        if catch_panic(|| channel.handle_timeout(due)).is_ok() {
            let mut message = self.message.borrow_mut();
            let _ = transmit(channel, &self.socket, &to, &mut message, &worker.statistics);
        }
    }

    /// Acquires a slot for a handshake, or adds it to the half-open handshakes until its peer's
    /// address is verified.
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
                let dropped = peers.half_open.insert(now, from.peer, hello, channel);
                add(&worker.statistics.handshakes_dropped, dropped);
                self.timer_changed.notify_one();
            }
            return;
        }
        let (domain, address) = (TransportDomain::Dtls, TransportAddress::Ip(from.peer));
        let Some(slot) = worker.session_limits.admit_with_waker(
            from.peer.ip(),
            new_session_memory(domain, address),
            Arc::clone(&self.eviction_notify),
        ) else {
            increment(&worker.statistics.sessions_refused);
            if let Some(suppressed) = worker.error_log.allow(Instant::now()) {
                tracing::warn!(
                    peer = %from.peer,
                    transport = %domain,
                    limit = worker.limits.max_sessions,
                    limit_per_source = worker.limits.max_sessions_per_source,
                    suppressed,
                    "session refused: session limit reached"
                );
            }
            return;
        };
        increment(&worker.statistics.sessions_opened);
        let tm_state = TmStateReference {
            session: Some(slot.id()),
            ..TmStateReference::unauthenticated(domain, address)
        };
        let source = MessageSource {
            tm_state,
            local: from.local,
            max_message_size: worker.limits.max_message_size.min(MAX_MESSAGE_LEN),
            listener: self.listener,
            reply_path: ReplyPath::Dtls(self.index),
        };
        let mut session = DtlsSession::new(hello, source, from.peer, channel, slot, now);
        let mut message = self.message.borrow_mut();
        let result = session.process_events(worker, &self.socket, &mut message, None);
        drop(message);
        match result {
            Ok(_) => {
                if let Some(previous) = peers.start_handshake(from.peer, session) {
                    previous.close(worker, &self.socket, CloseReason::Evicted);
                }
            }
            Err(reason) => session.close(worker, &self.socket, reason),
        }
    }

    /// Makes a complete handshake the session of its address, and sets the timer of the address.
    pub(super) fn finish_handshake<H: MessageHandler>(
        &self,
        worker: &Worker<H>,
        peers: &mut PeerTable,
        address: SocketAddr,
    ) {
        if let Some(entry) = peers.get_mut(address)
            && let Some(completed) = entry.handshake.take_if(|handshake| handshake.is_open())
            && let Some(previous) = entry.session.replace(completed)
        {
            // The peer no longer has the keys of the previous session, so it could not decrypt an
            // alert.
            previous.close(worker, &self.socket, CloseReason::ByPeer);
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
            // An open channel normally has no timeout, and then the clock need not be read.
            let left = session.channel_timeout().map(|at| at.saturating_duration_since(Instant::now()));
            left.map_or(deadline, |left| deadline.min(worker.clock.now() + left))
        });
        let wanted = wanted.min();
        if peers.set_timer(address, wanted) {
            self.timer_changed.notify_one();
        }
    }
}

/// Serves the worker's DTLS socket with this index; never returns.
pub(crate) async fn serve<H: MessageHandler>(worker: Rc<Worker<H>>, index: usize) {
    let Some(port) = worker.dtls.get(index) else { return };
    let mut batch = DatagramBatch::new(MAX_DATAGRAM_LEN);
    let mut handled = 0;
    let mut is_small = true;
    loop {
        match port.socket.receive(&mut batch, is_small).await {
            Ok(count) => {
                is_small = count < SMALL_BATCH;
                for slot in 0..count {
                    handle(&worker, port, &mut batch, slot);
                    if port.has_handshake_step.replace(false) {
                        // A step may require a signature, so other sockets are served before the
                        // next step.
                        flush(&worker, port, &mut batch);
                        tokio::task::yield_now().await;
                    }
                }
                flush(&worker, port, &mut batch);
                worker.update_timer();
                handled += count;
                if handled >= MAX_BATCH {
                    // More datagrams may be available, but other tasks on this thread run first.
                    handled = 0;
                    tokio::task::yield_now().await;
                }
            }
            Err(error) => {
                // The cause may be an ICMP error for an earlier response. This read has removed the
                // error from the socket.
                increment(&worker.statistics.datagram_receive_errors);
                if let Some(suppressed) = worker.error_log.allow(Instant::now()) {
                    let address = port.socket.local_address().map(tracing::field::display);
                    tracing::warn!(%error, address, suppressed, "cannot read from a DTLS socket");
                }
                tokio::task::yield_now().await;
            }
        }
    }
}

/// Sends the queued responses. If the socket's send buffer is full, the responses are lost;
/// datagrams are not retransmitted.
fn flush<H: MessageHandler>(worker: &Worker<H>, port: &DtlsPort, batch: &mut DatagramBatch) {
    if let Ok(flushed) = batch.flush(port.socket.as_fd()) {
        add(&worker.statistics.datagram_send_errors, flushed.failed);
    }
}

/// Closes all sessions of all ports when the worker ends.
pub(crate) fn close_all<H: MessageHandler>(worker: &Worker<H>) {
    for port in &worker.dtls {
        let sessions = port.peers.borrow_mut().drain();
        for session in sessions {
            session.close(worker, &port.socket, CloseReason::Shutdown);
        }
    }
}

/// Handles the datagram in one slot of the batch and queues its response.
fn handle<H: MessageHandler>(worker: &Worker<H>, port: &DtlsPort, batch: &mut DatagramBatch, slot: usize) {
    let Some(ReceivedDatagram { endpoint, truncated, message, reply }) = batch.slot(slot) else {
        return;
    };
    let Some(endpoint) = endpoint else {
        return increment(&worker.statistics.datagrams_without_sender);
    };
    if truncated {
        return increment(&worker.statistics.datagrams_truncated);
    }
    if let Some(length) = port.handle_datagram(worker, endpoint, message, reply)
        && !batch.queue_reply(slot, 0..length)
    {
        increment(&worker.statistics.datagram_send_errors);
    }
}

/// The maximum number of datagrams handled before other tasks of the worker run. After a step of a
/// handshake, other tasks run immediately.
const MAX_BATCH: usize = BATCH_SIZE;

/// The maximum message size: the payload of one record (RFC 6347 §4.1).
const MAX_MESSAGE_LEN: usize = 1 << 14;

/// The maximum datagram size: one record and its overhead, or several shorter records.
const MAX_DATAGRAM_LEN: usize = MAX_MESSAGE_LEN + 2048;
