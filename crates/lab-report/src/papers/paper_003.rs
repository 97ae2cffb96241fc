//! Figures of paper 003: configuration of M objects with SNMP and with NETCONF.

mod artefact;

pub use artefact::{FIRST_FRAGMENT, counting_artefact, fragments};

use super::{PaperValue, count, octets, ratio_percent, seconds};
use crate::statistics::Interval;

/// The numbers of objects M.
pub const OBJECTS: [usize; 6] = [1, 10, 100, 1000, 10_000, 100_000];

/// Section 5: length of each value in octets.
pub const VALUE_LENGTH: usize = 255;

/// Section 5: maximum number of objects in one SET.
pub const OBJECTS_PER_SET: usize = 36;

/// Section 5.1: each experiment was run this often, except that for transactions.
pub const REPETITIONS: usize = 20;

/// Section 5.1: runs of the experiment for transactions.
pub const TRANSACTION_REPETITIONS: usize = 5;

/// Mean and standard deviation of one measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: PaperValue,
    /// The standard deviation of the sample.
    pub deviation: PaperValue,
}

/// A row of Tables 1, 2, 3 and 5: both protocols for one M.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stair {
    /// Number of objects M.
    pub objects: usize,
    /// SNMP with SET.
    pub snmp: Mean,
    /// NETCONF with `edit-config`.
    pub netconf: Mean,
}

/// Table 1: number of Ethernet frames.
pub const TABLE_1: [Stair; 6] = [
    frames(1, (2.0, 0), (48.0, 0), (0.0, 0), (0.0, 0)),
    frames(10, (2.0, 0), (50.0, 0), (0.0, 0), (0.0, 0)),
    frames(100, (6.0, 0), (65.0, 0), (0.0, 0), (0.0, 0)),
    frames(1000, (56.0, 0), (138.2, 1), (0.0, 0), (2.852, 3)),
    frames(10_000, (557.8, 1), (740.3, 1), (0.616, 3), (23.295, 3)),
    frames(100_000, (5558.0, 0), (7622.4, 1), (0.0, 0), (82.289, 3)),
];

/// Table 2: number of bytes, with the headers of TCP and UDP.
pub const TABLE_2: [Stair; 6] = [
    bytes(1, (642.0, 0), (7931.0, 0), (0.0, 0), (0.0, 0)),
    bytes(10, (2960.0, 0), (10_475.0, 0), (0.0, 0), (0.0, 0)),
    bytes(100, (8800.0, 0), (36_539.0, 0), (0.0, 0), (0.0, 0)),
    bytes(1000, (82_880.0, 0), (295_891.4, 1), (0.0, 0), (96.716, 3)),
    bytes(10_000, (825_544.0, 0), (2_885_174.4, 1), (911.069, 3), (1580.762, 3)),
    bytes(100_000, (8_225_840.0, 0), (28_820_676.5, 1), (0.0, 0), (3840.356, 3)),
];

/// Table 3: operation time.
pub const TABLE_3: [Stair; 6] = [
    times(1, 0.008_65, 0.195_55, (0.0, 0), 0.036),
    times(10, 0.016_75, 0.195_05, (0.002, 3), 0.033),
    times(100, 0.110_45, 0.2352, (0.003, 3), 0.026),
    times(1000, 1.1728, 0.835_65, (0.254, 3), 0.040),
    times(10_000, 11.2705, 7.1669, (0.469, 3), 0.241),
    times(100_000, 129.0559, 93.909, (12.735, 3), 11.007),
];

/// A row of Table 4: half of the width of the 99 % intervals of the operation time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfWidths {
    /// Number of objects M.
    pub objects: usize,
    /// SNMP with SET.
    pub snmp: PaperValue,
    /// NETCONF with `edit-config`.
    pub netconf: PaperValue,
}

/// Table 4: 99 % intervals of the operation time around the means of Table 3.
pub const TABLE_4: [HalfWidths; 6] = [
    widths(1, 0.000_313_1, 0.023_199_2),
    widths(10, 0.001_494_9, 0.021_175_1),
    widths(100, 0.001_653_6, 0.016_779_3),
    widths(1000, 0.162_725_3, 0.025_772_1),
    widths(10_000, 0.300_063_6, 0.154_387_9),
    widths(100_000, 8.146_748_6, 7.041_533_1),
];

/// Table 5: number of transactions.
pub const TABLE_5: [Stair; 6] = [
    transactions(1, 1.0),
    transactions(10, 1.0),
    transactions(100, 3.0),
    transactions(1000, 28.0),
    transactions(10_000, 279.0),
    transactions(100_000, 2779.0),
];

/// Section 5.1: M above which NETCONF is faster.
pub const FASTER_FROM: PaperValue = count(500.0, 0).approximate();

/// Returns Q1, the ratio of SNMP to NETCONF for M = 1, and Q2, that for M = 100 000, of a table.
///
/// The paper prints them in its plots. They are computed here from the means of the tables.
pub fn quotients(table: &[Stair; 6]) -> [PaperValue; 2] {
    let [first, .., last] = table;
    [first, last]
        .map(|row| ratio_percent(100.0 * row.snmp.mean.value() / row.netconf.mean.value(), 1).computed())
}

impl HalfWidths {
    /// Returns the intervals of SNMP and of NETCONF around the means of a row of Table 3.
    pub fn intervals(&self, means: &Stair) -> [Interval; 2] {
        [(means.snmp, self.snmp), (means.netconf, self.netconf)].map(|(mean, half)| {
            let (mean, half) = (mean.mean.value(), half.value());
            Interval { low: mean - half, high: mean + half }
        })
    }
}

/// A number with the decimals that it was printed with.
type Printed = (f64, usize);

const fn frames(
    objects: usize,
    snmp: Printed,
    netconf: Printed,
    sd_snmp: Printed,
    sd_netconf: Printed,
) -> Stair {
    Stair {
        objects,
        snmp: Mean { mean: count(snmp.0, snmp.1), deviation: count(sd_snmp.0, sd_snmp.1) },
        netconf: Mean { mean: count(netconf.0, netconf.1), deviation: count(sd_netconf.0, sd_netconf.1) },
    }
}

const fn bytes(
    objects: usize,
    snmp: Printed,
    netconf: Printed,
    sd_snmp: Printed,
    sd_netconf: Printed,
) -> Stair {
    Stair {
        objects,
        snmp: Mean { mean: octets(snmp.0, snmp.1), deviation: octets(sd_snmp.0, sd_snmp.1) },
        netconf: Mean { mean: octets(netconf.0, netconf.1), deviation: octets(sd_netconf.0, sd_netconf.1) },
    }
}

const fn times(objects: usize, snmp: f64, netconf: f64, sd_snmp: Printed, sd_netconf: f64) -> Stair {
    Stair {
        objects,
        snmp: Mean { mean: seconds(snmp, 5), deviation: seconds(sd_snmp.0, sd_snmp.1) },
        netconf: Mean { mean: seconds(netconf, 5), deviation: seconds(sd_netconf, 3) },
    }
}

const fn widths(objects: usize, snmp: f64, netconf: f64) -> HalfWidths {
    HalfWidths { objects, snmp: seconds(snmp, 7), netconf: seconds(netconf, 7) }
}

const fn transactions(objects: usize, snmp: f64) -> Stair {
    Stair {
        objects,
        snmp: Mean { mean: count(snmp, 0), deviation: count(0.0, 0) },
        netconf: Mean { mean: count(1.0, 0), deviation: count(0.0, 0) },
    }
}

#[cfg(test)]
mod tests;
