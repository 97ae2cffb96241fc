//! Many datagrams with two system calls: recvmmsg(2), answers written beside the questions, sendmmsg(2).
//!
//! ```text
//! receive ──▶ slot 0..n: message, endpoint, room for an answer ──▶ answer(i, range) ──▶ flush
//! ```
//! All buffers are allocated once; a call allocates nothing. Headers for the kernel are built on the stack for each
//! call and point into the buffers only while it lasts, so a batch may be moved and sent between threads.

use std::io;
use std::ops::Range;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr;

use crate::address::{self, RawAddress};
use crate::control::{self, ControlBuffer};
use crate::socket::{Endpoint, SEND_FLAGS, empty_header, outgoing_header};

/// Buffers for up to [`BATCH_SIZE`] datagrams and one answer to each.
pub struct DatagramBatch {
    slot_size: usize,
    stride: usize,
    messages: Box<[u8]>,
    replies: Box<[u8]>,
    /// Where the kernel writes senders and local addresses, and reads them for answers. Kept, so that they need not
    /// be cleared for each call.
    names: Box<[RawAddress; BATCH_SIZE]>,
    controls: Box<[ControlBuffer; BATCH_SIZE]>,
    slots: Box<[Slot; BATCH_SIZE]>,
    received: usize,
    /// Slots with an answer to be sent, in order.
    queue: Box<[usize; BATCH_SIZE]>,
    queued: Range<usize>,
}

impl DatagramBatch {
    /// A batch whose messages and answers have up to `slot_size` octets each.
    ///
    /// Reserves 2 × [`BATCH_SIZE`] × `slot_size` octets of address space; memory is used as messages touch it.
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

    /// Receives what is there, at most [`BATCH_SIZE`] datagrams; returns how many. Never blocks.
    /// What the batch held before is forgotten, unsent answers included.
    ///
    /// # Errors
    /// `WouldBlock` when nothing is there. Other errors are about the socket or an earlier send (ICMP).
    pub fn receive(&mut self, socket: BorrowedFd<'_>) -> io::Result<usize> {
        self.receive_at_most::<BATCH_SIZE>(socket)
    }

    /// The same for at most [`SMALL_BATCH`] datagrams: quicker where there is no crowd, because headers cost something whether they
    /// are filled or not.
    ///
    /// # Errors
    /// As [`receive`](Self::receive).
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
            // SAFETY: N headers are passed, at most BATCH, each pointing at a name, a vector, a control buffer and a message
            // slot of the lengths given, all exclusively borrowed here until after the call.
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
                // Without a sender the name is what an earlier datagram left there.
                endpoint: name.get().filter(|_| entry.msg_hdr.msg_namelen > 0).map(|peer| Endpoint {
                    peer,
                    // SAFETY: the kernel has just filled this header's control buffer, which is still alive.
                    local: unsafe { control::read_local_address(&entry.msg_hdr) },
                }),
                reply: 0..0,
            };
        }
        self.received = count;
        Ok(count)
    }

    /// The datagram in slot `index`, and room to answer it; `None` past what was received.
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

    /// Queues `range` of slot `index`'s answer buffer to be sent to where the datagram came from.
    /// Returns false, and queues nothing, for a slot that is empty or has no known sender, or a range outside it.
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

    /// Sends the queued answers. One that the kernel refuses is left out and counted; the others go.
    ///
    /// # Errors
    /// `WouldBlock` when the socket's buffer is full: the rest stays queued, call again when it is writable.
    pub fn flush(&mut self, socket: BorrowedFd<'_>) -> io::Result<FlushResult> {
        let mut flushed = FlushResult::default();
        while !self.queued.is_empty() {
            match self.send_queued(socket) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Err(error),
                // sendmmsg reports an error only if it strikes the first datagram: skip that one.
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
            // `queue_reply` admits only slots with an endpoint and ranges within the buffer.
            let Some(endpoint) = slot.endpoint else { break };
            let start = index * self.stride;
            let Some(answer) = self.replies.get_mut(start + slot.reply.start..start + slot.reply.end) else {
                break;
            };
            *vector = libc::iovec { iov_base: answer.as_mut_ptr().cast(), iov_len: answer.len() };
            *name = RawAddress::new(endpoint.peer);
            entry.msg_hdr = outgoing_header(name, vector, control, endpoint.local);
            filled += 1;
        }
        retry_on_eintr(|| {
            // SAFETY: the first `filled` headers point at names, vectors, control buffers and answers that are
            // exclusively borrowed here until after the call; sendmmsg writes only their msg_len.
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

/// One received datagram and the place for its answer.
pub struct ReceivedDatagram<'a> {
    /// Both ends; `None` if the kernel named no Internet address as the sender.
    pub endpoint: Option<Endpoint>,
    /// The datagram was longer than the slot; `message` is only its beginning.
    pub truncated: bool,
    /// The datagram, free to be modified.
    pub message: &'a mut [u8],
    /// Room for an answer, `slot_size` octets, content undefined.
    pub reply: &'a mut [u8],
}

/// What became of queued answers.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct FlushResult {
    /// Handed to the network.
    pub sent: usize,
    /// Refused by the kernel, for example as too long or unreachable.
    pub failed: usize,
}

/// What is known of a received datagram.
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

/// Repeats a call that a signal interrupted; its negative result becomes the error of errno.
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

/// How many datagrams one call moves. Beyond 32 the gain per datagram is lost in the noise.
pub const BATCH_SIZE: usize = 32;

/// How many [`DatagramBatch::receive_small`] asks for. More than one, so that it shows whether there was another.
pub const SMALL_BATCH: usize = 4;

pub(crate) const EMPTY_IOVEC: libc::iovec = libc::iovec { iov_base: ptr::null_mut(), iov_len: 0 };

const CACHE_LINE: usize = 64;

/// Slots whose size is a power of two would all begin in the same cache set; this spreads them.
const STAGGER: usize = 5 * CACHE_LINE;

#[cfg(test)]
mod tests;
