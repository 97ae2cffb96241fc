//! The samples of a run, grouped by experiment and variant, and selections of them.

use std::collections::BTreeMap;

use crate::sample::{Noise, Record, Sample, SampleError, Trace, Unavailable, Variant, parse_lines};
use crate::statistics::Summary;

/// All records of a run.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    experiments: BTreeMap<String, Experiment>,
}

impl Samples {
    /// Groups the records of a run.
    pub fn new(records: Vec<Record>) -> Self {
        let mut experiments: BTreeMap<String, Experiment> = BTreeMap::new();
        for record in records {
            // Looking up first saves a copy of the name for almost all records.
            let experiment = match experiments.get_mut(record.experiment()) {
                Some(experiment) => experiment,
                None => experiments.entry(record.experiment().to_owned()).or_default(),
            };
            experiment.add(record);
        }
        for group in experiments.values_mut().flat_map(|experiment| experiment.groups.values_mut()) {
            // Stable, so that samples of one round stay in the order of the file.
            group.samples.sort_by_key(|sample| sample.round);
        }
        Self { experiments }
    }

    /// Parses a whole `samples.jsonl`.
    ///
    /// # Errors
    ///
    /// As [`parse_lines`].
    pub fn parse(text: &str) -> Result<Self, SampleError> {
        parse_lines(text).map(Self::new)
    }

    /// Returns the names of the experiments, sorted.
    pub fn experiments(&self) -> impl Iterator<Item = &str> {
        self.experiments.keys().map(String::as_str)
    }

    /// Selects all records of an experiment. The selection is empty if the run has none.
    pub fn experiment(&self, name: &str) -> Selection<'_> {
        let Some(experiment) = self.experiments.get(name) else { return Selection::default() };
        Selection {
            groups: experiment.groups.iter().collect(),
            unavailable: experiment.unavailable.iter().collect(),
            noise: &experiment.noise,
        }
    }

    /// Summarizes a value of the noise over all experiments.
    pub fn noise(&self, name: &str) -> Option<Summary> {
        let noise = self.experiments.values().flat_map(|experiment| &experiment.noise);
        Summary::of(&noise.filter_map(|noise| noise.values.get(name).copied()).collect::<Vec<_>>())
    }
}

/// Records of one experiment, possibly only those of some variants.
#[derive(Clone, Debug, Default)]
pub struct Selection<'a> {
    groups: Vec<(&'a Variant, &'a Group)>,
    unavailable: Vec<&'a Unavailable>,
    noise: &'a [Noise],
}

impl<'a> Selection<'a> {
    /// Restricts the selection to one value of an axis.
    ///
    /// Samples and traces must have the axis. Records of unavailable variants that lack it remain,
    /// because they apply to all its values.
    #[must_use]
    pub fn with(&self, axis: &str, value: &str) -> Self {
        let groups = self.groups.iter().filter(|(variant, _)| variant.get(axis) == Some(value));
        let unavailable =
            self.unavailable.iter().filter(|one| one.variant.get(axis).is_none_or(|other| other == value));
        Self {
            groups: groups.copied().collect(),
            unavailable: unavailable.copied().collect(),
            noise: self.noise,
        }
    }

    /// Restricts the selection to the values that a variant has.
    #[must_use]
    pub fn with_all(&self, variant: &Variant) -> Self {
        variant.axes().fold(self.clone(), |selection, (axis, value)| selection.with(axis, value))
    }

    /// Restricts the samples to exactly one variant, without those that have further axes.
    #[must_use]
    pub fn only(&self, variant: &Variant) -> Self {
        let mut selection = self.with_all(variant);
        selection.groups.retain(|(other, _)| *other == variant);
        selection
    }

    /// Keeps only the samples and traces of some variants.
    pub fn retain(&mut self, keep: impl Fn(&Variant) -> bool) {
        self.groups.retain(|(variant, _)| keep(variant));
    }

