//! `table`: reads and prints all rows of a table.

mod data;
mod print;

use std::{
    collections::HashMap,
    io::{self, IsTerminal},
};

use portreeve_mib::{Kind, Object, format::OutputFormat, names::Names};
use portreeve_smi::{OidBuf, OidRef};

use super::{Agent, parse_name, subtree};
use crate::{
    command_error::CommandError,
    flags::TableOptions as Options,
    output::{
        Output,
        record::{DataFormat, json_value, plain_value},
    },
    verb::Verb,
};

pub(super) fn run(agent: &mut Agent, output: &mut Output, names: &[String]) -> Result<u8, CommandError> {
    let [name] = names else {
        return Err(CommandError::Usage("Must have exactly one table name".to_owned()));
    };
    let root = parse_name(output, name)?;
    let title = output.format_name(OidRef::Arcs(&root));
    output.load_for_oid(&root);
    let Some((row, columns)) = columns_of(output.definitions(), &root) else {
        return Err(CommandError::Message(format!("Was that a table? {title}")));
    };
    let mut table = Table { title, columns, rows: Vec::new() };
    let mut options = agent.application.table.clone();
    if !options.headers_only {
        table.rows = read(agent, output, row, &table.columns)?;
    }
    if output.data_format() != DataFormat::Lines {
        data::print(&table, output);
        return Ok(0);
    }
    if options.width.is_none() && !agent.like_net_snmp && agent.program != Verb::Table.classic_name() {
        fit_terminal(&table, &mut options);
    }
    if options.headers_only || !table.rows.is_empty() {
        print::print(&table, &options, output);
    }
    if table.rows.is_empty() {
        output.print_line(&format!("{}: No entries", table.title));
    }
    Ok(0)
}

/// Splits a table that is wider than the terminal into parts, whose lines start with the index.
fn fit_terminal(table: &Table, options: &mut Options) {
    if options.separator.is_some() || !io::stdout().is_terminal() {
        return;
    }
    let Some(width) = portreeve_table::line_width(io::stdout()) else { return };
    if print::is_wider(table, options, width) {
        options.width = Some(width);
        options.with_index = true;
    }
}

/// The columns and rows of the table to print.
struct Table {
    title: String,
    columns: Vec<&'static Object>,
    rows: Vec<Row>,
}

struct Row {
    index: String,
    /// The formatted value of each column; `None` if the agent does not have the instance.
    cells: Vec<Option<String>>,
}

/// Returns the conceptual row of a table and its readable columns.
fn columns_of(known: &Names, table: &[u32]) -> Option<(&'static Object, Vec<&'static Object>)> {
    let table = known.resolve(table).filter(|found| found.suffix.is_empty())?.object;
    if !matches!(table.kind, Kind::Table) {
        return None;
    }
    let objects = || known.in_order().map(|(_, object)| object);
    let row = objects().find(|object| object.parent == Some(table))?;
    let columns: Vec<_> =
        objects().filter(|object| object.row() == Some(row) && object.max_access().is_readable()).collect();
    (!columns.is_empty()).then_some((row, columns))
}

/// Reads the rows, in the order in which the agent first returns them.
fn read(
    agent: &mut Agent,
    output: &mut Output,
    row: &Object,
    columns: &[&'static Object],
) -> Result<Vec<Row>, CommandError> {
    let (mut rows, mut positions) = (Vec::<Row>::new(), HashMap::<Vec<u32>, usize>::new());
    let data = output.data_format();
    let (format, mut name) = (with_types(output.format()), OidBuf::new());
    subtree::visit(agent, output, row.arcs(), |bind| {
        name.clone_from(&bind.name.to_buf());
        let Some((number, index)) = name.get(row.arcs().len()..).and_then(<[u32]>::split_first) else {
            return;
        };
        let Some(column) = columns.iter().position(|column| column.number() == *number) else { return };
        let position = *positions.entry(index.to_vec()).or_insert_with(|| {
            rows.push(Row { index: print::index(format, &name), cells: vec![None; columns.len()] });
            rows.len() - 1
        });
        let mut text = String::new();
        match data {
            DataFormat::Lines => format.value(&mut text, columns.get(column).copied(), &bind.value),
            DataFormat::Csv => text = plain_value(&bind.value),
            DataFormat::Json | DataFormat::JsonLines => text = json_value(&bind.value),
        }
        if let Some(cell) = rows.get_mut(position).and_then(|row| row.cells.get_mut(column)) {
            *cell = Some(text);
        }
    })?;
    Ok(rows)
}

/// Returns the format for a table: with `-OQ`, values are printed with their types, as with `-Oq`.
fn with_types(format: OutputFormat) -> OutputFormat {
    if format.quick_equals { OutputFormat { quick: false, quick_equals: false, ..format } } else { format }
}
