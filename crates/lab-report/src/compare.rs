//! The comparison of two runs: the values that differ by more than chance explains.

mod report;

use std::collections::BTreeSet;

use crate::sample::Variant;
use crate::samples::{Samples, Selection};
use crate::statistics::{Interval, Level, Summary, median_ratio};

/// The comparison of all values that two runs have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The compared values, by experiment, variant and name.
    pub changes: Vec<Change>,
    /// Values that only the first run has.
    pub only_before: Vec<Place>,
    /// Values that only the second run has.
    pub only_after: Vec<Place>,
    /// The noise of both runs.
    noise: [Option<Summary>; 2],
}

/// The place of a value.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Place {
    /// Name of the experiment.
    pub experiment: String,
    /// The variant.
    pub variant: Variant,
    /// Name of the value.
    pub value: String,
}

/// One value in both runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The place of the value.
    pub place: Place,
    /// The value in the first run.
    pub before: Summary,
    /// The value in the second run.
    pub after: Summary,
    /// Ratio of the second median to the first. `None` if one is not positive.
    pub ratio: Option<f64>,
    /// The 99 % interval of the ratio.
    pub interval: Option<Interval>,
    /// The result.
    pub direction: Direction,
}

/// The result of comparing one value.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Direction {
    /// The value is larger in the second run.
    Increased,
    /// The value is smaller in the second run.
    Decreased,
    /// The values do not differ by more than chance explains, or by less than [`MIN_CHANGE`].
    Unchanged,
    /// The samples are too few to decide.
    Undecided,
}

impl Comparison {
    /// Compares two runs.
    pub fn new(before: &Samples, after: &Samples) -> Self {
        let (first, second) = (places(before), places(after));
        let summary = |samples: &Samples, place: &Place| {
            let selection = samples.experiment(&place.experiment);
            selection.only(&place.variant).summary(&place.value)
        };
        let both = first.intersection(&second);
        let changes = both.filter_map(|place| {
            Some(Change::of(place.clone(), summary(before, place)?, summary(after, place)?))
        });
        Self {
            changes: changes.collect(),
            only_before: first.difference(&second).cloned().collect(),
            only_after: second.difference(&first).cloned().collect(),
            noise: [before.noise(IDLE_LOOP), after.noise(IDLE_LOOP)],
        }
    }

    /// Returns the number of values with a result.
    pub fn count(&self, direction: Direction) -> usize {
        self.changes.iter().filter(|change| change.direction == direction).count()
    }
}

impl Change {
    fn of(place: Place, before: Summary, after: Summary) -> Self {
        let (ratio, interval) = median_ratio(&after, &before, Level::P99).unzip();
        let interval = interval.flatten();
        let is_repeated = before.n >= MIN_CONSTANT && after.n >= MIN_CONSTANT;
        let direction = if is_repeated && before.is_constant() && after.is_constant() {
            direction(after.median, before.median)
        } else {
            match (ratio, interval) {
                (Some(ratio), Some(interval)) => {
                    let is_clear = !interval.contains(1.0) && (ratio - 1.0).abs() >= MIN_CHANGE;
                    // The interval of few values is so wide that it would hide almost any change.
                    let is_few = before.n.min(after.n) < MIN_VALUES;
                    match is_clear {
                        true => direction(ratio, 1.0),
                        false if is_few && (interval.low < 0.5 || interval.high > 2.0) => {
                            Direction::Undecided
                        }
                        false => Direction::Unchanged,
                    }
                }
                _ => Direction::Undecided,
            }
        };
        Self { place, before, after, ratio, interval, direction }
    }

    /// Returns the distance of the ratio from 1. Halving and doubling have the same distance.
    fn size(&self) -> f64 {
        self.ratio.map_or(0.0, |ratio| ratio.ln().abs())
    }
}

fn direction(after: f64, before: f64) -> Direction {
    if after > before {
        Direction::Increased
    } else if after < before {
        Direction::Decreased
    } else {
        Direction::Unchanged
    }
}

fn places(samples: &Samples) -> BTreeSet<Place> {
    let mut places = BTreeSet::new();
    for name in samples.experiments() {
        let experiment: Selection<'_> = samples.experiment(name);
        for variant in experiment.variants() {
            let values: BTreeSet<&String> =
                experiment.only(variant).samples().flat_map(|sample| sample.values.keys()).collect();
            places.extend(values.into_iter().map(|value| Place {
                experiment: name.to_owned(),
                variant: variant.clone(),
                value: value.clone(),
            }));
        }
    }
    places
}

/// The smallest change of a value that varies: two runs differ by a few per cent even if nothing
/// was changed, because they did not run in the same rounds.
pub const MIN_CHANGE: f64 = 0.03;

/// The number of equal values that make a value a constant, as numbers of frames are. One
/// measurement says nothing about the scatter.
const MIN_CONSTANT: usize = 2;

/// The number of values from which an interval is that of the median.
const MIN_VALUES: usize = 8;

/// The name of the noise that the harness measures in each round.
const IDLE_LOOP: &str = "idle_loop";

#[cfg(test)]
mod tests;
