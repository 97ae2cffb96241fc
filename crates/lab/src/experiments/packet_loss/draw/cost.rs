//! The cost of a lost frame: the additional time of walks, divided by the frames that were lost.

use portreeve_lab_report::document::{Cell, Table};
use portreeve_lab_report::papers::paper_000;
use portreeve_lab_report::samples::Selection;
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
            Some(effect) => Cell::computed(effect.cost(), None, Unit::Seconds),
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

/// The effect of loss on the walks of one line with one delay, from the walks with all losses.
/// Rounds with failed walks are not used, because the time of these walks is not known.
pub(super) struct LossEffect {
    /// The mean time of a walk without loss.
    quiet: f64,
    /// The additional time of all walks with loss, in seconds.
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
        let quiet = walk_times(&walks.with("loss", "0"))?.mean;
        let mut effect = Self { quiet, additional: 0.0, lost: 0.0, exposure: 0.0 };
        for sample in walks.samples() {
            let value = |name: &str| sample.values.get(name).copied();
            let loss = sample.variant.get("loss").map_or(0.0, probability);
            let (Some(times), Some(0.0)) = (sample.series.get("times"), value("failures")) else { continue };
            if loss > 0.0 {
                effect.additional += times.iter().map(|time| time - quiet).sum::<f64>();
                effect.lost += value("lost")? * value("walks")?;
                effect.exposure += loss * times.len() as f64;
            }
        }
        (effect.lost >= MIN_LOST).then_some(effect)
    }

    /// Returns the additional time for each lost frame.
    pub(super) fn cost(&self) -> f64 {
        self.additional / self.lost
    }

    /// Returns the expected mean time with a probability of loss, to which the number of lost
    /// frames is proportional.
    pub(super) fn expected_time(&self, loss: f64) -> f64 {
        self.quiet + self.additional / self.exposure * loss
    }
}

/// The minimum number of lost frames.
const MIN_LOST: f64 = 10.0;
