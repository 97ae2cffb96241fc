//! An authoritative engine's clock: boots and seconds since the last boot (RFC 3414 §2.2).

/// How often an engine has restarted, 0 ..= 2³¹-1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EngineBoots(u32);

impl EngineBoots {
    /// The value at which the engine stops authenticating until it gets new keys (RFC 3414 §2.2.3).
    pub const LATCHED: Self = Self(0x7fff_ffff);

    /// Takes a count, `None` above 2³¹-1.
    pub const fn new(boots: u32) -> Option<Self> {
        if boots <= Self::LATCHED.0 { Some(Self(boots)) } else { None }
    }

    /// The count.
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The count after one more restart; latched stays latched.
    pub const fn next(self) -> Self {
        if self.0 < Self::LATCHED.0 { Self(self.0 + 1) } else { self }
    }

    /// Whether the count can rise no more.
    pub const fn is_latched(self) -> bool {
        self.0 == Self::LATCHED.0
    }
}

/// One reading of an authoritative engine's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockReading {
    /// How often the engine has restarted.
    pub boots: EngineBoots,
    /// Seconds since the last restart, 0 ..= 2³¹-1.
    pub time: u32,
}
