//! A packet socket (AF_PACKET), which receives a copy of each frame that the interfaces of a
//! network namespace receive.

use std::io;
use std::mem;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr;
use std::time::Duration;

/// A packet socket with the buffers for [`receive`](Self::receive).
pub struct PacketSocket {
    descriptor: OwnedFd,
    slot_size: usize,
    frames: Box<[u8]>,
}

/// One frame that was received.
#[derive(Clone, Copy, Debug)]
pub struct ReceivedFrame<'a> {
    /// The index of the interface that received or sent the frame.
    pub interface: u32,
    /// True if this machine sends the frame.
    pub is_outgoing: bool,
    /// The time at which the kernel received the frame, since the Unix epoch.
    pub at: Duration,
    /// The length of the frame in octets, which may be larger than that of `octets`.
    pub length: usize,
    /// The first octets of the frame, as many as fit a slot.
    pub octets: &'a [u8],
}

/// Numbers of frames since the previous call of [`PacketSocket::statistics`].
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct PacketStatistics {
    /// Frames for this socket, including those that were dropped.
    pub received: u32,
    /// Frames that the kernel dropped because the receive buffer was full.
    pub dropped: u32,
}

impl PacketSocket {
    /// Opens a socket that receives the incoming frames of all interfaces in the network namespace
    /// of the calling thread. Frames that the interfaces send are not received.
    ///
    /// The kernel keeps up to `buffer` octets of frames, and [`receive`](Self::receive) reads the
    /// first `slot_size` octets of each frame. A moment passes until the kernel records the time at
    /// which frames arrive; until then, frames have the time at which they are read.
    ///
    /// # Errors
    /// `PermissionDenied` without CAP_NET_RAW and CAP_NET_ADMIN; otherwise the error of socket(2),
    /// setsockopt(2) or bind(2).
    pub fn open(buffer: usize, slot_size: usize) -> io::Result<Self> {
        Self::bind(buffer, slot_size, true)
    }

    /// Like [`open`](Self::open), but also receives the frames that the interfaces send.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn open_both_ways(buffer: usize, slot_size: usize) -> io::Result<Self> {
        Self::bind(buffer, slot_size, false)
    }

    fn bind(buffer: usize, slot_size: usize, ignores_outgoing: bool) -> io::Result<Self> {
        // With protocol 0, the socket receives nothing before it is bound.
        // SAFETY: the call has no pointers.
        let number = unsafe { libc::socket(libc::AF_PACKET, SOCKET_TYPE, 0) };
        check(number)?;
        // SAFETY: the kernel has just returned the descriptor, so nothing else owns it.
        let descriptor = unsafe { OwnedFd::from_raw_fd(number) };
        let buffer = libc::c_int::try_from(buffer).unwrap_or(libc::c_int::MAX);
        set_option(&descriptor, libc::SOL_SOCKET, libc::SO_RCVBUFFORCE, buffer)?;
        set_option(&descriptor, libc::SOL_SOCKET, libc::SO_TIMESTAMPNS, 1)?;
        set_option(&descriptor, libc::SOL_PACKET, PACKET_IGNORE_OUTGOING, ignores_outgoing.into())?;
        let address = libc::sockaddr_ll {
            sll_family: libc::AF_PACKET as libc::sa_family_t,
            sll_protocol: (libc::ETH_P_ALL as u16).to_be(),
            ..empty_address()
        };
        // SAFETY: the address is a complete sockaddr_ll, whose size is passed.
        check(unsafe { libc::bind(descriptor.as_raw_fd(), (&raw const address).cast(), ADDRESS_LEN) })?;
        Ok(Self { descriptor, slot_size, frames: vec![0; slot_size * FRAMES].into_boxed_slice() })
    }

    /// Receives the frames that have arrived, at most [`Self::MAX_FRAMES`], and calls `handle` for
    /// each. Never waits. Returns the number of frames.
    ///
    /// # Errors
    /// `WouldBlock` if no frame has arrived, otherwise the error of recvmmsg(2).
    pub fn receive(&mut self, mut handle: impl FnMut(ReceivedFrame<'_>)) -> io::Result<usize> {
        let mut addresses = [empty_address(); FRAMES];
        let mut controls = [TimestampBuffer([0; TIMESTAMP_WORDS]); FRAMES];
        let mut vectors = [libc::iovec { iov_base: ptr::null_mut(), iov_len: 0 }; FRAMES];
        for (vector, slot) in vectors.iter_mut().zip(self.frames.chunks_mut(self.slot_size)) {
            *vector = libc::iovec { iov_base: slot.as_mut_ptr().cast(), iov_len: slot.len() };
        }
        // SAFETY: mmsghdr consists of integers and raw pointers, for which all zeros is valid.
        let mut headers: [libc::mmsghdr; FRAMES] = unsafe { mem::zeroed() };
        for (index, header) in headers.iter_mut().enumerate() {
            header.msg_hdr.msg_name = (&raw mut addresses[index]).cast();
            header.msg_hdr.msg_namelen = ADDRESS_LEN;
            header.msg_hdr.msg_iov = &raw mut vectors[index];
            header.msg_hdr.msg_iovlen = 1;
            header.msg_hdr.msg_control = (&raw mut controls[index]).cast();
            header.msg_hdr.msg_controllen = size_of::<TimestampBuffer>() as _;
        }
        // With MSG_TRUNC, the kernel returns the full length of each frame.
        let flags = libc::MSG_DONTWAIT | libc::MSG_TRUNC;
        // SAFETY: the headers point to addresses, control buffers and vectors, and these to the
        // slots. All have the lengths given, and outlive the call.
        let number = unsafe {
            libc::recvmmsg(
                self.descriptor.as_raw_fd(),
                headers.as_mut_ptr(),
                FRAMES as libc::c_uint,
                flags as _,
                ptr::null_mut(),
            )
        };
        check(number)?;
        let number = usize::try_from(number).unwrap_or_default();
        for (index, header) in headers.iter().enumerate().take(number) {
            let length = header.msg_len as usize;
            let start = index * self.slot_size;
            handle(ReceivedFrame {
                interface: u32::try_from(addresses[index].sll_ifindex).unwrap_or_default(),
                is_outgoing: addresses[index].sll_pkttype == libc::PACKET_OUTGOING,
                at: timestamp(&header.msg_hdr),
                length,
                octets: &self.frames[start..start + length.min(self.slot_size)],
            });
        }
        Ok(number)
    }

    /// Returns the numbers of frames since the previous call.
    ///
    /// # Errors
    /// The error of getsockopt(2).
    pub fn statistics(&self) -> io::Result<PacketStatistics> {
        let mut values = TpacketStats { packets: 0, drops: 0 };
        let mut length = size_of::<TpacketStats>() as libc::socklen_t;
        // SAFETY: the structure to fill and its length outlive the call.
        check(unsafe {
            libc::getsockopt(
                self.descriptor.as_raw_fd(),
                libc::SOL_PACKET,
                PACKET_STATISTICS,
                (&raw mut values).cast(),
                &raw mut length,
            )
        })?;
        Ok(PacketStatistics { received: values.packets, dropped: values.drops })
    }

    /// The maximum number of frames for one call of [`receive`](Self::receive).
    pub const MAX_FRAMES: usize = FRAMES;
}

