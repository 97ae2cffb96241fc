//! A table, and what becomes of it where it is too wide.

use std::fmt::Write as _;

/// Rows of cells in aligned columns: the first `left` to the left, the others to the right.
#[derive(Debug)]
pub struct Table {
    left: usize,
    indent: usize,
    breaks: &'static [usize],
    drops: &'static [usize],
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these column heads.
    pub fn new(left: usize, head: &[&str]) -> Self {
        let head = head.iter().map(|cell| (*cell).to_owned()).collect();
        Self { left, indent: 0, breaks: &[], drops: &[], rows: vec![head] }
    }

    /// With so many blanks before each line.
    #[must_use]
    pub fn with_indent(self, indent: usize) -> Self {
        Self { indent, ..self }
    }

    /// Where it is too wide, a new line begins before these columns: as many of them, in this order, as are needed.
    #[must_use]
    pub fn break_before(self, breaks: &'static [usize]) -> Self {
        Self { breaks, ..self }
    }

    /// Where it is too wide, these columns are left out: as many of them, in this order, as are needed.
    #[must_use]
    pub fn droppable(self, drops: &'static [usize]) -> Self {
        Self { drops, ..self }
    }

    /// Adds a row.
    pub fn add_row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Each row in one line, each line ended.
    pub fn unwrapped(&self) -> String {
        self.fitted(None)
    }

    /// Lines of at most `width` characters, as far as cells allow; each ended.
    pub fn fitted(&self, width: Option<usize>) -> String {
        self.rows(width).concat()
    }

    /// As [`Table::fitted`], row by row, the head first.
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

    /// Of each column: its widest cell.
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

    /// Which columns stand in which line.
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

    /// A row; of its lines, those that have something in them.
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
            for (place, column) in columns.iter().enumerate() {
                let gap = if place == 0 { "" } else { GAP };
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

/// A line in two, the second of which begins with the column `first`.
fn split_at_column(line: &[usize], first: usize) -> Vec<Vec<usize>> {
    let (before, after): (Vec<usize>, Vec<usize>) = line.iter().partition(|column| **column < first);
    [before, after].into_iter().filter(|columns| !columns.is_empty()).collect()
}

/// A cell in as many lines as it takes, broken behind a blank, a colon, a comma or a slash where there is one.
fn wrap(text: &mut String, cell: &str, margin: usize, limit: usize) {
    let room = limit.saturating_sub(margin).max(1);
    let mut rest: Vec<char> = cell.chars().collect();
    while !rest.is_empty() {
        let most = rest.len().min(room);
        let end = match rest.iter().take(most).rposition(|letter| " :,/".contains(*letter)) {
            Some(last) if rest.len() > room => last + 1,
            _ => most,
        };
        let line: String = rest.drain(..end).collect();
        text.push_str(&" ".repeat(margin));
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

/// Between columns.
const GAP: &str = "  ";
/// How much deeper than the first the other lines of a row begin.
const CONTINUATION_INDENT: usize = 4;

#[cfg(test)]
mod tests;
