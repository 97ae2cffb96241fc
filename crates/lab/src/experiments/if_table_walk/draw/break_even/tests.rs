use portreeve_lab_report::document::{Block, Section};
use portreeve_lab_report::sample::{Record, Sample, Variant};
use portreeve_lab_report::samples::Samples;

use super::super::super::NAME;
use super::*;

/// Walks of three sizes in four rounds, with a set-up and a cost of each exchange in microseconds,
/// and errors of this share of the time.
fn walks(agent: &str, stack: ProtocolStack, (setup, each): (f64, f64), error: f64) -> Vec<Record> {
    let client = if agent == OURS { "library" } else { "net-snmp" };
    let base = Variant::of([("agent", agent), ("client", client), ("object", "ifTable")]);
    let base = base.and("method", "getnext").and("setting", "pinned").and("stack", stack.id());
    let mut records = Vec::new();
    for (size, rows) in ["10", "100", "400"].into_iter().enumerate() {
        for round in 0..4 {
            let exchanges = 22.0 * rows.parse::<f64>().unwrap();
            let sign = if (round + size).is_multiple_of(2) { 1.0 } else { -1.0 };
            let time = (setup + each * exchanges) * 1e-6 * (1.0 + sign * error);
            let sample = Sample::new(NAME, base.clone().and("rows", rows), round);
            records.push(Record::Sample(sample.value("exchanges", exchanges).value("time", time)));
        }
    }
    records
}

fn verdicts_of(records: Vec<Record>) -> Vec<(Outcome, String)> {
    let mut section = Section::new(NAME, "");
    add(&Samples::new(records).experiment(NAME), &mut section);
    let verdicts = section.blocks.iter().filter_map(|block| match block {
        Block::Verdict(verdict) => {
            Some((verdict.outcome, verdict.finding.to_string().replace('\u{a0}', " ")))
        }
        _ => None,
    });
    verdicts.collect()
}

fn ssh_and_usm(ssh: (f64, f64), usm: (f64, f64), error: f64) -> (Outcome, String) {
    let walks = [walks(OURS, SSH, ssh, error), walks(OURS, USM_OF_PAPER, usm, error)];
    verdicts_of(walks.concat()).remove(0)
}

#[test]
fn break_even_is_decided_only_by_significant_differences() {
    // 20 ms of set-up, and 40 µs less for each exchange.
    let (outcome, finding) = ssh_and_usm((20_200.0, 60.0), (200.0, 100.0), 0.001);
    assert_eq!(outcome, Outcome::Holds);
    assert!(finding.contains("faster after 50") && finding.contains("95 %"), "{finding}");
    assert_eq!(ssh_and_usm((2_200.0, 60.0), (200.0, 100.0), 0.001).0, Outcome::HoldsInPart);
    let (outcome, finding) = ssh_and_usm((20_200.0, 100.0), (200.0, 60.0), 0.001);
    assert_eq!(outcome, Outcome::DoesNotHold);
    assert!(finding.contains("USM remains faster"), "{finding}");
    // The costs of an exchange differ by 1 %, the times by 5 % in either direction.
    for each in [99.0, 101.0] {
        let (outcome, finding) = ssh_and_usm((3_200.0, each), (200.0, 100.0), 0.05);
        assert_eq!(outcome, Outcome::NotDecided, "{finding}");
        assert!(finding.contains("do not differ significantly"), "{finding}");
    }
}

#[test]
fn wide_interval_of_a_break_even_confirms_nothing() {
    let at = |value, low, high| BreakEven::At { value, interval: Interval { low, high } };
    assert_eq!(about_500(at(500.0, 300.0, 900.0)).0, Outcome::Holds);
    assert_eq!(about_500(at(500.0, 20.0, 9_000.0)).0, Outcome::NotDecided);
    assert_eq!(about_500(at(90.0, 50.0, 200.0)).0, Outcome::HoldsInPart);
    let judge = |slow| speed_of_agent(at(500.0, 450.0, 560.0), slow).0;
    assert_eq!(judge(at(520.0, 460.0, 600.0)), Outcome::Holds);
    assert_eq!(judge(at(520.0, 100.0, 6_000.0)), Outcome::NotDecided);
    assert_eq!(judge(at(900.0, 800.0, 990.0)), Outcome::DoesNotHold);
}

#[test]
fn cost_of_tcp_is_judged_by_intervals_and_for_both_programs() {
    let of = |agent: &str, [udp, tcp, usm, usm_tcp]: [f64; 4], error: f64| {
        let [v2c_udp, v2c_tcp, usm_udp, usm_over_tcp, _] = PAPER_STACKS;
        let stacks = [(v2c_udp, udp), (v2c_tcp, tcp), (usm_udp, usm), (usm_over_tcp, usm_tcp)];
        stacks.map(|(stack, each)| walks(agent, stack, (100.0, each), error)).concat()
    };
    let judge = |records| verdicts_of(records).pop().unwrap();
    let peer = Peer::NetSnmp.name();
    // TCP adds 2 µs, USM 40 µs.
    assert_eq!(judge(of(peer, [60.0, 62.0, 100.0, 102.0], 0.01)).0, Outcome::Holds);
    // TCP adds 20 µs, USM 5 µs.
    let slow_tcp = of(OURS, [60.0, 80.0, 65.0, 85.0], 0.001);
    assert_eq!(judge(slow_tcp.clone()).0, Outcome::DoesNotHold);
    // Nothing is significant.
    assert_eq!(judge(of(OURS, [60.0, 62.0, 61.0, 63.0], 0.1)).0, Outcome::NotDecided);
    let (outcome, finding) = judge([slow_tcp, of(peer, [60.0, 62.0, 100.0, 102.0], 0.01)].concat());
    assert_eq!(outcome, Outcome::HoldsInPart);
    assert!(finding.contains("with Portreeve") && finding.contains("with Net-SNMP"), "{finding}");
}

#[test]
fn table_of_break_evens_has_a_column_of_net_snmp() {
    let session = ProtocolStack::tsm(Carrier::Dtls12);
    let peer = Peer::NetSnmp.name();
    let records =
        [walks(peer, session, (2_200.0, 60.0), 0.001), walks(peer, USM_OF_PAPER, (200.0, 100.0), 0.001)];
    let table = break_evens(&Samples::new(records.concat()).experiment(NAME));
    let row = table.rows.iter().find_map(|row| match row {
        portreeve_lab_report::document::Row::Cells(cells) if cells[0] == Cell::text(session.label()) => {
            Some(cells)
        }
        _ => None,
    });
    let Cell::Computed(found) = &row.unwrap()[5] else { panic!("{row:?}") };
    assert!((found.value - 50.0).abs() < 2.0 && found.interval.is_some(), "{found:?}");
}
