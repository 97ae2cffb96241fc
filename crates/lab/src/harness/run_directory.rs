//! The run directory: `run.json`, `samples.jsonl`, and the measurements that they contain already.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use portreeve_lab_report::sample::{
    Noise, Record, RunInfo, Sample, Trace, Unavailable, Variant, parse_lines,
};

use super::directory_lock::DirectoryLock;
use super::plan::difference;
use super::samples_file::SamplesFile;
use super::{Outcome, Skipped, credentials_check};
use crate::error::{Context, Result};
use crate::private_file;

/// The directory of one run, open for new measurements.
pub(super) struct RunDirectory {
    path: PathBuf,
    info: RunInfo,
    samples: SamplesFile,
    done: Done,
    /// Keeps other runs from writing to the directory.
    _lock: DirectoryLock,
}

/// The measurements that the directory contains.
#[derive(Default)]
struct Done {
    /// The duration of each measurement, in seconds.
    samples: BTreeMap<(String, Variant, usize), Option<f64>>,
    unavailable: BTreeSet<(String, Variant)>,
    noise: BTreeSet<(String, usize)>,
}

impl RunDirectory {
    /// Creates the directory, or resumes the run in it. Forgets the reasons why variants were not
    /// measured: they may no longer apply, and a run that resumes finds them again.
    ///
    /// # Errors
    /// If the directory contains a run with another plan, or other files but no run, or if another
    /// process runs in it.
    pub(super) fn open(path: &Path, mut info: RunInfo) -> Result<Self> {
        fs::create_dir_all(path).context(path.display())?;
        let lock = DirectoryLock::new(path)?;
        let existing = read_info(path)?;
        if existing.is_none() {
            require_empty(path)?;
        }
        if let Some(existing) = existing {
            if let Some(difference) = difference(&existing, &info) {
                let path = path.display();
                return Err(format!(
                    "{path} contains another run: {difference}\nhint: choose another directory, or repeat that command"
                )
                .into());
            }
            info = existing;
        }
        let file = path.join(SAMPLES);
        let (mut samples, text) = SamplesFile::open(&file)?;
        let records = parse_lines(&text).context(file.display())?;
        let mut done = Done::default();
        records.iter().filter(|record| !is_reason(record)).for_each(|record| done.add(record));
        samples.keep(&file, &without_reasons(&text))?;
        let directory = Self { path: path.into(), info, samples, done, _lock: lock };
        directory.write_info()?;
        Ok(directory)
    }

    /// Checks that the measurements that exist already were made with the same credentials.
    pub(super) fn check_credentials(&self, credentials: &str) -> Result<()> {
        credentials_check::check(&self.path, credentials, !self.is_empty())
    }

