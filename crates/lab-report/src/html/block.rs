//! The blocks of a section.

use super::{figure, outcome_class, prose, table};
use crate::document::{Block, Notice, NoticeKind, Verdict};
use crate::escape::push;
use crate::numbering::{Numbered, QUICK_MARK};

/// Appends a block.
pub(super) fn push(page: &mut String, numbered: &Numbered<'_>, quick: bool) {
    match numbered.block {
        Block::Paragraph(text) => push!(*page, "<p>{}</p>\n", prose::html(text)),
        Block::Table(one) => {
            table::push(page, one, &caption_prefix("Table", numbered.number, quick), numbered.number)
        }
        Block::Figure(one) => {
            figure::push(page, one, &caption_prefix("Figure", numbered.number, quick), numbered.number);
        }
        Block::Notice(notice) => push_notice(page, notice),
        Block::Verdict(verdict) => push_verdict(page, verdict),
    }
}

/// The name and number of a table or figure, and the mark of a quick run.
fn caption_prefix(kind: &str, number: usize, quick: bool) -> String {
    let mark = if quick { format!(" <span class=\"chip quick\">{QUICK_MARK}</span>") } else { String::new() };
    format!("<b>{kind} {number}.</b>{mark} ")
}

fn push_notice(page: &mut String, notice: &Notice) {
    let (class, label) = match notice.kind {
        NoticeKind::Note => ("note", "Note"),
        NoticeKind::Unavailable => ("unavailable", "Not available"),
        NoticeKind::Warning => ("warning", "Warning"),
    };
    push!(
        *page,
        "<p class=\"notice {class}\" role=\"note\"><b>{label}:</b> {}</p>\n",
        prose::html(&notice.text)
    );
}

fn push_verdict(page: &mut String, verdict: &Verdict) {
    push!(
        *page,
        "<p class=\"verdict {}\"><b>{}.</b> <span>{} {}</span> {}</p>\n",
        outcome_class(verdict.outcome),
        verdict.outcome.text(),
        verdict.source.text(),
        prose::html(&verdict.claim),
        prose::html(&verdict.finding)
    );
}
