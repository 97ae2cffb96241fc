//! UDP (RFC 3417 §3): batches of datagrams, handled on the spot, answered from the address that was asked.

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::os::fd::AsFd;
use std::rc::Rc;
use std::time::{Duration, Instant};

use portreeve_smi::{TmStateReference, TransportAddress, TransportDomain};
use portreeve_sys::{BATCH_SIZE, DatagramBatch, Endpoint, ReceivedDatagram, SMALL_BATCH, send_to};
use tokio::time::sleep;

use crate::datagrams::DatagramSocket;
use crate::handler::{Disposition, MessageHandler, MessageSource};
use crate::statistics::{SessionStatistics, add, increment};
use crate::worker::{HandlerPanicError, Worker};

/// One worker's socket of one UDP listener.
pub(crate) struct UdpPort {
    /// The listener's number.
    listener: usize,
    socket: DatagramSocket,
    /// The longest datagram the socket's family carries, or a message may have.
    max_message_size: usize,
}

impl UdpPort {
    /// Registers a bound, non-blocking socket with the current runtime.
    pub(crate) fn new(listener: usize, socket: UdpSocket, max_message_size: usize) -> io::Result<Self> {
        let carried = if socket.local_addr()?.is_ipv4() { MAX_IPV4_PAYLOAD } else { MAX_IPV6_PAYLOAD };
        let max_message_size = carried.min(max_message_size);
        Ok(Self { listener, socket: DatagramSocket::new(socket)?, max_message_size })
    }

    /// Sends one answer that took time. Where the socket's buffer is full it is lost, as datagrams may be.
    pub(crate) fn send(&self, to: &MessageSource, message: &[u8], statistics: &SessionStatistics) {
        let TransportAddress::Ip(peer) = to.peer() else { return };
        if send_to(self.socket.as_fd(), &Endpoint { peer, local: to.local }, message).is_err() {
            increment(&statistics.datagram_send_errors);
        }
    }

    async fn flush(&self, batch: &mut DatagramBatch, statistics: &SessionStatistics) {
        loop {
            // Tried first without asking: it is rare that a datagram socket cannot be written.
            match batch.flush(self.socket.as_fd()) {
                Ok(flushed) => return add(&statistics.datagram_send_errors, flushed.failed),
                // The only error is a full buffer, which the network empties.
                Err(_) => sleep(SEND_RETRY_DELAY).await,
            }
        }
    }
}

/// Serves the worker's UDP socket number `index`; never returns.
pub(crate) async fn serve<H: MessageHandler>(worker: Rc<Worker<H>>, index: usize) {
    let Some(port) = worker.udp.get(index) else { return };
    let mut batch = DatagramBatch::new(worker.limits.max_message_size.max(worker.limits.reply_buffer_size));
    let mut in_a_row = 0;
    let mut few = true;
    loop {
        match port.socket.receive(&mut batch, few).await {
            Ok(count) => {
                few = count < SMALL_BATCH;
                for slot in 0..count {
                    handle(&worker, port, index, &mut batch, slot);
                }
                port.flush(&mut batch, &worker.statistics).await;
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
                    tracing::warn!(%error, suppressed, "reading a UDP socket failed");
                }
                tokio::task::yield_now().await;
            }
        }
    }
}

/// Handles the datagram in one slot of the batch and queues its answer.
fn handle<H: MessageHandler>(
    worker: &Worker<H>,
    port: &UdpPort,
    socket: usize,
    batch: &mut DatagramBatch,
    slot: usize,
) {
    let Some(ReceivedDatagram { endpoint, truncated, message, reply: answer }) = batch.slot(slot) else {
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
        socket,
    };
    match worker.handle(&source, message, answer) {
        Ok(Disposition::Report(_)) if !worker.allow_unauthenticated_reply(peer.ip()) => {}
        Ok(Disposition::Reply(range) | Disposition::Report(range)) => {
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

/// Datagrams handled before other sockets and timers of the worker are looked at.
const MAX_BATCH: usize = 4 * BATCH_SIZE;

/// How long a full buffer is left to the network.
const SEND_RETRY_DELAY: Duration = Duration::from_millis(1);

/// 65 535 octets less IP and UDP headers.
const MAX_IPV4_PAYLOAD: usize = 65_535 - 20 - 8;

/// The IPv6 payload length counts the UDP header only.
const MAX_IPV6_PAYLOAD: usize = 65_535 - 8;
