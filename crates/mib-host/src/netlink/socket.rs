//! A blocking netlink socket that requests tables from the kernel.

use std::{
    io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    time::Duration,
};

use rustix::{
    io::Errno,
    net::{
        self, AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType,
        netlink::{self, SocketAddrNetlink},
        sockopt::{self, Timeout},
    },
};

use super::{
    NetlinkRequest,
    message::{Messages, NetlinkMessage, i32_at},
};

/// A netlink socket that receives messages only from the kernel.
pub(crate) struct NetlinkSocket {
    socket: OwnedFd,
    sequence: u32,
    buffer: Box<[u8]>,
}

impl NetlinkSocket {
    /// Opens a socket of this netlink family.
    pub(crate) fn open(family: NetlinkFamily) -> io::Result<Self> {
        let protocol = match family {
            // NETLINK_ROUTE has the protocol number 0.
            NetlinkFamily::Route => None,
            NetlinkFamily::Generic => Some(netlink::GENERIC),
        };
        let socket =
            net::socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, protocol)?;
        // The socket is connected to port 0, which is the kernel's, so that it receives nothing
        // from other processes.
        net::connect(&socket, &SocketAddrNetlink::new(0, 0))?;
        sockopt::set_socket_timeout(&socket, Timeout::Recv, Some(RECV_TIMEOUT))?;
        Ok(Self::from(socket))
    }

    /// Opens a socket that receives the kernel's messages about changes of links.
    pub(crate) fn subscribe_to_links() -> io::Result<Self> {
        let flags = SocketFlags::CLOEXEC;
        let socket = net::socket_with(AddressFamily::NETLINK, SocketType::RAW, flags, None)?;
        net::bind(&socket, &SocketAddrNetlink::new(0, RTMGRP_LINK))?;
        net::connect(&socket, &SocketAddrNetlink::new(0, 0))?;
        Ok(Self::from(socket))
    }

    /// Reads a datagram of a subscription, if one has arrived, and passes its messages to `each`.
    ///
    /// # Errors
    /// Returns the kernel's error.
    pub(crate) fn receive(&mut self, mut each: impl FnMut(NetlinkMessage<'_>)) -> io::Result<Received> {
        let flags = RecvFlags::TRUNC | RecvFlags::DONTWAIT;
        let length = match net::recv(&self.socket, &mut *self.buffer, flags) {
            Ok((_, length)) => length,
            Err(Errno::INTR | Errno::AGAIN) => return Ok(Received::Nothing),
            Err(Errno::NOBUFS) => return Ok(Received::Overrun),
            Err(error) => return Err(error.into()),
        };
        let Some(datagram) = self.buffer.get(..length) else { return Ok(Received::Overrun) };
        Messages(datagram).for_each(&mut each);
        Ok(Received::Messages)
    }

    /// Discards all datagrams that have arrived.
    pub(crate) fn discard_pending(&mut self) {
        loop {
            match net::recv(&self.socket, &mut *self.buffer, RecvFlags::DONTWAIT) {
                Ok(_) | Err(Errno::INTR | Errno::NOBUFS) => {}
                Err(_) => return,
            }
        }
    }

    /// Sends a request and passes every message of the response to `each`.
    ///
    /// # Errors
    /// Returns the kernel's error, or `TimedOut` if the kernel sends nothing for two seconds.
    pub(crate) fn request(
        &mut self,
        request: &mut NetlinkRequest,
        mut each: impl FnMut(NetlinkMessage<'_>),
    ) -> io::Result<Consistency> {
        self.sequence = self.sequence.wrapping_add(1);
        net::send(&self.socket, request.octets(self.sequence), SendFlags::empty())?;
        let mut complete = Consistency::Consistent;
        loop {
            let length = match net::recv(&self.socket, &mut *self.buffer, RecvFlags::TRUNC) {
                Ok((_, length)) => length,
                Err(Errno::INTR) => continue,
                Err(Errno::NOBUFS) => {
                    complete = Consistency::Interrupted;
                    continue;
                }
                Err(Errno::AGAIN) => return Err(io::ErrorKind::TimedOut.into()),
                Err(error) => return Err(error.into()),
            };
            let Some(datagram) = self.buffer.get(..length) else {
                return Err(io::Error::other("the kernel sent a netlink datagram larger than 64 KiB"));
            };
            for message in Messages(datagram).filter(|message| message.sequence == self.sequence) {
                if message.flags & NLM_F_DUMP_INTR != 0 {
                    complete = Consistency::Interrupted;
                }
                match message.kind {
                    NLMSG_NOOP => {}
                    NLMSG_OVERRUN => complete = Consistency::Interrupted,
                    NLMSG_ERROR | NLMSG_DONE => return end(message.payload).map(|()| complete),
                    _ => {
                        each(message);
                        if message.flags & NLM_F_MULTI == 0 {
                            return Ok(complete);
                        }
                    }
                }
            }
        }
    }
}

impl From<OwnedFd> for NetlinkSocket {
    fn from(socket: OwnedFd) -> Self {
        Self { socket, sequence: 0, buffer: vec![0; BUFFER_SIZE].into_boxed_slice() }
    }
}

impl AsFd for NetlinkSocket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

/// The result of reading a datagram of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Received {
    /// A datagram arrived.
    Messages,
    /// No datagram has arrived.
    Nothing,
    /// The kernel discarded messages, or the datagram was larger than the buffer.
    Overrun,
}

/// The netlink family of a socket.
#[derive(Clone, Copy)]
pub(crate) enum NetlinkFamily {
    /// The family for links, addresses and routes.
    Route,
    /// The generic family, through which other families are looked up by name.
    Generic,
}

/// The result of reading a table: consistent or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Consistency {
    /// The table did not change while it was read.
    Consistent,
    /// The table changed: entries may be missing or duplicated.
    Interrupted,
}

/// Parses the last message of a response. It contains 0 or a negated error number.
fn end(payload: &[u8]) -> io::Result<()> {
    match i32_at(payload, 0) {
        None | Some(0..) => Ok(()),
        Some(error) => Err(io::Error::from_raw_os_error(error.saturating_neg())),
    }
}

/// The time to wait for a response. The kernel responds within the system call, so a longer silence
/// indicates a defect.
const RECV_TIMEOUT: Duration = Duration::from_secs(2);

/// The size of the receive buffer in bytes. Dumps arrive in datagrams of at most 32 KiB. Only a
/// datagram with a single large entry can be longer.
const BUFFER_SIZE: usize = 64 * 1024;

/// The multicast group for changes of links.
const RTMGRP_LINK: u32 = 1;

const NLMSG_NOOP: u16 = 1;
const NLMSG_ERROR: u16 = 2;
const NLMSG_DONE: u16 = 3;
const NLMSG_OVERRUN: u16 = 4;
const NLM_F_MULTI: u16 = 0x2;
const NLM_F_DUMP_INTR: u16 = 0x10;
