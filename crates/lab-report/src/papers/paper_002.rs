//! Figures of paper 002: SNMP over TLS and TCP, with one agent and one manager on Sun workstations.

mod sessions;
mod usm;

pub use sessions::{
    FIRST_MESSAGE, LATER_MESSAGE, MessageTimes, Phases, SessionTimes, TABLE_2, TABLE_3, TABLE_4, TABLE_5,
    Traffic,
};
pub use usm::{Comparison, Levels, Ratios, SNMPGET, SNMPWALK};

use super::{Machine, PaperValue, ms, share_percent};

/// The machines.
pub const MACHINES: [Machine; 2] = [
    Machine {
        name: "management station",
        cpus: "Sun Sparc 10",
        memory: "128 MB",
        network: "10 Mbps",
        system: "Solaris 2.6",
    },
    Machine {
        name: "agent",
        cpus: "Sun Sparc 5",
        memory: "128 MB",
        network: "10 Mbps",
        system: "Solaris 2.6",
    },
];

/// Section 4.1: each experiment was run this often.
pub const REPETITIONS: usize = 10;

/// Section 4.1: messages of the walk.
pub const WALK_MESSAGES: usize = 34;

/// Section 4.1: length of the RSA key in bits.
pub const RSA_KEY_BITS: usize = 512;

/// Section 4.1 and 4.4: MAC and cipher of TLS and of USM.
pub const ALGORITHMS: [&str; 2] = ["MD5", "DES"];

/// A row of Table 1: session times by the protection of TLS.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Protection {
    /// The operation.
    pub operation: &'static str,
    /// No protection.
    pub none: PaperValue,
    /// Integrity.
    pub integrity: PaperValue,
    /// Integrity less none, as printed.
    pub integrity_cost: PaperValue,
    /// Privacy, with compression.
    pub privacy: PaperValue,
    /// Privacy less none, as printed.
    pub privacy_cost: PaperValue,
    /// Integrity and privacy, with compression.
    pub both: PaperValue,
    /// Both less integrity, as printed.
    pub added_privacy_cost: PaperValue,
    /// Both less none, as printed.
    pub both_cost: PaperValue,
}

/// Table 1: session times by the protection of TLS.
///
/// In the third row, the values for privacy are not those of the second row divided by 34: these
/// would be 34.9 ms and 4.2 ms.
pub const TABLE_1: [Protection; 3] = [
    protection("snmpget", [774.0, 805.0, 31.0, 823.0, 49.0, 840.0, 35.0, 66.0], [0; 8]),
    protection("snmpwalk", [1044.0, 1120.0, 76.0, 1186.0, 142.0, 1273.0, 153.0, 229.0], [0; 8]),
    protection(
        "snmpwalk, each message",
        [31.0, 33.0, 2.2, 33.0, 2.1, 37.0, 4.4, 6.7],
        [0, 0, 1, 0, 1, 0, 1, 1],
    ),
];

/// Section 4.1: shares of the session time of `snmpget` for integrity, privacy, and both.
///
/// The text calls them shares of the time with both. They are ratios to the time without
/// protection.
pub const SNMPGET_SHARES: [PaperValue; 3] =
    [share_percent(4.01, 2), share_percent(4.52, 2), share_percent(8.53, 2)];

/// Section 4.1: the same for `snmpwalk`.
pub const SNMPWALK_SHARES: [PaperValue; 3] =
    [share_percent(7.28, 2), share_percent(14.66, 2), share_percent(21.94, 2)];

/// Section 1: the set-up of TLS and TCP adds this share for each message of a long session.
pub const LONG_SESSION_SETUP: PaperValue = share_percent(20.0, 0).approximate();

/// Section 1: share of security in the time of short sessions.
pub const SHORT_SESSION_SECURITY: PaperValue = share_percent(5.0, 0).approximate();

/// Section 1: share of security in the time of sessions with more than 1000 messages.
pub const LONG_SESSION_SECURITY: PaperValue = share_percent(30.0, 0).approximate();

/// Section 4.2.1: set-up of TLS, S in equation (1).
pub const SETUP: PaperValue = ms(300.0, 0).approximate();

/// Section 4.2.1: messages of a session above which the ratio of TLS to UDP hardly changes.
pub const LEVELS_OFF_AT: usize = 500;

const fn protection(operation: &'static str, values: [f64; 8], decimals: [usize; 8]) -> Protection {
    let [a, b, c, d, e, f, g, h] = values;
    let [da, db, dc, dd, de, df, dg, dh] = decimals;
    Protection {
        operation,
        none: ms(a, da),
        integrity: ms(b, db),
        integrity_cost: ms(c, dc),
        privacy: ms(d, dd),
        privacy_cost: ms(e, de),
        both: ms(f, df),
        added_privacy_cost: ms(g, dg),
        both_cost: ms(h, dh),
    }
}

#[cfg(test)]
mod tests;
