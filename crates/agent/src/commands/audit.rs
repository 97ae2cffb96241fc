//! `portreeved audit`: who may do what, and what is weak about it.

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use crate::audit::{self, Audit};

/// Prints what was found; fails where something is weak that was not accepted, or where there is nothing to look at.
pub(crate) fn audit(path: &Path, accepted: &[String], as_data: bool) -> ExitCode {
    let audit = match Audit::of(path, accepted) {
        Ok(audit) => audit,
        Err(failure) => {
            eprintln!("{failure}");
            return ExitCode::FAILURE;
        }
    };
    let text = if as_data {
        format!("{}\n", audit::data::report(&audit))
    } else {
        audit::print::report(&audit, portreeve_table::width_of(io::stdout()))
    };
    let told = io::stdout().write_all(text.as_bytes());
    if told.is_ok() && !audit.is_weak() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
