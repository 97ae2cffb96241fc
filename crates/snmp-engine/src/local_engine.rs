//! What an engine knows of itself.

use portreeve_smi::{ClockReading, EngineBoots, EngineId, Timestamp};

use crate::security::usm;

/// This engine's identity and clock. Copied into every worker.
#[derive(Clone, Copy, Debug)]
pub struct LocalEngine {
    /// snmpEngineID.
    pub engine_id: EngineId,
    /// snmpEngineBoots, durable before this value was made; `None` where it could not be stored, in which case nothing
    /// is authenticated.
    pub boots: Option<EngineBoots>,
    /// When this boot began.
    pub started: Timestamp,
    /// The longest message we take: msgMaxSize of what we send, 484 ..= 65 535 octets.
    pub max_message_size: usize,
}

impl LocalEngine {
    /// snmpEngineTime: seconds since this boot, 0 ..= 2³¹-1.
    pub fn time(&self, now: Timestamp) -> u32 {
        u32::try_from(now.since(self.started).as_secs()).unwrap_or(u32::MAX).min(MAX_TIME)
    }

    /// snmpEngineBoots and snmpEngineTime together.
    ///
    /// Without durable boots it reads as latched, which makes the User-based Security Model refuse every
    /// authenticated message (RFC 3414 §2.2.3).
    pub fn clock(&self, now: Timestamp) -> ClockReading {
        ClockReading { boots: self.boots.unwrap_or(EngineBoots::LATCHED), time: self.time(now) }
    }

    /// This engine as the User-based Security Model sees it at one moment.
    pub(crate) fn as_authoritative(&self, now: Timestamp) -> usm::AuthoritativeEngine {
        usm::AuthoritativeEngine { engine_id: self.engine_id, clock: self.clock(now) }
    }
}

const MAX_TIME: u32 = 0x7fff_ffff;
