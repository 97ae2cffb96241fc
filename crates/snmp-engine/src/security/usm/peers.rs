//! The clocks of other authoritative engines (RFC 3414 §2.3).

use portreeve_smi::{ClockReading, EngineBoots, Timestamp};

/// Storage for the clocks of other engines. An agent that only responds to requests uses
/// [`NoPeers`].
pub trait PeerClocks {
    /// Returns the clock of the engine `engine_id`, 5 to 32 octets.
    ///
    /// For an unknown engine, `Some` with a default clock means that its messages are accepted (RFC
    /// 3414 §3.2 step 3a), and `None` means that its messages are rejected (step 3b).
    /// Implementations must not store anything here, because the message is not yet authenticated.
    fn get(&self, engine_id: &[u8]) -> Option<PeerClock>;

    /// Stores the clock from an authenticated message.
    fn set(&mut self, engine_id: &[u8], clock: PeerClock);
}

/// A storage without clocks: rejects messages of other engines and stores no clocks.
pub struct NoPeers;

impl PeerClocks for NoPeers {
    fn get(&self, _: &[u8]) -> Option<PeerClock> {
        None
    }

    fn set(&mut self, _: &[u8], _: PeerClock) {}
}

/// The estimated clock of another authoritative engine. A default value contains no reading.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct PeerClock {
    latest: Option<ReceivedReading>,
}

impl PeerClock {
    /// Creates a clock that showed `reading` at the time `now`. The source of the reading must be
    /// trusted.
    pub fn from_reading(reading: ClockReading, now: Timestamp) -> Self {
        Self { latest: Some(ReceivedReading { boots: reading.boots, time: reading.time, at: now }) }
    }

    /// Returns whether an authenticated message has set the clock. Until then, authenticated
    /// requests contain zeros for boots and time, and the notInTimeWindows Report of the peer sets
    /// the clock (RFC 3414 §4).
    pub fn is_synchronized(&self) -> bool {
        self.latest.is_some()
    }

    /// Returns the estimated reading of the peer's clock at `now`, or zeros if no reading was
    /// received.
    pub fn reading(&self, now: Timestamp) -> ClockReading {
        self.latest.map_or_else(ClockReading::default, |latest| latest.reading(now))
    }

    /// Returns the highest snmpEngineTime received since the peer's last restart, in seconds.
    pub(super) fn latest_received_time(&self) -> u32 {
        self.latest.map_or(0, |latest| latest.time)
    }

    pub(super) fn synchronize(&mut self, reading: ClockReading, now: Timestamp) {
        *self = Self::from_reading(reading, now);
    }
}

/// The newest reading that the peer sent. The field `time` represents both snmpEngineTime and
/// latestReceivedEngineTime, because RFC 3414 always updates the two together and to the same
/// value. The clock advances from the time of receipt.
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

/// The maximum value of snmpEngineTime.
const MAX_TIME: u32 = 0x7fff_ffff;

#[cfg(test)]
mod tests {
    use super::{NoPeers, PeerClocks};

    #[test]
    fn storage_without_clocks_knows_no_engine() {
        assert_eq!(NoPeers.get(b"\x80\0\0\0\x04peer"), None);
    }
}
