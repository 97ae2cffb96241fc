//! Prints a table in a data format: one record for each row, with its index.

use super::Table;
use crate::output::{
    Output,
    record::{DataFormat, csv_line, quoted},
};

pub(super) fn print(table: &Table, output: &mut Output) {
    let names: Vec<&str> =
        std::iter::once(INDEX).chain(table.columns.iter().map(|column| column.name)).collect();
    for row in &table.rows {
        let record = if output.data_format() == DataFormat::Csv {
            let cells = row.cells.iter().map(|cell| cell.as_deref().unwrap_or_default());
            csv_line(std::iter::once(row.index.as_str()).chain(cells))
        } else {
            let cells = table.columns.iter().zip(&row.cells);
            // Instances that the agent does not have are omitted.
            let cells =
                cells.filter_map(|(column, cell)| Some(format!(",\"{}\":{}", column.name, cell.as_ref()?)));
            format!("{{\"{INDEX}\":{}{}}}", quoted(&row.index), cells.collect::<String>())
        };
        output.print_record(&names, &record);
    }
}

const INDEX: &str = "index";
