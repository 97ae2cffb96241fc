//! Figures: the charts, the caption, and the data behind them.

use super::{prose, table};
use crate::document::Figure;
use crate::escape::{escaped, push};
use crate::figure_data;
use crate::svg::{self, Layout};

/// Appends a figure. A single chart is drawn twice, for wide and for narrow pages.
pub(super) fn push(page: &mut String, figure: &Figure, prefix: &str, number: usize) {
    let is_single = figure.panels.len() == 1;
    let class = if is_single { "single" } else { "several" };
    push!(*page, "<figure id=\"figure-{number}\" class=\"{class}\">\n");
    page.push_str("<div class=\"panels\">\n");
    for (index, panel) in figure.panels.iter().enumerate() {
        page.push_str("<div class=\"panel\">\n");
        if !panel.title.is_empty() {
            push!(*page, "<p class=\"panel-title\">{}</p>\n", escaped(&panel.title));
        }
        let title = if panel.title.is_empty() { figure.caption.to_string() } else { panel.title.clone() };
        let id = format!("figure-{number}-{}", index + 1);
        if is_single {
            push!(*page, "<div class=\"wide\">{}</div>", svg::draw(&panel.plot, Layout::Wide, &id, &title));
            let id = format!("{id}-narrow");
            push!(
                *page,
                "<div class=\"narrow\">{}</div>",
                svg::draw(&panel.plot, Layout::Narrow, &id, &title)
            );
        } else {
            page.push_str(&svg::draw(&panel.plot, Layout::Narrow, &id, &title));
        }
        page.push_str("</div>\n");
    }
    page.push_str("</div>\n");
    push!(*page, "<figcaption>{prefix}{}", prose::html(&figure.caption));
    if let Some(counts) = figure_data::counts(figure) {
        push!(*page, " <span class=\"counts\">{counts}.</span>");
    }
    page.push_str("</figcaption>\n<details>\n<summary>Data</summary>\n");
    for (index, data) in figure_data::tables(figure).iter().enumerate() {
        let prefix = if data.caption.is_empty() { format!("Data of figure {number}") } else { String::new() };
        table::push_framed(page, data, &prefix, &format!("figure-{number}-data-{}", index + 1));
    }
    page.push_str("</details>\n</figure>\n");
}
