//! Receives many datagrams with recvmmsg(2) and sends the replies with sendmmsg(2).
//!
//! ```text
//! receive ──▶ slot 0..n: message, endpoint, reply buffer ──▶ queue_reply(i, range) ──▶ flush
//! ```
//! All buffers are allocated once; calls do not allocate. The kernel's headers are built on the
//! stack for each call and point into the buffers only during the call, so a batch can be moved and
//! sent between threads.

use std::io;
use std::ops::Range;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr;

use crate::address::{self, RawAddress};
use crate::control::{self, ControlBuffer};
use crate::socket::{Endpoint, SEND_FLAGS, empty_header, outgoing_header};

/// Buffers for up to [`BATCH_SIZE`] datagrams and one reply to each.
pub struct DatagramBatch {
    slot_size: usize,
    stride: usize,
    messages: Box<[u8]>,
    replies: Box<[u8]>,
    /// Sender addresses and control data. The kernel writes them, and the replies are sent with the
    /// same values. The buffers are kept between calls, so that they need not be cleared for each
    /// call.
    names: Box<[RawAddress; BATCH_SIZE]>,
    controls: Box<[ControlBuffer; BATCH_SIZE]>,
    slots: Box<[Slot; BATCH_SIZE]>,
    received: usize,
    /// The slots whose replies are to be sent, in order.
    queue: Box<[usize; BATCH_SIZE]>,
    queued: Range<usize>,
}

impl DatagramBatch {
    /// Creates a batch for messages and replies of up to `slot_size` octets each.
    ///
    /// Reserves 2 × [`BATCH_SIZE`] × `slot_size` bytes of address space; physical memory is
    /// allocated only when messages are written to it.
    #[must_use]
    pub fn new(slot_size: usize) -> Self {
        let stride = slot_size.next_multiple_of(CACHE_LINE) + STAGGER;
        Self {
            slot_size,
            stride,
            messages: vec![0; stride * BATCH_SIZE].into_boxed_slice(),
            replies: vec![0; stride * BATCH_SIZE].into_boxed_slice(),
            names: Box::new([RawAddress::empty(); BATCH_SIZE]),
            controls: Box::new([ControlBuffer::empty(); BATCH_SIZE]),
            slots: Box::new([Slot::EMPTY; BATCH_SIZE]),
            received: 0,
            queue: Box::new([0; BATCH_SIZE]),
            queued: 0..0,
        }
    }

    /// Receives all available datagrams, at most [`BATCH_SIZE`], and returns their number. Never
    /// blocks. Discards the previous contents of the batch, including unsent replies.
    ///
    /// # Errors
    /// `WouldBlock` if no datagram is available. Other errors concern the socket, or report an ICMP
    /// error for an earlier datagram.
    pub fn receive(&mut self, socket: BorrowedFd<'_>) -> io::Result<usize> {
        self.receive_at_most::<BATCH_SIZE>(socket)
    }

    /// Receives at most [`SMALL_BATCH`] datagrams. This is faster than [`receive`](Self::receive)
    /// under light load, because preparing a header costs time even if no datagram arrives for it.
    ///
    /// # Errors
    /// The errors of [`receive`](Self::receive).
    pub fn receive_small(&mut self, socket: BorrowedFd<'_>) -> io::Result<usize> {
        self.receive_at_most::<SMALL_BATCH>(socket)
    }

