//! The papers' statements on the octets of walks and on the slow machine.

use portreeve_lab_report::document::{Outcome, Section, Source};
use portreeve_lab_report::papers::{PaperValue, paper_000};
use portreeve_lab_report::sample::Sample;
use portreeve_lab_report::samples::Selection;
use portreeve_lab_report::statistics::{Interval, Level, Line};
use portreeve_lab_report::unit::Unit;

use super::super::OURS;
use super::{PAPER_STACKS, getnext, largest_common};
use crate::client::{Carrier, Message, ProtocolStack};
use crate::experiments::within_range::{around, below, differences, interval, is_within};
use crate::harness::Peer;

/// Adds the verdicts on octets.
pub(super) fn octets(all: &Selection<'_>, section: &mut Section) {
    fewer_octets_with_v3(all, section);
    let [udp, tcp, usm, usm_tcp, ssh] = PAPER_STACKS;
    let (ours, peer) = ((OURS, "Portreeve"), (Peer::NetSnmp.name(), "Net-SNMP"));
    let claim = "USM adds approximately 90 octets to each packet of v2c.";
    overhead(
        all,
        paper_000::USM_OVERHEAD,
        claim,
        &[(ours, usm, udp), (ours, usm_tcp, tcp), (peer, usm, udp), (peer, usm_tcp, tcp)],
        section,
    );
    let claim = "SSH adds approximately 40 octets to each packet of v2c over TCP.";
    overhead(all, paper_000::SSH_OVERHEAD, claim, &[(ours, ssh, tcp)], section);
}

/// The expectation of section 5.5 of paper 000, which had no SNMPv3 over SSH.
fn fewer_octets_with_v3(all: &Selection<'_>, section: &mut Section) {
    let rows = largest_common(all);
    let walks = |stack| getnext(all, OURS, "pinned", stack).with("rows", &rows);
    let ssh = walks(ProtocolStack::tsm(Carrier::Ssh));
    let (mut parts, mut texts) = (Vec::new(), Vec::new());
    for message in [Message::USM_MD5_AES128, Message::USM_SHA256_AES128] {
        for carrier in [Carrier::Udp, Carrier::Tcp] {
            let usm = ProtocolStack::new(message, carrier);
            let Some(ratios) = ssh.ratios(&walks(usm), "octets") else { continue };
            let Some(found) = interval(&ratios) else { continue };
            parts.push(is_within(found, below(1.0)));
            texts.push(format!("{} of {}", Unit::Ratio.text(ratios.median), usm.label()));
        }
    }
    if parts.is_empty() {
        return;
    }
    section.verdict(
        Source::Paper("000 §5.5"),
        Outcome::of_parts(parts),
        "A walk with SNMPv3 over SSH is expected to need fewer octets than one with USM, if many packets are exchanged.",
        format!("Here, with {rows} rows, it needs in relation to the octets {}.", texts.join(", ")),
    );
}

/// The program of a comparison, the stack with the overhead, and the one without.
type Compared = ((&'static str, &'static str), ProtocolStack, ProtocolStack);

fn overhead(
    all: &Selection<'_>,
    printed: PaperValue,
    claim: &str,
    compared: &[Compared],
    section: &mut Section,
) {
    let rows = largest_common(all);
    let each = |sample: &Sample| Some(sample.values.get("octets")? / sample.values.get("frames")?);
    let (mut parts, mut texts) = (Vec::new(), Vec::new());
    for ((agent, program), with, without) in compared {
        let walks = |stack| getnext(all, agent, "pinned", stack).with("rows", &rows);
        let Some(added) = differences(&walks(*with), &walks(*without), each) else { continue };
        let Some(found) = interval(&added) else { continue };
        parts.push(is_within(found, around(printed, TOLERANCE)));
        texts.push(format!("{:.0} for {} with {program}", added.median, with.label()));
    }
    if !parts.is_empty() {
        let finding = format!(
            "Here the mean octets of all frames of a walk with {rows} rows differ by {}.",
            texts.join(", ")
        );
        section.verdict(Source::Paper("000 §5.5"), Outcome::of_parts(parts), claim, finding);
    }
}

/// The slope of the lines does not change on the slow machine, but only the scale of the time: an
/// exchange takes the same number of times as long over each transport.
pub(super) fn slow_machine(all: &Selection<'_>, section: &mut Section) {
    let mut factors: Vec<(ProtocolStack, f64, Interval)> = PAPER_STACKS
        .into_iter()
        .filter_map(|stack| {
            let line = |setting| super::break_even::line(&getnext(all, OURS, setting, stack));
            let (value, interval) = factor(&line("slow")?, &line("pinned")?)?;
            Some((stack, value, interval))
        })
        .collect();
    factors.sort_by(|one, other| one.1.total_cmp(&other.1));
    let [(least, low, _), .., (most, high, _)] = &*factors else { return };
    let bound = |pick: fn(&Interval) -> f64| factors.iter().map(move |(.., interval)| pick(interval));
    let common = Interval {
        low: bound(|interval| interval.low).fold(0.0, f64::max),
        high: bound(|interval| interval.high).fold(f64::INFINITY, f64::min),
    };
    let is_wide = factors
        .iter()
        .any(|(_, value, found)| found.high > value * MAX_WIDTH || found.low * MAX_WIDTH < *value);
    let (outcome, relation) = match (common.low <= common.high, is_wide) {
        (false, _) => (Outcome::DoesNotHold, "no factor is in all 95 % intervals"),
        (true, false) => (Outcome::Holds, "the 95 % intervals have a common factor"),
        (true, true) => (Outcome::NotDecided, "the 95 % intervals are too wide to decide"),
    };
    let text = |value: f64| Unit::Ratio.text(value);
    section.verdict(
        Source::Paper("000 §5.3"),
        outcome,
        "On a slower machine, only the scale of the time changes, but not the slope of the lines.",
        format!(
            "Here, with the slow agent, an exchange takes between {} ({}) and {} times as long ({}); {relation}.",
            text(*low),
            least.label(),
            text(*high),
            most.label(),
        ),
    );
}

