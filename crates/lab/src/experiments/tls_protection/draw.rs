//! Table 1 of paper 002, and the check by OpenSSL.

mod check;
mod differences;

use portreeve_lab_report::document::{Cell, NoticeKind, Outcome, Section, Source, Table};
use portreeve_lab_report::papers::PaperValue;
use portreeve_lab_report::papers::paper_002::{Protection as Row, TABLE_1};
use portreeve_lab_report::sample::Sample;
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::statistics::{Interval, Level, Summary};
use portreeve_lab_report::unit::Unit;
use portreeve_lab_tls::Protection;

use super::{LONG, NAME, OURS, PRIVACY, SHORT};
use crate::experiments::judgement::{is_above, is_less};

/// Fills the section.
pub(super) fn draw(samples: &Samples, section: &mut Section) {
    let all = samples.experiment(NAME);
    let chacha20 = match is_missing(&all, Protection::ChaCha20) {
        true => "",
        false => " ChaCha20-Poly1305, instead of AES-128-GCM, has rows of its own.",
    };
    section.paragraph(format!("{PARAGRAPH}{chacha20}"));
    section.table(table(&all));
    for record in all.all_unavailable() {
        let what = record.variant.get("protection").unwrap_or("OpenSSL");
        section.notice(NoticeKind::Unavailable, format!("{what}: {}.", record.reason));
    }
    section.table(differences::table(&all));
    verdict(&all, section);
    check::add(&all, section);
}

fn table(all: &Selection<'_>) -> Table {
    let mut table = Table::new("Session times by the protection of TLS, as in Table 1 of paper 002")
        .column("Protection")
        .column_with("Short session", "paper")
        .column_with("Short session", "lab")
        .column_with("Long session", "paper")
        .column_with("Long session", "lab")
        .column_with("Each message of a long session", "paper")
        .column_with("Each message of a long session", "lab")
        .column_with("CPU of both ends", "long session")
        .column_with("Octets", "long session");
    let paper = |value: fn(&Row) -> PaperValue| TABLE_1.each_ref().map(value);
    for (label, protection, printed) in [
        ("none (a)", Protection::None, Some(paper(|row| row.none))),
        ("integrity (b)", Protection::Integrity, Some(paper(|row| row.integrity))),
        ("both (d)", Protection::Both, Some(paper(|row| row.both))),
        (CHACHA20, Protection::ChaCha20, None),
    ] {
        if is_missing(all, protection) {
            continue;
        }
        let [short, long] = [SHORT, LONG].map(|messages| sessions(all, protection, messages));
        let cpu = |sample: &Sample| Some(sample.values.get("client_cpu")? + sample.values.get("agent_cpu")?);
        let each = |sample: &Sample| Some(sample.values.get("messages")? / LONG as f64);
        let derived = |value: &dyn Fn(&Sample) -> Option<f64>| match long.derived(value) {
            Some(summary) => Cell::measured(summary, Unit::Seconds),
            None => Cell::missing(&long),
        };
        let [first, second, third] =
            printed.map_or_else(Default::default, |printed| printed.map(Cell::paper));
        table.row([
            Cell::text(label),
            first,
            Cell::of(&short, "time", Unit::Seconds),
            second,
            Cell::of(&long, "time", Unit::Seconds),
            third,
            derived(&each),
            derived(&cpu),
            Cell::of(&long, "octets", Unit::Octets),
        ]);
        if protection == Protection::Integrity {
            let [first, second, third] = paper(|row| row.privacy).map(Cell::paper);
            let missing = Cell::missing(&all.with("protection", PRIVACY));
            table.row([
                Cell::text("privacy, with compression (c)"),
                first,
                missing.clone(),
                second,
                missing,
                third,
            ]);
        }
    }
    table.heading("In relation to no protection");
    for (label, protection) in
        [("integrity", Protection::Integrity), ("both", Protection::Both), (CHACHA20, Protection::ChaCha20)]
    {
        if is_missing(all, protection) {
            continue;
        }
        let ratio = |messages, value: &str| {
            Cell::ratio_of(
                &sessions(all, protection, messages),
                &sessions(all, Protection::None, messages),
                value,
            )
        };
        table.row([
            Cell::text(label),
            Cell::Empty,
            ratio(SHORT, "time"),
            Cell::Empty,
            ratio(LONG, "time"),
            Cell::Empty,
            ratio(LONG, "messages"),
            Cell::Empty,
            ratio(LONG, "octets"),
        ]);
    }
    table
}

fn verdict(all: &Selection<'_>, section: &mut Section) {
    let with = |messages| {
        let both = sessions(all, Protection::Both, messages);
        both.ratios(&sessions(all, Protection::None, messages), "time")
    };
    let (Some(short), Some(long)) = (with(SHORT), with(LONG)) else { return };
    let outcome = match is_less(&short, &long) {
        Some(false) => Outcome::DoesNotHold,
        order => Outcome::of_parts([order, is_above(&long, 1.0 + MIN_EFFECT)]),
    };
    section.verdict(
        Source::Paper("002 Table 1"),
        outcome,
        "Integrity and privacy add 8.5 % to the time of a short session, and 22 % to that of a long one.",
        format!(
            "Here they add {} to a session with one message, and {} to one with {LONG} messages.",
            added(&short),
            added(&long)
        ),
    );
}

/// Formats the share by which a ratio is above 1, with its interval.
fn added(ratio: &Summary) -> String {
    let interval = ratio.interval(Level::P95).map(|(interval, _)| interval);
    let interval = interval.map(|interval| Interval { low: interval.low - 1.0, high: interval.high - 1.0 });
    Unit::Share.estimate_text(ratio.median - 1.0, interval, Level::P95)
}

/// Returns true for the protection that runs of older versions do not have.
fn is_missing(all: &Selection<'_>, protection: Protection) -> bool {
    protection == Protection::ChaCha20 && sessions(all, protection, LONG).is_empty()
}

fn sessions<'s>(all: &Selection<'s>, protection: Protection, messages: usize) -> Selection<'s> {
    all.with("by", OURS).with("protection", protection.name()).with("messages", &messages.to_string())
}

const PARAGRAPH: &str = "Sessions over TLS 1.3 with the same handshake, in which both ends have certificates, and different records: without \
    protection (a private cipher suite), with HMAC-SHA-256 (TLS_SHA256_SHA256 of RFC 9150), and with AES-128-GCM. The paper \
    had MD5 and DES. No agent sends so: both ends are threads of the lab, which parse and encode messages of v2c with \
    Portreeve's codec; the answering one has one object and no access control. A short session has one GET, a long one 34, \
    as many as the paper's walk has messages.";
const CHACHA20: &str = "both, with ChaCha20-Poly1305";
/// A smaller share of the time is of no importance.
const MIN_EFFECT: f64 = 0.05;

#[cfg(test)]
mod tests;
