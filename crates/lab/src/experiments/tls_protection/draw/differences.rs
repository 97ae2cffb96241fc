//! The columns of Table 1 of paper 002 that are differences of session times.

use portreeve_lab_report::document::{Cell, Table};
use portreeve_lab_report::papers::PaperValue;
use portreeve_lab_report::papers::paper_002::{Protection as Row, SNMPGET_SHARES, SNMPWALK_SHARES, TABLE_1};
use portreeve_lab_report::samples::Selection;
use portreeve_lab_report::statistics::Summary;
use portreeve_lab_report::unit::Unit;
use portreeve_lab_tls::Protection;

use super::sessions;
use crate::experiments::tls_protection::{LONG, SHORT};

/// A column of the paper: the time with one protection less that with another.
struct Difference {
    label: &'static str,
    of: Protection,
    less: Protection,
    /// The paper's value, unless it had no such protection.
    paper: Option<Printed>,
}

/// The values of the paper.
struct Printed {
    time: fn(&Row) -> PaperValue,
    /// The position in the paper's lists of shares.
    share: usize,
}

/// A row of the paper: the kind of sessions.
struct Kind {
    heading: &'static str,
    messages: usize,
    /// The value of samples.
    value: &'static str,
    /// The number of messages that share the value.
    divisor: usize,
    shares: Option<[PaperValue; 3]>,
}

/// Returns the table of differences.
pub(super) fn table(all: &Selection<'_>) -> Table {
    let mut table = Table::new("Costs of the protection: the differences in Table 1 of paper 002")
        .column("Difference")
        .column_with("Time", "paper")
        .column_with("Time", "lab")
        .column_with("Share of the time without protection", "paper")
        .column_with("Share of the time without protection", "lab");
    for (kind, paper) in KINDS.iter().zip(&TABLE_1) {
        table.heading(kind.heading);
        for difference in &DIFFERENCES {
            // Runs of older versions have fewer protections.
            if !sessions(all, difference.of, kind.messages).is_empty() {
                table.row(row(all, kind, paper, difference));
            }
        }
    }
    table
}

fn row(all: &Selection<'_>, kind: &Kind, paper: &Row, difference: &Difference) -> [Cell; 5] {
    let of = |protection| sessions(all, protection, kind.messages);
    let (top, less, none) = (of(difference.of), of(difference.less), of(Protection::None));
    let lab = |summary: Option<Summary>, unit| match summary {
        Some(summary) => Cell::measured(summary, unit),
        None => Cell::missing(&top),
    };
    let times = top.differences(&less, kind.value).and_then(|times| {
        let each: Vec<f64> = times.sorted().iter().map(|time| time / kind.divisor as f64).collect();
        Summary::of_differences(&each)
    });
    let share =
        |printed: &Printed| kind.shares.as_ref().and_then(|shares| shares.get(printed.share).copied());
    let printed = difference.paper.as_ref();
    [
        Cell::text(difference.label),
        Cell::paper(printed.map(|printed| (printed.time)(paper))),
        lab(times, Unit::Seconds),
        Cell::paper(printed.and_then(share)),
        lab(top.relative_differences(&less, &none, kind.value), Unit::Share),
    ]
}

/// In the order of the paper's rows.
const KINDS: [Kind; 3] = [
    Kind {
        heading: "A short session",
        messages: SHORT,
        value: "time",
        divisor: 1,
        shares: Some(SNMPGET_SHARES),
    },
    Kind {
        heading: "A long session",
        messages: LONG,
        value: "time",
        divisor: 1,
        shares: Some(SNMPWALK_SHARES),
    },
    Kind {
        heading: "Each message of a long session",
        messages: LONG,
        value: "messages",
        divisor: LONG,
        shares: None,
    },
];

const DIFFERENCES: [Difference; 4] = [
    Difference {
        label: "integrity less none (b − a)",
        of: Protection::Integrity,
        less: Protection::None,
        paper: Some(Printed { time: |row| row.integrity_cost, share: 0 }),
    },
    Difference {
        label: "both less integrity (d − b)",
        of: Protection::Both,
        less: Protection::Integrity,
        paper: Some(Printed { time: |row| row.added_privacy_cost, share: 1 }),
    },
    Difference {
        label: "both less none (d − a)",
        of: Protection::Both,
        less: Protection::None,
        paper: Some(Printed { time: |row| row.both_cost, share: 2 }),
    },
    Difference {
        label: "both with ChaCha20-Poly1305 less none",
        of: Protection::ChaCha20,
        less: Protection::None,
        paper: None,
    },
];
