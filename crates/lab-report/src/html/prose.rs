//! Text with code and emphasis.

use crate::document::{Inline, Prose};
use crate::escape::{escaped, push};

/// Returns the text as HTML.
pub(super) fn html(prose: &Prose) -> String {
    let mut html = String::new();
    for piece in prose.pieces() {
        match piece {
            Inline::Text(text) => html.push_str(&escaped(text)),
            Inline::Code(text) => push!(html, "<code>{}</code>", escaped(text)),
            Inline::Strong(text) => push!(html, "<strong>{}</strong>", escaped(text)),
        }
    }
    html
}