/// Returns the ratio of two slopes with its interval, in which the relative errors add up.
fn factor(slow: &Line, fast: &Line) -> Option<(f64, Interval)> {
    let (slow, fast) = (slow.slope, fast.slope);
    if !(slow.value > 0.0 && fast.value > 0.0) {
        return None;
    }
    let half = |estimate: portreeve_lab_report::statistics::Estimate| {
        (estimate.interval(Level::P95).high - estimate.value) / estimate.value
    };
    let (value, error) = (slow.value / fast.value, half(slow).hypot(half(fast)));
    Some((value, Interval { low: value * (-error).exp(), high: value * error.exp() }))
}

/// The share by which an approximate value of a paper may be missed.
const TOLERANCE: f64 = 0.25;
/// The factor above which an interval decides nothing.
const MAX_WIDTH: f64 = 1.5;

#[cfg(test)]
mod tests {
    use portreeve_lab_report::document::Block;
    use portreeve_lab_report::sample::{Record, Variant};
    use portreeve_lab_report::samples::Samples;

    use super::super::super::{NAME, PAPER_ROWS};
    use super::*;

    fn walk(stack: ProtocolStack, setting: &str, round: usize, values: &[(&str, f64)]) -> Record {
        let variant = Variant::of([("agent", OURS), ("client", "library"), ("object", "ifTable")]);
        let variant = variant.and("method", "getnext").and("setting", setting).and("stack", stack.id());
        let sample = Sample::new(NAME, variant.and("rows", PAPER_ROWS.to_string()), round);
        Record::Sample(values.iter().fold(sample, |sample, (name, value)| sample.value(*name, *value)))
    }

    fn verdicts(records: Vec<Record>, add: fn(&Selection<'_>, &mut Section)) -> Vec<(Outcome, String)> {
        let (samples, mut section) = (Samples::new(records), Section::default());
        add(&samples.experiment(NAME), &mut section);
        let found = section.blocks.iter().filter_map(|block| match block {
            Block::Verdict(verdict) => Some((verdict.outcome, verdict.finding.to_string())),
            _ => None,
        });
        found.collect()
    }

    #[test]
    fn overhead_is_the_difference_of_mean_frame_sizes() {
        let [udp, _, usm, ..] = PAPER_STACKS;
        let records = |octets: [f64; 2]| {
            let of = |stack, octets: f64| {
                (0..2)
                    .map(move |round| walk(stack, "pinned", round, &[("octets", octets), ("frames", 100.0)]))
            };
            of(udp, octets[0]).chain(of(usm, octets[1])).collect::<Vec<_>>()
        };
        let found = verdicts(records([9000.0, 17_000.0]), octets);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].0, Outcome::Holds);
        assert!(found[0].1.contains("by 80 for v3/USM MD5 AES over UDP with Portreeve"), "{found:?}");
        assert_eq!(verdicts(records([9000.0, 22_000.0]), octets)[0].0, Outcome::DoesNotHold);
    }

    #[test]
    fn factor_of_the_slow_agent_must_be_the_same_for_every_stack() {
        let [udp, tcp, ..] = PAPER_STACKS;
        let records = |factors: [f64; 2]| {
            let mut records = Vec::new();
            for (stack, factor) in [udp, tcp].into_iter().zip(factors) {
                for (setting, each) in [("pinned", 1e-4), ("slow", 1e-4 * factor)] {
                    for (round, exchanges) in [10.0, 100.0, 1000.0, 2000.0].into_iter().enumerate() {
                        // A small error, so that lines have intervals.
                        let time = each * exchanges * if round % 2 == 0 { 1.01 } else { 0.99 };
                        records.push(walk(
                            stack,
                            setting,
                            round,
                            &[("exchanges", exchanges), ("time", time)],
                        ));
                    }
                }
            }
            records
        };
        assert_eq!(verdicts(records([5.0, 5.05]), slow_machine)[0].0, Outcome::Holds);
        let found = verdicts(records([5.0, 9.0]), slow_machine);
        assert_eq!(found[0].0, Outcome::DoesNotHold);
        assert!(found[0].1.contains("between 5 (v2c over UDP) and 9 times"), "{found:?}");
        assert!(
            verdicts(records([5.0, 9.0])[..8].to_vec(), slow_machine).is_empty(),
            "one stack decides nothing"
        );
    }
}
