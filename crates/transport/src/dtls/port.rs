//! One worker's socket of one DTLS listener: where each datagram goes.

use std::cell::RefCell;
use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::os::fd::AsFd;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use portreeve_channel::{Acceptance, DatagramAcceptor, SecureDatagrams};
use portreeve_smi::{TmStateReference, TransportAddress, TransportDomain};
use portreeve_sys::{BATCH, Batch, Endpoint, FEW, Received};
use tokio::sync::Notify;

use super::peers::Peers;
use super::session::{Session, guard, transmit};
use crate::datagrams::DatagramSocket;
use crate::handler::{MessageHandler, Source};
use crate::statistics::{CloseReason, SessionStatistics, add, raise};
use crate::worker::{NoSession, Worker};

/// One worker's socket of one DTLS listener, and who is there.
pub(crate) struct DtlsPort {
    /// The listener's number.
    listener: usize,
    /// The port's number among the worker's.
    index: usize,
    pub(super) socket: DatagramSocket,
    pub(super) peers: RefCell<Peers>,
    /// Room for one decrypted message, or one datagram.
    pub(super) message: RefCell<Box<[u8]>>,
    /// Rouses the timekeeper because a session has to make room.
    pub(super) attention: Arc<Notify>,
    /// Rouses it because an alarm has become the first.
    pub(super) rearmed: Notify,
}

impl DtlsPort {
    /// Registers a bound, non-blocking socket with the current runtime.
    pub(crate) fn new(listener: usize, index: usize, socket: UdpSocket) -> io::Result<Self> {
        Ok(Self {
            listener,
            index,
            socket: DatagramSocket::new(socket)?,
            peers: RefCell::default(),
            message: RefCell::new(vec![0; DATAGRAM].into()),
            attention: Arc::default(),
            rearmed: Notify::new(),
        })
    }

    /// Sends one answer that took time.
    pub(crate) fn deliver(
        &self,
        to: &Source,
        message: &[u8],
        statistics: &SessionStatistics,
    ) -> Result<(), NoSession> {
        let mut peers = self.peers.borrow_mut();
        let entry = match to.peer() {
            TransportAddress::Ip(peer) => peers.get_mut(peer),
            _ => None,
        };
        let session = entry.and_then(|entry| entry.session.as_mut());
        let session = session.filter(|session| Some(session.id()) == to.session()).ok_or(NoSession)?;
        session.deliver(&self.socket, &mut self.message.borrow_mut(), message, statistics);
        Ok(())
    }

    /// Takes in one datagram; returns how much of `answer` is to be sent back.
    fn take_in<H: MessageHandler>(
        &self,
        worker: &Worker<H>,
        from: Endpoint,
        datagram: &mut [u8],
        answer: &mut [u8],
    ) -> Option<usize> {
        let acceptor = worker.security.dtls.as_deref()?;
        let mut peers = self.peers.borrow_mut();
        let answered = match acceptor.hello(datagram) {
            Some(hello) => self.greet(worker, acceptor, &mut peers, from, hello, datagram, answer),
            None => {
                // A hello that has grown by its cookie may come in fragments, which look like anything else.
                let begun = self.go_on(worker, &mut peers, from, None, datagram);
                let is_known = peers.get_mut(from.peer).is_some();
                if is_known || !begun {
                    self.pass_on(worker, &mut peers, from, datagram, answer)
                } else {
                    None
                }
            }
        };
        self.settle(worker, &mut peers, from.peer);
        answered
    }

