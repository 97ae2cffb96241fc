//! `portreeved audit`: prints access rights and weaknesses.

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use crate::audit::{self, Audit};

/// Prints the audit. Fails if there is a weakness that was not accepted, or if the audit is
/// impossible.
pub(crate) fn audit(path: &Path, accepted: &[String], json: bool) -> ExitCode {
    let audit = match Audit::run(path, accepted) {
        Ok(audit) => audit,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let text = if json {
        format!("{}\n", audit::data::report(&audit))
    } else {
        audit::print::report(&audit, portreeve_table::line_width(io::stdout()))
    };
    let format_finding = io::stdout().write_all(text.as_bytes());
    if format_finding.is_ok() && !audit.is_weak() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
