//! The measurements of one experiment: rounds in which every variant is measured once.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use portreeve_lab_report::sample::Variant;

use super::budget::{SHORT_ROUNDS, Share, short_variants};
use super::noise::time_fixed_loop;
use super::order::order_of_round;
use super::progress::{Progress, in_words, print_line};
use super::run_directory::RunDirectory;
use super::{Context, Experiment, Prepared, Skipped, stop};
use crate::error::Result;

/// The end of an experiment's measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeriesEnd {
    /// All rounds are done, or the experiment is unavailable.
    Complete,
    /// The user has stopped the run.
    Stopped,
}

/// Prepares and measures an experiment. Skips measurements that the directory contains.
pub(super) fn run(
    experiment: &Experiment,
    context: &Context,
    directory: &mut RunDirectory,
    share: Share,
) -> Result<SeriesEnd> {
    let started = Instant::now();
    let name = experiment.name;
    let mut prepared = match prepare(experiment, context) {
        Ok(prepared) => prepared,
        Err(_) if stop::is_requested_after_error() => return Ok(SeriesEnd::Stopped),
        Err(reason) => {
            print_line(format_args!("{name}: not measured: {}", reason.0));
            directory.record_unavailable(name, &Variant::default(), &reason)?;
            return Ok(SeriesEnd::Complete);
        }
    };
    let unavailable = prepared.unavailable();
    // A reason may be that the user has stopped a program of the preparation.
    if stop::is_requested() {
        return Ok(SeriesEnd::Stopped);
    }
    for (variant, reason) in unavailable {
        directory.record_unavailable(name, &variant, &reason)?;
    }
    let variants = prepared.variants();
    let mut series = Series {
        name,
        variants,
        failed: BTreeSet::new(),
        left_out: BTreeSet::new(),
        progress: Progress::new(name, directory.count(name)),
        seed: directory.info().seed,
    };
    let end = series.measure(&mut *prepared, directory, share, started.elapsed());
    series.progress.finish();
    end
}

fn prepare(experiment: &Experiment, context: &Context) -> std::result::Result<Box<dyn Prepared>, Skipped> {
    if !experiment.accepts_target {
        context.require_own_agent()?;
    }
    experiment.needs.iter().try_for_each(|need| need.check(context))?;
    (experiment.prepare)(context)
}

struct Series {
    name: &'static str,
    variants: Vec<Variant>,
    /// The indices of variants that this process could not measure.
    failed: BTreeSet<usize>,
    /// The indices of variants that are not measured in the next rounds.
    left_out: BTreeSet<usize>,
    progress: Progress,
    seed: u64,
}

impl Series {
    fn measure(
        &mut self,
        prepared: &mut dyn Prepared,
        directory: &mut RunDirectory,
        share: Share,
        preparation: Duration,
    ) -> Result<SeriesEnd> {
        let mut rounds = match share {
            Share::Rounds(rounds) => Some(rounds),
            Share::Time(_) => directory.rounds(self.name),
        };
        let mut round = 0;
        while rounds.is_none_or(|rounds| round < rounds) && self.failed.len() < self.variants.len() {
            let begun = Instant::now();
            let total = rounds.map(|rounds| rounds * (self.variants.len() - self.failed.len()));
            let Some(measured) = self.measure_round(prepared, directory, round, total)? else {
                return Ok(SeriesEnd::Stopped);
            };
            if rounds.is_none() && measured > 0 {
                // A round that is resumed measures only a part of the variants.
                let all = self.variants.len() - self.failed.len();
                let duration = begun.elapsed().mul_f64(all.max(1) as f64 / measured as f64);
                let number = share.rounds(preparation, duration);
                directory.set_rounds(self.name, number)?;
                self.print_plan(number, duration);
                rounds = Some(number);
            }
            round += 1;
        }
        match share {
            Share::Rounds(_) => Ok(SeriesEnd::Complete),
            Share::Time(_) => self.measure_short_variants(prepared, directory, round),
        }
    }

    /// Measures the short variants in more rounds, if the number of rounds of all is low.
    fn measure_short_variants(
        &mut self,
        prepared: &mut dyn Prepared,
        directory: &mut RunDirectory,
        rounds: usize,
    ) -> Result<SeriesEnd> {
        let durations = directory.durations(self.name, rounds);
        let short = short_variants(&durations);
        let is_long =
            |index: &usize| self.variants.get(*index).is_none_or(|variant| !short.contains(variant));
        self.left_out = (0..self.variants.len()).filter(is_long).collect();
        let measured = rounds * durations.len();
        for round in rounds..SHORT_ROUNDS {
            let total = measured + (SHORT_ROUNDS - rounds) * short.len();
            if self.measure_round(prepared, directory, round, Some(total))?.is_none() {
                return Ok(SeriesEnd::Stopped);
            }
        }
        Ok(SeriesEnd::Complete)
    }

    /// Measures one round; returns the number of new measurements, or `None` if the user has
    /// stopped the run. `total` is the number of measurements after which all are done, if known.
    fn measure_round(
        &mut self,
        prepared: &mut dyn Prepared,
        directory: &mut RunDirectory,
        round: usize,
        total: Option<usize>,
    ) -> Result<Option<usize>> {
        let mut measured = 0;
        for index in order_of_round(self.seed, self.name, round, self.variants.len()) {
            if stop::is_requested() {
                return Ok(None);
            }
            let Some(variant) = self.variants.get(index) else { continue };
            let is_skipped = self.failed.contains(&index) || self.left_out.contains(&index);
            if is_skipped || directory.contains(self.name, variant, round) {
                continue;
            }
            if !directory.has_noise(self.name, round) {
                directory.record_noise(self.name, round, time_fixed_loop())?;
            }
            // A busy machine can make one measurement fail.
            let begun = Instant::now();
            match prepared.measure(variant, round).or_else(|_| prepared.measure(variant, round)) {
                Ok(outcome) => {
                    directory.record(self.name, variant, round, begun.elapsed(), outcome)?;
                    measured += 1;
                }
                // The measurement may have failed because the user has stopped the run.
                Err(_) if stop::is_requested_after_error() => return Ok(None),
                Err(reason) => {
                    directory.record_unavailable(self.name, variant, &reason)?;
                    self.failed.insert(index);
                }
            }
            self.progress.update(directory.count(self.name), total);
        }
        Ok(Some(measured))
    }

    fn print_plan(&self, rounds: usize, duration: Duration) {
        let variants = self.variants.len() - self.failed.len();
        let (name, duration) = (self.name, in_words(duration));
        print_line(format_args!("{name}: {variants} variants, {rounds} rounds of {duration}"));
    }
}

#[cfg(test)]
mod tests;
