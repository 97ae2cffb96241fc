//! The paper's statements on packet loss, and what the samples say about them.

use portreeve_lab_report::document::{Outcome, Section};
use portreeve_lab_report::papers::paper_000;
use portreeve_lab_report::samples::Selection;
use portreeve_lab_report::unit::Unit;

use super::super::lines::{FIXED_UDP, Line, MEASURED_UDP, PAPER_TCP, PAPER_UDP, TCP};
use super::cost::LossEffect;
use super::{NO_DELAY, delay_phrase};

/// Adds both verdicts.
pub(super) fn add(all: &Selection<'_>, section: &mut Section) {
    fixed_timeout(all, section);
    measured_timeout(all, section);
}

/// The expected mean time over the slowest transport on TCP, and over the fastest one on UDP.
struct Bounds {
    loss: f64,
    tcp: (Line, f64),
    udp: (Line, f64),
}

/// All transports on TCP are faster than those on UDP with Net-SNMP's timeout. A loss of 0.1 % is
/// rare in short walks, so that the times are computed from the walks with all losses.
fn fixed_timeout(all: &Selection<'_>, section: &mut Section) {
    let bounds: Option<Vec<Bounds>> = paper_000::LOSSES.iter().map(|loss| bounds(all, *loss)).collect();
    let Some(bounds) = bounds else { return };
    let count = |ratio: f64| bounds.iter().filter(|one| one.tcp.1 * ratio < one.udp.1).count();
    let outcome = match (count(CLEARLY), count(1.0)) {
        (clear, _) if clear == bounds.len() => Outcome::Holds,
        (_, 0) => Outcome::DoesNotHold,
        _ => Outcome::HoldsInPart,
    };
    let text = |(line, time): (Line, f64)| format!("{} for {}", Unit::Seconds.text(time), line.label());
    let findings = bounds.iter().map(|one| {
        format!("with a loss of {}, {} and {}", Unit::Share.text(one.loss), text(one.tcp), text(one.udp))
    });
    section.verdict(
        outcome,
        "Under a loss of 0.1 % and 0.5 %, all transports on TCP clearly outperform those on UDP, because Net-SNMP sends a \
         message again only after one second.",
        format!(
            "Here, with this timeout and without a delay, the mean time of the slowest transport on TCP and of the \
             fastest on UDP is, computed from all losses, {}.",
            findings.collect::<Vec<_>>().join("; ")
        ),
    );
}

/// Returns the bounds, if the effect of loss is known for every line of the paper.
fn bounds(all: &Selection<'_>, loss: f64) -> Option<Bounds> {
    let expected = |line: &Line| Some((*line, LossEffect::of(all, *line, NO_DELAY)?.expected_time(loss)));
    let times = |lines: &[Line]| lines.iter().map(expected).collect::<Option<Vec<(Line, f64)>>>();
    let by_time = |one: &(Line, f64), other: &(Line, f64)| one.1.total_cmp(&other.1);
    let tcp = times(&PAPER_TCP)?.into_iter().max_by(by_time)?;
    let udp = times(&PAPER_UDP)?.into_iter().min_by(by_time)?;
    Some(Bounds { loss, tcp, udp })
}

/// The result cannot be generalized to other retransmissions: ours is the other one.
fn measured_timeout(all: &Selection<'_>, section: &mut Section) {
    let costs = |delay: &str| {
        let [measured, tcp, fixed] =
            [MEASURED_UDP, TCP, FIXED_UDP].map(|line| Some(LossEffect::of(all, line, delay)?.cost()));
        Some((delay_phrase(delay), [measured?, tcp?, fixed?]))
    };
    let found: Vec<(String, [f64; 3])> = all.axis("delay").into_iter().filter_map(costs).collect();
    if found.is_empty() {
        return;
    }
    let faster = found.iter().filter(|(_, [measured, tcp, _])| measured < tcp).count();
    let findings = found.iter().map(|(delay, [measured, tcp, fixed])| {
        format!(
            "{delay}, {} over UDP with a measured timeout, {} over TCP, and {} over UDP with the fixed timeout",
            Unit::Seconds.text(*measured),
            Unit::Seconds.text(*tcp),
            Unit::Seconds.text(*fixed)
        )
    });
    let outcome = match faster {
        0 => Outcome::DoesNotHold,
        _ if faster == found.len() => Outcome::Holds,
        _ => Outcome::HoldsInPart,
    };
    section.verdict(
        outcome,
        "The result cannot be generalized, because other implementations of SNMP may have other retransmissions, with \
         which UDP is faster than TCP.",
        format!("Here a lost frame costs, {}.", findings.collect::<Vec<_>>().join("; ")),
    );
}

/// The ratio of times above which a transport is clearly faster, rather than by chance.
const CLEARLY: f64 = 1.25;
