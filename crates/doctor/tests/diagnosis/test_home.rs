//! Runs the program in a home of its own.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

/// A home without any configuration.
pub struct TestHome(TempDir);

/// What the program has output.
pub struct CommandOutput {
    pub code: Option<i32>,
    pub text: String,
}

impl TestHome {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file for its owner alone.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        path
    }

    /// Runs the doctor with the words of `line`, split at blanks.
    pub fn doctor(&self, line: &str) -> CommandOutput {
        self.run(line, |_| {})
    }

    /// The same with this ssh-agent.
    pub fn doctor_with_agent(&self, socket: &Path, line: &str) -> CommandOutput {
        self.run(line, |command| {
            command.env("SSH_AUTH_SOCK", socket);
        })
    }

    fn run(&self, line: &str, change: impl FnOnce(&mut Command)) -> CommandOutput {
        let program = Path::new(env!("CARGO_BIN_EXE_portreeve-doctor"));
        let mut command = Command::new(program);
        command.env_clear().env("HOME", self.0.path()).env("SNMPCONFPATH", "/nonexistent");
        command.env("PORTREEVE_KNOWN_HOSTS", self.path("known_hosts"));
        change(&mut command);
        let output = command.args(line.split(' ')).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        CommandOutput { code: output.status.code(), text }
    }
}

impl CommandOutput {
    /// The line of a step, where it was taken.
    fn step(&self, label: &str) -> Option<&str> {
        let is_it = |line: &&str| line.get(5..).is_some_and(|rest| rest.starts_with(label));
        self.text.lines().find(is_it)
    }

    /// That it has come as far as `step` and no further, and why.
    #[track_caller]
    pub fn fails_at(&self, step: &str, words: &[&str]) {
        assert_eq!(self.code, Some(1), "{}", self.text);
        let line = self.step(step).unwrap_or_else(|| panic!("no step {step:?} in\n{}", self.text));
        assert!(line.starts_with("FAIL"), "{}", self.text);
        assert!(self.text.contains(&format!("\n{step}: ")), "{}", self.text);
        assert_eq!(self.text.matches("FAIL").count(), 1, "{}", self.text);
        self.contains(words);
    }

    #[track_caller]
    pub fn contains(&self, words: &[&str]) {
        for word in words {
            assert!(self.text.contains(word), "{word:?} is not in\n{}", self.text);
        }
    }
}
