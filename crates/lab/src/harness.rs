//! The harness of `lab run`: measures experiments in interleaved rounds, keeps their samples, and
//! makes reports from them.
//!
//! ```text
//! run_options ─▶ runner ─ for each experiment ─▶ series ─ rounds ─▶ Prepared::measure
//!                  │ plan ─▶ run.json               └─▶ run_directory ─▶ samples.jsonl
//!                  └──────── report ◀────────────────── report ◀────────────┘
//! ```
//! To add an experiment, write one file in `experiments` with an [`Experiment`], and list it in
//! `experiments.rs`.

mod budget;
mod clean;
mod compare;
mod context;
mod credentials_check;
mod directory_lock;
mod environment;
mod experiment;
#[cfg(test)]
mod fake;
mod file_system;
mod list;
mod need;
mod noise;
mod order;
mod plan;
mod progress;
mod report;
mod run_directory;
mod run_options;
mod runner;
mod samples_file;
mod selection;
mod series;
mod stop;

pub(crate) use budget::Budget;
pub(crate) use clean::clean;
pub(crate) use compare::compare;
use context::Network;
pub(crate) use context::{Context, Device, Effort, Peer};
pub(crate) use experiment::{Experiment, Outcome, Prepared, Skipped};
pub(crate) use file_system::warning_here as file_system_warning;
pub(crate) use list::list;
pub(crate) use need::Need;
pub(crate) use report::{read as read_run, write as write_report};
pub(crate) use run_options::OPTIONS as RUN_OPTIONS;
pub(crate) use runner::run;
