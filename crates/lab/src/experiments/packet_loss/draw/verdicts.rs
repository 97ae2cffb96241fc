//! The paper's statements on packet loss, and what the samples say about them.

use portreeve_lab_report::document::{Outcome, Section, Source};
use portreeve_lab_report::papers::paper_000;
use portreeve_lab_report::samples::Selection;
use portreeve_lab_report::statistics::{Estimate, Interval, Level};
use portreeve_lab_report::unit::Unit;

use super::super::lines::{FIXED_UDP, Line, MEASURED_UDP, PAPER_TCP, PAPER_UDP, TCP};
use super::super::plan::probability;
use super::cost::LossEffect;
use super::{NO_DELAY, delay_phrase, lost_nothing, of, walk_times};
use crate::experiments::judgement::interval_is_less;

/// Adds both verdicts.
pub(super) fn add(all: &Selection<'_>, section: &mut Section) {
    fixed_timeout(all, section);
    measured_timeout(all, section);
}

/// The expected mean time over the slowest transport on TCP, and over the fastest one on UDP.
struct Bounds {
    loss: f64,
    tcp: (Line, Estimate),
    udp: (Line, Estimate),
}

impl Bounds {
    /// Reports whether the transport on UDP takes longer by more than a factor. `None` if the
    /// intervals do not decide it.
    fn udp_is_slower(&self, factor: f64) -> Option<bool> {
        let (tcp, udp) = (interval(&self.tcp.1)?, interval(&self.udp.1)?);
        let ratio = Interval { low: udp.low / tcp.high, high: udp.high / tcp.low };
        ratio.is_above(factor)
    }
}

/// All transports on TCP are faster than those on UDP with Net-SNMP's timeout. A loss of 0.1 % is
/// rare in short walks, so that the times are computed from the walks with all losses.
fn fixed_timeout(all: &Selection<'_>, section: &mut Section) {
    let bounds: Option<Vec<Bounds>> = paper_000::LOSSES.iter().map(|loss| bounds(all, *loss)).collect();
    let Some(bounds) = bounds else { return };
    let measured: Vec<Bounds> = paper_000::LOSSES.iter().filter_map(|loss| measured(all, *loss)).collect();
    // The measured means of so few walks with a lost frame can contradict the computed ones.
    let parts = bounds
        .iter()
        .flat_map(|one| [one.udp_is_slower(1.0), one.udp_is_slower(CLEARLY)])
        .chain(measured.iter().filter_map(|one| one.udp_is_slower(1.0)).map(Some));
    let outcome = Outcome::of_parts(parts);
    let text = |bounds: &[Bounds]| {
        let texts = bounds.iter().map(|one| {
            let of = |(line, time): &(Line, Estimate)| format!("{} for {}", time_text(time), line.label());
            format!("with a loss of {}, {} and {}", Unit::Share.text(one.loss), of(&one.tcp), of(&one.udp))
        });
        texts.collect::<Vec<_>>().join("; ")
    };
    let mut finding = format!(
        "Here, with this timeout and without a delay, the mean time of the slowest transport on TCP and of the fastest on \
         UDP is, computed from all losses, {}.",
        text(&bounds)
    );
    if !measured.is_empty() {
        finding +=
            &format!(" The means that were measured with these losses alone are, {}.", text(&measured));
    }
    section.verdict(
        Source::Paper("000 §5.4"),
        outcome,
        "Under a loss of 0.1 % and 0.5 %, all transports on TCP clearly outperform those on UDP, because Net-SNMP sends a \
         message again only after one second.",
        finding,
    );
}

/// Returns the bounds, if the effect of loss is known for every line of the paper.
fn bounds(all: &Selection<'_>, loss: f64) -> Option<Bounds> {
    of_lines(loss, |line| Some(LossEffect::of(all, line, NO_DELAY)?.expected_time(loss)))
}

/// Returns the bounds of the measured means, if every line of the paper was measured with this loss
/// and has lost frames.
fn measured(all: &Selection<'_>, loss: f64) -> Option<Bounds> {
    of_lines(loss, |line| {
        let walks = of(all, line, NO_DELAY);
        let name = walks.axis("loss").into_iter().find(|name| (probability(name) - loss).abs() < 1e-9)?;
        let walks = walks.with("loss", name);
        if lost_nothing(&walks) {
            return None;
        }
        let times = walk_times(&walks)?;
        let error = times.deviation / (times.n as f64).sqrt();
        Some(Estimate { value: times.mean, error, freedom: times.n.checked_sub(1).filter(|n| *n > 0)? })
    })
}

fn of_lines(loss: f64, time: impl Fn(Line) -> Option<Estimate>) -> Option<Bounds> {
    let times = |lines: &[Line]| {
        lines.iter().map(|line| Some((*line, time(*line)?))).collect::<Option<Vec<(Line, Estimate)>>>()
    };
    let by_time = |one: &(Line, Estimate), other: &(Line, Estimate)| one.1.value.total_cmp(&other.1.value);
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
    let found: Vec<(String, [Estimate; 3])> = all.axis("delay").into_iter().filter_map(costs).collect();
    if found.is_empty() {
        return;
    }
    let parts =
        found.iter().map(|(_, [measured, tcp, _])| interval_is_less(interval(measured)?, interval(tcp)?));
    let findings = found.iter().map(|(delay, [measured, tcp, fixed])| {
        format!(
            "{delay}, {} over UDP with a measured timeout, {} over TCP, and {} over UDP with the fixed timeout",
            time_text(measured),
            time_text(tcp),
            time_text(fixed)
        )
    });
    section.verdict(
        Source::Paper("000 §5.4"),
        Outcome::of_parts(parts),
        "The result cannot be generalized, because other implementations of SNMP may have other retransmissions, with \
         which UDP is faster than TCP.",
        format!("Here a lost frame costs, {}.", findings.collect::<Vec<_>>().join("; ")),
    );
}

fn interval(time: &Estimate) -> Option<Interval> {
    time.error.is_finite().then(|| time.log_interval(Level::P95))
}

fn time_text(time: &Estimate) -> String {
    Unit::Seconds.estimate_text(time.value, interval(time), Level::P95)
}

/// The ratio of times above which a transport is clearly faster, rather than by chance.
const CLEARLY: f64 = 1.25;
