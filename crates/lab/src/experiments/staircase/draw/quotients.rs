//! Q1 and Q2: the ratios of SNMP to NETCONF for the smallest and for the largest number of objects.

use portreeve_lab_report::document::{Cell, Computed, Table};
use portreeve_lab_report::papers::paper_003::{Stair, TABLE_1, TABLE_2, TABLE_3, TABLE_5, quotients};
use portreeve_lab_report::samples::Selection;
use portreeve_lab_report::statistics::{Level, mean_ratio};
use portreeve_lab_report::unit::Unit;

use super::Compared;

/// Returns the table of the ratios.
pub(super) fn table(all: &Selection<'_>) -> Table {
    let compared = Compared::new(all);
    let objects = compared.objects();
    let first = objects.first().copied().unwrap_or(1);
    let last = objects.last().copied().unwrap_or(1);
    let (smallest, largest) = (Unit::Count.text(first as f64), Unit::Count.text(last as f64));
    let mut table =
        Table::new("SNMP SET in relation to NETCONF edit-config: the ratios Q1 and Q2 of Figures 4 to 7")
            .column("Value")
            .column_with("Q1, 1 object", "paper")
            .column_with(format!("Q1, {smallest} object"), "Portreeve")
            .column_with("Q2, 100 000 objects", "paper")
            .column_with(format!("Q2, {largest} objects"), "Portreeve");
    let rows: [(&str, &str, &[Stair; 6]); 6] = [
        ("Frames, first fragments only", "frames_with_ports", &TABLE_1),
        ("Frames, all fragments", "frames", &TABLE_1),
        ("Octets, first fragments only", "transport_octets_with_ports", &TABLE_2),
        ("Octets, all fragments", "transport_octets", &TABLE_2),
        ("Operation time", "time", &TABLE_3),
        ("Transactions", "transactions", &TABLE_5),
    ];
    for (label, value, paper) in rows {
        let [q1, q2] = quotients(paper);
        table.row([
            Cell::text(label),
            Cell::paper(q1),
            quotient(&compared.with(first), value),
            Cell::paper(q2),
            quotient(&compared.with(last), value),
        ]);
    }
    table
}

/// Returns the ratio of the means with its 99 % interval.
fn quotient(of: &Compared<'_>, value: &str) -> Cell {
    let (Some(set), Some(edit)) = (of.set.summary(value), of.edit.summary(value)) else {
        return Cell::missing(if of.set.summary(value).is_none() { &of.set } else { &of.edit });
    };
    match mean_ratio(&set, &edit, Level::P99) {
        Some((value, interval)) => {
            Cell::Computed(Computed { value, interval, level: Level::P99, unit: Unit::Share })
        }
        None => Cell::Empty,
    }
}
