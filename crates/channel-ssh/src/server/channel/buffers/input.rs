//! The octets that a channel has received and its session has not read.

use std::{
    collections::VecDeque,
    io::{self, Read},
};

use super::{IDLE_CAPACITY, grown_capacity};
use crate::server::settings::{MAX_PACKET, WINDOW};

/// Octets from the peer.
#[derive(Debug, Default)]
pub(super) struct Input {
    /// The octets that are not read yet.
    pub(super) octets: VecDeque<u8>,
    pub(super) is_eof: bool,
}

/// More octets arrived than the window allows.
#[derive(Debug)]
pub(in crate::server) struct InputOverflow;

impl Input {
    pub(super) fn push(&mut self, octets: &[u8]) -> Result<(), InputOverflow> {
        let len = self.octets.len() + octets.len();
        if len > MAX_INPUT {
            return Err(InputOverflow);
        }
        if len > self.octets.capacity() {
            let additional = grown_capacity(self.octets.capacity(), len, MAX_INPUT) - self.octets.len();
            self.octets.reserve_exact(additional);
        }
        self.octets.extend(octets);
        Ok(())
    }

    pub(super) fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.octets.read(into)?;
        if self.octets.is_empty() {
            if self.octets.capacity() > IDLE_CAPACITY {
                self.octets = VecDeque::new();
            }
            // The next octets are contiguous.
            self.octets.clear();
        }
        Ok(count)
    }
}

/// The number of unread octets above which the peer's window is kept at two octets.
pub(super) const CONGESTION_THRESHOLD: usize = 64 * 1024;
/// Maximum number of unread octets; only a peer that violates its window can exceed it.
///
/// russh asks for the next size of the window before it passes on the octets, and uses the answer
/// only the next time. So the buffer must hold the threshold and one packet, half of a window and
/// one packet until russh asks again, and a whole window that it grants then. The rest is for the
/// small windows of a paused session.
pub(super) const MAX_INPUT: usize = CONGESTION_THRESHOLD
    + MAX_PACKET as usize
    + (WINDOW / 2 + MAX_PACKET) as usize
    + WINDOW as usize
    + PAUSED_INPUT;
/// The number of octets that a paused session can receive through windows of two octets.
pub(super) const PAUSED_INPUT: usize = 128 * 1024;
