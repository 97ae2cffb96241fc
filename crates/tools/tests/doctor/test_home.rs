//! Runs the program in a temporary home directory.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

/// A temporary home directory without configuration.
pub(crate) struct TestHome(TempDir);

/// The exit code and the output of the program.
pub(crate) struct CommandOutput {
    pub(crate) code: Option<i32>,
    pub(crate) text: String,
}

impl TestHome {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file with mode 600.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        path
    }

    /// Runs `portreeve-doctor` with the arguments in `line`, split at spaces.
    pub(crate) fn doctor(&self, line: &str) -> CommandOutput {
        self.run(line, |_| {})
    }

    /// Runs `portreeve-doctor` with this ssh-agent.
    pub(crate) fn doctor_with_agent(&self, socket: &Path, line: &str) -> CommandOutput {
        self.run(line, |command| {
            command.env("SSH_AUTH_SOCK", socket);
        })
    }

    fn run(&self, line: &str, change: impl FnOnce(&mut Command)) -> CommandOutput {
        let program = Path::new(env!("CARGO_BIN_EXE_portreeve-tools"));
        let mut command = Command::new(program);
        command.env_clear().env("HOME", self.0.path()).env("SNMPCONFPATH", "/nonexistent");
        command.env("PORTREEVE_KNOWN_HOSTS", self.path("known_hosts"));
        change(&mut command);
        let output = command.arg("doctor").args(line.split(' ')).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        CommandOutput { code: output.status.code(), text }
    }
}

impl CommandOutput {
    /// Returns the line of a step, if the program printed it.
    fn step(&self, label: &str) -> Option<&str> {
        let has_label = |line: &&str| line.get(5..).is_some_and(|rest| rest.starts_with(label));
        self.text.lines().find(has_label)
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Asserts that `step` is the one that failed, and that the output contains all of `parts`.
    #[track_caller]
    pub(crate) fn fails_at(&self, step: &str, parts: &[&str]) {
        assert_eq!(self.code, Some(1), "{}", self.text);
        let line = self.step(step).unwrap_or_else(|| panic!("no step {step:?} in\n{}", self.text));
        assert!(line.starts_with("FAIL"), "{}", self.text);
        assert!(self.text.contains(&format!("\n{step}: ")), "{}", self.text);
        assert_eq!(self.text.matches("FAIL").count(), 1, "{}", self.text);
        self.contains(parts);
    }

    #[track_caller]
    pub(crate) fn contains(&self, parts: &[&str]) {
        for part in parts {
            assert!(self.text.contains(part), "{part:?} is not in\n{}", self.text);
        }
    }
}
