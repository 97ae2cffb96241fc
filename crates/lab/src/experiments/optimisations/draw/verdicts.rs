//! The paper's statements on both optimisations, and what the samples say about them.

use portreeve_lab_report::document::{Measured, Outcome, Section, Source};
use portreeve_lab_report::samples::Selection;
use portreeve_lab_report::statistics::Summary;
use portreeve_lab_report::unit::Unit;

use super::super::USM;
use super::super::policy::{EVERY_MESSAGE, LATE, NEVER, OPTIMISED, Policy};
use super::of;
use crate::experiments::judgement::{is_above, is_below, ratio_text};

/// Adds the verdicts on TCP_NODELAY.
pub(super) fn nodelay(all: &Selection<'_>, section: &mut Section) {
    let ratio = |policy| of(all, policy).ratios(&of(all, OPTIMISED), "time");
    if let Some(ratio) = ratio(NEVER) {
        section.verdict(
            Source::Paper("000 §4.1"),
            outcome(&ratio),
            "Nagle's algorithm slows down a one-shot over SSH: about 800 ms instead of 16.17 ms, which is 49 times as long.",
            format!(
                "Here a one-shot with Nagle's algorithm at both ends takes {} times as long as with TCP_NODELAY from the \
                 start.",
                ratio_text(&ratio)
            ),
        );
    }
    if let Some(ratio) = ratio(LATE) {
        section.verdict(
            Source::Paper("000 §4.1"),
            outcome(&ratio),
            "TCP_NODELAY must be set before the first message of SSH: set later at both ends, a one-shot takes 56.5 ms \
             instead of 16.17 ms, which is 3.5 times as long.",
            format!(
                "Here a one-shot takes {} times as long if the client sets TCP_NODELAY after the login.",
                ratio_text(&ratio)
            ),
        );
    }
}

/// Adds the verdicts on window adjustments.
pub(super) fn windows(all: &Selection<'_>, section: &mut Section) {
    let (every, needed) = (of(all, EVERY_MESSAGE), of(all, OPTIMISED));
    let ratio = |name| every.ratios(&needed, name);
    if let (Some(time), Some(octets)) = (ratio("exchange_time"), ratio("exchange_octets")) {
        section.verdict(
            Source::Paper("000 §4.2"),
            Outcome::of_parts([is_above(&time, NOTICEABLE), is_above(&octets, NOTICEABLE)]),
            "A window adjustment after every message costs significant bandwidth and latency in long sessions.",
            format!(
                "Here an exchange takes {} times as long, and has {} times as many octets.",
                ratio_text(&time),
                ratio_text(&octets)
            ),
        );
    }
    usm(all, section);
}

/// Adds the comparison with USM over UDP.
fn usm(all: &Selection<'_>, section: &mut Section) {
    let [udp, _] = USM;
    let usm = all.with("stack", &udp.id());
    let ratios = |policy: Policy| {
        let ratio = |name| of(all, policy).ratios(&usm, name);
        Some([ratio("exchange_time")?, ratio("exchange_octets")?])
    };
    let (Some(every), Some(needed)) = (ratios(EVERY_MESSAGE), ratios(OPTIMISED)) else { return };
    let parts =
        every.iter().map(|ratio| is_above(ratio, 1.0)).chain(needed.iter().map(|ratio| is_below(ratio, 1.0)));
    let outcome = Outcome::of_parts(parts);
    let share = |ratio: &Summary| Measured::new(ratio.clone(), Unit::Share).text();
    let text = |[time, octets]: [Summary; 2]| {
        format!("{} of its time and {} of its octets", share(&time), share(&octets))
    };
    section.verdict(
        Source::Paper("000 §4.2"),
        outcome,
        "With a window adjustment after every message, SSH has a higher latency and needs more bandwidth than USM; with \
         adjustments when needed, both are lower.",
        format!(
            "Here, compared with an exchange with USM over UDP, one over SSH needs {} with an adjustment after every \
             message, and {} with adjustments when needed.",
            text(every),
            text(needed)
        ),
    );
}

fn outcome(ratio: &Summary) -> Outcome {
    match (is_above(ratio, SIGNIFICANT), is_above(ratio, NOTICEABLE)) {
        (Some(true), _) => Outcome::Holds,
        (_, Some(true)) => Outcome::HoldsInPart,
        (_, Some(false)) => Outcome::DoesNotHold,
        (_, None) => Outcome::NotDecided,
    }
}

/// A ratio that the noise of a machine does not explain.
const NOTICEABLE: f64 = 1.05;
/// The ratio above which something takes much longer.
const SIGNIFICANT: f64 = 1.5;
