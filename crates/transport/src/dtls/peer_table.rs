//! The sessions and handshakes of one socket by peer address, and their timers.

use std::collections::{BTreeSet, HashMap};
use std::net::SocketAddr;

use portreeve_smi::Timestamp;

use super::half_open::HalfOpenTable;
use super::session::DtlsSession;

/// The peers of one worker at one socket.
#[derive(Default)]
pub(super) struct PeerTable {
    pub(super) half_open: HalfOpenTable,
    by_address: HashMap<SocketAddr, PeerEntry>,
    /// At most one timer per address, set to `PeerEntry::timer`. That time may be earlier than
    /// necessary, but never later.
    timers: BTreeSet<(Timestamp, SocketAddr)>,
}

/// The session and handshake of one address.
#[derive(Default)]
pub(super) struct PeerEntry {
    /// The session, if its handshake is complete.
    pub(super) session: Option<DtlsSession>,
    /// A handshake that will replace the session when it is complete.
    pub(super) handshake: Option<DtlsSession>,
    timer: Option<Timestamp>,
}

impl PeerEntry {
    /// Returns the session and the handshake, in that order.
    pub(super) fn slots(&mut self) -> [&mut Option<DtlsSession>; 2] {
        [&mut self.session, &mut self.handshake]
    }
}

impl PeerTable {
    pub(super) fn get_mut(&mut self, address: SocketAddr) -> Option<&mut PeerEntry> {
        self.by_address.get_mut(&address)
    }

    /// Adds a handshake; returns an earlier handshake of this address, which it replaces.
    pub(super) fn start_handshake(
        &mut self,
        address: SocketAddr,
        handshake: DtlsSession,
    ) -> Option<DtlsSession> {
        self.by_address.entry(address).or_default().handshake.replace(handshake)
    }

    /// Sets the timer of the address to `wanted`, or removes the address if it has neither session
    /// nor handshake. Returns whether the first timer of the table now fires earlier.
    pub(super) fn set_timer(&mut self, address: SocketAddr, wanted: Option<Timestamp>) -> bool {
        let Some(entry) = self.by_address.get_mut(&address) else { return false };
        if entry.session.is_none() && entry.handshake.is_none() {
            if let Some(armed) = entry.timer {
                self.timers.remove(&(armed, address));
            }
            self.by_address.remove(&address);
            return false;
        }
        let Some(wanted) = wanted else { return false };
        // For a later deadline, the current timer fires early and is then set again, which is
        // cheaper than resetting it for each message.
        if entry.timer.is_some_and(|armed| armed <= wanted) {
            return false;
        }
        if let Some(armed) = entry.timer.replace(wanted) {
            self.timers.remove(&(armed, address));
        }
        let is_earliest = self.timers.first().is_none_or(|&(first, _)| wanted < first);
        self.timers.insert((wanted, address));
        is_earliest
    }

    /// Removes and returns an address whose timer has fired; the caller must set its timer again.
    pub(super) fn pop_due(&mut self, now: Timestamp) -> Option<SocketAddr> {
        let &(at, address) = self.timers.first().filter(|&&(at, _)| at <= now)?;
        self.timers.remove(&(at, address));
        if let Some(entry) = self.by_address.get_mut(&address) {
            entry.timer = None;
        }
        Some(address)
    }

    /// Returns the time of the next timer.
    pub(super) fn next_timer(&self) -> Option<Timestamp> {
        let first = self.timers.first().map(|&(at, _)| at);
        [first, self.half_open.deadline()].into_iter().flatten().min()
    }

    /// Returns the addresses whose session or handshake was notified through its slot handle.
    pub(super) fn notified(&self) -> Vec<SocketAddr> {
        let has_notice = |entry: &PeerEntry| {
            [&entry.session, &entry.handshake].into_iter().flatten().any(DtlsSession::has_notice)
        };
        self.by_address.iter().filter(|(_, entry)| has_notice(entry)).map(|(&address, _)| address).collect()
    }

    /// Removes all entries from the table, and returns their sessions and handshakes.
    pub(super) fn drain(&mut self) -> Vec<DtlsSession> {
        self.timers.clear();
        self.half_open = HalfOpenTable::default();
        self.by_address.drain().flat_map(|(_, entry)| [entry.session, entry.handshake]).flatten().collect()
    }
}
