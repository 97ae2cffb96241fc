//! Prints a table as text, with padded columns or a separator.

use portreeve_mib::format::{NameForm, OutputFormat};

use super::Table;
use crate::{flags::TableOptions as Options, output::Output};

/// Returns true if the table has lines of more than `width` characters.
pub(super) fn is_wider(table: &Table, options: &Options, width: usize) -> bool {
    let columns = columns(table, options);
    let options = Options { width: Some(width), ..options.clone() };
    let index_width = index_width(table);
    Layout { options: &options, index_width }.end_of_part(&columns, 0) < columns.len()
}

/// Prints the table, in several parts if it is wider than `-Cw` allows.
pub(super) fn print(table: &Table, options: &Options, output: &mut Output) {
    let columns = columns(table, options);
    let layout = Layout { options, index_width: index_width(table) };
    if !options.no_headers && !options.headers_only {
        output.print_line(&format!("SNMP table: {}\n", table.title));
    }
    let (mut first, mut part) = (0, 1);
    while first < columns.len() {
        let last = layout.end_of_part(&columns, first);
        if part > 1 && !options.no_headers {
            output.print_line(&format!("\nSNMP table {}, part {part}\n", table.title));
        }
        let part_columns = columns.get(first..last).unwrap_or_default();
        if !options.no_headers {
            let labels = part_columns.iter().map(|column| (column.width, column.label));
            output.print_line(&layout.line(options.column_width.is_none().then_some(INDEX), labels));
        }
        for row in &table.rows {
            let cells = row.cells.get(first..last).unwrap_or_default();
            let cells = part_columns.iter().zip(cells);
            let cells = cells.map(|(column, cell)| (column.width, cell.as_deref().unwrap_or("?")));
            let line = if options.column_width.is_some() {
                if options.with_index {
                    output.print_line(&format!("\nindex: {}", row.index));
                }
                layout.line(None, cells)
            } else {
                layout.line(Some(&row.index), cells)
            };
            output.print_line(&line);
        }
        (first, part) = (last, part + 1);
    }
}

/// Returns the index of an instance as formatted in its name.
pub(super) fn index(format: OutputFormat, name: &[u32]) -> String {
    let mut text = String::new();
    OutputFormat { names: NameForm::Suffix, ..format }.name(&mut text, name);
    let object = format.definitions.resolve(name).map_or("", |found| found.object.name);
    let index = text.strip_prefix(object).unwrap_or(&text);
    index.strip_prefix('.').unwrap_or(index).to_owned()
}

fn index_width(table: &Table) -> usize {
    table.rows.iter().map(|row| row.index.len()).fold(INDEX.len() + 1, usize::max)
}

struct Column {
    label: &'static str,
    /// The width of the widest cell, including the label.
    width: usize,
}

fn columns(table: &Table, options: &Options) -> Vec<Column> {
    let names: Vec<&'static str> = table.columns.iter().map(|column| column.name).collect();
    let prefix_len = if options.brief { common_prefix(&names) } else { 0 };
    let column = |(position, name): (usize, &&'static str)| {
        let label = name.get(prefix_len..).unwrap_or(name);
        let cells = table.rows.iter().filter_map(|row| row.cells.get(position)?.as_ref());
        Column { label, width: cells.map(|cell| cell.chars().count()).fold(label.len(), usize::max) }
    };
    names.iter().enumerate().map(column).collect()
}

/// Returns the length of the common prefix of all names, less than the length of any name. It is 0
/// for a single name.
fn common_prefix(names: &[&str]) -> usize {
    let Some((first, rest)) = names.split_first().filter(|(_, rest)| !rest.is_empty()) else { return 0 };
    let shared = |name: &&str| first.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
    let max = names.iter().map(|name| name.len()).min().unwrap_or_default().saturating_sub(1);
    rest.iter().map(shared).min().unwrap_or_default().min(max)
}

struct Layout<'a> {
    options: &'a Options,
    index_width: usize,
}

impl Layout<'_> {
    /// Returns the position after the last column of the part that starts with the column `first`.
    fn end_of_part(&self, columns: &[Column], first: usize) -> usize {
        // With columns of a fixed width, the index is on its own line.
        let has_index_column = self.options.with_index && self.options.column_width.is_none();
        let mut width = if has_index_column { self.index_width } else { 0 };
        for (position, column) in columns.iter().enumerate().skip(first) {
            width += self.options.column_width.unwrap_or(column.width + 1);
            if position > first && self.options.width.is_some_and(|limit| width > limit) {
                return position;
            }
        }
        columns.len()
    }

    fn line<'a>(&self, index: Option<&str>, cells: impl Iterator<Item = (usize, &'a str)>) -> String {
        let mut line = String::new();
        let (left, width) = (self.options.left_align, self.index_width);
        let index = index.filter(|_| self.options.with_index);
        match (index, &self.options.separator) {
            (Some(index), Some(_)) => line += index,
            (Some(index), None) if left => line += &format!("{index:<width$}"),
            (Some(index), None) => line += &format!("{index:>width$}"),
            (None, _) => {}
        }
        for (position, (width, cell)) in cells.enumerate() {
            if let Some(separator) = &self.options.separator {
                if position > 0 || index.is_some() {
                    line += separator;
                }
                line += cell;
                continue;
            }
            let width = self.options.column_width.map_or(width, |width| width.saturating_sub(1));
            let max = self.options.column_width.map_or(usize::MAX, |_| width);
            let cell: String = cell.chars().take(max).collect();
            line += &if left { format!("{cell:<width$} ") } else { format!(" {cell:>width$}") };
        }
        line
    }
}

const INDEX: &str = "index";
