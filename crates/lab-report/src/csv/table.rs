//! Tables: one row for each cell that is not empty.

use super::{STATISTICS, push_row, statistics};
use crate::document::{Cell, Row, Table};

/// Formats a table.
pub(super) fn csv(table: &Table) -> String {
    let mut text = String::new();
    push_row(&mut text, ["group", "row", "column", "detail"].into_iter().chain(STATISTICS));
    let mut group = String::new();
    for row in &table.rows {
        let cells = match row {
            Row::Heading(heading) => {
                group = heading.to_string();
                continue;
            }
            Row::Cells(cells) => cells,
        };
        let label = match cells.first() {
            Some(Cell::Text(label)) => label.to_string(),
            _ => String::new(),
        };
        // The label is in its own column, unless the first cell is a value.
        let skipped = usize::from(!label.is_empty());
        for (column, cell) in
            table.columns.iter().zip(cells).skip(skipped).filter(|(_, cell)| **cell != Cell::Empty)
        {
            let heading = column.heading.to_string();
            let place = [group.clone(), label.clone(), heading, column.detail.clone()];
            push_row(&mut text, place.into_iter().chain(statistics(cell, "measured")));
        }
    }
    text
}
