//! Tables. A wide table scrolls sideways, and its first column stays.

use super::{cell, prose};
use crate::document::{Cell, Row, Table};
use crate::escape::{escaped, push};

/// Appends a table with its caption.
pub(super) fn push(page: &mut String, table: &Table, prefix: &str, number: usize) {
    push!(*page, "<div class=\"table\" id=\"table-{number}\">\n");
    push_framed(page, table, prefix, &format!("table-{number}-caption"));
    page.push_str("</div>\n");
}

/// Appends a caption that stays in view, and the table that scrolls below it.
pub(super) fn push_framed(page: &mut String, table: &Table, prefix: &str, id: &str) {
    let caption = prose::html(&table.caption);
    push!(*page, "<p class=\"caption\" id=\"{id}\">{prefix}{caption}</p>\n");
    push!(*page, "<div class=\"scroll\" role=\"region\" aria-labelledby=\"{id}\" tabindex=\"0\">\n");
    push_bare(page, table);
    page.push_str("</div>\n");
}

/// Appends the table alone.
fn push_bare(page: &mut String, table: &Table) {
    page.push_str("<table>\n<thead><tr>");
    for column in &table.columns {
        push!(*page, "<th scope=\"col\">{}", prose::html(&column.heading));
        if !column.detail.is_empty() {
            push!(*page, "<small>{}</small>", escaped(&column.detail));
        }
        page.push_str("</th>");
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    let width = table.columns.len();
    for row in table.rows.iter().take(MAX_ROWS) {
        match row {
            Row::Heading(text) => {
                push!(
                    *page,
                    "<tr class=\"group\"><th colspan=\"{}\" scope=\"rowgroup\">{}</th></tr>\n",
                    width.max(1),
                    prose::html(text)
                );
            }
            Row::Cells(cells) => {
                page.push_str("<tr>");
                let filled = cells.iter().chain(std::iter::repeat(&Cell::Empty));
                for (index, cell) in filled.take(width).enumerate() {
                    cell::push(page, cell, index == 0);
                }
                page.push_str("</tr>\n");
            }
        }
    }
    page.push_str("</tbody>\n");
    let omitted = table.rows.len().saturating_sub(MAX_ROWS);
    if omitted > 0 {
        push!(
            *page,
            "<tfoot><tr><td colspan=\"{}\">{omitted} more rows are in the CSV file.</td></tr></tfoot>\n",
            width.max(1)
        );
    }
    page.push_str("</table>\n");
}

/// The maximum number of rows that a page shows of one table.
const MAX_ROWS: usize = 500;
