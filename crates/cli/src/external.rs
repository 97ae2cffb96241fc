//! Verbs that are separate programs, so that the command itself stays small: `portreeve poll`
//! executes `portreeve-poll`, as git does.

use std::{
    env,
    ffi::OsString,
    io,
    os::unix::process::CommandExt,
    path::PathBuf,
    process::{Command, ExitCode},
};

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
    let Some(path) = find_program(program) else {
        eprintln!(
            "portreeve: {program} is not installed\nhint: `make install` installs {program} in libexec/portreeve"
        );
        return ExitCode::from(CommandError::EXIT_CODE);
    };
    let error: io::Error = Command::new(&path).arg0(name).args(arguments).exec();
    eprintln!("portreeve: {}: {error}", path.display());
    ExitCode::from(CommandError::EXIT_CODE)
}

/// Returns the path of one of our programs, if it is installed.
pub(crate) fn find_program(program: &str) -> Option<PathBuf> {
    program_dirs().into_iter().map(|dir| dir.join(program)).find(|path| path.is_file())
}

/// Returns the directories that may contain our programs. In a build, they are in the directory of
/// this program. In an installation, they are in libexec.
fn program_dirs() -> Vec<PathBuf> {
    let Ok(own) = env::current_exe() else { return Vec::new() };
    let own_dir = own.parent().map(PathBuf::from);
    let libexec = own_dir.as_ref().and_then(|dir| Some(dir.parent()?.join("libexec/portreeve")));
    [own_dir, libexec].into_iter().flatten().collect()
}
