//! Raw samples decide a report, and nothing else does.

use portreeve_lab_report::document::{Axis, By, Cell, Chart, Document, Figure, Section, Table};
use portreeve_lab_report::sample::{Noise, Record, RunInfo, Sample, SampleError, Unavailable, Variant};
use portreeve_lab_report::samples::Samples;
use portreeve_lab_report::unit::Unit;
use portreeve_lab_report::{csv, html, markdown};

/// Samples of two agents, three numbers of rows and eight rounds.
fn records() -> Vec<Record> {
    let mut records = Vec::new();
    for round in 0..8 {
        for (agent, factor) in [("portreeved", 1.0), ("snmpd", 1.5)] {
            for rows in [1, 10, 100] {
                let variant = Variant::of([("agent", agent)]).and("rows", rows.to_string());
                let time = factor * f64::from(rows) * (1.0 + f64::from((round * 5) % 8) / 50.0) * 1e-4;
                records
                    .push(Record::Sample(Sample::new("walk", variant, round as usize).value("time", time)));
            }
        }
        let values = [("idle_loop".to_owned(), 0.01 + f64::from(round) * 1e-5)].into();
        records.push(Record::Noise(Noise { experiment: "walk".to_owned(), round: round as usize, values }));
    }
    records.push(Record::Unavailable(Unavailable {
        experiment: "walk".to_owned(),
        variant: Variant::of([("agent", "other")]),
        reason: "not installed".to_owned(),
    }));
    records
}

/// All files of the report, in one text.
fn report(records: &[Record]) -> Result<String, SampleError> {
    let lines: String = records.iter().map(|record| record.to_line() + "\n").collect();
    let samples = Samples::parse(&lines)?;
    let walk = samples.experiment("walk");
    let mut table = Table::new("Times").column("rows").column("portreeved").column("ratio").column("other");
    for rows in walk.axis("rows") {
        let at = walk.with("rows", rows);
        let [ours, peer, other] = ["portreeved", "snmpd", "other"].map(|agent| at.with("agent", agent));
        table.row([
            Cell::text(rows),
            Cell::of(&ours, "time", Unit::Seconds),
            Cell::ratio_of(&ours, &peer, "time"),
            Cell::of(&other, "time", Unit::Seconds),
        ]);
    }
    let mut chart = Chart::new(Axis::log("rows", Unit::Count), Axis::log("time", Unit::Seconds));
    chart.selection(By::Ours, "walk", &walk.with("agent", "portreeved"), ("rows", "time"));
    chart.selection(By::Peer("snmpd"), "walk", &walk.with("agent", "snmpd"), ("rows", "time"));
    let mut section = Section::new("walk", "Walk");
    section.table(table).figure(Figure::new("Times", chart));
    let mut document = Document::for_run("Report", &RunInfo::default());
    document.push(section);
    let files = csv::files(&document).into_iter().map(|(name, contents)| name + "\n" + &contents);
    Ok(html::render(&document) + &markdown::render(&document) + &files.collect::<String>())
}

#[test]
fn order_of_the_lines_does_not_matter() {
    let mut records = records();
    let expected = report(&records).unwrap();
    assert!(expected.contains("not installed"));
    records.reverse();
    assert!(report(&records).unwrap() == expected, "reversed lines give another report");
    // Each seventh line first: the order in which an interrupted run could have written them.
    let (first, rest): (Vec<_>, Vec<_>) =
        records.into_iter().enumerate().partition(|(index, _)| index % 7 == 0);
    let mixed: Vec<Record> = first.into_iter().chain(rest).map(|(_, record)| record).collect();
    assert!(report(&mixed).unwrap() == expected, "mixed lines give another report");
}

#[test]
fn each_changed_sample_changes_the_report() {
    let expected = report(&records()).unwrap();
    let count = records().iter().filter(|record| matches!(record, Record::Sample(_))).count();
    for changed in 0..count {
        let mut records = records();
        let samples = records.iter_mut().filter_map(|record| match record {
            Record::Sample(sample) => Some(sample),
            _ => None,
        });
        for sample in samples.skip(changed).take(1) {
            sample.values.entry("time".to_owned()).and_modify(|time| *time *= 1.01);
        }
        assert!(report(&records).unwrap() != expected, "sample {changed} has no effect");
    }
}
