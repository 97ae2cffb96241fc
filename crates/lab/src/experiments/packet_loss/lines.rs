//! The lines of the charts: a program, a protocol stack and a retransmission.

use portreeve_lab_report::document::By;
use portreeve_lab_report::sample::Variant;

use crate::client::{Carrier, Message, ProtocolStack, Retransmission};
use crate::harness::{Effort, Peer};

/// A line of the charts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) program: Program,
    pub(super) stack: ProtocolStack,
    pub(super) timeout: Timeout,
    /// Lines that differ from others only in the program are walked without delay.
    is_delayed: bool,
}

/// The programs at both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Program {
    Portreeve,
    NetSnmp,
}

/// The timeout after which a message is sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timeout {
    /// That of Net-SNMP: one second, at most five times.
    Fixed,
    /// Ours, from measured round trips.
    Measured,
    /// That of TCP, below SNMP.
    Tcp,
}

impl Line {
    const fn new(program: Program, stack: ProtocolStack, timeout: Timeout) -> Self {
        Self { program, stack, timeout, is_delayed: true }
    }

    const fn without_delay(self) -> Self {
        Self { is_delayed: false, ..self }
    }

    /// Returns true if the line has walks with a delay in milliseconds.
    pub(super) fn is_walked_at(self, delay: u64) -> bool {
        self.is_delayed || delay == 0
    }

    /// Returns the part of variants that belongs to the line.
    pub(super) fn variant(self) -> Variant {
        let (agent, client) = match self.program {
            Program::Portreeve => ("portreeved", "library"),
            Program::NetSnmp => (Peer::NetSnmp.name(), Peer::NetSnmp.name()),
        };
        let timeout = match self.timeout {
            Timeout::Fixed => "fixed",
            Timeout::Measured => "measured",
            Timeout::Tcp => "tcp",
        };
        Variant::of([("agent", agent), ("client", client), ("timeout", timeout)])
            .and("stack", self.stack.id())
    }

    /// Returns the name in charts and tables.
    pub(super) fn label(self) -> String {
        let stack = self.stack.label();
        match self.timeout {
            Timeout::Fixed => format!("{stack}, fixed timeout"),
            Timeout::Measured => format!("{stack}, measured timeout"),
            Timeout::Tcp => stack,
        }
    }

    /// Returns the source for charts.
    pub(super) fn by(self) -> By {
        match self.program {
            Program::Portreeve => By::Ours,
            Program::NetSnmp => By::Peer("Net-SNMP"),
        }
    }

    /// Returns the retransmission of our client.
    pub(super) fn retransmission(self) -> Retransmission {
        match self.timeout {
            Timeout::Fixed => Retransmission::Fixed,
            Timeout::Measured | Timeout::Tcp => Retransmission::Adaptive,
        }
    }
}

/// Returns the lines to measure.
pub(super) fn all(effort: Effort) -> Vec<Line> {
    match effort {
        Effort::Full => LINES.into(),
        Effort::Quick => QUICK_LINES.into(),
    }
}

const USM: Message = Message::USM_MD5_AES128;
const USM_UDP: ProtocolStack = ProtocolStack::new(USM, Carrier::Udp);
const USM_TCP: ProtocolStack = ProtocolStack::new(USM, Carrier::Tcp);
const UDP: ProtocolStack = ProtocolStack::v2c(Carrier::Udp);

/// v2c over UDP with Net-SNMP's timeout, and with ours.
pub(super) const FIXED_UDP: Line = Line::new(Program::Portreeve, UDP, Timeout::Fixed);
pub(super) const MEASURED_UDP: Line = Line::new(Program::Portreeve, UDP, Timeout::Measured);
/// v2c over TCP.
pub(super) const TCP: Line = Line::new(Program::Portreeve, ProtocolStack::v2c(Carrier::Tcp), Timeout::Tcp);
const SSH: Line = Line::new(Program::Portreeve, ProtocolStack::v2c(Carrier::Ssh), Timeout::Tcp);
const FIXED_USM_UDP: Line = Line::new(Program::Portreeve, USM_UDP, Timeout::Fixed);
const USM_OVER_TCP: Line = Line::new(Program::Portreeve, USM_TCP, Timeout::Tcp);
const DTLS: Line = Line::new(Program::Portreeve, ProtocolStack::tsm(Carrier::Dtls13), Timeout::Measured);
const NET_SNMP_UDP: Line = Line::new(Program::NetSnmp, UDP, Timeout::Fixed);

/// All lines, in the order of tables.
pub(super) const LINES: [Line; 14] = [
    FIXED_UDP,
    MEASURED_UDP,
    FIXED_USM_UDP,
    Line::new(Program::Portreeve, USM_UDP, Timeout::Measured),
    TCP,
    USM_OVER_TCP,
    SSH,
    Line::new(Program::Portreeve, ProtocolStack::tsm(Carrier::Tls12), Timeout::Tcp),
    Line::new(Program::Portreeve, ProtocolStack::tsm(Carrier::Tls), Timeout::Tcp),
    Line::new(Program::Portreeve, ProtocolStack::tsm(Carrier::Dtls12), Timeout::Measured),
    DTLS,
    NET_SNMP_UDP,
    Line::new(Program::NetSnmp, USM_UDP, Timeout::Fixed).without_delay(),
    Line::new(Program::NetSnmp, ProtocolStack::v2c(Carrier::Tcp), Timeout::Tcp).without_delay(),
];

const QUICK_LINES: [Line; 5] = [FIXED_UDP, MEASURED_UDP, TCP, DTLS, NET_SNMP_UDP];

/// The lines of the paper's chart: those over UDP, and those over TCP.
pub(super) const PAPER_UDP: [Line; 2] = [FIXED_UDP, FIXED_USM_UDP];
pub(super) const PAPER_TCP: [Line; 3] = [TCP, USM_OVER_TCP, SSH];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_its_own_variant_and_name() {
        let mut variants: Vec<Variant> = LINES.iter().map(|line| line.variant()).collect();
        let mut names: Vec<String> = LINES.iter().map(|line| line.by().label(&line.label())).collect();
        variants.sort();
        variants.dedup();
        names.sort();
        names.dedup();
        assert_eq!((variants.len(), names.len()), (LINES.len(), LINES.len()));
    }

    #[test]
    fn timeouts_of_snmp_exist_only_over_datagrams() {
        for line in LINES {
            assert_eq!(line.stack.carrier.is_datagram(), line.timeout != Timeout::Tcp, "{line:?}");
        }
    }
}
