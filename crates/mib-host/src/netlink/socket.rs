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
    Request,
    message::{Message, Messages, i32_at},
};

/// A socket that only the kernel can write to.
pub(crate) struct Socket {
    socket: OwnedFd,
    sequence: u32,
    buffer: Box<[u8]>,
}

impl Socket {
    /// Opens a socket to this part of the kernel.
    pub(crate) fn open(family: Family) -> io::Result<Self> {
        let protocol = match family {
            // NETLINK_ROUTE is protocol 0.
            Family::Route => None,
            Family::Generic => Some(netlink::GENERIC),
        };
        let socket =
            net::socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, protocol)?;
        // Connected to port 0, the kernel's, the socket takes nothing from other processes.
        net::connect(&socket, &SocketAddrNetlink::new(0, 0))?;
        sockopt::set_socket_timeout(&socket, Timeout::Recv, Some(PATIENCE))?;
        Ok(Self { socket, sequence: 0, buffer: vec![0; BUFFER].into_boxed_slice() })
    }

    /// Sends a request and hands every message of the answer to `each`, up to its end.
    ///
    /// Fails with what the kernel answered, or with `TimedOut` when it said nothing for two seconds.
    pub(crate) fn ask(
        &mut self,
        request: &mut Request,
        mut each: impl FnMut(Message<'_>),
    ) -> io::Result<Complete> {
        self.sequence = self.sequence.wrapping_add(1);
        net::send(&self.socket, request.octets(self.sequence), SendFlags::empty())?;
        let mut complete = Complete::Yes;
        loop {
            let length = match net::recv(&self.socket, &mut *self.buffer, RecvFlags::TRUNC) {
                Ok((_, length)) => length,
                Err(Errno::INTR) => continue,
                Err(Errno::NOBUFS) => {
                    complete = Complete::Interrupted;
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
                    complete = Complete::Interrupted;
                }
                match message.kind {
                    NLMSG_NOOP => {}
                    NLMSG_OVERRUN => complete = Complete::Interrupted,
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
pub(crate) enum Family {
    /// Links, addresses and routes.
    Route,
    /// Families that are found by name.
    Generic,
}

/// Whether a table is of one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Complete {
    /// Nothing changed while it was read.
    Yes,
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
const PATIENCE: Duration = Duration::from_secs(2);

/// Dumps come in datagrams of at most 32 KiB, or one entry if that is larger.
const BUFFER: usize = 64 * 1024;

const NLMSG_NOOP: u16 = 1;
const NLMSG_ERROR: u16 = 2;
const NLMSG_DONE: u16 = 3;
const NLMSG_OVERRUN: u16 = 4;
const NLM_F_MULTI: u16 = 0x2;
const NLM_F_DUMP_INTR: u16 = 0x10;
