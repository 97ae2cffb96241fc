//! Table 1 of paper 002, and the check by OpenSSL.

use portreeve_lab_report::document::{Cell, NoticeKind, Outcome, Section, Table};
use portreeve_lab_report::papers::PaperValue;
use portreeve_lab_report::papers::paper_002::{Protection as Row, TABLE_1};
use portreeve_lab_report::sample::Sample;
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::unit::Unit;
use portreeve_lab_tls::Protection;

use super::{LONG, NAME, OPENSSL, OURS, PRIVACY, SHORT, name};

/// Fills the section.
pub(super) fn draw(samples: &Samples, section: &mut Section) {
    let all = samples.experiment(NAME);
    section.paragraph(
        "Sessions over TLS 1.3 with the same handshake, in which both ends have certificates, and different records: \
         without protection (a private cipher suite), with HMAC-SHA-256 (TLS_SHA256_SHA256 of RFC 9150), and with \
         AES-128-GCM. The paper had MD5 and DES. No agent sends so: both ends are threads of the lab, which parse and \
         encode messages of v2c with Portreeve's codec; the answering one has one object and no access control. A short \
         session has one GET, a long one 34, as many as the paper's walk has messages.",
    );
    section.table(table(&all));
    for record in all.all_unavailable() {
        let what = record.variant.get("protection").unwrap_or("OpenSSL");
        section.notice(NoticeKind::Unavailable, format!("{what}: {}.", record.reason));
    }
    verdict(&all, section);
    check(&all, section);
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
        ("none (a)", Protection::None, paper(|row| row.none)),
        ("integrity (b)", Protection::Integrity, paper(|row| row.integrity)),
        ("both (d)", Protection::Both, paper(|row| row.both)),
    ] {
        let [short, long] = [SHORT, LONG].map(|messages| sessions(all, protection, messages));
        let cpu = |sample: &Sample| Some(sample.values.get("client_cpu")? + sample.values.get("agent_cpu")?);
        let each = |sample: &Sample| Some(sample.values.get("messages")? / LONG as f64);
        let derived = |value: &dyn Fn(&Sample) -> Option<f64>| match long.derived(value) {
            Some(summary) => Cell::measured(summary, Unit::Seconds),
            None => Cell::missing(&long),
        };
        let [first, second, third] = printed.map(Cell::paper);
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
    for (label, protection) in [("integrity", Protection::Integrity), ("both", Protection::Both)] {
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
    let added = |messages| {
        let both = sessions(all, Protection::Both, messages);
        let ratios = both.ratios(&sessions(all, Protection::None, messages), "time")?;
        Some(ratios.median - 1.0)
    };
    let (Some(short), Some(long)) = (added(SHORT), added(LONG)) else { return };
    let outcome = match (long > short, long > MIN_EFFECT) {
        (true, true) => Outcome::Holds,
        (true, false) => Outcome::HoldsInPart,
        (false, _) => Outcome::DoesNotHold,
    };
    section.verdict(
        outcome,
        "Integrity and privacy add 8.5 % to the time of a short session, and 22 % to that of a long one.",
        format!(
            "Here they add {} to a session with one message, and {} to one with {LONG} messages.",
            Unit::Share.text(short),
            Unit::Share.text(long)
        ),
    );
}

/// The check by OpenSSL, which can also send without encryption.
fn check(all: &Selection<'_>, section: &mut Section) {
    let rates = |protection| all.with("by", OPENSSL).with("protection", name(protection));
    let (null, both) = (rates(Protection::Integrity), rates(Protection::Both));
    let Some(ratio) = both.ratios(&null, "rate") else { return };
    let mut table =
        Table::new("A check by OpenSSL: octets for each second of s_client and s_server with TLS 1.2")
            .column("Cipher suite")
            .column("Rate");
    for (suite, rates) in [("NULL-SHA256", &null), ("AES128-SHA256", &both)] {
        let rate = rates
            .summary("rate")
            .map_or_else(|| Cell::missing(rates), |rate| Cell::measured(rate, Unit::Bytes));
        table.row([Cell::text(suite), rate]);
    }
    section.table(table);
    section.notice(
        NoticeKind::Note,
        format!(
            "With OpenSSL, encryption (AES-128-CBC) in addition to the same code (HMAC-SHA-256) changes the rate to {} \
             times. It measures a one-way stream of full records, and so the cost of each octet; a message of SNMP has few.{}",
            Unit::Ratio.text(ratio.median),
            difference(all)
        ),
    );
}

/// States why the lab's two protections differ less than those of OpenSSL.
fn difference(all: &Selection<'_>) -> String {
    let [both, integrity] =
        [Protection::Both, Protection::Integrity].map(|protection| sessions(all, protection, LONG));
    let Some(ratio) = both.ratios(&integrity, "time") else { return String::new() };
    format!(
        " The lab's long sessions with AES-128-GCM take {} times as long as those with HMAC-SHA-256, because the code of \
         AES-GCM replaces HMAC instead of being added to it.",
        Unit::Ratio.text(ratio.median)
    )
}

fn sessions<'s>(all: &Selection<'s>, protection: Protection, messages: usize) -> Selection<'s> {
    all.with("by", OURS).with("protection", name(protection)).with("messages", &messages.to_string())
}

