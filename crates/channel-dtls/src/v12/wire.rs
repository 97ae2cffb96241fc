//! The datagrams between OpenSSL and whoever owns the socket.

use std::{
    collections::VecDeque,
    io::{self, Read, Write},
};

/// What OpenSSL takes for its socket: each read is one datagram, and so is each write.
#[derive(Debug, Default)]
pub(crate) struct Wire {
    arrived: Option<Vec<u8>>,
    leaving: VecDeque<Vec<u8>>,
}

impl Wire {
    /// Lays a datagram ready. One that was not read yet is lost, as datagrams may be.
    pub(crate) fn arrive(&mut self, datagram: &[u8]) {
        self.arrived = Some(datagram.to_vec());
    }

    /// Takes the next datagram out, at the front of `buffer`; returns its length. One that does not fit is lost.
    pub(crate) fn leave(&mut self, buffer: &mut [u8]) -> Option<usize> {
        loop {
            let datagram = self.leaving.pop_front()?;
            if self.leaving.is_empty() {
                self.leaving = VecDeque::new();
            }
            if let Some(room) = buffer.get_mut(..datagram.len()) {
                room.copy_from_slice(&datagram);
                return Some(datagram.len());
            }
        }
    }
}

impl Read for Wire {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let datagram = self.arrived.take().ok_or(io::ErrorKind::WouldBlock)?;
        let count = datagram.len().min(into.len());
        if let (Some(into), Some(datagram)) = (into.get_mut(..count), datagram.get(..count)) {
            into.copy_from_slice(datagram);
        }
        Ok(count)
    }
}

impl Write for Wire {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        // A peer that provokes flights faster than they are taken loses some of them.
        if self.leaving.len() < MAX_LEAVING {
            self.leaving.push_back(octets.to_vec());
        }
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Datagrams that wait at once: the longest flight has fewer.
const MAX_LEAVING: usize = 64;
