//! Who has a session, or is beginning one, and when each has to be looked after.

use std::collections::{BTreeSet, HashMap};
use std::net::SocketAddr;

use portreeve_smi::Timestamp;

use super::half_open::HalfOpenTable;
use super::session::DtlsSession;

/// One worker's peers at one socket.
#[derive(Default)]
pub(super) struct PeerTable {
    pub(super) half_open: HalfOpenTable,
    by_address: HashMap<SocketAddr, PeerEntry>,
    /// Each address at most once: at `PeerEntry::timer`, which may be earlier than need be, never later.
    timers: BTreeSet<(Timestamp, SocketAddr)>,
}

/// All that goes on with one address.
#[derive(Default)]
pub(super) struct PeerEntry {
    /// The session, whose handshake is done.
    pub(super) session: Option<DtlsSession>,
    /// A handshake, which will replace the session when it is done.
    pub(super) handshake: Option<DtlsSession>,
    timer: Option<Timestamp>,
}

impl PeerEntry {
    /// The session and the handshake, in that order.
    pub(super) fn slots(&mut self) -> [&mut Option<DtlsSession>; 2] {
        [&mut self.session, &mut self.handshake]
    }
}

impl PeerTable {
    pub(super) fn get_mut(&mut self, address: SocketAddr) -> Option<&mut PeerEntry> {
        self.by_address.get_mut(&address)
    }

    /// Begins a handshake; returns the one with the same address that it replaces.
    pub(super) fn start_handshake(
        &mut self,
        address: SocketAddr,
        handshake: DtlsSession,
    ) -> Option<DtlsSession> {
        self.by_address.entry(address).or_default().handshake.replace(handshake)
    }

    /// Sees to it that the address is looked after at `wanted`, and forgets it where nothing goes on with it.
    /// Returns whether the first alarm has become earlier.
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
        // One that has moved away is looked at when the old one comes: cheaper than per message.
        if entry.timer.is_some_and(|armed| armed <= wanted) {
            return false;
        }
        if let Some(armed) = entry.timer.replace(wanted) {
            self.timers.remove(&(armed, address));
        }
        let first = self.timers.first().is_none_or(|&(first, _)| wanted < first);
        self.timers.insert((wanted, address));
        first
    }

    /// Takes an address out that is to be looked after by now; it is to be armed anew.
    pub(super) fn pop_due(&mut self, now: Timestamp) -> Option<SocketAddr> {
        let &(at, address) = self.timers.first().filter(|&&(at, _)| at <= now)?;
        self.timers.remove(&(at, address));
        if let Some(entry) = self.by_address.get_mut(&address) {
            entry.timer = None;
        }
        Some(address)
    }

    /// When something is to be looked after next.
    pub(super) fn next_timer(&self) -> Option<Timestamp> {
        let first = self.timers.first().map(|&(at, _)| at);
        [first, self.half_open.deadline()].into_iter().flatten().min()
    }

    /// Addresses whose session or handshake has to make room for another.
    pub(super) fn evicted(&self) -> Vec<SocketAddr> {
        let has_displaced = |entry: &PeerEntry| {
            [&entry.session, &entry.handshake].into_iter().flatten().any(DtlsSession::is_evicted)
        };
        self.by_address
            .iter()
            .filter(|(_, entry)| has_displaced(entry))
            .map(|(&address, _)| address)
            .collect()
    }

    /// Takes everybody out.
    pub(super) fn drain(&mut self) -> Vec<DtlsSession> {
        self.timers.clear();
        self.half_open = HalfOpenTable::default();
        self.by_address.drain().flat_map(|(_, entry)| [entry.session, entry.handshake]).flatten().collect()
    }
}
