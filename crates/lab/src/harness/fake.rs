//! Experiments for tests: their measurements return the index of the variant and the round.

use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use portreeve_lab_net::Cleaner;
use portreeve_lab_report::sample::{RunInfo, Variant};

use super::context::Network;
use super::run_directory::RunDirectory;
use super::{Context, Effort, Experiment, Need, Outcome, Prepared, Skipped, stop};

thread_local! {
    /// Measurements of this thread's test, in their order.
    static MEASURED: RefCell<Vec<(String, usize)>> = const { RefCell::new(Vec::new()) };
}

/// Every fake experiment.
pub(super) static ALL: &[&Experiment] = &[&FIRST, &SECOND, &NEEDY, &BROKEN];

/// Has ten variants and works.
pub(super) static FIRST: Experiment = experiment("first", &["000 Table 1"], &[], |_| Ok(Box::new(Fake)));
static SECOND: Experiment = experiment("second", &["000 Fig 3", "002 Table 2"], &[], |_| Ok(Box::new(Fake)));
/// Needs a program that does not exist.
pub(super) static NEEDY: Experiment =
    experiment("needy", &[], &[Need::Ours("no-such-program")], |_| Ok(Box::new(Fake)));
/// Has no papers, and the name of an experiment whose figures are published elsewhere.
pub(super) static BENCH: Experiment = experiment("bench", &[], &[], |_| Ok(Box::new(Fake)));
/// One of its variants takes much more time than the others.
pub(super) static UNEVEN: Experiment = experiment("uneven", &[], &[], |_| Ok(Box::new(Uneven)));
/// Its variants with an odd number fail.
pub(super) static BROKEN: Experiment = experiment("broken", &[], &[], |_| Ok(Box::new(HalfBroken)));

/// The user stops the run while it is prepared, so that a variant becomes unavailable.
pub(super) static STOPPED: Experiment = experiment("stopped", &[], &[], |_| {
    stop::REQUESTED_BY_TEST.set(true);
    Ok(Box::new(HalfBroken))
});
/// The user stops the run while it is prepared, so that the preparation fails.
pub(super) static STOPPED_EARLY: Experiment = experiment("stopped-early", &[], &[], |_| {
    stop::REQUESTED_BY_TEST.set(true);
    Err(Skipped("signal: 2 (SIGINT)".into()))
});

const fn experiment(
    name: &'static str,
    papers: &'static [&'static str],
    needs: &'static [Need],
    prepare: fn(&Context) -> Result<Box<dyn Prepared>, Skipped>,
) -> Experiment {
    let draw = |samples: &portreeve_lab_report::samples::Samples,
                section: &mut portreeve_lab_report::document::Section| {
        let values = samples.experiment("first").values("value");
        section.paragraph(format!("The sum is {}.", values.iter().sum::<f64>()));
    };
    Experiment { name, title: "A fake", papers, needs, accepts_target: true, prepare, draw }
}

struct Fake;

impl Prepared for Fake {
    fn variants(&self) -> Vec<Variant> {
        (0..10).map(|number: usize| Variant::of([("number", number.to_string())])).collect()
    }

    fn measure(&mut self, variant: &Variant, round: usize) -> Result<Outcome, Skipped> {
        let number = variant.get("number").unwrap_or_default().to_owned();
        let value = number.parse::<f64>()? * 100.0 + round as f64;
        MEASURED.with_borrow_mut(|measured| measured.push((number, round)));
        Ok(Outcome::default().value("value", value))
    }
}

struct Uneven;

impl Prepared for Uneven {
    fn variants(&self) -> Vec<Variant> {
        Fake.variants()
    }

    fn measure(&mut self, variant: &Variant, round: usize) -> Result<Outcome, Skipped> {
        if variant.get("number") == Some("7") {
            thread::sleep(Duration::from_millis(400));
        }
        Fake.measure(variant, round)
    }
}

struct HalfBroken;

impl Prepared for HalfBroken {
    fn variants(&self) -> Vec<Variant> {
        Fake.variants()
    }

    fn unavailable(&self) -> Vec<(Variant, Skipped)> {
        vec![(Variant::of([("number", "ten")]), Skipped("ten is too large".into()))]
    }

    fn measure(&mut self, variant: &Variant, round: usize) -> Result<Outcome, Skipped> {
        let outcome = Fake.measure(variant, round)?;
        let is_odd = variant
            .get("number")
            .and_then(|number| number.parse::<u32>().ok())
            .is_none_or(|number| number % 2 == 1);
        if is_odd { Err(Skipped("odd numbers are not measured".into())) } else { Ok(outcome) }
    }
}

/// Returns the measurements since the last call.
pub(super) fn take_measured() -> Vec<(String, usize)> {
    MEASURED.take()
}

/// Opens a run in a directory.
pub(super) fn open(path: &Path, seed: u64) -> crate::error::Result<RunDirectory> {
    RunDirectory::open(path, RunInfo { seed, arguments: vec![format!("seed {seed}")], ..RunInfo::default() })
}

/// Returns the surroundings of an experiment, with a clean-up process that does nothing.
pub(super) fn context(scratch: &Path) -> Context {
    let mut command = Command::new("sh");
    command.args(["-c", "while read -r line; do echo ok; done"]);
    fs::create_dir_all(scratch).unwrap();
    Context {
        effort: Effort::Full,
        scratch: scratch.to_owned(),
        pcap: None,
        peers: Vec::new(),
        device: None,
        network: Network::Loopback("loopback", "a test".into()),
        cleaner: Cleaner::start(command).unwrap(),
    }
}
