//! A blocking netlink socket that asks for tables.

use std::{io, os::fd::OwnedFd, time::Duration};

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

/// A socket that only the kernel can write to.
pub(crate) struct NetlinkSocket {
    socket: OwnedFd,
    sequence: u32,
    buffer: Box<[u8]>,
}

impl NetlinkSocket {
    /// Opens a socket to this part of the kernel.
    pub(crate) fn open(family: NetlinkFamily) -> io::Result<Self> {
        let protocol = match family {
            // NETLINK_ROUTE is protocol 0.
            NetlinkFamily::Route => None,
            NetlinkFamily::Generic => Some(netlink::GENERIC),
        };
        let socket =
            net::socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, protocol)?;
        // Connected to port 0, the kernel's, the socket takes nothing from other processes.
        net::connect(&socket, &SocketAddrNetlink::new(0, 0))?;
        sockopt::set_socket_timeout(&socket, Timeout::Recv, Some(RECV_TIMEOUT))?;
        Ok(Self { socket, sequence: 0, buffer: vec![0; BUFFER_SIZE].into_boxed_slice() })
    }

    /// Sends a request and hands every message of the answer to `each`, up to its end.
    ///
    /// Fails with what the kernel answered, or with `TimedOut` when it said nothing for two seconds.
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
                return Err(io::Error::other("the kernel sent more than the 64 KiB it promises to keep to"));
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

/// Which part of the kernel is asked.
#[derive(Clone, Copy)]
pub(crate) enum NetlinkFamily {
    /// Links, addresses and routes.
    Route,
    /// Families that are found by name.
    Generic,
}

/// Whether a table is of one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Consistency {
    /// Nothing changed while it was read.
    Consistent,
    /// It changed: entries may be missing or stand there twice.
    Interrupted,
}

/// What the last message of an answer says: 0 or a negated error number.
fn end(payload: &[u8]) -> io::Result<()> {
    match i32_at(payload, 0) {
        None | Some(0..) => Ok(()),
        Some(error) => Err(io::Error::from_raw_os_error(error.saturating_neg())),
    }
}

/// The kernel answers out of the call itself; silence this long is a defect, not a delay.
const RECV_TIMEOUT: Duration = Duration::from_secs(2);

/// Dumps come in datagrams of at most 32 KiB, or one entry if that is larger.
const BUFFER_SIZE: usize = 64 * 1024;

const NLMSG_NOOP: u16 = 1;
const NLMSG_ERROR: u16 = 2;
const NLMSG_DONE: u16 = 3;
const NLMSG_OVERRUN: u16 = 4;
const NLM_F_MULTI: u16 = 0x2;
const NLM_F_DUMP_INTR: u16 = 0x10;
