//! The files of notification targets that cannot be read. The agent runs without them, because
//! other targets do not depend on them.

use std::path::Path;

use portreeve_config::{FileReference, NotifyTarget, Problem, Severity};
use portreeve_sys::open_file;

/// Returns a warning for each file that cannot be read. Paths are relative to the directory of
/// `config`.
pub(crate) fn problems(targets: &[NotifyTarget], config: &Path) -> Vec<Problem> {
    let directory = config.parent().unwrap_or(Path::new(""));
    let warning = |file: &FileReference| {
        let path = directory.join(&file.path);
        // A FIFO without a writer must not keep the agent from starting.
        let error = open_file(&path).err()?;
        Some(Problem {
            file: config.to_owned(),
            line: file.line,
            severity: Severity::Warning,
            message: format!("cannot read {}: {error}", path.display()),
            accepted: None,
            hint: Some("create the file: the target gets no notifications without it".to_owned()),
        })
    };
    targets.iter().flat_map(files).filter_map(warning).collect()
}

fn files(target: &NotifyTarget) -> impl Iterator<Item = &FileReference> {
    let NotifyTarget { ssh_key, known_hosts, certificate, key, authorities, .. } = target;
    [ssh_key, known_hosts, certificate, key].into_iter().flatten().chain(authorities)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_that_does_not_exist_is_reported_with_its_line() {
        let existing = FileReference { path: std::env::current_exe().unwrap(), line: 3 };
        let missing = FileReference { path: "missing".into(), line: 4 };
        let target = NotifyTarget {
            certificate: Some(existing),
            authorities: vec![missing],
            ..NotifyTarget::default()
        };
        let found = problems(&[target], Path::new("/nonexistent/portreeved.toml"));
        let lines: Vec<_> = found.iter().map(|problem| (problem.line, problem.message.as_str())).collect();
        assert_eq!(lines, [(4, "cannot read /nonexistent/missing: No such file or directory (os error 2)")]);
    }
}
