//! The cost of a lost frame: the additional time of walks, divided by the frames that were lost.

use portreeve_lab_report::document::{Cell, Table};
use portreeve_lab_report::papers::paper_000;
use portreeve_lab_report::samples::Selection;
use portreeve_lab_report::statistics::{Estimate, Level};
use portreeve_lab_report::unit::Unit;

use super::super::plan::probability;
use super::{LINES, Line, Timeout, delay_title, of, walk_times};

/// The cost for each line and delay.
pub(super) fn table(all: &Selection<'_>) -> Table {
    let delays = all.axis("delay");
    let mut table = Table::new(
        "The cost of a lost frame: the additional time compared with walks without loss, divided by the number of lost \
         frames. The paper's value is the timeout of Net-SNMP",
    )
    .column("Walk")
    .column_with("Timeout", "paper");
    for delay in &delays {
        table = table.column_with("Cost", delay_title(delay));
    }
    for line in LINES {
        let printed = (line.timeout == Timeout::Fixed).then_some(paper_000::TIMEOUT);
        let costs = delays.iter().map(|delay| match LossEffect::of(all, line, delay) {
            Some(effect) => cost_cell(effect.cost()),
            None if of(all, line, delay).is_empty() => Cell::Empty,
            None => Cell::text("too few lost frames"),
        });
        let name = Cell::text(line.by().label(&line.label()));
        if all.with_all(&line.variant()).is_empty() {
            continue;
        }
        table.row([name, Cell::paper(printed)].into_iter().chain(costs.collect::<Vec<_>>()));
    }
    table
}

fn cost_cell(cost: Estimate) -> Cell {
    if cost.error.is_finite() {
        Cell::computed(cost.value, Some(cost.log_interval(Level::P95)), Unit::Seconds)
    } else {
        Cell::computed(cost.value, None, Unit::Seconds)
    }
}

/// The effect of loss on the walks of one line with one delay, from the walks with all losses.
/// Rounds with failed walks are not used, because the time of these walks is not known.
pub(super) struct LossEffect {
    /// The mean time of a walk without loss.
    quiet: Estimate,
    rounds: Vec<Round>,
}

/// The walks of one round with one loss.
struct Round {
    /// The number of walks.
    walks: f64,
    /// The additional time of all walks, in seconds.
    additional: f64,
    /// The number of lost frames.
    lost: f64,
    /// The sum of the probabilities of loss of all walks.
    exposure: f64,
}

impl LossEffect {
    /// Returns the effect, unless so few frames were lost that it is too uncertain.
    pub(super) fn of(all: &Selection<'_>, line: Line, delay: &str) -> Option<Self> {
        let walks = of(all, line, delay);
        let quiet = walk_times(&walks.with("loss", "0"))?;
        let mut rounds = Vec::new();
        for sample in walks.samples() {
            let value = |name: &str| sample.values.get(name).copied();
            let loss = sample.variant.get("loss").map_or(0.0, probability);
            let (Some(times), Some(0.0)) = (sample.series.get("times"), value("failures")) else { continue };
            if loss > 0.0 {
                rounds.push(Round {
                    walks: times.len() as f64,
                    additional: times.iter().map(|time| time - quiet.mean).sum(),
                    lost: value("lost")? * value("walks")?,
                    exposure: loss * times.len() as f64,
                });
            }
        }
        let quiet = Estimate {
            value: quiet.mean,
            error: quiet.deviation / (quiet.n as f64).sqrt(),
            freedom: quiet.n.saturating_sub(1).max(1),
        };
        let is_enough = rounds.iter().map(|round| round.lost).sum::<f64>() >= MIN_LOST;
        is_enough.then_some(Self { quiet, rounds })
    }

    /// Returns the additional time for each lost frame.
    pub(super) fn cost(&self) -> Estimate {
        self.ratio(|round| round.lost, 0.0, 1.0)
    }

    /// Returns the expected mean time with a probability of loss, to which the number of lost
    /// frames is proportional.
    pub(super) fn expected_time(&self, loss: f64) -> Estimate {
        self.ratio(|round| round.exposure, 1.0, loss)
    }

    /// Returns `quiet · share + factor · additional / weight`. The error of the ratio follows from
    /// the residuals of the rounds, as for a ratio estimator. The error of the walks without loss
    /// affects the additional time of all walks alike.
    fn ratio(&self, weight: fn(&Round) -> f64, share: f64, factor: f64) -> Estimate {
        let sum = |value: &dyn Fn(&Round) -> f64| self.rounds.iter().map(value).sum::<f64>();
        let (total, walks) = (sum(&weight), sum(&|round| round.walks));
        let ratio = sum(&|round| round.additional) / total;
        let n = self.rounds.len();
        let freedom = n.saturating_sub(1);
        let squares = sum(&|round| (round.additional - ratio * weight(round)).powi(2));
        // One round has no residual.
        let variance = if freedom == 0 { f64::INFINITY } else { squares * n as f64 / freedom as f64 };
        let of_quiet = (share - factor * walks / total) * self.quiet.error;
        Estimate {
            value: share * self.quiet.value + factor * ratio,
            error: (factor * variance.sqrt() / total).hypot(of_quiet),
            freedom: freedom.max(1),
        }
    }
}

/// The minimum number of lost frames.
const MIN_LOST: f64 = 10.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn effect(quiet_error: f64) -> LossEffect {
        let round = |additional, lost| Round { walks: 10.0, additional, lost, exposure: 0.5 };
        LossEffect {
            quiet: Estimate { value: 0.01, error: quiet_error, freedom: 20 },
            rounds: vec![round(1.0, 5.0), round(3.0, 10.0), round(2.0, 15.0)],
        }
    }

    /// 6 s for 30 frames are 0.2 s. Residuals are 0, 1 and -1 s, so that the variance is 2 · 3/2,
    /// and the error is √3/30.
    #[test]
    fn error_of_the_cost_follows_from_the_residuals_of_the_rounds() {
        let cost = effect(0.0).cost();
        assert!((cost.value - 0.2).abs() < 1e-12 && cost.freedom == 2);
        assert!((cost.error - 3_f64.sqrt() / 30.0).abs() < 1e-12, "{cost:?}");
        // 30 walks without loss of an error of 3 ms add 30 · 3 / 30 ms.
        let cost = effect(0.003).cost();
        assert!((cost.error - (1.0_f64 / 300.0 + 9e-6).sqrt()).abs() < 1e-12, "{cost:?}");
    }

    /// 6 s for an exposure of 1.5 are 4 s for a certain loss: 10 ms + 40 ms with 1 %.
    #[test]
    fn expected_time_has_an_error_too() {
        let time = effect(0.0).expected_time(0.01);
        assert!((time.value - 0.05).abs() < 1e-12);
        // Residuals are -1, 1 and 0 s.
        assert!((time.error - 0.01 * 3_f64.sqrt() / 1.5).abs() < 1e-12, "{time:?}");
    }

    #[test]
    fn one_round_has_no_interval() {
        let mut effect = effect(0.0);
        effect.rounds.truncate(1);
        assert!(matches!(cost_cell(effect.cost()), Cell::Computed(cost) if cost.interval.is_none()));
    }
}
