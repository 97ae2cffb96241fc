//! Tests a connection step by step and reports where and why it fails.
//!
//! ```text
//! args ─▶ ClientPlan ─▶ diagnose ─┬─ clear: resolve, connect ────┐
//!                                 ├─ secure: steps of a session ─┼─▶ Timeline ─▶ text or JSON
//!                                 ├─ snmp: engine, user, read ───┘
//!                                 └─ neighbors: other services ────▶ Finding: cause and hint
//! ```
//! Options, configuration and credentials are those of `portreeve get`; this crate makes no trust
//! decisions. It additionally detects which service responds in place of the agent, and probes the
//! other SNMP ports.

mod clear;
mod console;
mod data;
mod diagnose;
mod finding;
mod neighbors;
mod record;
mod secure;
mod snmp;
mod timeline;

use std::{
    ffi::OsString,
    io::{self, IsTerminal, Write},
    process::ExitCode,
};

use portreeve_cli::ClientPlan;
use portreeve_json::Json;

use console::Console;
use finding::Finding;
use record::StepRecord;
use timeline::Timeline;

/// Runs `portreeve doctor` with its arguments, without the program's name.
pub fn run(args: impl Iterator<Item = OsString>) -> ExitCode {
    let plan = match ClientPlan::from_doctor_args(args) {
        Ok(plan) => plan,
        Err(code) => return code,
    };
    let (agent, as_json) = (plan.typed_address.clone(), plan.as_json);
    let console = (!as_json).then(|| Console::new(io::stdout().is_terminal()));
    let (records, finding) = diagnose_plan(plan, console);
    let written = if as_json {
        writeln!(io::stdout(), "{}", data::report(&agent, &records, finding.as_ref()))
    } else {
        write!(io::stdout(), "{}", console::summary(&records, finding.as_ref()))
    };
    match (finding, written) {
        (None, Ok(())) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Returns the report that `--json` prints, for programs that link this crate.
///
/// # Errors
/// The exit code, if the arguments are invalid. The error message has been printed.
pub fn report(args: impl Iterator<Item = OsString>) -> Result<Json, ExitCode> {
    let plan = ClientPlan::from_doctor_args(args)?;
    let agent = plan.typed_address.clone();
    let (records, finding) = diagnose_plan(plan, None);
    Ok(data::report(&agent, &records, finding.as_ref()))
}

fn diagnose_plan(plan: ClientPlan, console: Option<Console>) -> (Vec<StepRecord>, Option<Finding>) {
    let timeline = Timeline::new(console);
    let finding = diagnose::run(plan, &timeline).err();
    (timeline.into_records(), finding)
}
