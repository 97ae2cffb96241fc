//! A report as Markdown, with tables in place of charts.

mod escape;

use escape::{code, escape};

use crate::cell_text::CellText;
use crate::document::{
    Block, Cell, Document, Figure, Inline, Notice, NoticeKind, Prose, Row, Section, Table, Verdict,
};
use crate::escape::push;
use crate::figure_data;
use crate::numbering::{LAB_HEADING, Numbered, PAPERS_HEADING, QUICK_MARK, QUICK_NOTICE, numbered};
use crate::reading;

/// Renders the report.
pub fn render(document: &Document) -> String {
    let mut text = format!("# {}\n", escape(&document.title));
    if document.quick {
        push!(text, "\n> **Warning:** {}\n", escape(QUICK_NOTICE));
    }
    for paragraph in &document.introduction {
        push!(text, "\n{}\n", prose(paragraph));
    }
    if !document.facts.is_empty() {
        text.push_str("\n| | |\n|---|---|\n");
        for (name, value) in &document.facts {
            push!(text, "| {} | {} |\n", escape(name), escape(value));
        }
    }
    push_verdicts(&mut text, document);
    for (section, blocks) in numbered(document) {
        push_heading(&mut text, section);
        for numbered in blocks {
            push_block(&mut text, &numbered, document.quick);
        }
    }
    push!(text, "\n## {}\n", reading::HEADING);
    reading::PARAGRAPHS.iter().for_each(|paragraph| push!(text, "\n{}\n", escape(paragraph)));
    text
}

/// Renders one table with values only: without intervals, minimums and numbers of rounds.
pub fn brief_table(table: &Table) -> String {
    let mut text = String::new();
    push_table(&mut text, table, brief_text);
    text
}

fn push_verdicts(text: &mut String, document: &Document) {
    for (heading, is_paper) in [(PAPERS_HEADING, true), (LAB_HEADING, false)] {
        let mut heading = format!("\n## {heading}\n\n");
        for (_, verdict) in document.verdicts().filter(|(_, one)| one.source.is_paper() == is_paper) {
            text.push_str(&std::mem::take(&mut heading));
            push!(*text, "- {}\n", verdict_text(verdict));
        }
    }
}

fn push_heading(text: &mut String, section: &Section) {
    push!(*text, "\n## {}", escape(&section.title));
    if !section.papers.is_empty() {
        push!(*text, " ({})", escape(&section.papers.join(", ")));
    }
    text.push('\n');
}

fn push_block(text: &mut String, numbered: &Numbered<'_>, quick: bool) {
    let mark = if quick { format!(" ({QUICK_MARK})") } else { String::new() };
    let number = numbered.number;
    match numbered.block {
        Block::Paragraph(paragraph) => push!(*text, "\n{}\n", prose(paragraph)),
        Block::Notice(notice) => push_notice(text, notice),
        Block::Verdict(verdict) => push!(*text, "\n{}\n", verdict_text(verdict)),
        Block::Table(table) => {
            push!(*text, "\n**Table {number}.**{mark} {}\n\n", prose(&table.caption));
            push_table(text, table, cell_text);
        }
        Block::Figure(figure) => {
            push!(*text, "\n**Figure {number}.**{mark} {}\n", prose(&figure.caption));
            push_figure(text, figure);
        }
    }
}

fn push_notice(text: &mut String, notice: &Notice) {
    let label = match notice.kind {
        NoticeKind::Note => "Note",
        NoticeKind::Unavailable => "Not available",
        NoticeKind::Warning => "Warning",
    };
    push!(*text, "\n> **{label}:** {}\n", prose(&notice.text));
}

fn push_figure(text: &mut String, figure: &Figure) {
    for table in figure_data::tables(figure) {
        if !table.caption.is_empty() {
            push!(*text, "\n{}:\n", prose(&table.caption));
        }
        text.push('\n');
        push_table(text, &table, cell_text);
    }
}

fn push_table(text: &mut String, table: &Table, cell_text: fn(&Cell) -> String) {
    text.push('|');
    for column in &table.columns {
        let detail =
            if column.detail.is_empty() { String::new() } else { format!(", {}", escape(&column.detail)) };
        push!(*text, " {}{detail} |", prose(&column.heading));
    }
    push!(*text, "\n|{}\n", "---|".repeat(table.columns.len()));
    for row in table.rows.iter().take(MAX_ROWS) {
        text.push('|');
        match row {
            Row::Heading(heading) => {
                push!(
                    *text,
                    " **{}** |{}",
                    prose(heading),
                    " |".repeat(table.columns.len().saturating_sub(1))
                );
            }
            Row::Cells(cells) => {
                let filled = cells.iter().chain(std::iter::repeat(&Cell::Empty));
                for cell in filled.take(table.columns.len()) {
                    push!(*text, " {} |", cell_text(cell));
                }
            }
        }
        text.push('\n');
    }
    let omitted = table.rows.len().saturating_sub(MAX_ROWS);
    if omitted > 0 {
        push!(*text, "\n{omitted} more rows are in the CSV file.\n");
    }
}

fn cell_text(cell: &Cell) -> String {
    match CellText::of(cell) {
        CellText::Empty => String::new(),
        CellText::Text(text) => prose(text),
        CellText::Value { value, details } => {
            format!("**{}** ({})", escape(&value), escape(&details.join(", ").replace(" · ", ", ")))
        }
        CellText::Paper(value, source) => format!("*{}* ({source})", escape(&value)),
        CellText::Unavailable(reason) => format!("not available: {}", escape(reason)),
    }
}

fn brief_text(cell: &Cell) -> String {
    match CellText::of(cell) {
        CellText::Value { value, .. } => escape(&value),
        _ => cell_text(cell),
    }
}

fn verdict_text(verdict: &Verdict) -> String {
    let source = escape(&verdict.source.text());
    let (claim, finding) = (prose(&verdict.claim), prose(&verdict.finding));
    format!("**{}.** {source} {claim} {finding}", verdict.outcome.text())
}

fn prose(text: &Prose) -> String {
    let pieces = text.pieces().iter().map(|piece| match piece {
        Inline::Text(text) => escape(text),
        Inline::Code(text) => code(text),
        Inline::Strong(text) => format!("**{}**", escape(text)),
    });
    pieces.collect()
}

/// The maximum number of rows of a table.
const MAX_ROWS: usize = 500;

#[cfg(test)]
mod tests;