    /// Returns true if nothing was measured.
    pub(super) fn is_empty(&self) -> bool {
        self.done.samples.is_empty()
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The plan.
    pub(super) fn info(&self) -> &RunInfo {
        &self.info
    }

    /// The number of measurements of an experiment that exist already.
    pub(super) fn count(&self, experiment: &str) -> usize {
        self.done.samples.keys().filter(|(name, ..)| name == experiment).count()
    }

    /// Returns true if the measurement exists already.
    pub(super) fn contains(&self, experiment: &str, variant: &Variant, round: usize) -> bool {
        self.done.samples.contains_key(&(experiment.to_owned(), variant.clone(), round))
    }

    /// Returns true if this process has found the variant to be unavailable.
    fn is_unavailable(&self, experiment: &str, variant: &Variant) -> bool {
        self.done.unavailable.contains(&(experiment.to_owned(), variant.clone()))
    }

    /// Returns true if the noise of the round has been measured.
    pub(super) fn has_noise(&self, experiment: &str, round: usize) -> bool {
        self.done.noise.contains(&(experiment.to_owned(), round))
    }

    /// The number of rounds of an experiment, once it is known.
    pub(super) fn rounds(&self, experiment: &str) -> Option<usize> {
        self.info.rounds.get(experiment).copied()
    }

    /// Returns the mean duration of each variant's measurements in the first `rounds` rounds, in
    /// seconds.
    pub(super) fn durations(&self, experiment: &str, rounds: usize) -> BTreeMap<Variant, f64> {
        let mut durations: BTreeMap<Variant, Vec<f64>> = BTreeMap::new();
        for ((name, variant, round), duration) in &self.done.samples {
            if let Some(duration) = duration
                && name == experiment
                && *round < rounds
            {
                durations.entry(variant.clone()).or_default().push(*duration);
            }
        }
        let mean = |durations: Vec<f64>| durations.iter().sum::<f64>() / durations.len() as f64;
        durations.into_iter().map(|(variant, durations)| (variant, mean(durations))).collect()
    }

    /// Records the number of rounds, so that a run that is resumed has the same.
    pub(super) fn set_rounds(&mut self, experiment: &str, rounds: usize) -> Result<()> {
        self.info.rounds.insert(experiment.to_owned(), rounds);
        self.write_info()
    }

    /// Adds to the duration of the run.
    pub(super) fn add_duration(&mut self, seconds: f64) -> Result<()> {
        self.info.duration = Some(self.info.duration.unwrap_or_default() + seconds);
        self.write_info()
    }

    /// Appends a measurement, and what it lacks, unless an earlier round lacks the same.
    pub(super) fn record(
        &mut self,
        experiment: &str,
        variant: &Variant,
        round: usize,
        duration: Duration,
        outcome: Outcome,
    ) -> Result<()> {
        for (subject, reason) in &outcome.skipped {
            self.record_unavailable(experiment, &variant.clone().and("subject", subject), reason)?;
        }
        let (experiment, variant) = (experiment.to_owned(), variant.clone());
        if !outcome.messages.is_empty() {
            let (experiment, variant) = (experiment.clone(), variant.clone());
            self.append(&Record::Trace(Trace { experiment, variant, messages: outcome.messages }))?;
        }
        let mut sample = Sample::new(experiment, variant, round);
        sample.duration = Some(duration.as_secs_f64());
        sample.values = outcome.values;
        sample.series = outcome.series;
        self.append(&Record::Sample(sample))
    }

    /// Appends the reason why a variant, or the whole experiment, is not measured.
    pub(super) fn record_unavailable(
        &mut self,
        experiment: &str,
        variant: &Variant,
        reason: &Skipped,
    ) -> Result<()> {
        if self.is_unavailable(experiment, variant) {
            return Ok(());
        }
        let (experiment, variant, reason) = (experiment.to_owned(), variant.clone(), reason.0.clone());
        self.append(&Record::Unavailable(Unavailable { experiment, variant, reason }))
    }

    /// Appends the noise of a round.
    pub(super) fn record_noise(&mut self, experiment: &str, round: usize, seconds: f64) -> Result<()> {
        let values = BTreeMap::from([(NOISE.to_owned(), seconds)]);
        self.append(&Record::Noise(Noise { experiment: experiment.to_owned(), round, values }))
    }

    fn append(&mut self, record: &Record) -> Result<()> {
        self.samples.append(&record.to_line())?;
        self.done.add(record);
        Ok(())
    }

    /// Replaces `run.json` at once, so that a crash leaves the old or the new file.
    fn write_info(&self) -> Result<()> {
        let (file, temporary) = (self.path.join(RUN), self.path.join(NEW_RUN));
        private_file::write(&temporary, &self.info.to_json()).context(temporary.display())?;
        fs::rename(&temporary, &file).context(file.display())
    }
}

impl Done {
    fn add(&mut self, record: &Record) {
        match record {
            Record::Sample(sample) => {
                let key = (sample.experiment.clone(), sample.variant.clone(), sample.round);
                self.samples.insert(key, sample.duration);
            }
            Record::Unavailable(one) => {
                self.unavailable.insert((one.experiment.clone(), one.variant.clone()));
            }
            Record::Noise(noise) => {
                self.noise.insert((noise.experiment.clone(), noise.round));
            }
            Record::Trace(_) => {}
        }
    }
}

/// Returns the lines of samples without those of unavailable variants.
fn without_reasons(text: &str) -> String {
    text.split_inclusive('\n')
        .filter(|line| !Record::parse(line).is_ok_and(|record| is_reason(&record)))
        .collect()
}

fn is_reason(record: &Record) -> bool {
    matches!(record, Record::Unavailable(_))
}

/// Checks that a directory without a run contains nothing, because the report replaces files.
fn require_empty(directory: &Path) -> Result<()> {
    let entries = fs::read_dir(directory).context(directory.display())?;
    for entry in entries {
        // A run that was killed while it began has left only this file.
        if entry.context(directory.display())?.file_name() != NEW_RUN {
            return Err(format!(
                "{} is not empty and contains no run\nhint: choose a new or an empty directory",
                directory.display()
            )
            .into());
        }
    }
    Ok(())
}

/// Reads the plan of the run in a directory; `None` if there is no run.
pub(super) fn read_info(directory: &Path) -> Result<Option<RunInfo>> {
    let file = directory.join(RUN);
    match fs::read_to_string(&file) {
        Ok(text) => RunInfo::parse(&text).context(file.display()).map(Some),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).context(file.display()),
    }
}

pub(super) const RUN: &str = "run.json";
/// The new plan, until it replaces the old one.
const NEW_RUN: &str = ".run.json.new";
pub(super) const SAMPLES: &str = "samples.jsonl";
/// The name of the noise in samples: the seconds of a fixed loop.
pub(crate) const NOISE: &str = "idle_loop";

#[cfg(test)]
mod tests;
