//! The clock of an authoritative engine: boots and seconds since the last boot (RFC 3414 §2.2).

/// The number of restarts of an engine, 0 ..= 2³¹-1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EngineBoots(u32);

impl EngineBoots {
    /// The value at which the engine stops authenticating until its keys are replaced (RFC 3414
    /// §2.2.3).
    pub const LATCHED: Self = Self(0x7fff_ffff);

    /// Creates the value for `boots` restarts. Returns `None` if `boots` is above 2³¹-1.
    pub const fn new(boots: u32) -> Option<Self> {
        if boots <= Self::LATCHED.0 { Some(Self(boots)) } else { None }
    }

    /// Returns the number of restarts.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Returns the number after one more restart. A latched number stays latched.
    pub const fn next(self) -> Self {
        if self.0 < Self::LATCHED.0 { Self(self.0 + 1) } else { self }
    }

    /// Returns whether the number has reached its maximum.
    pub const fn is_latched(self) -> bool {
        self.0 == Self::LATCHED.0
    }
}

/// One reading of the clock of an authoritative engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockReading {
    /// The number of restarts of the engine.
    pub boots: EngineBoots,
    /// Seconds since the last restart, 0 ..= 2³¹-1.
    pub time: u32,
}
