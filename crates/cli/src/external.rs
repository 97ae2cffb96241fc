//! Verbs that are separate programs, so that the command itself stays small: `portreeve poll`
//! executes `portreeve-poll`, as git does.

use std::{
    ffi::OsString,
    io,
    os::unix::process::CommandExt,
    process::{Command, ExitCode},
};

use portreeve_sys::find_own_file;

use crate::command_error::CommandError;

/// The name and the summary of each of these verbs.
pub(crate) const PROGRAMS: [(&str, &str); 6] = [
    ("keys", "create, sign, revoke and show keys and certificates"),
    ("poll", "poll thousands of agents periodically"),
    ("trapd", "receive traps and informs"),
    ("simulate", "simulate thousands of agents from recordings"),
    ("yang", "compile YANG modules to a schema file"),
    ("lab", "run benchmarks and measurements"),
];

/// Executes the program of this verb; returns `None` if the verb is not a separate program.
pub(crate) fn run_verb(verb: &str, arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let (name, _) = PROGRAMS.into_iter().find(|(name, _)| *name == verb)?;
    Some(exec_program(&format!("portreeve-{name}"), arguments))
}

/// The name of the Net-SNMP program that receives notifications. Called by it, this program
/// executes `portreeve-trapd`, which then has the same name and reads the same configuration.
pub(crate) const CLASSIC_RECEIVER: &str = "snmptrapd";

/// Executes `portreeve-trapd` by the name of the Net-SNMP program.
pub(crate) fn exec_receiver(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    exec_as(CLASSIC_RECEIVER, "portreeve-trapd", arguments)
}

/// Replaces this process with one of our programs; returns only if that fails.
pub(crate) fn exec_program(program: &str, arguments: impl Iterator<Item = OsString>) -> ExitCode {
    exec_as(program, program, arguments)
}

fn exec_as(name: &str, program: &str, arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(path) = find_own_file(program) else {
        eprintln!(
            "portreeve: {program} is not installed\nhint: `make install` installs {program} in libexec/portreeve"
        );
        return ExitCode::from(CommandError::EXIT_CODE);
    };
    let error: io::Error = Command::new(&path).arg0(name).args(arguments).exec();
    eprintln!("portreeve: {}: {error}", path.display());
    ExitCode::from(CommandError::EXIT_CODE)
}