    /// Reports whether the selection has neither samples nor traces.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Returns the variants that have samples or traces, sorted.
    pub fn variants(&self) -> Vec<&'a Variant> {
        self.groups.iter().map(|(variant, _)| *variant).collect()
    }

    /// Returns the different values of an axis: by size if all are numbers, otherwise as texts.
    pub fn axis(&self, axis: &str) -> Vec<&'a str> {
        let mut values: Vec<&str> = self.groups.iter().filter_map(|(variant, _)| variant.get(axis)).collect();
        let number = |text: &str| text.parse::<f64>().ok();
        if values.iter().all(|value| number(value).is_some()) {
            values.sort_by(|one, other| {
                let numbers = number(one).unwrap_or_default().total_cmp(&number(other).unwrap_or_default());
                numbers.then_with(|| one.cmp(other))
            });
        } else {
            values.sort_unstable();
        }
        values.dedup();
        values
    }

    /// Returns the samples, by variant and then by round.
    pub fn samples(&self) -> impl Iterator<Item = &'a Sample> {
        self.groups.iter().flat_map(|(_, group)| &group.samples)
    }

    /// Returns the traces, by variant.
    pub fn traces(&self) -> impl Iterator<Item = &'a Trace> {
        self.groups.iter().flat_map(|(_, group)| &group.traces)
    }

    /// Returns the measurements of one value, by variant and then by round.
    pub fn values(&self, name: &str) -> Vec<f64> {
        self.samples().filter_map(|sample| sample.values.get(name).copied()).collect()
    }

    /// Returns the lists of one name, by variant and then by round.
    pub fn lists(&self, name: &str) -> Vec<&'a [f64]> {
        self.samples().filter_map(|sample| sample.series.get(name).map(Vec::as_slice)).collect()
    }

    /// Summarizes the elements with one position of all lists of a name.
    pub fn element(&self, name: &str, position: usize) -> Option<Summary> {
        let elements = self.lists(name).into_iter().filter_map(|list| list.get(position).copied());
        Summary::of(&elements.collect::<Vec<_>>())
    }

    /// Summarizes one value.
    pub fn summary(&self, name: &str) -> Option<Summary> {
        Summary::of(&self.values(name))
    }

    /// Summarizes the differences or sums of values: anything that is computed from one sample.
    pub fn derived(&self, compute: impl Fn(&Sample) -> Option<f64>) -> Option<Summary> {
        Summary::of(&self.samples().filter_map(compute).collect::<Vec<_>>())
    }

    /// Returns the summary of one value for each number on an axis, as the points of a chart.
    pub fn points(&self, axis: &str, name: &str) -> Vec<(f64, Summary)> {
        let points = self.axis(axis).into_iter().filter_map(|value| {
            Some((value.parse().ok().filter(|x: &f64| x.is_finite())?, self.with(axis, value).summary(name)?))
        });
        points.collect()
    }

    /// Returns each measurement of one value with the number on an axis, for a regression.
    pub fn pairs(&self, axis: &str, name: &str) -> Vec<(f64, f64)> {
        let pairs = self.samples().filter_map(|sample| {
            let x: f64 = sample.variant.get(axis)?.parse().ok()?;
            Some((x, *sample.values.get(name)?)).filter(|(x, _)| x.is_finite())
        });
        pairs.collect()
    }

    /// Summarizes the ratios of one value to that of another selection, round by round.
    ///
    /// Both ran in the same rounds, so that the noise of the machine affects a ratio less than the
    /// two values. Rounds without both values, and zeros below the line, are skipped.
    pub fn ratios(&self, bottom: &Self, name: &str) -> Option<Summary> {
        let (top, bottom) = (self.by_round(name), bottom.by_round(name));
        let ratios = top.iter().filter_map(|(key, value)| {
            bottom.get(key).filter(|divisor| **divisor != 0.0).map(|divisor| value / divisor)
        });
        Summary::of(&ratios.collect::<Vec<_>>())
    }

    /// Summarizes the differences of one value from that of another selection, round by round, as
    /// [`Self::ratios`] does.
    pub fn differences(&self, other: &Self, name: &str) -> Option<Summary> {
        self.shares(other, None, name)
    }

    /// Summarizes the differences of one value from that of another selection, in relation to the
    /// value of a third one, round by round.
    pub fn relative_differences(&self, other: &Self, whole: &Self, name: &str) -> Option<Summary> {
        self.shares(other, Some(whole), name)
    }

    fn shares(&self, other: &Self, whole: Option<&Self>, name: &str) -> Option<Summary> {
        let (values, others) = (self.by_round(name), other.by_round(name));
        let whole = whole.map(|whole| whole.by_round(name));
        let differences = values.iter().filter_map(|(key, value)| {
            let divisor = whole.as_ref().map_or(Some(1.0), |whole| whole.get(key).copied())?;
            others.get(key).filter(|_| divisor != 0.0).map(|other| (value - other) / divisor)
        });
        Summary::of_differences(&differences.collect::<Vec<_>>())
    }

    /// Returns the reason why the selection has no samples: the first one that applies.
    pub fn unavailable(&self) -> Option<&'a str> {
        self.unavailable.first().map(|one| one.reason.as_str())
    }

    /// Returns the reason why the selection has no samples, or that it was not measured.
    pub fn reason(&self) -> &'a str {
        self.unavailable().unwrap_or(NOT_MEASURED)
    }

    /// Returns all records of unavailable variants, in the order of the file.
    pub fn all_unavailable(&self) -> &[&'a Unavailable] {
        &self.unavailable
    }

    /// Summarizes a value of the noise that was measured during the experiment.
    pub fn noise(&self, name: &str) -> Option<Summary> {
        let values = self.noise.iter().filter_map(|noise| noise.values.get(name).copied());
        Summary::of(&values.collect::<Vec<_>>())
    }

    /// Returns each measurement by its key. Not all variants are measured in every round.
    fn by_round(&self, name: &str) -> BTreeMap<Key, f64> {
        let values = |group: &'a Group| {
            group.samples.iter().filter_map(|sample| Some((sample.round, *sample.values.get(name)?)))
        };
        let groups = self.groups.iter().map(|(_, group)| values(group));
        let measured = groups.filter(|values| values.clone().next().is_some());
        let mut by_round = BTreeMap::new();
        for (variant, values) in measured.enumerate() {
            let mut indices: BTreeMap<usize, usize> = BTreeMap::new();
            for (round, value) in values {
                let index = indices.entry(round).or_default();
                by_round.insert(Key { round, variant, index: *index }, value);
                *index += 1;
            }
        }
        by_round
    }
}

/// Identifies the measurements that are compared with each other, one from each selection.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    round: usize,
    /// The position of the variant among those that have the value.
    variant: usize,
    /// The position among the measurements of the variant in the round.
    index: usize,
}

/// All records of one experiment.
#[derive(Clone, Debug, Default)]
struct Experiment {
    groups: BTreeMap<Variant, Group>,
    unavailable: Vec<Unavailable>,
    noise: Vec<Noise>,
}

/// The records of one variant.
#[derive(Clone, Debug, Default)]
struct Group {
    samples: Vec<Sample>,
    traces: Vec<Trace>,
}

impl Experiment {
    fn add(&mut self, record: Record) {
        match record {
            Record::Sample(sample) => self.group(&sample.variant).samples.push(sample),
            Record::Trace(trace) => self.group(&trace.variant).traces.push(trace),
            Record::Unavailable(unavailable) => self.unavailable.push(unavailable),
            Record::Noise(noise) => self.noise.push(noise),
        }
    }

    fn group(&mut self, variant: &Variant) -> &mut Group {
        self.groups.entry(variant.clone()).or_default()
    }
}

/// The reason for a value that no record explains.
const NOT_MEASURED: &str = "not measured in this run";

#[cfg(test)]
mod tests;
