//! Sends datagrams to many peers with one system call, sendmmsg(2).
//!
//! Pushed datagrams are copied one after the other. The kernel's headers are built on the stack for
//! each call and point to the copies only during the call.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

use crate::address::RawAddress;
use crate::batch::{BATCH_SIZE, EMPTY_IOVEC, FlushResult, empty_mmsghdr, retry_on_eintr};
use crate::control::{ControlBuffer, LocalAddress};
use crate::socket::{Endpoint, SEND_FLAGS, outgoing_header};

/// Up to [`BATCH_SIZE`] datagrams to be sent together. After a flush, the memory is reused.
#[derive(Default)]
pub struct SendBatch {
    octets: Vec<u8>,
    datagrams: Vec<QueuedDatagram>,
}

struct QueuedDatagram {
    peer: RawAddress,
    /// The address to send from; `None` for that of the socket.
    local: Option<LocalAddress>,
    /// The end of the datagram in the octets of the batch.
    end: usize,
}

impl SendBatch {
    /// Returns whether the batch is full.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.datagrams.len() >= BATCH_SIZE
    }

    /// Returns whether the batch has no datagrams.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.datagrams.is_empty()
    }

    /// Adds a datagram. Returns false and adds nothing if the batch is full.
    pub fn push(&mut self, to: Endpoint, datagram: &[u8]) -> bool {
        if self.is_full() {
            return false;
        }
        self.octets.extend_from_slice(datagram);
        let (peer, local) = (RawAddress::new(to.peer), to.local);
        self.datagrams.push(QueuedDatagram { peer, local, end: self.octets.len() });
        true
    }

    /// Sends all datagrams in order and empties the batch. Never blocks. Datagrams that the kernel
    /// rejects are skipped and counted, including datagrams for which the socket's send buffer has
    /// no room.
    pub fn flush(&mut self, socket: BorrowedFd<'_>) -> FlushResult {
        let (mut flushed, mut next) = (FlushResult::default(), 0);
        while next < self.datagrams.len() {
            // sendmmsg reports an error only if it concerns the first datagram: skip that datagram.
            match self.send_from(next, socket) {
                Ok(0) | Err(_) => {
                    flushed.failed += 1;
                    next += 1;
                }
                Ok(count) => {
                    flushed.sent += count;
                    next += count;
                }
            }
        }
        self.datagrams.clear();
        self.octets.clear();
        flushed
    }

    fn send_from(&mut self, first: usize, socket: BorrowedFd<'_>) -> io::Result<usize> {
        let mut vectors = [EMPTY_IOVEC; BATCH_SIZE];
        let mut headers = [empty_mmsghdr(); BATCH_SIZE];
        let mut controls = [ControlBuffer::empty(); BATCH_SIZE];
        let (mut filled, mut start) = (0, 0);
        if let Some(before) = first.checked_sub(1).and_then(|before| self.datagrams.get(before)) {
            start = before.end;
        }
        let parts = headers.iter_mut().zip(&mut vectors).zip(&mut controls);
        for (((entry, vector), control), queued) in parts.zip(self.datagrams.iter_mut().skip(first)) {
            let Some(datagram) = self.octets.get_mut(start..queued.end) else { break };
            *vector = libc::iovec { iov_base: datagram.as_mut_ptr().cast(), iov_len: datagram.len() };
            entry.msg_hdr = outgoing_header(&mut queued.peer, vector, control, queued.local);
            (filled, start) = (filled + 1, queued.end);
        }
        retry_on_eintr(|| {
            // SAFETY: the first `filled` headers point to names, vectors, control buffers and
            // datagrams that are exclusively borrowed until after the call; sendmmsg writes only
            // their msg_len.
            unsafe {
                libc::sendmmsg(
                    socket.as_raw_fd(),
                    headers.as_mut_ptr(),
                    filled as libc::c_uint,
                    SEND_FLAGS as _,
                )
            }
        })
    }
}

#[cfg(test)]
mod tests;