impl AsFd for PacketSocket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }
}

/// The value of PACKET_STATISTICS: `struct tpacket_stats` of `linux/if_packet.h`.
#[repr(C)]
struct TpacketStats {
    packets: u32,
    drops: u32,
}

/// A buffer for one control message with a `timespec`, aligned like its header.
#[derive(Clone, Copy)]
#[repr(C)]
struct TimestampBuffer([usize; TIMESTAMP_WORDS]);

/// Returns the timestamp in the control messages of a received frame, or zero if there is none.
fn timestamp(header: &libc::msghdr) -> Duration {
    // SAFETY: the header is as recvmmsg has filled it; its control buffer is alive.
    let mut message = unsafe { libc::CMSG_FIRSTHDR(header) };
    while !message.is_null() {
        // SAFETY: the macros return null or a pointer to a complete header in the buffer.
        let (level, kind) = unsafe { ((*message).cmsg_level, (*message).cmsg_type) };
        if level == libc::SOL_SOCKET && kind == libc::SO_TIMESTAMPNS {
            // SAFETY: the data of this message is a timespec. It may be unaligned.
            let time = unsafe { libc::CMSG_DATA(message).cast::<libc::timespec>().read_unaligned() };
            let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
            return Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or_default());
        }
        // SAFETY: `message` points into the control buffer of this header.
        message = unsafe { libc::CMSG_NXTHDR(header, message) };
    }
    Duration::ZERO
}

fn empty_address() -> libc::sockaddr_ll {
    // SAFETY: sockaddr_ll consists of integers, for which all zeros is valid.
    unsafe { mem::zeroed() }
}

fn set_option(socket: &OwnedFd, level: libc::c_int, name: libc::c_int, value: libc::c_int) -> io::Result<()> {
    let length = size_of::<libc::c_int>() as libc::socklen_t;
    // SAFETY: the option's value is an int; its address and size are passed.
    check(unsafe { libc::setsockopt(socket.as_raw_fd(), level, name, (&raw const value).cast(), length) })
}

fn check(result: libc::c_int) -> io::Result<()> {
    if result >= 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

const SOCKET_TYPE: libc::c_int = libc::SOCK_RAW | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;

const ADDRESS_LEN: libc::socklen_t = size_of::<libc::sockaddr_ll>() as libc::socklen_t;

/// The number of frames for one system call.
const FRAMES: usize = 64;

/// The words that a control message needs: a header of two words and a level and type, the
/// timestamp, and padding.
const TIMESTAMP_WORDS: usize = 8;

/// Constants of `linux/if_packet.h`.
const PACKET_STATISTICS: libc::c_int = 6;
const PACKET_IGNORE_OUTGOING: libc::c_int = 23;

#[cfg(test)]
mod tests;
