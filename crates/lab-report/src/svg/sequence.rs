//! Messages between participants, from top to bottom in the order of their times.
//!
//! Messages have equal distances, because those of a handshake would otherwise hide each other.
//! The time stands beside each message, and a pause that dominates the session is shown.

use super::text::{fit, width};
use super::writer::{Anchor, Writer};
use super::{Drawing, Layout};
use crate::document::Sequence;
use crate::sample::Message;
use crate::unit::Unit;

/// Draws the lifelines of at most three participants, and at most [`MAX_MESSAGES`] messages.
pub(super) fn draw(sequence: &Sequence, layout: Layout) -> Drawing {
    let full = layout.width().min(MAX_WIDTH);
    let participants: Vec<&str> = sequence.participants.iter().take(3).map(String::as_str).collect();
    let (first, last) = (GUTTER + 34.0, full - 46.0);
    let step = (last - first) / participants.len().saturating_sub(1).max(1) as f64;
    let x_of = |name: &str| {
        participants.iter().position(|other| *other == name).map(|index| first + index as f64 * step)
    };
    let rows = rows(&sequence.messages);
    let (head, bottom) = (34.0, 46.0 + rows.len() as f64 * ROW);

    let mut writer = Writer::default();
    writer.text("t", (0.0, 18.0), Anchor::Start, "time");
    for (index, name) in participants.iter().enumerate() {
        let x = first + index as f64 * step;
        let available = if participants.len() > 2 { step - 8.0 } else { 2.0 * (full - last) + 60.0 };
        let label = fit(name, 12.0, available);
        let half = width(&label, 12.0) / 2.0;
        writer.text_with_hint("b", (x.min(full - half), 18.0), Anchor::Middle, &label, name);
        writer.line("x", (x, head - 6.0), (x, bottom));
    }
    for (index, row) in rows.iter().enumerate() {
        let y = head + 24.0 + index as f64 * ROW;
        match row {
            Row::Message(message) => {
                let ends = (x_of(&message.from).unwrap_or(first), x_of(&message.to).unwrap_or(last));
                draw_message(&mut writer, message, ends, y);
            }
            Row::Pause(seconds) => {
                writer.rectangle("w", (GUTTER, y - 15.0), (full - GUTTER, 20.0));
                let text = format!("{} without a message", Unit::Seconds.text(*seconds));
                writer.text("t n b", ((first + last) / 2.0, y - 1.0), Anchor::Middle, &text);
            }
            Row::Omitted(count) => {
                let text = format!("{count} more messages");
                writer.text("t", ((first + last) / 2.0, y - 1.0), Anchor::Middle, &text);
            }
        }
    }
    Drawing { body: writer.finish(), width: full, height: bottom + 8.0 }
}

enum Row<'a> {
    Message(&'a Message),
    Pause(f64),
    Omitted(usize),
}

/// The rows of a diagram: the messages, the pauses between them, and the middle that is left out.
fn rows(messages: &[Message]) -> Vec<Row<'_>> {
    let total = messages.last().map_or(0.0, |message| message.at);
    let mut rows = Vec::new();
    let mut before: Option<f64> = None;
    let omitted = messages.len().saturating_sub(MAX_MESSAGES);
    let kept = MAX_MESSAGES / 2..MAX_MESSAGES / 2 + omitted;
    for (index, message) in messages.iter().enumerate() {
        if kept.contains(&index) {
            if index == kept.start {
                rows.push(Row::Omitted(omitted));
            }
        } else {
            let pause = before.map_or(0.0, |before| message.at - before);
            if pause > MIN_PAUSE && pause > total * PAUSE_SHARE {
                rows.push(Row::Pause(pause));
            }
            rows.push(Row::Message(message));
        }
        before = Some(message.at);
    }
    rows
}

/// Draws the time, the arrow, and above it the label and the size.
fn draw_message(writer: &mut Writer, message: &Message, (from, to): (f64, f64), y: f64) {
    writer.text("t", (0.0, y), Anchor::Start, &Unit::Seconds.text(message.at));
    let direction = if to < from { -1.0 } else { 1.0 };
    writer.line("v", (from, y), (to - direction * 2.0, y));
    let tip = [(to, y), (to - direction * 8.0, y - 4.0), (to - direction * 8.0, y + 4.0)];
    writer.lines("f", &tip);
    let size = format!(" · {}", Unit::Octets.text(message.octets as f64));
    let available = (to - from).abs() - 20.0 - width(&size, 11.0);
    let text = format!("{}{size}", fit(&message.label, 11.0, available));
    let hint = format!("{}{size} octets", message.label);
    writer.text_with_hint("t", ((from + to) / 2.0, y - 5.0), Anchor::Middle, &text, &hint);
}

const GUTTER: f64 = 60.0;
const ROW: f64 = 26.0;
const MAX_MESSAGES: usize = 64;

/// Longer arrows would be hard to follow.
const MAX_WIDTH: f64 = 580.0;

/// A pause is shown if it takes this share of the session, and at least this time.
const PAUSE_SHARE: f64 = 0.2;
const MIN_PAUSE: f64 = 0.001;
