//! `bench`: the figures of `lab bench`, measured by the harness and kept with all other samples.
//!
//! Each variant is an experiment of `lab bench`, and each measurement is one run of that command
//! with one round. The name of a value states what it is: experiment, work, setting, program and
//! unit.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use portreeve_lab_report::document::{Cell, Section, Table};
use portreeve_lab_report::sample::Variant;
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::unit::Unit;
use portreeve_sys::kill_with_parent;
use serde::Deserialize;

use super::bench::EXPERIMENTS;
use super::unavailable_notes;
use crate::error::Context as _;
use crate::harness::{Context, Effort, Experiment, Need, Outcome, Prepared, Skipped};

/// The experiment.
pub(super) static EXPERIMENT: Experiment = Experiment {
    name: NAME,
    title: "Portreeve's programs compared with other programs and with an upper bound",
    papers: &[],
    needs: &[Need::Ours("portreeved"), Need::Namespaces],
    accepts_target: false,
    prepare,
    draw,
};

struct Bench {
    directory: PathBuf,
    effort: Effort,
}

fn prepare(context: &Context) -> Result<Box<dyn Prepared>, Skipped> {
    Ok(Box::new(Bench { directory: context.directory(NAME)?, effort: context.effort() }))
}

impl Prepared for Bench {
    fn variants(&self) -> Vec<Variant> {
        let names = EXPERIMENTS.iter().map(|experiment| experiment.name);
        let names = names.filter(|name| self.effort == Effort::Full || QUICK.contains(name));
        names.map(|name| Variant::of([("experiment", name)])).collect()
    }

    fn measure(&mut self, variant: &Variant, _: usize) -> Result<Outcome, Skipped> {
        let name = variant.get("experiment").ok_or("unknown variant")?;
        let file = self.directory.join("figures.json");
        run(name, self.effort, &file)?;
        let text = fs::read_to_string(&file).context(file.display())?;
        outcome(&serde_json::from_str::<Vec<Entry>>(&text).context(file.display())?)
    }
}

/// Runs `lab bench` with one experiment, which writes its figures to `file`.
fn run(name: &str, effort: Effort, file: &Path) -> Result<(), Skipped> {
    let mut command = Command::new(std::env::current_exe().context("the lab's own program")?);
    command.args(["bench", "--rounds", "1", "--seconds", effort.choose("0.05", "1"), "--only", name]);
    command.arg("--json").arg(file).stdin(Stdio::null()).stdout(Stdio::null());
    // The first Ctrl-C ends the run after this measurement.
    let done = kill_with_parent(command.process_group(0)).output().context("portreeve lab bench")?;
    if done.status.success() {
        return Ok(());
    }
    let message = String::from_utf8_lossy(&done.stderr);
    Err(Skipped(message.trim().trim_start_matches("portreeve lab: ").to_owned()))
}

/// An element of the array that `lab bench --json` writes.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Figure(Figure),
    Skip(Skip),
}

/// A part of the experiment that is not measured, with the reason.
#[derive(Deserialize)]
struct Skip {
    subject: String,
    skipped: String,
}

/// A figure.
#[derive(Deserialize)]
struct Figure {
    experiment: String,
    work: String,
    setting: String,
    subject: String,
    unit: String,
    best: f64,
    ratios: std::collections::BTreeMap<String, f64>,
}

fn outcome(entries: &[Entry]) -> Result<Outcome, Skipped> {
    let mut outcome = Outcome::default();
    let (mut has_figures, mut reasons) = (false, Vec::new());
    for entry in entries {
        let figure = match entry {
            Entry::Figure(figure) => figure,
            Entry::Skip(Skip { subject, skipped }) => {
                outcome = outcome.without(subject, Skipped(skipped.clone()));
                reasons.push(format!("{subject}: {skipped}"));
                continue;
            }
        };
        has_figures = true;
        let Figure { experiment, work, setting, subject, unit, .. } = figure;
        let name = [experiment, work, setting, subject, unit].map(String::as_str).join(SEPARATOR);
        for (other, ratio) in &figure.ratios {
            outcome = outcome.value(&format!("{name}{SEPARATOR}{other}"), *ratio);
        }
        outcome = outcome.value(&name, figure.best);
    }
    match (has_figures, reasons.is_empty()) {
        (true, _) => Ok(outcome),
        (false, true) => Err(Skipped("it has no figures".into())),
        (false, false) => Err(Skipped(reasons.join("; "))),
    }
}

/// Fills the section: one table for each experiment.
fn draw(samples: &Samples, section: &mut Section) {
    section.paragraph(
        "Each value is that of the command bench with one round. A ratio compares the program with the other program in the \
         same round; the documentation of the benchmarks states what is required.",
    );
    let all = samples.experiment(NAME);
    for experiment in EXPERIMENTS {
        let selection = all.with("experiment", experiment.name);
        if !selection.is_empty() {
            section.table(table(experiment.name, experiment.description, &selection));
        }
    }
    unavailable_notes::add_each(section, &all);
}

