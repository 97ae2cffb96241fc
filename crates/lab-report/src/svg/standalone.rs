//! A chart as a file of its own, for documents that cannot contain SVG.

use super::{DARK, LIGHT, Layout, STYLE, draw};
use crate::document::Figure;

/// Draws the first chart of a figure as an SVG file with its own styles, light and dark.
///
/// Returns `None` for a figure without charts.
pub fn standalone(figure: &Figure) -> Option<String> {
    let panel = figure.panels.first()?;
    let svg = draw(&panel.plot, Layout::Wide, "chart", &figure.caption.to_string());
    let style = format!(
        "<style>svg{{{}background:var(--paper)}}@media(prefers-color-scheme:dark){{svg{{{}}}}}{}</style>",
        LIGHT.trim(),
        DARK.trim(),
        STYLE.trim()
    );
    Some(svg.replacen("<title ", &format!("{style}<title "), 1))
}
