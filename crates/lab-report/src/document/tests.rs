use super::*;
use crate::papers::{PaperUnit, PaperValue};
use crate::sample::{Environment, Record, RunInfo, Sample, Unavailable, Variant};
use crate::samples::Samples;
use crate::statistics::{Basis, Summary};
use crate::unit::Unit;

fn samples() -> Samples {
    let sample = |agent: &str, round: usize, time: f64| {
        Record::Sample(Sample::new("get", Variant::of([("agent", agent)]), round).value("time", time))
    };
    Samples::new(vec![
        sample("ours", 0, 1.0),
        sample("ours", 1, 2.0),
        sample("peer", 0, 4.0),
        sample("peer", 1, 4.0),
        Record::Unavailable(Unavailable {
            experiment: "get".to_owned(),
            variant: Variant::of([("agent", "other")]),
            reason: "not installed".to_owned(),
        }),
    ])
}

#[test]
fn cell_has_the_value_or_the_reason() {
    let samples = samples();
    let get = samples.experiment("get");
    let Cell::Measured(measured) = Cell::of(&get.with("agent", "ours"), "time", Unit::Seconds) else {
        panic!()
    };
    assert_eq!((measured.value(), measured.basis, measured.unit), (1.5, Basis::Median, Unit::Seconds));
    assert_eq!(
        Cell::of(&get.with("agent", "other"), "time", Unit::Seconds),
        Cell::Unavailable("not installed".to_owned())
    );
    assert_eq!(
        Cell::of(&get.with("agent", "ours"), "frames", Unit::Count),
        Cell::Unavailable("not measured in this run".to_owned())
    );
}

#[test]
fn ratio_cell_has_the_reason_of_the_side_that_lacks_the_value() {
    let samples = samples();
    let get = samples.experiment("get");
    let [ours, peer, other] = ["ours", "peer", "other"].map(|agent| get.with("agent", agent));
    let Cell::Measured(ratio) = Cell::ratio_of(&peer, &ours, "time") else { panic!() };
    assert_eq!((ratio.summary.sorted(), ratio.unit), ([2.0, 4.0].as_slice(), Unit::Ratio));
    let reason = Cell::Unavailable("not installed".to_owned());
    assert_eq!(Cell::ratio_of(&ours, &other, "time"), reason);
    assert_eq!(Cell::ratio_of(&other, &ours, "time"), reason);
}

#[test]
fn mean_with_its_99_per_cent_interval_is_shown_where_asked() {
    let values: Vec<f64> = (1..=20).map(f64::from).collect();
    let Cell::Measured(measured) = Cell::mean99(Summary::of(&values).unwrap(), Unit::Seconds) else {
        panic!()
    };
    let (interval, basis) = measured.interval().unwrap();
    assert_eq!((measured.value(), basis), (10.5, Basis::Mean));
    // 2.860934606 · 5.916079783 / √20 in relation to 10.5, on a logarithmic scale.
    assert!(((interval.high / 10.5).ln() - 3.784_661 / 10.5).abs() < 1e-6, "{interval:?}");
}

#[test]
fn report_of_a_run_begins_with_its_known_facts() {
    let run = RunInfo {
        quick: true,
        budget: 5400.0,
        seed: 7,
        environment: Environment {
            cores: 2,
            memory: 4_000_000_000,
            builds: [("portreeved".to_owned(), "0123456789abcdef".to_owned())].into(),
            ..Environment::default()
        },
        ..RunInfo::default()
    };
    let document = Document::for_run("Report", &run);
    let facts: Vec<_> = document
        .facts
        .iter()
        .map(|(name, value)| format!("{name}: {}", value.replace('\u{a0}', " ")))
        .collect();
    assert_eq!(
        facts,
        ["Budget: 90 min", "Seed: 7", "Cores: 2", "Memory: 4 GB", "Build IDs: portreeved 0123456789ab"]
    );
    assert!(document.quick);
}

#[test]
fn verdicts_are_found_with_their_sections() {
    let mut document = Document::new("Report");
    let mut section = Section::new("get", "One get").reproduces("000 Table 2");
    section.paragraph("Text.").verdict(
        Source::Paper("000 Table 2"),
        Outcome::DoesNotHold,
        "SSH is slower.",
        "SSH is faster.",
    );
    document.push(section);
    let verdicts: Vec<_> =
        document.verdicts().map(|(section, verdict)| (&*section.id, verdict.outcome)).collect();
    assert_eq!(verdicts, [("get", Outcome::DoesNotHold)]);
}

#[test]
fn outcome_of_parts_is_decided_by_significant_parts() {
    let (yes, no) = (Some(true), Some(false));
    for (parts, expected) in [
        (&[yes, yes][..], Outcome::Holds),
        (&[yes, None], Outcome::HoldsInPart),
        (&[yes, no], Outcome::HoldsInPart),
        (&[no, None], Outcome::DoesNotHold),
        (&[no], Outcome::DoesNotHold),
        (&[None, None], Outcome::NotDecided),
        (&[], Outcome::NotDecided),
    ] {
        assert_eq!(Outcome::of_parts(parts.iter().copied()), expected, "{parts:?}");
    }
}

#[test]
fn series_without_points_is_not_added() {
    let mut chart = Chart::new(Axis::linear("rows", Unit::Count), Axis::log("time", Unit::Seconds));
    chart.measured(By::Ours, "udp", []).paper("udp", []);
    assert!(chart.series.is_empty());
    let value = PaperValue::new(16.17, 2, PaperUnit::Milliseconds);
    chart.paper("ssh", [(1.0, value)]).measured(
        By::Peer("snmpd"),
        "ssh",
        [(1.0, Summary::of(&[1.0]).unwrap())],
    );
    assert_eq!(chart.series.len(), 2);
}

#[test]
fn label_names_another_program_once() {
    assert_eq!(By::Ours.label("TLS"), "TLS");
    assert_eq!(By::Peer("snmpd").label("TLS"), "TLS (snmpd)");
    assert_eq!(By::Peer("snmpd").label("our client, snmpd"), "our client, snmpd");
}

#[test]
fn chart_of_a_selection_has_its_points_or_the_reason() {
    let sample = |rows: &str, time| {
        Record::Sample(
            Sample::new("walk", Variant::of([("stack", "udp"), ("rows", rows)]), 0).value("time", time),
        )
    };
    let samples = Samples::new(vec![
        sample("10", 1.0),
        sample("100", 2.0),
        Record::Unavailable(Unavailable {
            experiment: "walk".to_owned(),
            variant: Variant::of([("stack", "ssh")]),
            reason: "no SSH".to_owned(),
        }),
    ]);
    let walk = samples.experiment("walk");
    let mut chart = Chart::new(Axis::linear("rows", Unit::Count), Axis::log("time", Unit::Seconds));
    for stack in ["udp", "ssh", "tls"] {
        chart.selection(By::Peer("snmpd"), stack, &walk.with("stack", stack), ("rows", "time"));
    }
    assert!(
        matches!(&chart.series[..], [Series { data: Data::Measured(By::Peer(_), points), .. }] if points.len() == 2)
    );
    let reasons: Vec<_> =
        chart.unavailable.iter().map(|(name, reason)| format!("{name}: {reason}")).collect();
    assert_eq!(reasons, ["ssh (snmpd): no SSH", "tls (snmpd): not measured in this run"]);
}
