//! The paper's statements on both optimisations, and what the samples say about them.

use portreeve_lab_report::document::{Outcome, Section};
use portreeve_lab_report::samples::Selection;
use portreeve_lab_report::unit::Unit;

use super::super::USM;
use super::super::policy::{EVERY_MESSAGE, LATE, NEVER, OPTIMISED, Policy};
use super::of;

/// Adds the verdicts on TCP_NODELAY.
pub(super) fn nodelay(all: &Selection<'_>, section: &mut Section) {
    let ratio = |policy| Some(of(all, policy).ratios(&of(all, OPTIMISED), "time")?.median);
    if let Some(ratio) = ratio(NEVER) {
        section.verdict(
            outcome(ratio, SIGNIFICANT),
            "Nagle's algorithm slows down a one-shot over SSH: about 800 ms instead of 16.17 ms, which is 49 times as long.",
            format!(
                "Here a one-shot with Nagle's algorithm at both ends takes {} times as long as with TCP_NODELAY from the \
                 start.",
                Unit::Ratio.text(ratio)
            ),
        );
    }
    if let Some(ratio) = ratio(LATE) {
        section.verdict(
            outcome(ratio, SIGNIFICANT),
            "TCP_NODELAY must be set before the first message of SSH: set later at both ends, a one-shot takes 56.5 ms \
             instead of 16.17 ms, which is 3.5 times as long.",
            format!(
                "Here a one-shot takes {} times as long if the client sets TCP_NODELAY after the login.",
                Unit::Ratio.text(ratio)
            ),
        );
    }
}

/// Adds the verdicts on window adjustments.
pub(super) fn windows(all: &Selection<'_>, section: &mut Section) {
    let (every, needed) = (of(all, EVERY_MESSAGE), of(all, OPTIMISED));
    let ratio = |name| Some(every.ratios(&needed, name)?.median);
    if let (Some(time), Some(octets)) = (ratio("exchange_time"), ratio("exchange_octets")) {
        let outcome = match (time > NOTICEABLE, octets > NOTICEABLE) {
            (true, true) => Outcome::Holds,
            (false, false) => Outcome::DoesNotHold,
            _ => Outcome::HoldsInPart,
        };
        section.verdict(
            outcome,
            "A window adjustment after every message costs significant bandwidth and latency in long sessions.",
            format!(
                "Here an exchange takes {} times as long, and has {} times as many octets.",
                Unit::Ratio.text(time),
                Unit::Ratio.text(octets)
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
        let ratio = |name| Some(of(all, policy).ratios(&usm, name)?.median);
        Some([ratio("exchange_time")?, ratio("exchange_octets")?])
    };
    let (Some(every), Some(needed)) = (ratios(EVERY_MESSAGE), ratios(OPTIMISED)) else { return };
    let supported = every.iter().filter(|ratio| **ratio > 1.0).count()
        + needed.iter().filter(|ratio| **ratio < 1.0).count();
    let outcome = match supported {
        4 => Outcome::Holds,
        0 => Outcome::DoesNotHold,
        _ => Outcome::HoldsInPart,
    };
    let text = |[time, octets]: [f64; 2]| {
        format!("{} of its time and {} of its octets", Unit::Share.text(time), Unit::Share.text(octets))
    };
    section.verdict(
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

fn outcome(ratio: f64, threshold: f64) -> Outcome {
    match ratio {
        _ if ratio > threshold => Outcome::Holds,
        _ if ratio > NOTICEABLE => Outcome::HoldsInPart,
        _ => Outcome::DoesNotHold,
    }
}

/// A ratio that the noise of a machine does not explain.
const NOTICEABLE: f64 = 1.05;
/// The ratio above which something takes much longer.
const SIGNIFICANT: f64 = 1.5;
