//! UDP (RFC 3417 §3): handles datagrams in batches and sends each response from the address that
//! received the request.

use std::cell::RefCell;
use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::os::fd::AsFd;
use std::rc::Rc;
use std::time::{Duration, Instant};

use portreeve_smi::{TmStateReference, TransportAddress, TransportDomain};
use portreeve_sys::{BATCH_SIZE, DatagramBatch, Endpoint, ReceivedDatagram, SMALL_BATCH, SendBatch, send_to};
use tokio::time::sleep;

use crate::datagrams::DatagramSocket;
use crate::handler::{Disposition, MessageHandler, MessageSource, ReplyPath};
use crate::statistics::{SessionStatistics, add, increment};
use crate::worker::{HandlerPanicError, Worker};

/// The socket of one worker for one UDP listener.
pub(crate) struct UdpPort {
    /// The listener's index.
    listener: usize,
    socket: DatagramSocket,
    /// The maximum message size: the configured limit, or the maximum datagram size of the socket's
    /// address family if that is smaller.
    max_message_size: usize,
    /// Deferred responses that are not sent yet.
    deferred: RefCell<SendBatch>,
}

impl UdpPort {
    /// Registers a bound, non-blocking socket with the current runtime.
    pub(crate) fn new(listener: usize, socket: UdpSocket, max_message_size: usize) -> io::Result<Self> {
        let max_payload = if socket.local_addr()?.is_ipv4() { MAX_IPV4_PAYLOAD } else { MAX_IPV6_PAYLOAD };
        let max_message_size = max_payload.min(max_message_size);
        let socket = DatagramSocket::new(socket)?;
        Ok(Self { listener, socket, max_message_size, deferred: RefCell::default() })
    }

    /// Queues a deferred response, or sends it at once if it is long. A response is lost if the
    /// socket's send buffer is full.
    pub(crate) fn send_deferred(&self, to: Endpoint, message: &[u8], statistics: &SessionStatistics) {
        let mut deferred = self.deferred.borrow_mut();
        if message.len() > MAX_BATCHED_LEN {
            if send_to(self.socket.as_fd(), &to, message).is_err() {
                increment(&statistics.datagram_send_errors);
            }
            return;
        }
        deferred.push(to, message);
        if deferred.is_full() {
            add(&statistics.datagram_send_errors, deferred.flush(self.socket.as_fd()).failed);
        }
    }

    /// Sends the deferred responses that are queued.
    pub(crate) fn flush_deferred(&self, statistics: &SessionStatistics) {
        let mut deferred = self.deferred.borrow_mut();
        if !deferred.is_empty() {
            add(&statistics.datagram_send_errors, deferred.flush(self.socket.as_fd()).failed);
        }
    }

    async fn flush(&self, batch: &mut DatagramBatch, statistics: &SessionStatistics) {
        loop {
            // Send without waiting for readiness first: a datagram socket is nearly always
            // writable.
            match batch.flush(self.socket.as_fd()) {
                Ok(flushed) => return add(&statistics.datagram_send_errors, flushed.failed),
                // The only possible error is a full send buffer, which empties as the network sends
                // the datagrams.
                Err(_) => sleep(SEND_RETRY_DELAY).await,
            }
        }
    }
}

/// Serves the worker's UDP socket with this index; never returns.
pub(crate) async fn serve<H: MessageHandler>(worker: Rc<Worker<H>>, index: usize) {
    let Some(port) = worker.udp.get(index) else { return };
    let mut batch = DatagramBatch::new(worker.limits.max_message_size.max(worker.limits.reply_buffer_size));
    let mut handled = 0;
    let mut is_small = true;
    loop {
        match port.socket.receive(&mut batch, is_small).await {
            Ok(count) => {
                is_small = count < SMALL_BATCH;
                for slot in 0..count {
                    handle(&worker, port, index, &mut batch, slot);
                }
                port.flush(&mut batch, &worker.statistics).await;
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
                    tracing::warn!(%error, address, suppressed, "cannot read from a UDP socket");
                }
                tokio::task::yield_now().await;
            }
        }
    }
}

/// Handles the datagram in one slot of the batch and queues its response.
fn handle<H: MessageHandler>(
    worker: &Worker<H>,
    port: &UdpPort,
    socket: usize,
    batch: &mut DatagramBatch,
    slot: usize,
) {
    let Some(ReceivedDatagram { endpoint, truncated, message, reply }) = batch.slot(slot) else {
        return;
    };
    let Some(Endpoint { peer, local }) = endpoint else {
        return increment(&worker.statistics.datagrams_without_sender);
    };
    if truncated || message.len() > worker.limits.max_message_size {
        return increment(&worker.statistics.datagrams_truncated);
    }
    let source = MessageSource {
        tm_state: unauthenticated_state(peer),
        local,
        max_message_size: port.max_message_size,
        listener: port.listener,
        reply_path: ReplyPath::Udp(socket),
    };
    match worker.handle(&source, message, reply) {
        Ok(Disposition::Report(_)) if !worker.allow_unauthenticated_reply(peer.ip()) => {}
        Ok(Disposition::UnauthenticatedReply(range))
            if !worker.allow_community_response(peer.ip(), range.len()) => {}
        Ok(
            Disposition::Reply(range) | Disposition::UnauthenticatedReply(range) | Disposition::Report(range),
        ) => {
            if !batch.queue_reply(slot, range) {
                increment(&worker.statistics.datagram_send_errors);
            }
        }
        Ok(Disposition::Pending | Disposition::Accepted | Disposition::Dropped) | Err(HandlerPanicError) => {}
    }
}

fn unauthenticated_state(peer: SocketAddr) -> TmStateReference {
    TmStateReference::unauthenticated(TransportDomain::Udp, TransportAddress::Ip(peer))
}

/// The maximum number of datagrams handled before other tasks of the worker run.
const MAX_BATCH: usize = 4 * BATCH_SIZE;

/// The maximum length of a message that is copied to send it with others. It limits the memory of
/// the batch.
const MAX_BATCHED_LEN: usize = 4096;

/// The delay before sending is retried when the socket's buffer is full.
const SEND_RETRY_DELAY: Duration = Duration::from_millis(1);

/// 65 535 octets minus the IP and UDP headers.
const MAX_IPV4_PAYLOAD: usize = 65_535 - 20 - 8;

/// 65 535 octets minus the UDP header: the IPv6 payload length does not include the IPv6 header.
const MAX_IPV6_PAYLOAD: usize = 65_535 - 8;