    fn receive_at_most<const N: usize>(&mut self, socket: BorrowedFd<'_>) -> io::Result<usize> {
        self.received = 0;
        self.queued = 0..0;
        let mut vectors = [EMPTY_IOVEC; N];
        let mut headers = [empty_mmsghdr(); N];
        let parts = headers.iter_mut().zip(&mut vectors).zip(&mut *self.names).zip(&mut *self.controls);
        for ((((entry, vector), name), control), message) in
            parts.zip(self.messages.chunks_exact_mut(self.stride))
        {
            *vector = libc::iovec { iov_base: message.as_mut_ptr().cast(), iov_len: self.slot_size };
            let header = &mut entry.msg_hdr;
            header.msg_name = name.as_mut_ptr();
            header.msg_namelen = address::CAPACITY;
            header.msg_iov = vector;
            header.msg_iovlen = 1;
            header.msg_control = control.as_mut_ptr();
            header.msg_controllen = control::CAPACITY as _;
        }
        let count = retry_on_eintr(|| {
            // SAFETY: N headers are passed, at most BATCH_SIZE. Each points to a name, a vector, a
            // control buffer and a message slot of the given lengths, all exclusively borrowed
            // until after the call.
            unsafe {
                libc::recvmmsg(
                    socket.as_raw_fd(),
                    headers.as_mut_ptr(),
                    N as libc::c_uint,
                    libc::MSG_DONTWAIT as _,
                    ptr::null_mut(),
                )
            }
        })?;
        for ((slot, entry), name) in self.slots.iter_mut().zip(&headers).zip(&*self.names).take(count) {
            *slot = Slot {
                length: (entry.msg_len as usize).min(self.slot_size),
                truncated: entry.msg_hdr.msg_flags & libc::MSG_TRUNC != 0,
                // If the datagram has no sender, the buffer still contains the sender of an earlier
                // datagram, which must not be used.
                endpoint: name.get().filter(|_| entry.msg_hdr.msg_namelen > 0).map(|peer| Endpoint {
                    peer,
                    // SAFETY: the kernel has just filled the control buffer of this header, and the
                    // buffer is still alive.
                    local: unsafe { control::read_local_address(&entry.msg_hdr) },
                }),
                reply: 0..0,
            };
        }
        self.received = count;
        Ok(count)
    }

