//! Warns about programs of handlers that cannot be run. They may be installed later.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use crate::{ConfProblem, HandlerAction, ProblemSeverity, SnmptrapdConf};

/// Prints a warning for each program of `traphandle` that cannot be run.
pub(super) fn warn(conf: &SnmptrapdConf) {
    for directive in &conf.handlers {
        if let HandlerAction::Run(command) = &directive.action
            && let Some(reason) = why_not_executable(&command.program)
        {
            let message = format!("traphandle: {reason}");
            let location = directive.location.clone();
            eprintln!("{}", ConfProblem::new(location, ProblemSeverity::Warning, message));
        }
    }
}

/// Returns the reason why a program cannot be run; `None` if it is an executable file.
pub(super) fn why_not_executable(program: &Path) -> Option<String> {
    let reason = match fs::metadata(program) {
        Err(error) => error.to_string(),
        Ok(metadata) if !metadata.is_file() => "it is not a regular file".to_owned(),
        Ok(metadata) if metadata.permissions().mode() & 0o111 == 0 => {
            "it is not executable: set its mode with chmod(1)".to_owned()
        }
        Ok(_) => return None,
    };
    Some(format!("the program {program:?} cannot be run: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_must_be_an_executable_file() {
        let reason = |path: &str| why_not_executable(Path::new(path)).unwrap_or_default();
        assert_eq!(reason("/bin/sh"), "");
        let missing = "the program \"/nonexistent/x\" cannot be run: No such file or directory";
        assert!(reason("/nonexistent/x").starts_with(missing));
        assert!(reason("/etc").ends_with("it is not a regular file"));
        assert!(reason("/etc/passwd").contains("it is not executable"));
    }
}
