//! Writes the elements of a drawing. All texts are escaped here.

use std::fmt;

use crate::escape::{push, push_escaped};

/// The elements of a drawing.
#[derive(Default)]
pub(super) struct Writer {
    body: String,
}

/// The end of a text that stands at its position.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Writer {
    pub(super) fn finish(self) -> String {
        self.body
    }

    /// Begins a group with these classes.
    pub(super) fn open(&mut self, classes: &str) {
        push!(self.body, "<g class=\"{classes}\">");
    }

    pub(super) fn close(&mut self) {
        self.body.push_str("</g>\n");
    }

    pub(super) fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let (x1, y1, x2, y2) = (Number(x1), Number(y1), Number(x2), Number(y2));
        push!(self.body, "<path class=\"{class}\" d=\"M{x1} {y1}L{x2} {y2}\"/>");
    }

    /// Draws a line through all points.
    pub(super) fn lines(&mut self, class: &str, points: &[(f64, f64)]) {
        push!(self.body, "<path class=\"{class}\" d=\"");
        for (index, (x, y)) in points.iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            push!(self.body, "{command}{} {}", Number(*x), Number(*y));
        }
        self.body.push_str("\"/>");
    }

    /// Draws a path whose data the caller has formatted from numbers.
    pub(super) fn path(&mut self, class: &str, data: &str) {
        push!(self.body, "<path class=\"{class}\" d=\"{data}\"/>");
    }

    pub(super) fn rectangle(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let (x, y, width, height) = (Number(x), Number(y), Number(width.max(0.0)), Number(height.max(0.0)));
        push!(
            self.body,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
        );
    }

    pub(super) fn text(&mut self, class: &str, (x, y): (f64, f64), anchor: Anchor, text: &str) {
        self.text_with_hint(class, (x, y), anchor, text, "");
    }

    /// Writes a text, and a longer one that browsers show when the pointer is over it.
    pub(super) fn text_with_hint(
        &mut self,
        class: &str,
        (x, y): (f64, f64),
        anchor: Anchor,
        text: &str,
        hint: &str,
    ) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        push!(self.body, "<text class=\"{class}\" x=\"{}\" y=\"{}\"{anchor}>", Number(x), Number(y));
        push_escaped(&mut self.body, text);
        if !hint.is_empty() && hint != text {
            self.body.push_str("<title>");
            push_escaped(&mut self.body, hint);
            self.body.push_str("</title>");
        }
        self.body.push_str("</text>\n");
    }
}

/// A coordinate with at most one decimal. It is 0 if it is not finite, so that drawings are valid.
#[derive(Clone, Copy)]
pub(super) struct Number(pub(super) f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = if self.0.is_finite() { self.0.clamp(-1e6, 1e6) } else { 0.0 };
        let tenths = (value * 10.0).round() as i64;
        let sign = if tenths < 0 { "-" } else { "" };
        let (whole, rest) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
        if rest == 0 { write!(f, "{sign}{whole}") } else { write!(f, "{sign}{whole}.{rest}") }
    }
}
