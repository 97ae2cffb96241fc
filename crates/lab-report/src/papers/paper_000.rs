//! Figures of paper 000: SNMP over SSH, in comparison with USM and v2c.

use super::{Machine, PaperValue, count, kilobytes, ms, octets, seconds};

/// Table 1: the machines.
pub const TABLE_1: [Machine; 3] = [
    machine("meat", "2 Xeon 3 GHz", "2 GB", "1 Gbps", "2.6.16.14"),
    machine("veggie", "2 Xeon 3 GHz", "1 GB", "1 Gbps", "2.6.12.6"),
    machine("turtle", "1 Ultra Sparc IIi", "128 MB", "100 Mbps", "2.6.16.14"),
];

/// A row of Table 2: one `snmpget` of sysDescr.0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneShot {
    /// Protocol and transport.
    pub protocol: &'static str,
    /// Time with the agent on the fast machine.
    pub fast: PaperValue,
    /// Time with the agent on the slow machine.
    pub slow: Option<PaperValue>,
    /// Total size of the Ethernet frames.
    pub data: PaperValue,
    /// Number of IP packets.
    pub packets: PaperValue,
}

/// Table 2: one `snmpget` of sysDescr.0.
pub const TABLE_2: [OneShot; 5] = [
    one_shot("SNMPv2c/UDP", 1.03, 0.70, 232.0, 2.0),
    one_shot("SNMPv2c/TCP", 1.13, 1.00, 824.0, 10.0),
    one_shot("SNMPv3/USM/UDP", 1.97, 2.28, 668.0, 4.0),
    one_shot("SNMPv3/USM/TCP", 2.03, 3.03, 1312.0, 12.0),
    one_shot("SNMPv2c/SSH", 16.17, 91.62, 4388.0, 32.0),
];

/// Section 5.1: each experiment was repeated this often.
pub const REPETITIONS: usize = 100;

/// Section 5.1 and 5.2: USM used HMAC-MD5 and AES-128.
pub const USM_ALGORITHMS: [&str; 2] = ["MD5", "AES-128"];

/// Section 4.1: `snmpget` over SSH with Nagle's algorithm.
pub const NAGLE: PaperValue = ms(800.0, 0).approximate();

/// Section 4.1: the same, with `TCP_NODELAY` at both ends.
pub const NODELAY: PaperValue = ms(56.5, 1);

/// Section 4.1: the same, with `TCP_NODELAY` before the first message of SSH.
pub const NODELAY_BEFORE_SSH: PaperValue = ms(16.17, 2);

/// Section 4.2: window adjustments for each message, before they were sent only when needed.
pub const WINDOW_ADJUSTMENTS: PaperValue = count(1.0, 0);

/// Section 5.3: exchanges above which SSH is faster than USM.
pub const BREAK_EVEN: PaperValue = count(500.0, 0).approximate();

/// Section 5.4: the losses of Figure 4, as shares.
pub const LOSSES: [f64; 2] = [0.001, 0.005];

/// Section 5.4: the timeout of Net-SNMP before a retransmission.
pub const TIMEOUT: PaperValue = seconds(1.0, 0);

/// Section 5.4: the number of retransmissions of Net-SNMP.
pub const RETRIES: PaperValue = count(5.0, 0);

/// Section 5.4: under loss, all transports on TCP are faster than all on UDP.
pub const TCP_IS_FASTER_UNDER_LOSS: bool = true;

/// Section 5.5: octets that USM adds to each packet of v2c.
pub const USM_OVERHEAD: PaperValue = octets(90.0, 0).approximate();

/// Section 5.5: octets that SSH adds to each packet of v2c over TCP.
pub const SSH_OVERHEAD: PaperValue = octets(40.0, 0).approximate();

/// A row of Table 3: packets of a walk of ifTable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PacketSizes {
    /// Protocol and transport.
    pub protocol: &'static str,
    /// The range of most packets' sizes in octets.
    pub range: (u32, u32),
    /// Number of packets in that range.
    pub packets: PaperValue,
    /// Number of all packets.
    pub total: PaperValue,
}

/// Table 3: packets of a walk with [`WALK_OPERATIONS`] operations.
pub const TABLE_3: [PacketSizes; 5] = [
    sizes("SNMPv2c/UDP", (80, 100), 4710.0, 4710.0),
    sizes("SNMPv2c/TCP", (110, 130), 4709.0, 4712.0),
    sizes("SNMPv3/USM/UDP", (170, 190), 4710.0, 4712.0),
    sizes("SNMPv3/USM/TCP", (200, 220), 4709.0, 4714.0),
    sizes("SNMPv2c/SSH", (150, 170), 4711.0, 4742.0),
];

/// Table 3: GETNEXT operations of the walk.
pub const WALK_OPERATIONS: PaperValue = count(2354.0, 0);

/// Section 5.6, Figure 6: virtual memory of the agent without sessions.
pub const BASE_MEMORY: PaperValue = kilobytes(9312.0);

/// Section 5.6, Figure 6: virtual memory of each open session that has not been used.
pub const SESSION_MEMORY: PaperValue = kilobytes(7.0).approximate();

/// Section 5.6, Figure 6: memory grows linearly with the number of sessions.
pub const MEMORY_EXPONENT: f64 = 1.0;

const fn machine(
    name: &'static str,
    cpus: &'static str,
    memory: &'static str,
    network: &'static str,
    system: &'static str,
) -> Machine {
    Machine { name, cpus, memory, network, system }
}

const fn one_shot(protocol: &'static str, fast: f64, slow: f64, data: f64, packets: f64) -> OneShot {
    let slow = Some(ms(slow, 2));
    OneShot { protocol, fast: ms(fast, 2), slow, data: octets(data, 0), packets: count(packets, 0) }
}

const fn sizes(protocol: &'static str, range: (u32, u32), packets: f64, total: f64) -> PacketSizes {
    PacketSizes { protocol, range, packets: count(packets, 0), total: count(total, 0) }
}

#[cfg(test)]
mod tests;
