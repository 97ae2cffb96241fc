//! Who has a session, or is beginning one, and when each has to be looked after.

use std::collections::{BTreeSet, HashMap};
use std::net::SocketAddr;

use portreeve_smi::Timestamp;

use super::half_open::HalfOpenTable;
use super::session::Session;

/// One worker's peers at one socket.
#[derive(Default)]
pub(super) struct Peers {
    pub(super) half_open: HalfOpenTable,
    by_address: HashMap<SocketAddr, Entry>,
    /// Each address at most once: at `Entry::armed`, which may be earlier than need be, never later.
    alarms: BTreeSet<(Timestamp, SocketAddr)>,
}

/// All that goes on with one address.
#[derive(Default)]
pub(super) struct Entry {
    /// The session, whose handshake is done.
    pub(super) session: Option<Session>,
    /// A handshake, which will replace the session when it is done.
    pub(super) rising: Option<Session>,
    armed: Option<Timestamp>,
}

impl Entry {
    /// The session and the handshake, in that order.
    pub(super) fn slots(&mut self) -> [&mut Option<Session>; 2] {
        [&mut self.session, &mut self.rising]
    }
}

impl Peers {
    pub(super) fn get_mut(&mut self, address: SocketAddr) -> Option<&mut Entry> {
        self.by_address.get_mut(&address)
    }

    /// Begins a handshake; returns the one with the same address that it replaces.
    pub(super) fn rise(&mut self, address: SocketAddr, handshake: Session) -> Option<Session> {
        self.by_address.entry(address).or_default().rising.replace(handshake)
    }

    /// Sees to it that the address is looked after at `wanted`, and forgets it where nothing goes on with it.
    /// Returns whether the first alarm has become earlier.
    pub(super) fn arm(&mut self, address: SocketAddr, wanted: Option<Timestamp>) -> bool {
        let Some(entry) = self.by_address.get_mut(&address) else { return false };
        if entry.session.is_none() && entry.rising.is_none() {
            if let Some(armed) = entry.armed {
                self.alarms.remove(&(armed, address));
            }
            self.by_address.remove(&address);
            return false;
        }
        let Some(wanted) = wanted else { return false };
        // One that has moved away is looked at when the old one comes: cheaper than per message.
        if entry.armed.is_some_and(|armed| armed <= wanted) {
            return false;
        }
        if let Some(armed) = entry.armed.replace(wanted) {
            self.alarms.remove(&(armed, address));
        }
        let first = self.alarms.first().is_none_or(|&(first, _)| wanted < first);
        self.alarms.insert((wanted, address));
        first
    }

    /// Takes an address out that is to be looked after by now; it is to be armed anew.
    pub(super) fn due(&mut self, now: Timestamp) -> Option<SocketAddr> {
        let &(at, address) = self.alarms.first().filter(|&&(at, _)| at <= now)?;
        self.alarms.remove(&(at, address));
        if let Some(entry) = self.by_address.get_mut(&address) {
            entry.armed = None;
        }
        Some(address)
    }

    /// When something is to be looked after next.
    pub(super) fn next_alarm(&self) -> Option<Timestamp> {
        let first = self.alarms.first().map(|&(at, _)| at);
        [first, self.half_open.deadline()].into_iter().flatten().min()
    }

    /// Addresses whose session or handshake has to make room for another.
    pub(super) fn displaced(&self) -> Vec<SocketAddr> {
        let has_displaced =
            |entry: &Entry| [&entry.session, &entry.rising].into_iter().flatten().any(Session::is_displaced);
        self.by_address
            .iter()
            .filter(|(_, entry)| has_displaced(entry))
            .map(|(&address, _)| address)
            .collect()
    }

    /// Takes everybody out.
    pub(super) fn drain(&mut self) -> Vec<Session> {
        self.alarms.clear();
        self.half_open = HalfOpenTable::default();
        self.by_address.drain().flat_map(|(_, entry)| [entry.session, entry.rising]).flatten().collect()
    }
}
