//! Verbs that are programs of their own, so that the everyday command stays small: `portreeve poll` executes
//! `portreeve-poll`, as git does.

use std::{
    env,
    ffi::OsString,
    io,
    os::unix::process::CommandExt,
    path::PathBuf,
    process::{Command, ExitCode},
};

use crate::command_error::CommandError;

/// A verb's name and what it does.
pub(crate) const PROGRAMS: [(&str, &str); 4] = [
    ("keys", "make, sign, revoke and show certificates and keys"),
    ("poll", "ask thousands of agents again and again"),
    ("simulate", "serve recorded agents by the thousand"),
    ("lab", "measure what every choice costs"),
];

/// Becomes the program that this verb names; `None` where the verb is no program of its own.
pub(crate) fn run_verb(verb: &str, arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let (name, _) = PROGRAMS.into_iter().find(|(name, _)| *name == verb)?;
    Some(exec_program(&format!("portreeve-{name}"), arguments))
}

/// Becomes one of our programs; returns only where that cannot be.
pub(crate) fn exec_program(program: &str, arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(path) = find_program(program) else {
        eprintln!(
            "portreeve: {program} is not installed\nhint: `make install` puts it into libexec/portreeve"
        );
        return ExitCode::from(CommandError::EXIT_CODE);
    };
    let error: io::Error = Command::new(&path).args(arguments).exec();
    eprintln!("portreeve: {}: {error}", path.display());
    ExitCode::from(CommandError::EXIT_CODE)
}

/// Where one of our programs is installed.
pub(crate) fn find_program(program: &str) -> Option<PathBuf> {
    program_dirs().into_iter().map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// Where such programs lie: beside this one, where it was built, or in libexec, where it was installed.
fn program_dirs() -> Vec<PathBuf> {
    let Ok(own) = env::current_exe() else { return Vec::new() };
    let beside = own.parent().map(PathBuf::from);
    let libexec = beside.as_ref().and_then(|folder| Some(folder.parent()?.join("libexec/portreeve")));
    [beside, libexec].into_iter().flatten().collect()
}
