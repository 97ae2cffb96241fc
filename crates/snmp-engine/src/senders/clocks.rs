//! The table of the clocks of sending engines.

use std::{collections::HashMap, net::IpAddr};

use portreeve_smi::{ClockReading, EngineId, Timestamp};

use crate::security::usm::{PeerClock, PeerClocks};

/// The clocks of sending engines. Only authentic messages change them.
pub(crate) struct SenderClocks {
    by_engine: HashMap<EngineId, SenderEngine>,
    max_engines: usize,
    is_nearly_full_reported: bool,
    is_full_reported: bool,
}

#[derive(Default)]
struct SenderEngine {
    clock: PeerClock,
    /// True until a message sets the clock after it was restored.
    is_restored: bool,
    /// The source of the first authentic message.
    address: Option<IpAddr>,
    is_shared: bool,
}

impl SenderClocks {
    pub(super) fn new(max_engines: usize) -> Self {
        Self {
            by_engine: HashMap::new(),
            max_engines,
            is_nearly_full_reported: false,
            is_full_reported: false,
        }
    }

    pub(super) fn count(&self) -> usize {
        self.by_engine.len()
    }

    /// Returns the reading of a clock that a message has set.
    pub(super) fn learned(&self, engine_id: &EngineId, now: Timestamp) -> Option<ClockReading> {
        let engine = self.by_engine.get(engine_id)?;
        (engine.clock.is_synchronized() && !engine.is_restored).then(|| engine.clock.reading(now))
    }

    /// Sets a clock to a stored reading, if there is room for it.
    pub(super) fn restore(&mut self, engine_id: EngineId, reading: ClockReading, now: Timestamp) {
        if !self.is_full() {
            let engine = self.by_engine.entry(engine_id).or_default();
            (engine.clock, engine.is_restored) = (PeerClock::from_reading(reading, now), true);
        }
    }

    /// Records the source of an authentic message. Returns the first source of this engine ID when
    /// a second one is recorded.
    pub(super) fn record_address(&mut self, engine_id: EngineId, address: IpAddr) -> Option<IpAddr> {
        let engine = self.by_engine.get_mut(&engine_id)?;
        let first = *engine.address.get_or_insert(address);
        let is_new = first != address && !engine.is_shared;
        engine.is_shared |= is_new;
        is_new.then_some(first)
    }

    /// Returns true once, when the table is nearly full.
    pub(super) fn is_nearly_full_for_the_first_time(&mut self) -> bool {
        let is_nearly_full = self.count() >= self.max_engines - self.max_engines / 5;
        is_nearly_full && !std::mem::replace(&mut self.is_nearly_full_reported, true)
    }

    /// Returns true once, when the table is full.
    pub(super) fn is_full_for_the_first_time(&mut self) -> bool {
        self.is_full() && !std::mem::replace(&mut self.is_full_reported, true)
    }

    fn is_full(&self) -> bool {
        self.count() >= self.max_engines
    }
}

impl PeerClocks for SenderClocks {
    //= rfc3414#3.2-3a
    fn get(&self, engine_id: &[u8]) -> Option<PeerClock> {
        let engine_id = EngineId::from_wire(engine_id).ok()?;
        match self.by_engine.get(&engine_id) {
            Some(engine) => Some(engine.clock),
            None => (!self.is_full()).then(PeerClock::default),
        }
    }

    fn set(&mut self, engine_id: &[u8], clock: PeerClock) {
        if let Ok(engine_id) = EngineId::from_wire(engine_id) {
            let engine = self.by_engine.entry(engine_id).or_default();
            (engine.clock, engine.is_restored) = (clock, false);
        }
    }
}