    /// A hello: of a handshake that goes on already, or of a new one.
    #[expect(
        clippy::too_many_arguments,
        reason = "a datagram, where it came from, and who may be meant by it"
    )]
    fn greet<H: MessageHandler>(
        &self,
        worker: &Worker<H>,
        acceptor: &dyn DatagramAcceptor,
        peers: &mut Peers,
        from: Endpoint,
        hello: [u8; 32],
        datagram: &mut [u8],
        answer: &mut [u8],
    ) -> Option<usize> {
        let known = peers.get_mut(from.peer).and_then(|entry| entry.rising.as_ref());
        if known.is_some_and(|rising| rising.hello == hello) {
            return self.pass_on(worker, peers, from, datagram, answer);
        }
        if self.go_on(worker, peers, from, Some(&hello), datagram) {
            return None;
        }
        match guard(|| acceptor.accept(Instant::now(), from.peer, datagram, answer)) {
            Ok(Acceptance::Answer(length)) => worker.may_answer_unproven(from.peer.ip()).then_some(length),
            Ok(Acceptance::Channel(channel)) => {
                self.begin(worker, peers, from, hello, channel);
                None
            }
            Ok(Acceptance::Dropped) | Err(_) => {
                raise(&worker.statistics.datagrams_without_session);
                None
            }
        }
    }

    /// Something for the session of an address, or for its handshake: whichever can read it does.
    fn pass_on<H: MessageHandler>(
        &self,
        worker: &Worker<H>,
        peers: &mut Peers,
        from: Endpoint,
        datagram: &mut [u8],
        answer: &mut [u8],
    ) -> Option<usize> {
        let Some(entry) = peers.get_mut(from.peer) else {
            raise(&worker.statistics.datagrams_without_session);
            return None;
        };
        let mut answered = None;
        for slot in entry.slots() {
            let Some(session) = slot else { continue };
            let mut message = self.message.borrow_mut();
            let room = if answered.is_none() { Some(&mut *answer) } else { None };
            let result = session
                .take_in(Instant::now(), from.local, datagram)
                .and_then(|()| session.progress(worker, &self.socket, &mut message, room));
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
    fn go_on<H: MessageHandler>(
        &self,
        worker: &Worker<H>,
        peers: &mut Peers,
        from: Endpoint,
        hello: Option<&[u8; 32]>,
        datagram: &mut [u8],
    ) -> bool {
        let Some(half_open) = peers.half_open.get_mut(from.peer) else { return false };
        if hello.is_some_and(|hello| half_open.hello != *hello) {
            return false;
        }
        let taken = guard(|| half_open.channel.handle_datagram(Instant::now(), datagram));
        if taken.is_ok() && !half_open.channel.is_reachable() {
            return true;
        }
        if let Some(half_open) = peers.half_open.remove(from.peer)
            && taken.is_ok()
        {
            self.begin(worker, peers, from, half_open.hello, half_open.channel);
        }
        true
    }

    /// Gives a handshake its place, or keeps it among the half-open ones until its peer has proven its address.
    fn begin<H: MessageHandler>(
        &self,
        worker: &Worker<H>,
        peers: &mut Peers,
        from: Endpoint,
        hello: [u8; 32],
        mut channel: Box<dyn SecureDatagrams>,
    ) {
        let now = worker.clock.now();
        if !channel.is_reachable() {
            if !worker.may_answer_unproven(from.peer.ip()) {
                return;
            }
            let mut message = self.message.borrow_mut();
            if transmit(&mut *channel, &self.socket, &from, &mut message, &worker.statistics).is_ok() {
                let given_up = peers.half_open.insert(now, from.peer, hello, channel);
                add(&worker.statistics.handshakes_given_up, given_up);
                self.rearmed.notify_one();
            }
            return;
        }
        let Some(place) = worker.admission.admit_with(from.peer.ip(), Arc::clone(&self.attention)) else {
            raise(&worker.statistics.sessions_refused);
            if let Some(suppressed) = worker.complaints.allow(Instant::now()) {
                tracing::warn!(peer = %from.peer, suppressed, "session refused: all session places are in use");
            }
            return;
        };
        raise(&worker.statistics.sessions_opened);
        let tm_state = TmStateReference {
            session: Some(place.id()),
            ..TmStateReference::unauthenticated(TransportDomain::Dtls, TransportAddress::Ip(from.peer))
        };
        let source = Source {
            tm_state,
            local: from.local,
            max_message_size: worker.limits.max_message_size.min(RECORD),
            listener: self.listener,
            socket: self.index,
        };
        let mut session = Session::new(hello, source, from.peer, channel, place, now);
        let mut message = self.message.borrow_mut();
        let result = session.progress(worker, &self.socket, &mut message, None);
        drop(message);
        match result {
            Ok(_) => {
                if let Some(older) = peers.rise(from.peer, session) {
                    older.close(worker, &self.socket, CloseReason::ForRoom);
                }
            }
            Err(reason) => session.close(worker, &self.socket, reason),
        }
    }

    /// Puts a finished handshake in its session's place, and arms the address' alarm.
    pub(super) fn settle<H: MessageHandler>(
        &self,
        worker: &Worker<H>,
        peers: &mut Peers,
        address: SocketAddr,
    ) {
        if let Some(entry) = peers.get_mut(address)
            && let Some(risen) = entry.rising.take_if(|rising| rising.is_open())
            && let Some(older) = entry.session.replace(risen)
        {
            // Its peer has forgotten the keys, so it is told nothing that it could read.
            older.close(worker, &self.socket, CloseReason::ByPeer);
        }
        self.rearm(worker, peers, address);
    }

    pub(super) fn rearm<H: MessageHandler>(
        &self,
        worker: &Worker<H>,
        peers: &mut Peers,
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
        if peers.arm(address, wanted) {
            self.rearmed.notify_one();
        }
    }
}

/// Serves the worker's DTLS socket number `index`; never returns.
pub(crate) async fn serve<H: MessageHandler>(worker: Rc<Worker<H>>, index: usize) {
    let Some(port) = worker.dtls.get(index) else { return };
    let mut batch = Batch::new(DATAGRAM);
    let mut in_a_row = 0;
    let mut few = true;
    loop {
        match port.socket.receive(&mut batch, few).await {
            Ok(count) => {
                few = count < FEW;
                for slot in 0..count {
                    handle(&worker, port, &mut batch, slot);
                }
                // Where the socket's buffer is full, answers are lost, as datagrams may be.
                if let Ok(flushed) = batch.flush(port.socket.as_fd()) {
                    add(&worker.statistics.datagram_send_errors, flushed.refused);
                }
                worker.reconsider_timeout();
                in_a_row += count;
                if in_a_row >= TURN {
                    // There may be more, but others on this thread have their turn first.
                    in_a_row = 0;
                    tokio::task::yield_now().await;
                }
            }
            Err(error) => {
                // An ICMP error of an earlier answer, or the like; it is taken off the socket by being told.
                raise(&worker.statistics.datagram_receive_errors);
                if let Some(suppressed) = worker.complaints.allow(Instant::now()) {
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
fn handle<H: MessageHandler>(worker: &Worker<H>, port: &DtlsPort, batch: &mut Batch, slot: usize) {
    let Some(Received { endpoint, truncated, message, answer }) = batch.slot(slot) else { return };
    let Some(endpoint) = endpoint else {
        return raise(&worker.statistics.datagrams_without_sender);
    };
    if truncated {
        return raise(&worker.statistics.datagrams_truncated);
    }
    if let Some(length) = port.take_in(worker, endpoint, message, answer)
        && !batch.answer(slot, 0..length)
    {
        raise(&worker.statistics.datagram_send_errors);
    }
}

/// Datagrams taken in before other sockets and timers of the worker are looked at: fewer than of UDP, because one may
/// cost a signature.
const TURN: usize = BATCH;

/// The longest message: what one record carries (RFC 6347 §4.1).
const RECORD: usize = 1 << 14;

/// The longest datagram: a record and what frames it, or several short ones.
const DATAGRAM: usize = RECORD + 2048;
