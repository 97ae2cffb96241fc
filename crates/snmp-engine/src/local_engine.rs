//! The identity and clock of this engine.

use portreeve_smi::{ClockReading, EngineBoots, EngineId, Timestamp};

use crate::security::usm;

/// The identity and clock of this engine, copied into every worker.
#[derive(Clone, Copy, Debug)]
pub struct LocalEngine {
    /// The snmpEngineID of this engine.
    pub engine_id: EngineId,
    /// snmpEngineBoots, which was made durable before this value was created. `None` if it could
    /// not be made durable; then no message is authenticated.
    pub boots: Option<EngineBoots>,
    /// The time at which this engine was started.
    pub started: Timestamp,
    /// The maximum size of received messages, sent as msgMaxSize: 484 ..= 65 535 octets.
    pub max_message_size: usize,
}

impl LocalEngine {
    /// Returns snmpEngineTime: seconds since this boot, 0 ..= 2³¹-1.
    pub fn time(&self, now: Timestamp) -> u32 {
        u32::try_from(now.since(self.started).as_secs()).unwrap_or(u32::MAX).min(MAX_TIME)
    }

    /// Returns snmpEngineBoots and snmpEngineTime.
    ///
    /// Without durable boots the clock is latched, so that the User-based Security Model rejects
    /// every authenticated message (RFC 3414 §2.2.3).
    pub fn clock(&self, now: Timestamp) -> ClockReading {
        ClockReading { boots: self.boots.unwrap_or(EngineBoots::LATCHED), time: self.time(now) }
    }

    /// Returns the identity and the current clock of this engine for the User-based Security Model.
    pub(crate) fn as_authoritative(&self, now: Timestamp) -> usm::AuthoritativeEngine {
        usm::AuthoritativeEngine { engine_id: self.engine_id, clock: self.clock(now) }
    }
}

const MAX_TIME: u32 = 0x7fff_ffff;
