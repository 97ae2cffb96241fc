//! Tables 6 (a) and 6 (b) of paper 002: TLS in comparison with USM at each security level.

use super::super::{PaperValue, ms, ratio_percent};

/// Table 6 (a) or (b): session times of one operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The operation.
    pub operation: &'static str,
    /// SNMPv1 over UDP.
    pub v1_udp: PaperValue,
    /// SNMPv1 over TCP.
    pub v1_tcp: PaperValue,
    /// SNMPv1 over TLS.
    pub v1_tls: Levels,
    /// SNMPv3 over TLS, without USM.
    pub v3_tls: Levels,
    /// SNMPv3 over UDP, with USM.
    pub v3_udp: Levels,
    /// SNMPv3 over TCP, with USM.
    pub v3_tcp: Levels,
    /// SNMPv3 over UDP in relation to SNMPv1 over TLS.
    pub udp_to_v1_tls: Ratios,
    /// SNMPv3 over UDP in relation to SNMPv3 over TLS.
    pub udp_to_v3_tls: Ratios,
    /// SNMPv3 over TCP in relation to SNMPv1 over TLS.
    pub tcp_to_v1_tls: Ratios,
    /// SNMPv3 over TCP in relation to SNMPv3 over TLS.
    pub tcp_to_v3_tls: Ratios,
}

/// Session times at the three security levels, with their differences as printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// noAuthNoPriv.
    pub none: PaperValue,
    /// authNoPriv.
    pub auth: PaperValue,
    /// authNoPriv less noAuthNoPriv.
    pub auth_cost: PaperValue,
    /// authPriv.
    pub both: PaperValue,
    /// authPriv less authNoPriv.
    pub priv_cost: PaperValue,
    /// authPriv less noAuthNoPriv.
    pub both_cost: PaperValue,
}

/// Ratios of session times at the three security levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratios {
    /// noAuthNoPriv.
    pub none: PaperValue,
    /// authNoPriv.
    pub auth: PaperValue,
    /// authPriv.
    pub both: PaperValue,
}

/// Table 6 (a).
pub const SNMPGET: Comparison = Comparison {
    operation: "snmpget",
    v1_udp: ms(472.0, 0),
    v1_tcp: ms(523.0, 0),
    v1_tls: levels([774.0, 805.0, 31.0, 840.0, 35.0, 66.0]),
    v3_tls: levels([976.0, 989.0, 13.0, 1124.0, 135.0, 148.0]),
    v3_udp: levels([665.0, 1632.0, 967.0, 2735.0, 1103.0, 2070.0]),
    v3_tcp: levels([881.0, 1990.0, 1109.0, 3634.0, 1644.0, 2753.0]),
    udp_to_v1_tls: ratios((85.9, 1), 203.0, 326.0),
    udp_to_v3_tls: ratios((68.1, 1), 165.0, 243.0),
    tcp_to_v1_tls: ratios((114.0, 0), 247.0, 433.0),
    tcp_to_v3_tls: ratios((90.3, 1), 201.0, 323.0),
};

/// Table 6 (b).
pub const SNMPWALK: Comparison = Comparison {
    operation: "snmpwalk",
    v1_udp: ms(678.0, 0),
    v1_tcp: ms(762.0, 0),
    v1_tls: levels([1044.0, 1120.0, 76.0, 1273.0, 153.0, 229.0]),
    v3_tls: levels([1063.0, 1135.0, 72.0, 1323.0, 188.0, 260.0]),
    v3_udp: levels([648.0, 1848.0, 1200.0, 2976.0, 1128.0, 2328.0]),
    v3_tcp: levels([947.0, 2025.0, 1078.0, 3305.0, 1280.0, 2358.0]),
    udp_to_v1_tls: ratios((62.1, 1), 165.0, 234.0),
    udp_to_v3_tls: ratios((60.9, 1), 163.0, 225.0),
    tcp_to_v1_tls: ratios((90.7, 1), 181.0, 260.0),
    tcp_to_v3_tls: ratios((89.1, 1), 178.0, 249.0),
};

impl Levels {
    /// Returns the times at the three levels.
    pub fn times(&self) -> [PaperValue; 3] {
        [self.none, self.auth, self.both]
    }
}

impl Ratios {
    /// Returns the ratios at the three levels.
    pub fn all(&self) -> [PaperValue; 3] {
        [self.none, self.auth, self.both]
    }
}

const fn levels(values: [f64; 6]) -> Levels {
    let [none, auth, auth_cost, both, priv_cost, both_cost] = values;
    Levels {
        none: ms(none, 0),
        auth: ms(auth, 0),
        auth_cost: ms(auth_cost, 0),
        both: ms(both, 0),
        priv_cost: ms(priv_cost, 0),
        both_cost: ms(both_cost, 0),
    }
}

const fn ratios(none: (f64, usize), auth: f64, both: f64) -> Ratios {
    Ratios { none: ratio_percent(none.0, none.1), auth: ratio_percent(auth, 0), both: ratio_percent(both, 0) }
}
