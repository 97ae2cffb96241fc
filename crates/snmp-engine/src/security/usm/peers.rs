//! What is known of other authoritative engines' clocks (RFC 3414 §2.3).

use portreeve_smi::{ClockReading, EngineBoots, Timestamp};

/// Where the clocks of other engines are kept. An agent that only answers has [`NoPeers`].
pub trait PeerClocks {
    /// The clock held of `engine_id`, 5 to 32 octets.
    ///
    /// `Some` of a fresh clock says that messages of this yet unknown engine are welcome (RFC 3414 §3.2 step 3a),
    /// `None` that they are not (step 3b). Nothing may be stored here: the message is not yet authenticated.
    fn get(&self, engine_id: &[u8]) -> Option<PeerClock>;

    /// Keeps what an authenticated message has told.
    fn set(&mut self, engine_id: &[u8], clock: PeerClock);
}

/// Knows no other engine and learns of none.
pub struct NoPeers;

impl PeerClocks for NoPeers {
    fn get(&self, _: &[u8]) -> Option<PeerClock> {
        None
    }

    fn set(&mut self, _: &[u8], _: PeerClock) {}
}

/// Our notion of another authoritative engine's clock; fresh, it holds nothing.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct PeerClock {
    latest: Option<ReceivedReading>,
}

impl PeerClock {
    /// A clock that somebody else vouches for: it read `reading` at `now`.
    pub fn from_reading(reading: ClockReading, now: Timestamp) -> Self {
        Self { latest: Some(ReceivedReading { boots: reading.boots, time: reading.time, at: now }) }
    }

    /// Whether an authenticated message has set it. Until then, authenticated requests carry zeros, and the peer's
    /// notInTimeWindows Report sets it (RFC 3414 §4).
    pub fn is_synchronized(&self) -> bool {
        self.latest.is_some()
    }

    /// What the peer's clock reads `now`, as far as we know; zeros if we do not.
    pub fn reading(&self, now: Timestamp) -> ClockReading {
        self.latest.map_or_else(ClockReading::default, |latest| latest.reading(now))
    }

    /// The highest snmpEngineTime received since the peer's last restart, in seconds.
    pub(super) fn latest_received_time(&self) -> u32 {
        self.latest.map_or(0, |latest| latest.time)
    }

    pub(super) fn synchronize(&mut self, reading: ClockReading, now: Timestamp) {
        *self = Self::from_reading(reading, now);
    }
}

/// The newest reading that the peer sent. Time and latestReceivedEngineTime of RFC 3414 are always set together, to
/// the same value; so they are one field here, and time goes on from when it was latest.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct ReceivedReading {
    boots: EngineBoots,
    time: u32,
    at: Timestamp,
}

impl ReceivedReading {
    fn reading(self, now: Timestamp) -> ClockReading {
        let passed = u32::try_from(now.since(self.at).as_secs()).unwrap_or(u32::MAX);
        ClockReading { boots: self.boots, time: self.time.saturating_add(passed).min(MAX_TIME) }
    }
}

/// The highest snmpEngineTime.
const MAX_TIME: u32 = 0x7fff_ffff;