    /// Returns the datagram in slot `index` and its reply buffer; `None` if `index` is not below
    /// the number of received datagrams.
    pub fn slot(&mut self, index: usize) -> Option<ReceivedDatagram<'_>> {
        let slot = self.slots[..self.received].get(index)?;
        let start = index * self.stride;
        Some(ReceivedDatagram {
            endpoint: slot.endpoint,
            truncated: slot.truncated,
            message: self.messages.get_mut(start..start + slot.length)?,
            reply: self.replies.get_mut(start..start + self.slot_size)?,
        })
    }

    /// Queues `range` of the reply buffer of slot `index` for sending to the datagram's sender.
    /// Returns false and queues nothing if the slot is empty, has no known sender, or `range` is
    /// out of bounds.
    pub fn queue_reply(&mut self, index: usize, range: Range<usize>) -> bool {
        if range.start > range.end || range.end > self.slot_size || self.queued.end >= BATCH_SIZE {
            return false;
        }
        let Some(slot) = self.slots[..self.received].get_mut(index) else {
            return false;
        };
        if slot.endpoint.is_none() {
            return false;
        }
        slot.reply = range;
        self.queue[self.queued.end] = index;
        self.queued.end += 1;
        true
    }

    /// Sends the queued replies. A reply that the kernel rejects is skipped and counted; the others
    /// are sent.
    ///
    /// # Errors
    /// `WouldBlock` if the socket's buffer is full. The remaining replies remain queued; call this
    /// function again when the socket is writable.
    pub fn flush(&mut self, socket: BorrowedFd<'_>) -> io::Result<FlushResult> {
        let mut flushed = FlushResult::default();
        while !self.queued.is_empty() {
            match self.send_queued(socket) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Err(error),
                // sendmmsg reports an error only if it concerns the first datagram: skip that
                // datagram.
                Ok(0) | Err(_) => {
                    flushed.failed += 1;
                    self.queued.start += 1;
                }
                Ok(count) => {
                    flushed.sent += count;
                    self.queued.start += count;
                }
            }
        }
        Ok(flushed)
    }

    fn send_queued(&mut self, socket: BorrowedFd<'_>) -> io::Result<usize> {
        if self.queued.len() > SMALL_BATCH {
            self.send_at_most::<BATCH_SIZE>(socket)
        } else {
            self.send_at_most::<SMALL_BATCH>(socket)
        }
    }

    fn send_at_most<const N: usize>(&mut self, socket: BorrowedFd<'_>) -> io::Result<usize> {
        let mut vectors = [EMPTY_IOVEC; N];
        let mut headers = [empty_mmsghdr(); N];
        let mut filled = 0;
        let parts = headers.iter_mut().zip(&mut vectors).zip(&mut *self.names).zip(&mut *self.controls);
        for ((((entry, vector), name), control), &index) in parts.zip(&self.queue[self.queued.clone()]) {
            let slot = &self.slots[index];
            // `queue_reply` accepts only slots with an endpoint and ranges within the buffer.
            let Some(endpoint) = slot.endpoint else { break };
            let start = index * self.stride;
            let Some(reply) = self.replies.get_mut(start + slot.reply.start..start + slot.reply.end) else {
                break;
            };
            *vector = libc::iovec { iov_base: reply.as_mut_ptr().cast(), iov_len: reply.len() };
            *name = RawAddress::new(endpoint.peer);
            entry.msg_hdr = outgoing_header(name, vector, control, endpoint.local);
            filled += 1;
        }
        retry_on_eintr(|| {
            // SAFETY: the first `filled` headers point to names, vectors, control buffers and
            // replies that are exclusively borrowed until after the call; sendmmsg writes only
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

/// One received datagram and its reply buffer.
pub struct ReceivedDatagram<'a> {
    /// The peer and local address; `None` if the kernel reported no Internet address as the sender.
    pub endpoint: Option<Endpoint>,
    /// True if the datagram was longer than the slot; `message` then contains only its beginning.
    pub truncated: bool,
    /// The datagram, which may be modified.
    pub message: &'a mut [u8],
    /// The reply buffer: `slot_size` octets of undefined content.
    pub reply: &'a mut [u8],
}

/// The number of sent and failed datagrams of one flush.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct FlushResult {
    /// The number of datagrams passed to the network.
    pub sent: usize,
    /// Datagrams rejected by the kernel, for example as too long or unreachable.
    pub failed: usize,
}

/// The state of one slot of the batch: a received datagram, and its reply.
struct Slot {
    length: usize,
    truncated: bool,
    endpoint: Option<Endpoint>,
    reply: Range<usize>,
}

impl Slot {
    const EMPTY: Self = Self { length: 0, truncated: false, endpoint: None, reply: 0..0 };
}

pub(crate) fn empty_mmsghdr() -> libc::mmsghdr {
    libc::mmsghdr { msg_hdr: empty_header(), msg_len: 0 }
}

/// Repeats a call while it is interrupted by a signal. Converts a negative result to the error in
/// errno.
pub(crate) fn retry_on_eintr(mut call: impl FnMut() -> libc::c_int) -> io::Result<usize> {
    loop {
        if let Ok(count) = usize::try_from(call()) {
            return Ok(count);
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// The maximum number of datagrams per system call. With larger batches, the time saved per
/// datagram is too small to measure.
pub const BATCH_SIZE: usize = 32;

/// The maximum number of datagrams of [`DatagramBatch::receive_small`]. It is greater than one, so
/// that the result shows whether several datagrams were available.
pub const SMALL_BATCH: usize = 4;

pub(crate) const EMPTY_IOVEC: libc::iovec = libc::iovec { iov_base: ptr::null_mut(), iov_len: 0 };

const CACHE_LINE: usize = 64;

/// The number of unused bytes between slots. Without them, slots whose size is a power of two would
/// all start in the same cache set.
const STAGGER: usize = 5 * CACHE_LINE;

#[cfg(test)]
mod tests;
