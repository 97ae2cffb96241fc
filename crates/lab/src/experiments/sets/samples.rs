//! The samples of all rounds, as a table and as figures.

use portreeve_lab_report::statistics::median;

use super::{SubjectName, Timing, Workload};
use crate::table::{Figure, Table, goal_cells};

/// The samples of all subjects, in the order in which they were first measured.
#[derive(Default)]
pub(super) struct Samples(Vec<Sample>);

/// All rounds of one subject with one number of outstanding SETs.
struct Sample {
    subject: SubjectName,
    outstanding: usize,
    /// The duration of each round in seconds, in ascending order.
    seconds: Vec<f64>,
    /// The time from each SET to its response in milliseconds, in ascending order.
    latencies: Vec<f64>,
    /// The octets written for each SET in the last round.
    octets_per_set: usize,
}

impl Samples {
    /// Adds one round.
    pub(super) fn add(&mut self, subject: SubjectName, outstanding: usize, timing: Timing) {
        let is_same = |sample: &Sample| (sample.subject, sample.outstanding) == (subject, outstanding);
        let position = self.0.iter().position(is_same).unwrap_or_else(|| {
            let (seconds, latencies) = (Vec::new(), Vec::new());
            self.0.push(Sample { subject, outstanding, seconds, latencies, octets_per_set: 0 });
            self.0.len() - 1
        });
        let Some(sample) = self.0.get_mut(position) else { return };
        sample.seconds.push(timing.elapsed.as_secs_f64());
        sample.seconds.sort_by(f64::total_cmp);
        sample.latencies.extend(timing.latencies.iter().map(|latency| latency.as_secs_f64() * 1000.0));
        sample.latencies.sort_by(f64::total_cmp);
        sample.octets_per_set = timing.octets_per_set;
    }

    /// Prints a line for each subject.
    pub(super) fn print(&self, workload: &Workload) {
        let head = [
            "outstanding",
            "subject",
            "best s",
            "median s",
            "n",
            "p50 ms",
            "p99 ms",
            "octets/SET",
            "of bare",
            "required",
            "target",
        ];
        let mut table = Table::new(2, &head);
        for sample in &self.0 {
            let [required, target] = goal_cells(workload.goal(sample.subject, sample.outstanding), 1);
            table.add_row(vec![
                sample.outstanding.to_string(),
                sample.subject.to_string(),
                cell(sample.best(), 3),
                cell(sample.median(), 3),
                sample.seconds.len().to_string(),
                cell(sample.latency(0.5), 2),
                cell(sample.latency(0.99), 2),
                sample.octets_per_set.to_string(),
                cell(self.times_bare(sample), 2),
                required,
                target,
            ]);
        }
        println!("{}", table.unwrapped());
    }

    /// Returns the figures: seconds for each subject, and latencies of the agent.
    pub(super) fn figures(&self, workload: &Workload) -> Vec<Figure> {
        let figures = |sample: &Sample| {
            let figure = |unit, best, median, goal| Figure {
                experiment: "sets",
                work: format!("{} rows, {} outstanding", workload.rows(), sample.outstanding),
                setting: "",
                subject: sample.subject.to_string(),
                unit,
                best,
                median,
                n: sample.seconds.len(),
                ratios: Vec::new(),
                goal,
            };
            let goal = workload.goal(sample.subject, sample.outstanding);
            let mut figures = vec![figure("seconds for all SETs", sample.best(), sample.median(), goal)];
            if sample.subject != SubjectName::BareDisk {
                for (unit, value) in [
                    ("times the bare fdatasync loop", self.times_bare(sample)),
                    ("ms at the 50th percentile", sample.latency(0.5)),
                    ("ms at the 99th percentile", sample.latency(0.99)),
                ] {
                    figures.push(figure(unit, value, value, None));
                }
            }
            figures
        };
        self.0.iter().flat_map(figures).collect()
    }

    /// Compares the best round with that of the bare loop; NaN if the loop was not measured.
    fn times_bare(&self, sample: &Sample) -> f64 {
        let is_bare =
            |one: &&Sample| one.subject == SubjectName::BareDisk && one.outstanding == sample.outstanding;
        self.0.iter().find(is_bare).map_or(f64::NAN, |bare| sample.best() / bare.best())
    }
}

impl Sample {
    fn best(&self) -> f64 {
        self.seconds.first().copied().unwrap_or(f64::NAN)
    }

    fn median(&self) -> f64 {
        median(&self.seconds)
    }

    /// Returns the smallest latency that at least this fraction of all latencies does not exceed.
    fn latency(&self, fraction: f64) -> f64 {
        let rank = (fraction * self.latencies.len() as f64).ceil() as usize;
        self.latencies.get(rank.max(1) - 1).copied().unwrap_or(f64::NAN)
    }
}

fn cell(number: f64, decimals: usize) -> String {
    if number.is_nan() { String::new() } else { format!("{number:.decimals$}") }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::{FEW_ROWS, SubjectName, Timing, Version};
    use super::Samples;

    #[test]
    fn ratio_compares_best_rounds_with_as_many_outstanding_sets() {
        let mut samples = Samples::default();
        for (subject, outstanding, seconds) in [
            (SubjectName::Agent(Version::V2c), 1, [9, 6]),
            (SubjectName::BareDisk, 1, [2, 3]),
            (SubjectName::Agent(Version::V2c), 16, [4, 5]),
            (SubjectName::BareDisk, 16, [1, 1]),
        ] {
            for elapsed in seconds.map(Duration::from_secs) {
                let latencies = (1..=100).map(Duration::from_millis).collect();
                samples.add(subject, outstanding, Timing { elapsed, latencies, octets_per_set: 1 });
            }
        }
        let ratios: Vec<_> = samples.0.iter().map(|sample| samples.times_bare(sample)).collect();
        assert_eq!(ratios, [3.0, 1.0, 4.0, 1.0]);
        let figures = samples.figures(&FEW_ROWS);
        let goals: Vec<_> = figures.iter().filter(|figure| figure.goal.is_some()).collect();
        assert_eq!(goals.iter().map(|figure| figure.best).collect::<Vec<_>>(), [4.0]);
        assert_eq!(samples.0[0].latency(0.99), 99.0);
    }
}
