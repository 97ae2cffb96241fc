//! Invented samples. None of them was measured.

use portreeve_lab_report::papers::paper_003;
use portreeve_lab_report::sample::{Message, Record, Sample, Trace, Unavailable, Variant};

/// Returns samples that a formula with pseudo-random noise gives.
pub(crate) fn records(rounds: usize) -> Vec<Record> {
    let mut records = Vec::new();
    let mut noise = Noise(7);
    for round in 0..rounds {
        for (stack, time, frames, octets) in [
            ("v2c/UDP", 31e-6, 2.0, 220.0),
            ("v2c/TCP", 71e-6, 10.0, 812.0),
            ("v3/USM/UDP", 89e-6, 4.0, 710.0),
            ("v3/USM/TCP", 131e-6, 12.0, 1354.0),
            ("v2c/SSH", 0.0047, 29.0, 6110.0),
        ] {
            for (agent, factor) in [("portreeved", 1.0), ("snmpd", 1.7)] {
                if agent == "snmpd" && stack == "v2c/SSH" {
                    continue;
                }
                let variant = Variant::of([("stack", stack), ("agent", agent)]);
                let sample = Sample::new("one-shot", variant, round)
                    .value("time", time * factor * noise.factor())
                    .value("octets", octets)
                    .value("frames", frames);
                records.push(Record::Sample(sample));
            }
        }
        for (stack, setup, each, octets) in [
            ("v2c/UDP", 2e-5, 28e-6, 177.0),
            ("v3/USM/UDP", 6e-5, 44e-6, 380.0),
            ("v2c/SSH", 0.0047, 35e-6, 310.0),
            ("v3/TLS", 0.0015, 36.6e-6, 350.0),
        ] {
            for exchanges in [1, 221, 1101, 2355] {
                for (agent, factor) in [("portreeved", 1.0), ("snmpd", 1.35)] {
                    let count = f64::from(exchanges);
                    let variant = Variant::of([("stack", stack), ("agent", agent)])
                        .and("exchanges", exchanges.to_string());
                    let sample = Sample::new("walk", variant, round)
                        .value("time", (setup + each * count * factor) * noise.factor())
                        .value("octets", octets * count);
                    records.push(Record::Sample(sample));
                }
            }
        }
        for (protocol, setup, each) in [("SNMP", 4e-5, 3.4e-6), ("NETCONF", 1e-3, 2.6e-6)] {
            for objects in paper_003::OBJECTS {
                let variant = Variant::of([("protocol", protocol)]).and("objects", objects.to_string());
                let time = (setup + each * objects as f64) * noise.factor();
                records.push(Record::Sample(Sample::new("stair", variant, round).value("time", time)));
            }
        }
    }
    records.push(Record::Unavailable(Unavailable {
        experiment: "one-shot".to_owned(),
        variant: Variant::of([("agent", "snmpd"), ("stack", "v2c/SSH")]),
        reason: "snmpd has no transport over SSH".to_owned(),
    }));
    records.extend(traces());
    records
}

fn traces() -> [Record; 2] {
    let message = |(at, is_request, octets, label): (f64, bool, u64, &str)| {
        let (from, to) = if is_request { ("manager", "agent") } else { ("agent", "manager") };
        Message { at, from: from.to_owned(), to: to.to_owned(), octets, label: label.to_owned() }
    };
    let trace = |stack: &str, messages: Vec<(f64, bool, u64, &str)>| {
        Record::Trace(Trace {
            experiment: "sequence".to_owned(),
            variant: Variant::of([("stack", stack)]),
            messages: messages.into_iter().map(message).collect(),
        })
    };
    [
        trace("v2c/UDP", vec![(0.0, true, 85, "GetRequest"), (17e-6, false, 135, "Response")]),
        trace(
            "v3/TLS 1.3",
            vec![
                (0.0, true, 74, "TCP SYN"),
                (9e-6, false, 74, "TCP SYN, ACK"),
                (17e-6, true, 66, "TCP ACK"),
                (210e-6, true, 583, "TLS ClientHello"),
                (
                    610e-6,
                    false,
                    1514,
                    "TLS ServerHello, EncryptedExtensions, CertificateRequest, Certificate",
                ),
                (615e-6, false, 402, "TLS CertificateVerify, Finished"),
                (1010e-6, true, 1190, "TLS Certificate, CertificateVerify, Finished"),
                (1300e-6, false, 321, "TLS NewSessionTicket"),
                (1310e-6, true, 165, "TLS application data: GetRequest"),
                (42.2e-3, true, 66, "TCP ACK"),
                (42.21e-3, false, 220, "TLS application data: Response"),
                (42.4e-3, true, 90, "TLS close_notify"),
                (42.41e-3, true, 66, "TCP FIN, ACK"),
                (42.5e-3, false, 66, "TCP FIN, ACK"),
                (42.51e-3, true, 66, "TCP ACK"),
            ],
        ),
    ]
}

/// A fixed sequence of pseudo-random numbers.
struct Noise(u64);

impl Noise {
    /// Returns a factor of at least 1, as noise makes times longer.
    fn factor(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let uniform = (self.0 >> 11) as f64 / (1_u64 << 53) as f64;
        1.0 + 0.04 * -(1.0 - uniform).max(1e-9).ln()
    }
}
