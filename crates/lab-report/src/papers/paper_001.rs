//! Figures of paper 001, the talk: those of paper 000, and TLS.

use super::paper_000::{self, OneShot};
use super::{Machine, PaperValue, count, ms, octets};

/// The machines. Two differ from Table 1 of paper 000 in their kernels, and one in its network.
pub const MACHINES: [Machine; 3] = [
    Machine { name: "meat", cpus: "2 Xeon 3 GHz", memory: "2 GB", network: "1 Gbps", system: "2.6.15.1" },
    Machine {
        name: "veggie",
        cpus: "2 Xeon 3 GHz",
        memory: "1 GB",
        network: "1 Gbps",
        system: "2.6.12.6 XEN",
    },
    Machine {
        name: "turtle",
        cpus: "Ultra Sparc IIi",
        memory: "128 MB",
        network: "10 Mbps",
        system: "2.6.13",
    },
];

/// The row that the table of the talk adds to Table 2 of paper 000.
pub const TLS: OneShot = OneShot {
    protocol: "SNMPv2c/TLS",
    fast: ms(18.0, 2),
    slow: None,
    data: octets(4109.0, 0),
    packets: count(16.0, 0),
};

/// The table of the talk.
pub const ONE_SHOT: [OneShot; 6] = {
    let [udp, tcp, usm_udp, usm_tcp, ssh] = paper_000::TABLE_2;
    [udp, tcp, usm_udp, usm_tcp, ssh, TLS]
};

/// `snmpget` over SSH with Nagle's algorithm.
pub const NAGLE: PaperValue = ms(800.0, 0);

/// The same, without Nagle's algorithm from the beginning of the connection.
pub const NODELAY: PaperValue = ms(16.0, 0);

/// Round trips of USM for the discovery of the engine and its clock.
pub const DISCOVERY_ROUND_TRIPS: PaperValue = count(1.0, 0);

/// The participant that closes the TCP connection of TLS first.
pub const FIRST_TO_CLOSE_TLS: &str = "agent";

/// The slope of the latency does not change on the slower machine.
pub const SLOPE_DEPENDS_ON_MACHINE: bool = false;

#[cfg(test)]
mod tests;
