use portreeve_lab_report::document::{Block, Row};
use portreeve_lab_report::papers::paper_002::{SNMPGET_SHARES, SNMPWALK_SHARES};

use super::*;

/// Short sessions take 1 ms, long ones 2 ms; `both` adds the shares.
fn samples(short: f64, long: f64) -> Samples {
    let mut lines = Vec::new();
    for (protection, factor) in [("none", 0.0), ("integrity", 0.5), ("both", 1.0)] {
        for (messages, time, added) in [(SHORT, 1e-3, short), (LONG, 2e-3, long)] {
            let time = time * (1.0 + factor * added);
            lines.extend([0, 1].map(|round| format!(
                r#"{{"kind":"sample","experiment":"{NAME}","variant":{{"by":"lab","protection":"{protection}","messages":"{messages}"}},"round":{round},"values":{{"time":{time},"messages":{time},"client_cpu":0.001,"agent_cpu":0.002,"octets":1000}}}}"#
            )));
        }
    }
    Samples::parse(&lines.join("\n")).unwrap()
}

fn verdict(short: f64, long: f64) -> (Outcome, String) {
    let mut section = Section::default();
    draw(&samples(short, long), &mut section);
    let found = section.blocks.iter().find_map(|block| match block {
        Block::Verdict(verdict) => {
            Some((verdict.outcome, verdict.finding.to_string().replace('\u{a0}', " ")))
        }
        _ => None,
    });
    found.unwrap()
}

#[test]
fn verdict_compares_long_with_short_sessions() {
    let (outcome, finding) = verdict(0.1, 0.3);
    assert_eq!(outcome, Outcome::Holds);
    assert!(finding.contains("10.0 % to a session") && finding.contains("30.0 % to one"), "{finding}");
    assert_eq!(verdict(0.01, 0.02).0, Outcome::HoldsInPart);
    assert_eq!(verdict(0.3, 0.1).0, Outcome::DoesNotHold);
}

#[test]
fn table_has_the_papers_four_columns_and_the_sum_of_both_cpus() {
    let table = table(&samples(0.1, 0.3).experiment(NAME));
    let labels: Vec<String> = table
        .rows
        .iter()
        .filter_map(|row| match row {
            Row::Cells(cells) => match cells.first() {
                Some(Cell::Text(text)) => Some(text.to_string()),
                _ => None,
            },
            Row::Heading(_) => None,
        })
        .collect();
    assert_eq!(
        labels,
        ["none (a)", "integrity (b)", "privacy, with compression (c)", "both (d)", "integrity", "both"]
    );
    let Row::Cells(none) = &table.rows[0] else { panic!("a heading") };
    assert!(matches!(&none[7], Cell::Measured(cpu) if (cpu.value() - 0.003).abs() < 1e-12));
}

/// Returns the cells of a row.
fn cells<'t>(table: &'t Table, label: &str) -> Option<&'t [Cell]> {
    table.rows.iter().find_map(|row| match row {
        Row::Cells(cells) if cells[0] == Cell::text(label) => Some(cells.as_slice()),
        _ => None,
    })
}

fn measured(cell: &Cell) -> f64 {
    let Cell::Measured(measured) = cell else { panic!("not measured: {cell:?}") };
    measured.value()
}

#[test]
fn differences_stand_beside_those_of_the_paper() {
    // Without protection, with integrity, and with both, short sessions take 1, 1.05 and 1.1 ms,
    // and long ones 2, 2.3 and 2.6 ms.
    let table = differences::table(&samples(0.1, 0.3).experiment(NAME));
    let rows: Vec<&Vec<Cell>> = table
        .rows
        .iter()
        .filter_map(|row| match row {
            Row::Cells(cells) => Some(cells),
            Row::Heading(_) => None,
        })
        .collect();
    // No row for the protection that these samples lack.
    assert_eq!(rows.len(), 9);
    let each = 3e-4 / LONG as f64;
    for (place, paper, time, share) in [(1, 0, 5e-5, 0.05), (4, 1, 3e-4, 0.15), (7, 2, each, 0.15)] {
        assert_eq!(rows[place][0], Cell::text("both less integrity (d − b)"));
        assert_eq!(rows[place][1], Cell::Paper(TABLE_1[paper].added_privacy_cost));
        assert!((measured(&rows[place][2]) - time).abs() < 1e-9, "{:?}", rows[place]);
        assert!((measured(&rows[place][4]) - share).abs() < 1e-9, "{:?}", rows[place]);
    }
    assert_eq!(rows[4][3], Cell::Paper(SNMPWALK_SHARES[1]));
    assert_eq!((&rows[1][3], &rows[7][3]), (&Cell::Paper(SNMPGET_SHARES[1]), &Cell::Empty));
    assert!((measured(&rows[5][4]) - 0.3).abs() < 1e-9);
}

#[test]
fn check_by_openssl_is_drawn_only_with_its_exchanges() {
    let tables = |lines: &[String]| {
        let mut section = Section::default();
        check::add(&Samples::parse(&lines.join("\n")).unwrap().experiment(NAME), &mut section);
        let tables = section.blocks.into_iter().filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        });
        tables.collect::<Vec<_>>()
    };
    let line = |protection: &str, messages: f64| {
        format!(
            r#"{{"kind":"sample","experiment":"{NAME}","variant":{{"by":"openssl","protection":"{protection}","messages":"{LONG}"}},"round":0,"values":{{"messages":{messages},"client_cpu":{messages},"agent_cpu":0.001}}}}"#
        )
    };
    assert!(tables(&[line("integrity", 0.002)]).is_empty());
    let drawn = tables(&[line("integrity", 0.002), line("both", 0.003)]);
    let ratio = cells(&drawn[0], "both, OpenSSL").unwrap();
    assert!((measured(&ratio[1]) - 1.5).abs() < 1e-9);
    let Cell::Computed(cpu) = &ratio[3] else { panic!("{ratio:?}") };
    assert!((cpu.value - 4.0 / 3.0).abs() < 1e-9);
}
