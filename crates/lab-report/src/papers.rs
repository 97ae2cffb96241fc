//! The published figures that the lab reproduces, as data.
//!
//! Each paper is one file. Figures are in the paper's own units and with its own decimals, so that
//! a report can show them as they were printed.
//!
//! | number | paper |
//! |---|---|
//! | 000 | Performance Analysis of SNMP over SSH, 2006 |
//! | 001 | the talk of the same authors at the 67th IETF, 2006 |
//! | 002 | SNMP over TLS and TCP, 2001 |
//! | 003 | Protocol Efficiencies of NETCONF versus SNMP for Configuration Management Functions, 2011 |

pub mod paper_000;
pub mod paper_001;
pub mod paper_002;
pub mod paper_003;
mod value;

pub use value::{PaperUnit, PaperValue};
pub(crate) use value::{count, kilobytes, ms, octets, ratio_percent, seconds, share_percent};

/// A machine of a paper's experiments.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Machine {
    /// The name.
    pub name: &'static str,
    /// The processors.
    pub cpus: &'static str,
    /// The memory.
    pub memory: &'static str,
    /// The network.
    pub network: &'static str,
    /// The system.
    pub system: &'static str,
}

#[cfg(test)]
fn assert_near(found: f64, expected: PaperValue, tolerance: f64) {
    let difference = (found - expected.value()).abs();
    assert!(difference <= tolerance, "{found}, but the paper printed {}", expected.text());
}