/// A smaller share of the time is of no importance.
const MIN_EFFECT: f64 = 0.05;

#[cfg(test)]
mod tests {
    use portreeve_lab_report::document::{Block, Row};

    use super::*;

    /// Short sessions take 1 ms, long ones 2 ms; `both` adds the shares.
    fn samples(short: f64, long: f64) -> Samples {
        let mut lines = Vec::new();
        for (protection, factor) in [("none", 0.0), ("integrity", 0.5), ("both", 1.0)] {
            for (messages, time, added) in [(SHORT, 1e-3, short), (LONG, 2e-3, long)] {
                let time = time * (1.0 + factor * added);
                lines.push(format!(
                    r#"{{"kind":"sample","experiment":"{NAME}","variant":{{"by":"lab","protection":"{protection}","messages":"{messages}"}},"round":0,"values":{{"time":{time},"messages":{time},"client_cpu":0.001,"agent_cpu":0.002,"octets":1000}}}}"#
                ));
            }
        }
        Samples::parse(&lines.join("\n")).unwrap()
    }

    fn verdict(short: f64, long: f64) -> (Outcome, String) {
        let mut section = Section::default();
        draw(&samples(short, long), &mut section);
        let found = section.blocks.iter().find_map(|block| match block {
            Block::Verdict(verdict) => {
                Some((verdict.outcome, verdict.finding.to_string().replace('\u{a0}', " ")))
            }
            _ => None,
        });
        found.unwrap()
    }

    #[test]
    fn verdict_compares_long_with_short_sessions() {
        let (outcome, finding) = verdict(0.1, 0.3);
        assert_eq!(outcome, Outcome::Holds);
        assert!(finding.contains("10.0 % to a session") && finding.contains("30.0 % to one"), "{finding}");
        assert_eq!(verdict(0.01, 0.02).0, Outcome::HoldsInPart);
        assert_eq!(verdict(0.3, 0.1).0, Outcome::DoesNotHold);
    }

    #[test]
    fn table_has_the_papers_four_columns_and_the_sum_of_both_cpus() {
        let table = table(&samples(0.1, 0.3).experiment(NAME));
        let labels: Vec<String> = table
            .rows
            .iter()
            .filter_map(|row| match row {
                Row::Cells(cells) => match cells.first() {
                    Some(Cell::Text(text)) => Some(text.to_string()),
                    _ => None,
                },
                Row::Heading(_) => None,
            })
            .collect();
        assert_eq!(
            labels,
            ["none (a)", "integrity (b)", "privacy, with compression (c)", "both (d)", "integrity", "both"]
        );
        let Row::Cells(none) = &table.rows[0] else { panic!("a heading") };
        assert!(matches!(&none[7], Cell::Measured(cpu) if (cpu.value() - 0.003).abs() < 1e-12));
    }
}
