//! Cells of a table: the value, and below it everything needed to judge it.

use super::prose;
use crate::cell_text::CellText;
use crate::document::Cell;
use crate::escape::{escaped, push};

/// Appends a cell. The first cell of a row is its heading, if it is a text.
pub(super) fn push(page: &mut String, cell: &Cell, is_heading: bool) {
    match CellText::of(cell) {
        CellText::Empty if is_heading => page.push_str("<th scope=\"row\"></th>"),
        CellText::Empty => page.push_str("<td></td>"),
        CellText::Text(text) if is_heading => push!(*page, "<th scope=\"row\">{}</th>", prose::html(text)),
        CellText::Text(text) => push!(*page, "<td>{}</td>", prose::html(text)),
        CellText::Value { value, details } => {
            let details: Vec<String> = details.iter().map(|line| escaped(line)).collect();
            push!(
                *page,
                "<td class=\"num\"><b>{}</b><small>{}</small></td>",
                escaped(&value),
                details.join("<br>")
            );
        }
        CellText::Paper(text, source) => {
            push!(*page, "<td class=\"num ref\"><b>{}</b><small>{source}</small></td>", escaped(&text));
        }
        CellText::Unavailable(reason) => {
            push!(*page, "<td class=\"none\"><b>not available</b><small>{}</small></td>", escaped(reason));
        }
    }
}
