//! Walks a connection step by step, and says at which step and why it fails.
//!
//! ```text
//! words ─▶ Errand ─▶ course ─┬─ clear: resolve, connect            ┐
//!                            ├─ secure: sessions, which observe    ├─▶ Chart ─▶ lines as they happen, or JSON
//!                            ├─ snmp: engine, user, answer         ┘      ▲
//!                            └─ surroundings: what else answers ──────────┘─▶ Finding: cause and cure
//! ```
//! Everything that a connection needs is that of `portreeve get`; nothing here decides whom to trust. Two things are
//! only done here: what answers in place of what was expected is looked at, and so are the other ports of SNMP.

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

/// Carries a command line out, which is given without the program's name.
pub fn run(words: impl Iterator<Item = OsString>) -> ExitCode {
    let errand = match ClientPlan::from_doctor_args(words) {
        Ok(errand) => errand,
        Err(code) => return code,
    };
    let (typed, as_data) = (errand.typed.clone(), errand.as_data);
    let (records, finding) =
        diagnose_plan(errand, (!as_data).then(|| Console::new(io::stdout().is_terminal())));
    let told = if as_data {
        writeln!(io::stdout(), "{}", data::report(&typed, &records, finding.as_ref()))
    } else {
        write!(io::stdout(), "{}", console::summary(&records, finding.as_ref()))
    };
    match (finding, told) {
        (None, Ok(())) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// What `--json` prints, for a program that has this one's work done in its own process.
///
/// # Errors
/// The exit code, where the words mean nothing.
pub fn report(words: impl Iterator<Item = OsString>) -> Result<Json, ExitCode> {
    let errand = ClientPlan::from_doctor_args(words)?;
    let typed = errand.typed.clone();
    let (records, finding) = diagnose_plan(errand, None);
    Ok(data::report(&typed, &records, finding.as_ref()))
}

fn diagnose_plan(errand: ClientPlan, console: Option<Console>) -> (Vec<StepRecord>, Option<Finding>) {
    let chart = Timeline::new(console);
    let finding = diagnose::run(errand, &chart).err();
    (chart.into_records(), finding)
}
