//! A chart as a file of its own, for documents that cannot contain SVG.

use super::{DARK, LIGHT, Layout, Margin, STYLE, draw_with};
use crate::document::Figure;

/// Draws the first chart of a figure as an SVG file with its own styles, light and dark.
///
/// `quick` marks the drawing as that of a quick run. Returns `None` for a figure without charts.
pub fn standalone(figure: &Figure, quick: bool) -> Option<String> {
    let panel = figure.panels.first()?;
    let margin = Margin { size: 14.0, quick };
    let svg = draw_with(&panel.plot, Layout::Wide, "chart", &figure.caption.to_string(), margin);
    let style = format!(
        "<style>svg{{{}background:var(--paper)}}@media(prefers-color-scheme:dark){{svg{{{}}}}}{}</style>",
        LIGHT.trim(),
        DARK.trim(),
        STYLE.trim()
    );
    Some(svg.replacen("<title ", &format!("{style}<title "), 1))
}
