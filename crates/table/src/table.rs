//! A table, and its layout if it is too wide.

use std::fmt::Write as _;

/// Rows of cells in aligned columns. The first `left` columns are left-aligned, the others
/// right-aligned.
#[derive(Debug)]
pub struct Table {
    left: usize,
    indent: usize,
    breaks: &'static [usize],
    drops: &'static [usize],
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table with these column headers; the first `left` columns are left-aligned.
    pub fn new(left: usize, head: &[&str]) -> Self {
        let head = head.iter().map(|cell| (*cell).to_owned()).collect();
        Self { left, indent: 0, breaks: &[], drops: &[], rows: vec![head] }
    }

    /// Indents each line by this number of spaces.
    #[must_use]
    pub fn with_indent(self, indent: usize) -> Self {
        Self { indent, ..self }
    }

    /// Sets the columns before which a row may continue on a new line if the table is too wide.
    /// They are used in this order, and only as many as needed.
    #[must_use]
    pub fn break_before(self, breaks: &'static [usize]) -> Self {
        Self { breaks, ..self }
    }

    /// Sets the columns that are dropped if the table is too wide. They are dropped in this order,
    /// and only as many as needed.
    #[must_use]
    pub fn droppable(self, drops: &'static [usize]) -> Self {
        Self { drops, ..self }
    }

    /// Adds a row.
    pub fn add_row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Returns the table with each row on one line. Every line ends with a line feed.
    pub fn unwrapped(&self) -> String {
        self.fitted(None)
    }

    /// Returns the table in lines of at most `width` characters, if the indent leaves enough room.
    /// Every line ends with a line feed.
    pub fn fitted(&self, width: Option<usize>) -> String {
        self.rows(width).concat()
    }

    /// Returns the table as [`Table::fitted`] does, but row by row, the header first.
    pub fn rows(&self, width: Option<usize>) -> Vec<String> {
        let widths = self.widths();
        let layout = match width {
            Some(width) => self.layout(&widths, width),
            None => vec![(0..widths.len()).collect()],
        };
        self.rows
            .iter()
            .map(|row| self.render_row(row, &layout, &widths, width.unwrap_or(usize::MAX)))
            .collect()
    }

    /// Returns the width of the widest cell of each column.
    fn widths(&self) -> Vec<usize> {
        let mut widths = Vec::new();
        for row in &self.rows {
            widths.resize(widths.len().max(row.len()), 0);
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.chars().count().max(*width);
            }
        }
        widths
    }

    /// Assigns the columns to the lines of a row.
    fn layout(&self, widths: &[usize], limit: usize) -> Vec<Vec<usize>> {
        let mut layout: Vec<Vec<usize>> = vec![(0..widths.len()).collect()];
        let is_too_wide = |layout: &[Vec<usize>]| {
            layout.iter().enumerate().any(|(number, line)| {
                let cells = line.iter().filter_map(|column| widths.get(*column));
                let cells: usize = cells.map(|width| width + GAP.len()).sum();
                self.margin(number) + cells.saturating_sub(GAP.len()) > limit
            })
        };
        let mut drops = self.drops.iter();
        while is_too_wide(&layout)
            && let Some(dropped) = drops.next()
        {
            layout.iter_mut().for_each(|line| line.retain(|column| column != dropped));
        }
        let mut breaks = self.breaks.iter();
        while is_too_wide(&layout)
            && let Some(first) = breaks.next()
        {
            layout = layout.iter().flat_map(|line| split_at_column(line, *first)).collect();
        }
        layout
    }

    /// Formats a row, without empty continuation lines.
    fn render_row(&self, row: &[String], layout: &[Vec<usize>], widths: &[usize], limit: usize) -> String {
        let mut text = String::new();
        for (number, columns) in layout.iter().enumerate() {
            let margin = self.margin(number);
            if let [alone] = columns.as_slice()
                && let Some(cell) = row.get(*alone).filter(|cell| margin + cell.chars().count() > limit)
            {
                wrap(&mut text, cell, margin, limit);
                continue;
            }
            let mut line = " ".repeat(margin);
            for (position, column) in columns.iter().enumerate() {
                let gap = if position == 0 { "" } else { GAP };
                let (cell, width) = (row.get(*column), widths.get(*column));
                let (cell, width) = (cell.map_or("", String::as_str), width.copied().unwrap_or_default());
                // Writing to a string cannot fail.
                let _ = if *column < self.left {
                    write!(line, "{gap}{cell:<width$}")
                } else {
                    write!(line, "{gap}{cell:>width$}")
                };
            }
            let line = line.trim_end();
            if !line.is_empty() || number == 0 {
                text.push_str(line);
                text.push('\n');
            }
        }
        text
    }

    fn margin(&self, line: usize) -> usize {
        self.indent + if line == 0 { 0 } else { CONTINUATION_INDENT }
    }
}

/// Splits a line in two; the second one starts with the column `first`.
fn split_at_column(line: &[usize], first: usize) -> Vec<Vec<usize>> {
    let (before, after): (Vec<usize>, Vec<usize>) = line.iter().partition(|column| **column < first);
    [before, after].into_iter().filter(|columns| !columns.is_empty()).collect()
}

/// Appends a cell on as many lines as needed. Lines break after a space, colon, comma or slash if
/// there is one, otherwise at the limit.
fn wrap(text: &mut String, cell: &str, margin: usize, limit: usize) {
    let available = limit.saturating_sub(margin).max(1);
    let mut rest: Vec<char> = cell.chars().collect();
    while !rest.is_empty() {
        let max = rest.len().min(available);
        let end = match rest.iter().take(max).rposition(|letter| " :,/".contains(*letter)) {
            Some(last) if rest.len() > available => last + 1,
            _ => max,
        };
        let line: String = rest.drain(..end).collect();
        text.push_str(&" ".repeat(margin));
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

/// The separator between columns.
const GAP: &str = "  ";
/// Number of additional spaces before the continuation lines of a row.
const CONTINUATION_INDENT: usize = 4;

#[cfg(test)]
mod tests;
