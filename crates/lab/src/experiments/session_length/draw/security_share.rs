//! The share of security in the time of a session: paper 002, section 1, statement 2.

use portreeve_lab_report::document::{Outcome, Section, Source};
use portreeve_lab_report::papers::PaperValue;
use portreeve_lab_report::papers::paper_002::{
    LONG_SESSION_SECURITY, SHORT_SESSION_SECURITY, SessionTimes, TABLE_2,
};
use portreeve_lab_report::samples::Selection;
use portreeve_lab_report::statistics::Interval;
use portreeve_lab_report::unit::Unit;

use super::{OURS, TLS, at_agent};
use crate::experiments::within_range::{interval, is_within};
use crate::peers::LESS_PROTECTED;

/// Adds the verdict: about 5 % of short sessions, and about 30 % of those with more than 1000
/// messages.
pub(super) fn add(all: &Selection<'_>, section: &mut Section) {
    let (mut parts, mut texts) = (Vec::new(), Vec::new());
    for messages in all.axis("messages") {
        let number: usize = messages.parse().unwrap_or_default();
        let printed = match number {
            SHORT => SHORT_SESSION_SECURITY,
            LONG.. => LONG_SESSION_SECURITY,
            _ => continue,
        };
        let secure = at_agent(all, OURS, TLS, messages);
        let clear = at_agent(all, LESS_PROTECTED[0].0, TLS, messages);
        let Some(share) = secure.relative_differences(&clear, &secure, "time") else { continue };
        let Some(found) = interval(&share) else { continue };
        parts.push(is_within(found, range(printed)));
        texts.push(format!(
            "{} ({}) with {number}",
            Unit::Share.text(share.median),
            Unit::Share.interval_text(found)
        ));
    }
    let [short, long] = [SHORT, LONGEST].map(|messages| {
        let column = TABLE_2.iter().find(|column| column.messages == messages);
        column.map_or(String::new(), |column| Unit::Share.text(in_paper(column)))
    });
    if parts.is_empty() {
        return;
    }
    section.verdict(
        Source::Paper("002 §1"),
        Outcome::of_parts(parts),
        format!(
            "Security takes only about 5 % of the time of sessions with few messages, and levels off at about 30 % with \
             more than 1000. (The times of the paper's Table 2 give {short} with {SHORT} and {long} with {LONGEST}.)",
        ),
        format!("Here integrity and privacy take, with 95 % intervals, {} messages.", texts.join(", ")),
    );
}

/// The share by the times of the paper.
fn in_paper(column: &SessionTimes) -> f64 {
    1.0 - column.tls.value() / column.secure.value()
}

/// The values that agree with an approximate share: between half of it and one and a half times.
fn range(printed: PaperValue) -> Interval {
    Interval { low: 0.5 * printed.value(), high: 1.5 * printed.value() }
}

/// The messages of the paper's shortest session, and those above which the share levels off.
const SHORT: usize = 5;
const LONG: usize = 1001;
const LONGEST: usize = 2000;

#[cfg(test)]
mod tests {
    use portreeve_lab_report::document::{Block, Outcome};
    use portreeve_lab_report::sample::{Record, Sample, Variant};
    use portreeve_lab_report::samples::Samples;

    use super::super::{LIBRARY, NAME};
    use super::*;

    /// Sessions with these shares of security, in three rounds that differ by `noise`.
    fn verdict(short: f64, long: f64, noise: f64) -> (Outcome, String) {
        let mut records = Vec::new();
        for (messages, share) in [("5", short), ("2000", long)] {
            for round in 0..3 {
                let secure = 1.0 + noise * f64::from(round);
                for (agent, time) in [(OURS, secure), (LESS_PROTECTED[0].0, 1.0 - share)] {
                    let variant =
                        Variant::of([("agent", agent), ("client", LIBRARY), ("messages", messages)]);
                    let variant = variant.and("stack", TLS.id());
                    records
                        .push(Record::Sample(Sample::new(NAME, variant, round as usize).value("time", time)));
                }
            }
        }
        let (samples, mut section) = (Samples::new(records), Section::default());
        add(&samples.experiment(NAME), &mut section);
        let found = section.blocks.iter().find_map(|block| match block {
            Block::Verdict(verdict) => {
                let texts = [verdict.claim.to_string(), verdict.finding.to_string()];
                Some((verdict.outcome, texts.join(" ").replace('\u{a0}', " ")))
            }
            _ => None,
        });
        found.unwrap()
    }

    #[test]
    fn shares_are_judged_by_their_intervals() {
        let (outcome, text) = verdict(0.05, 0.3, 0.0);
        assert_eq!(outcome, Outcome::Holds);
        assert!(text.contains("give 5.17 % with 5 and 11.4 % with 2000"), "{text}");
        assert!(text.contains("30.0 %") && text.contains("with 2000 messages"), "{text}");
        assert_eq!(verdict(0.05, 0.1, 0.0).0, Outcome::HoldsInPart);
        assert_eq!(verdict(0.2, 0.1, 0.0).0, Outcome::DoesNotHold);
        assert_eq!(verdict(0.05, 0.3, 0.3).0, Outcome::NotDecided);
    }
}
