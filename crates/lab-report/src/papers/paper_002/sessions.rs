//! Tables 2 to 5 of paper 002: sessions of different lengths, traffic, and phases of a session.

use super::super::{PaperUnit, PaperValue, ms};

/// A column of Table 2: sessions with one number of messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SessionTimes {
    /// Messages of the session.
    pub messages: usize,
    /// Time of the session over TLS with integrity and privacy.
    pub secure: PaperValue,
    /// Set-up of TLS in that session.
    pub secure_setup: PaperValue,
    /// Time of that session for each message.
    pub secure_message: PaperValue,
    /// Time of the session over TLS without protection of messages.
    pub tls: PaperValue,
    /// Set-up of TLS in that session.
    pub tls_setup: PaperValue,
    /// Time of that session for each message.
    pub tls_message: PaperValue,
    /// Time of the session over UDP.
    pub udp: PaperValue,
    /// Time of that session for each message.
    pub udp_message: PaperValue,
    /// Ratio of secure TLS to UDP.
    pub secure_ratio: PaperValue,
    /// Ratio of TLS to UDP.
    pub tls_ratio: PaperValue,
}

/// Table 2: sessions of different lengths.
///
/// Three values do not follow from the times of their column: 8.7 ms for each of 500 messages
/// (8.5), 7.0 ms for each of 1000 (7.4), and the ratio 1.367 (1.366).
pub const TABLE_2: [SessionTimes; 8] = [
    session(5, [929.0, 309.0, 186.0], [881.0, 310.0, 176.0], [535.0, 107.0], [1.738, 1.647]),
    session(20, [1046.0, 315.0, 52.0], [953.0, 307.0, 48.0], [636.0, 32.0], [1.645, 1.499]),
    session(50, [1284.0, 308.0, 26.0], [1135.0, 311.0, 23.0], [780.0, 16.0], [1.646, 1.455]),
    session(100, [1542.0, 321.0, 15.0], [1409.0, 294.0, 14.0], [1000.0, 10.0], [1.542, 1.409]),
    session(500, [4248.0, 294.0, 8.7], [3665.0, 313.0, 7.3], [2987.0, 6.0], [1.422, 1.227]),
    session(1000, [7380.0, 305.0, 7.0], [6590.0, 295.0, 6.6], [5456.0, 5.5], [1.353, 1.208]),
    session(1500, [9871.0, 325.0, 6.6], [8779.0, 302.0, 5.9], [7231.0, 4.8], [1.365, 1.214]),
    session(2000, [13784.0, 296.0, 6.9], [12207.0, 292.0, 6.1], [10093.0, 5.0], [1.367, 1.210]),
];

/// A row of Table 3: a session for each message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traffic {
    /// Seconds between two messages.
    pub interval: u32,
    /// Time of a session over TLS.
    pub tls: PaperValue,
    /// Set-up of TLS.
    pub setup: PaperValue,
    /// Time of a session over UDP.
    pub udp: PaperValue,
}

/// Table 3: light and heavy traffic.
pub const TABLE_3: [Traffic; 2] = [
    Traffic { interval: 300, tls: ms(648.0, 0), setup: ms(296.0, 0), udp: ms(123.0, 0) },
    Traffic { interval: 1, tls: ms(424.0, 0), setup: ms(273.0, 0), udp: ms(91.0, 0) },
];

/// A row of Table 4: the phases of a session with a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phases {
    /// The transport.
    pub transport: &'static str,
    /// Set-up of TLS and TCP.
    pub transport_setup: Option<PaperValue>,
    /// Set-up of SNMP.
    pub snmp_setup: PaperValue,
    /// The walk.
    pub walk: PaperValue,
    /// Close of TLS.
    pub transport_close: Option<PaperValue>,
    /// Close of SNMP.
    pub snmp_close: PaperValue,
}

/// Table 4: the phases of a session with a walk.
pub const TABLE_4: [Phases; 2] = [
    Phases {
        transport: "TLS/TCP",
        transport_setup: Some(ms(312.0, 0)),
        snmp_setup: ms(521.0, 0),
        walk: ms(173.0, 0),
        transport_close: Some(ms(2.4, 1)),
        snmp_close: ms(3.6, 1),
    },
    Phases {
        transport: "UDP",
        transport_setup: None,
        snmp_setup: ms(547.0, 0),
        walk: ms(112.0, 0),
        transport_close: None,
        snmp_close: ms(0.7, 1),
    },
];

/// The times of the messages of a walk, in their order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MessageTimes {
    /// The transport.
    pub transport: &'static str,
    /// Times in milliseconds, printed with one decimal.
    milliseconds: [f64; 34],
}

impl MessageTimes {
    /// Returns the times of the messages 1 to 34.
    pub fn times(&self) -> impl Iterator<Item = PaperValue> {
        self.milliseconds.into_iter().map(|time| ms(time, 1))
    }
}

/// Table 5: the time of each message.
pub const TABLE_5: [MessageTimes; 2] = [
    MessageTimes {
        transport: "TLS",
        milliseconds: [
            43.8, 3.6, 3.5, 3.4, 3.5, 3.4, 3.5, 3.7, 3.7, 3.5, 3.5, //
            3.6, 3.6, 3.6, 3.9, 3.6, 3.7, 3.6, 3.6, 3.8, 3.7, 3.7, //
            3.7, 3.7, 3.9, 3.6, 3.6, 3.6, 3.6, 3.6, 3.9, 3.6, 3.6, 3.7,
        ],
    },
    MessageTimes {
        transport: "UDP",
        milliseconds: [
            5.4, 3.0, 3.3, 3.1, 3.0, 3.0, 3.1, 3.2, 3.2, 3.1, 3.1, //
            3.2, 3.2, 3.3, 3.4, 3.9, 3.4, 3.4, 3.2, 3.2, 3.3, 3.3, //
            3.2, 3.3, 3.3, 3.2, 3.2, 3.2, 3.2, 3.2, 3.3, 3.2, 3.2, 3.4,
        ],
    },
];

/// Section 4.3: the first message over TLS, and over UDP.
pub const FIRST_MESSAGE: [PaperValue; 2] = [ms(43.8, 1), ms(5.4, 1)];

/// Section 4.3: a later message over TLS, and over UDP.
pub const LATER_MESSAGE: [PaperValue; 2] = [ms(3.5, 1), ms(3.1, 1)];

const fn session(
    messages: usize,
    secure: [f64; 3],
    tls: [f64; 3],
    udp: [f64; 2],
    ratios: [f64; 2],
) -> SessionTimes {
    let [secure_time, secure_setup, secure_message] = secure;
    let [tls_time, tls_setup, tls_message] = tls;
    let [udp_time, udp_message] = udp;
    let [secure_ratio, tls_ratio] = ratios;
    // The paper prints one decimal for the times of messages in sessions of 500 and more.
    let decimals = if messages < 500 { 0 } else { 1 };
    SessionTimes {
        messages,
        secure: ms(secure_time, 0),
        secure_setup: ms(secure_setup, 0),
        secure_message: ms(secure_message, decimals),
        tls: ms(tls_time, 0),
        tls_setup: ms(tls_setup, 0),
        tls_message: ms(tls_message, decimals),
        udp: ms(udp_time, 0),
        udp_message: ms(udp_message, decimals),
        secure_ratio: PaperValue::new(secure_ratio, 3, PaperUnit::Ratio),
        tls_ratio: PaperValue::new(tls_ratio, 3, PaperUnit::Ratio),
    }
}
