//! `lab report`: the report of a run, made only from `run.json` and `samples.jsonl`.
//!
//! Nothing here reads a clock or the machine, so that the same run gives the same octets anywhere.

use std::fs;
use std::path::Path;
use std::process::Command;

use portreeve_lab_report::document::{Block, Document, NoticeKind, Prose, Section};
use portreeve_lab_report::sample::RunInfo;
use portreeve_lab_report::samples::Samples;
use portreeve_lab_report::unit::Unit;
use portreeve_lab_report::{csv, html, markdown, svg};

use super::run_directory::{NOISE, RUN, SAMPLES, read_info};
use super::{Experiment, file_system};
use crate::error::{Context, Result};
use crate::experiments::overview;
use crate::plan::{costs_json, draw_check};
use crate::private_file;
use crate::process::output;

/// Writes the report into the run directory.
pub(crate) fn write(directory: &Path, known: &[&Experiment]) -> Result<()> {
    let (info, samples) = read(directory)?;
    let document = draw(&info, &samples, known);
    let save = |name: &str, text: String| {
        let file = directory.join(name);
        private_file::write(&file, &text).context(file.display())
    };
    save("report.html", html::render(&document))?;
    save("report.md", markdown::render(&document))?;
    let tables = directory.join("csv");
    fs::create_dir_all(&tables).context(tables.display())?;
    remove_tables(&tables)?;
    csv::files(&document).into_iter().try_for_each(|(name, text)| save(&format!("csv/{name}"), text))?;
    if let Some(costs) = costs_json(&info, &samples)? {
        save("costs.json", costs)?;
    }
    overview_files(&document).into_iter().try_for_each(|(name, text)| save(&name, text))
}

/// Removes the CSV files of an earlier report, because this one may have other tables. Files with
/// other names belong to the user.
fn remove_tables(directory: &Path) -> Result<()> {
    for entry in fs::read_dir(directory).context(directory.display())? {
        let entry = entry.context(directory.display())?;
        if entry.file_name().to_str().is_some_and(is_table) {
            fs::remove_file(entry.path()).context(entry.path().display())?;
        }
    }
    Ok(())
}

/// Returns true if a file has a name of this report's CSV files, such as `table-01-walk.csv`.
fn is_table(name: &str) -> bool {
    let rest = ["table-", "figure-"].iter().find_map(|kind| name.strip_prefix(kind));
    let number = rest.filter(|_| name.ends_with(".csv")).and_then(|rest| rest.split('-').next());
    number.is_some_and(|number| number.len() >= 2 && number.bytes().all(|digit| digit.is_ascii_digit()))
}

/// Returns the table of the overview without intervals, and its figures, for other documents.
fn overview_files(document: &Document) -> Vec<(String, String)> {
    let section = document.sections.iter().find(|section| section.id == overview::ID);
    let (mut files, mut figures) = (Vec::new(), 0);
    for block in section.map_or(&[][..], |section| &section.blocks) {
        match block {
            Block::Table(table) => files.push((format!("{}.md", overview::ID), markdown::brief_table(table))),
            Block::Figure(figure) => {
                figures += 1;
                let drawing = svg::standalone(figure, document.quick).unwrap_or_default();
                files.push((format!("{}-{figures}.svg", overview::ID), drawing));
            }
            Block::Paragraph(_) | Block::Notice(_) | Block::Verdict(_) => {}
        }
    }
    files
}

/// Reads the plan and the samples of a run.
pub(crate) fn read(directory: &Path) -> Result<(RunInfo, Samples)> {
    let info = read_info(directory)?;
    let info = info.ok_or_else(|| format!("{} contains no run: it has no {RUN}", directory.display()))?;
    let text = read_samples(directory)?;
    Ok((info, Samples::parse(&text).context(SAMPLES)?))
}

/// Reads `samples.jsonl`, or a compressed file, which shipped runs have instead.
fn read_samples(directory: &Path) -> Result<String> {
    let file = directory.join(SAMPLES);
    if !file.exists() {
        for (suffix, program) in COMPRESSED {
            let compressed = directory.join(format!("{SAMPLES}.{suffix}"));
            if compressed.exists() {
                return output(Command::new(program).arg("-dc").arg(compressed));
            }
        }
    }
    fs::read_to_string(&file).context(file.display())
}

/// Draws the sections of all experiments of the run, in the order of the plan.
pub(super) fn draw(info: &RunInfo, samples: &Samples, known: &[&Experiment]) -> Document {
    let mut document = Document::for_run("The cost of securing management traffic", info);
    document.sections.extend(overview::draw(samples));
    for name in &info.experiments {
        let Some(experiment) = known.iter().find(|experiment| experiment.name == name) else { continue };
        let mut section = Section::new(experiment.name, experiment.title);
        section.papers = experiment.papers.iter().map(|paper| (*paper).to_owned()).collect();
        let selection = samples.experiment(name);
        if selection.is_empty() {
            let reason = selection.unavailable().unwrap_or("the run was stopped before it");
            section.notice(NoticeKind::Unavailable, format!("Not measured: {reason}."));
        } else {
            let warning = file_system::warning(&info.environment.file_system);
            if let Some(warning) = warning.filter(|_| DURABLE.contains(&experiment.name)) {
                section.notice(NoticeKind::Warning, format!("In this run, {warning}."));
            }
            (experiment.draw)(samples, &mut section);
            describe_noise(samples, name, &mut section);
        }
        document.push(section);
    }
    document.sections.extend(draw_check(samples));
    document.sections.extend(elsewhere(info, known));
    document
}

/// Names the experiments that a run of all papers has not measured.
fn elsewhere(info: &RunInfo, known: &[&Experiment]) -> Option<Section> {
    let is_measured = |one: &Experiment| info.experiments.iter().any(|name| name == one.name);
    let are_papers_complete = known.iter().all(|one| one.papers.is_empty() || is_measured(one));
    let mut section = Section::new("elsewhere", "Not part of this run");
    for experiment in known.iter().filter(|one| !is_measured(one)) {
        let text = Prose::new().code(experiment.name).text(format!(": {}. ", experiment.title));
        let text = match experiment.name {
            "bench" => {
                text.code("docs/benchmarks.md").text(" has its figures, with the commands that produce them.")
            }
            name => text.code(format!("portreeve lab run {name}")).text(" measures it."),
        };
        section.paragraph(text);
    }
    (are_papers_complete && !section.blocks.is_empty()).then_some(section)
}

fn describe_noise(samples: &Samples, name: &str, section: &mut Section) {
    let Some(noise) = samples.experiment(name).noise(NOISE) else { return };
    let text = |seconds| Unit::Seconds.text(seconds);
    section.paragraph(format!(
        "Noise: a fixed computation took {} (median of {} rounds; minimum {}, maximum {}).",
        text(noise.median),
        noise.n,
        text(noise.minimum),
        text(noise.maximum),
    ));
}

/// The experiments that measure how long durable changes and notifications take.
const DURABLE: [&str; 3] = ["staircase", "notification-cost", "bench"];

/// The suffixes of compressed files, and the programs that read them.
const COMPRESSED: [(&str, &str); 2] = [("gz", "gzip"), ("zst", "zstd")];

/// The files of a report.
pub(super) const NAMES: [&str; 3] = ["report.html", "report.md", "csv"];

#[cfg(test)]
mod tests;