fn table(name: &str, description: &str, selection: &Selection<'_>) -> Table {
    let mut table = Table::new(format!("{name}: {description}"))
        .column("Figure")
        .column("Work")
        .column("Setting")
        .column("Program")
        .column("Value")
        .column("Unit")
        .column("Ratio");
    let names: BTreeSet<&str> =
        selection.samples().flat_map(|sample| sample.values.keys().map(String::as_str)).collect();
    for value in &names {
        let words: Vec<&str> = value.split(SEPARATOR).collect();
        let [figure, work, setting, subject, unit, rest @ ..] = words.as_slice() else { continue };
        let mut cells: Vec<Cell> = [figure, work, setting, subject].map(|word| Cell::text(*word)).into();
        match rest {
            [] => cells.extend([Cell::of(selection, value, Unit::Count), Cell::text(*unit), Cell::Empty]),
            [other, ..] => cells.extend([
                Cell::Empty,
                Cell::text(format!("relative to {other}")),
                Cell::of(selection, value, Unit::Ratio),
            ]),
        }
        table.row(cells);
    }
    table
}

const NAME: &str = "bench";
/// Between the parts of a value's name. No part contains it.
const SEPARATOR: &str = " | ";
/// The experiments of quick runs, which take few seconds, with Net-SNMP's programs among them.
const QUICK: [&str; 4] = ["codec", "throughput", "walk", "simulate"];

#[cfg(test)]
mod tests {
    use portreeve_lab_report::document::{Block, Row};
    use portreeve_lab_report::samples::Samples;

    use super::*;

    #[test]
    fn figures_and_their_ratios_become_rows_of_their_experiment() {
        let text = r#"[{"experiment": "codec", "work": "get", "setting": "pinned", "subject": "portreeve", "unit": "ns",
            "best": 12.0, "median": 13.0, "n": 1, "ratios": {"rasn": 19.0}, "goal": null}]"#;
        let outcome = outcome(&serde_json::from_str::<Vec<Entry>>(text).unwrap()).unwrap();
        let values = serde_json::json!({
            "codec | get | pinned | portreeve | ns": 12.0,
            "codec | get | pinned | portreeve | ns | rasn": 19.0,
        });
        assert_eq!(
            outcome,
            values.as_object().unwrap().iter().fold(Outcome::default(), |outcome, (name, value)| {
                outcome.value(name, value.as_f64().unwrap())
            })
        );
        let line = format!(
            r#"{{"kind":"sample","experiment":"bench","variant":{{"experiment":"codec"}},"round":0,"values":{values}}}"#
        );
        let mut section = Section::new("bench", "");
        draw(&Samples::parse(&line).unwrap(), &mut section);
        let tables: Vec<_> = section
            .blocks
            .iter()
            .filter_map(|block| if let Block::Table(table) = block { Some(table) } else { None })
            .collect();
        assert_eq!(tables.len(), 1);
        let rows: Vec<&Row> = tables.iter().flat_map(|table| &table.rows).collect();
        assert_eq!(rows.len(), 2);
        let Row::Cells(ratio) = rows[1] else { panic!("a heading") };
        assert_eq!(ratio[5], Cell::text("relative to rasn"));
        assert!(matches!(&ratio[6], Cell::Measured(measured) if measured.value() == 19.0));
    }

    #[test]
    fn experiment_without_figures_is_skipped_with_its_reasons() {
        assert!(outcome(&[]).is_err());
        let skipped = outcome(&entries(&[("polling", "it is not built")])).unwrap_err();
        assert_eq!(skipped, Skipped("polling: it is not built".into()));
    }

    #[test]
    fn part_that_is_not_measured_is_recorded_beside_the_figures() {
        let mut all = entries(&[("snmpd", "it is not installed")]);
        all.extend(
            serde_json::from_str::<Vec<Entry>>(
                r#"[{"experiment": "throughput", "work": "get", "setting": "", "subject": "echo", "unit": "requests",
                "best": 1.0, "median": 1.0, "n": 1, "ratios": {}, "goal": null}]"#,
            )
            .unwrap(),
        );
        let expected = Outcome::default()
            .value("throughput | get |  | echo | requests", 1.0)
            .without("snmpd", Skipped("it is not installed".into()));
        assert_eq!(outcome(&all).unwrap(), expected);
    }

    fn entries(skips: &[(&str, &str)]) -> Vec<Entry> {
        let skip = |(subject, reason): &(&str, &str)| {
            format!(r#"{{"experiment": "x", "subject": "{subject}", "skipped": "{reason}"}}"#)
        };
        let skips: Vec<String> = skips.iter().map(skip).collect();
        serde_json::from_str(&format!("[{}]", skips.join(","))).unwrap()
    }

    #[test]
    fn quick_experiments_exist() {
        assert!(QUICK.iter().all(|name| EXPERIMENTS.iter().any(|experiment| experiment.name == *name)));
    }
}
