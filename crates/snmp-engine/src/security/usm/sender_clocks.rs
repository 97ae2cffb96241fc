//! The clocks of the senders of traps.

use std::collections::HashMap;

use portreeve_smi::EngineId;

use super::peers::{PeerClock, PeerClocks};

/// The clocks of the senders of traps, learned from authentic traps. Their number is limited.
///
/// A clock is never removed: otherwise, recorded traps of its engine would be accepted again. If
/// the limit is reached, traps of further engines are rejected as those of unknown engines. Only
/// senders with valid keys take up room.
#[derive(Debug)]
pub(crate) struct SenderClocks {
    clocks: HashMap<EngineId, PeerClock>,
    capacity: usize,
}

impl SenderClocks {
    /// Creates a storage for at most `capacity` engines.
    pub(crate) fn new(capacity: usize) -> Self {
        Self { clocks: HashMap::new(), capacity }
    }

    /// Returns the number of engines.
    pub(crate) fn len(&self) -> usize {
        self.clocks.len()
    }

    fn has_room(&self) -> bool {
        self.clocks.len() < self.capacity
    }
}

impl PeerClocks for SenderClocks {
    fn get(&self, engine_id: &[u8]) -> Option<PeerClock> {
        let engine_id = EngineId::from_wire(engine_id).ok()?;
        let known = self.clocks.get(&engine_id).copied();
        known.or_else(|| self.has_room().then(PeerClock::default))
    }

    fn set(&mut self, engine_id: &[u8], clock: PeerClock) {
        let Ok(engine_id) = EngineId::from_wire(engine_id) else { return };
        if self.has_room() || self.clocks.contains_key(&engine_id) {
            self.clocks.insert(engine_id, clock);
        }
    }
}
