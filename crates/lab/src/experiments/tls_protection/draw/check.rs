//! The check by OpenSSL, which can also send without encryption.

use portreeve_lab_report::document::{Cell, NoticeKind, Section, Table};
use portreeve_lab_report::sample::Sample;
use portreeve_lab_report::samples::Selection;
use portreeve_lab_report::unit::Unit;
use portreeve_lab_tls::Protection;

use super::sessions;
use crate::experiments::tls_protection::{LONG, OPENSSL};

/// Adds the table, and a note on how to compare it with the lab's sessions; nothing without
/// measurements.
pub(super) fn add(all: &Selection<'_>, section: &mut Section) {
    let long = LONG.to_string();
    let of = |protection: Protection| {
        all.with("by", OPENSSL).with("protection", protection.name()).with("messages", &long)
    };
    let (null, both) = (of(Protection::Integrity), of(Protection::Both));
    let Some(ratio) = both.ratios(&null, "messages") else { return };
    let mut table = Table::new(format!(
        "A check by OpenSSL: {LONG} messages and their answers between s_client and s_server with TLS 1.2"
    ))
    .column("Cipher suite")
    .column("Time of all messages")
    .column("Each message and its answer")
    .column_with("CPU of both ends", "all messages");
    for (suite, exchanges) in [("NULL-SHA256: integrity", &null), ("AES128-SHA256: both", &both)] {
        let derived = |value: &dyn Fn(&Sample) -> Option<f64>| match exchanges.derived(value) {
            Some(summary) => Cell::measured(summary, Unit::Seconds),
            None => Cell::missing(exchanges),
        };
        table.row([
            Cell::text(suite),
            Cell::of(exchanges, "messages", Unit::Seconds),
            derived(&|sample| Some(sample.values.get("messages")? / LONG as f64)),
            derived(&both_cpus),
        ]);
    }
    table.heading("In relation to integrity");
    let ours = |protection| sessions(all, protection, LONG);
    let rows = [
        ("both, OpenSSL", &both, &null),
        ("both, lab", &ours(Protection::Both), &ours(Protection::Integrity)),
    ];
    for (label, top, bottom) in rows {
        let time = Cell::ratio_of(top, bottom, "messages");
        table.row([Cell::text(label), time.clone(), time, cpu_ratio(top, bottom)]);
    }
    section.table(table);
    section.notice(
        NoticeKind::Note,
        format!(
            "Both ends are processes of OpenSSL. The lab writes a line to a pipe of s_client, and waits for the answer on \
             another before it writes the next one; the server reverses each line. Lines are as long as the lab's messages \
             on average. The handshake is not part of the time; the pipes are, and they bring the ratio closer to 1. With OpenSSL, \
             encryption (AES-128-CBC) in addition to the same code (HMAC-SHA-256) changes the time of the messages to {} \
             times.{}",
            Unit::Ratio.text(ratio.median),
            lab(all)
        ),
    );
}

fn both_cpus(sample: &Sample) -> Option<f64> {
    Some(sample.values.get("client_cpu")? + sample.values.get("agent_cpu")?)
}

/// Returns the ratio of the medians of both ends' CPU time.
fn cpu_ratio(top: &Selection<'_>, bottom: &Selection<'_>) -> Cell {
    match (top.derived(both_cpus), bottom.derived(both_cpus)) {
        (Some(top), Some(bottom)) if bottom.median > 0.0 => {
            Cell::computed(top.median / bottom.median, None, Unit::Ratio)
        }
        _ => Cell::Empty,
    }
}

/// States why the lab's two protections differ less than those of OpenSSL.
fn lab(all: &Selection<'_>) -> String {
    let [both, integrity] =
        [Protection::Both, Protection::Integrity].map(|protection| sessions(all, protection, LONG));
    let Some(ratio) = both.ratios(&integrity, "messages") else { return String::new() };
    format!(
        " In the lab's long sessions, messages with AES-128-GCM take {} times as long as those with HMAC-SHA-256: the code \
         of AES-GCM replaces HMAC instead of being added to it.",
        Unit::Ratio.text(ratio.median)
    )
}
