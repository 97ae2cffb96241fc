//! Socket options and single datagrams sent outside of a batch.

use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsRawFd, BorrowedFd};

use crate::address::RawAddress;
use crate::control::{ControlBuffer, LocalAddress};

/// The peer and local address of a datagram exchange.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Endpoint {
    /// The sender of the datagram and receiver of the reply.
    pub peer: SocketAddr,
    /// The address that received the datagram; `None` unless [`enable_local_address`] was called
    /// for the socket.
    pub local: Option<LocalAddress>,
}

/// Makes the kernel report the local address and interface of each received datagram (IP_PKTINFO,
/// IPV6_RECVPKTINFO).
///
/// `bound` is the address to which the socket is bound; only its family is used.
///
/// # Errors
/// The error of setsockopt(2); in practice this fails only if the descriptor is not a datagram
/// socket of that family.
pub fn enable_local_address(socket: BorrowedFd<'_>, bound: SocketAddr) -> io::Result<()> {
    let (level, option) = match bound {
        SocketAddr::V4(_) => (libc::IPPROTO_IP, libc::IP_PKTINFO),
        SocketAddr::V6(_) => (libc::IPPROTO_IPV6, libc::IPV6_RECVPKTINFO),
    };
    let on: libc::c_int = 1;
    // SAFETY: the option's value is an int; its address and size are passed.
    let result = unsafe {
        libc::setsockopt(
            socket.as_raw_fd(),
            level,
            option,
            (&raw const on).cast(),
            size_of::<libc::c_int>() as libc::socklen_t,
        )
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Sends one datagram to `to.peer`, from `to.local` if given. Never blocks.
///
/// # Errors
/// `WouldBlock` if the socket's buffer is full, otherwise the error of sendmsg(2) for this
/// datagram.
pub fn send_to(socket: BorrowedFd<'_>, to: &Endpoint, datagram: &[u8]) -> io::Result<()> {
    let mut name = RawAddress::new(to.peer);
    let mut control = ControlBuffer::empty();
    // sendmsg only reads, but C's iovec has one pointer type for both directions.
    let mut vector = libc::iovec { iov_base: datagram.as_ptr().cast_mut().cast(), iov_len: datagram.len() };
    let header = outgoing_header(&mut name, &mut vector, &mut control, to.local);
    loop {
        // SAFETY: the header points to name, vector, control buffer and datagram, which all outlive
        // the call.
        if unsafe { libc::sendmsg(socket.as_raw_fd(), &raw const header, SEND_FLAGS) } >= 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Returns a header for sending. It points to the arguments, which must not move before the call.
pub(crate) fn outgoing_header(
    name: &mut RawAddress,
    vector: *mut libc::iovec,
    control: &mut ControlBuffer,
    local: Option<LocalAddress>,
) -> libc::msghdr {
    let mut header = empty_header();
    header.msg_namelen = name.len();
    header.msg_name = name.as_mut_ptr();
    header.msg_iov = vector;
    header.msg_iovlen = 1;
    if let Some(local) = local {
        header.msg_controllen = control.write_local_address(local) as _;
        header.msg_control = control.as_mut_ptr();
    }
    header
}

/// Returns a header whose pointers are all null.
pub(crate) fn empty_header() -> libc::msghdr {
    // SAFETY: msghdr consists of integers and raw pointers, for which all-zero is a valid value.
    // (It has padding on some targets, so it cannot be written as a struct expression.)
    unsafe { std::mem::zeroed() }
}

/// Flags of every send. MSG_NOSIGNAL has no effect on datagram sockets.
pub(crate) const SEND_FLAGS: libc::c_int = libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL;
