//! A key directory, and the program under test.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// A temporary directory, removed when dropped.
pub(crate) struct TestHome {
    root: tempfile::TempDir,
}

impl TestHome {
    /// Creates an empty directory.
    pub(crate) fn empty() -> Self {
        Self { root: tempfile::tempdir().unwrap() }
    }

    /// Creates a directory with authorities, the host `gw.example` and the user `ops`.
    pub(crate) fn new() -> Self {
        let home = Self::empty();
        for line in ["ca --name Test", "host gw.example --san 192.0.2.1", "user ops"] {
            home.succeed(line);
        }
        home
    }

    /// Returns the path of a file in the key directory.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.root.path().join("keys").join(name)
    }

    /// Returns the path of a file outside of the key directory.
    pub(crate) fn elsewhere(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap()
    }

    pub(crate) fn octets(&self, name: &str) -> Vec<u8> {
        fs::read(self.file(name)).unwrap()
    }

    /// Runs a command line on the directory; words are separated by blanks.
    pub(crate) fn run(&self, line: &str) -> Output {
        self.run_with_width("", line)
    }

    /// Like [`run`](Self::run), with a given terminal width.
    fn run_with_width(&self, columns: &str, line: &str) -> Output {
        Command::new(PROGRAM)
            .arg("keys")
            .env("COLUMNS", columns)
            .args(line.split(' '))
            .arg("--dir")
            .arg(self.file(""))
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// Runs a command that must succeed; returns both outputs.
    pub(crate) fn succeed(&self, line: &str) -> (String, String) {
        self.succeed_with_width("", line)
    }

    /// Like [`succeed`](Self::succeed), with a given terminal width.
    pub(crate) fn succeed_with_width(&self, columns: &str, line: &str) -> (String, String) {
        let output = self.run_with_width(columns, line);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{line}:\n{out}{err}");
        (out, err)
    }

    /// Runs a command that must fail; returns the error output.
    pub(crate) fn fail(&self, line: &str) -> String {
        let output = self.run(line);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(1), "{line}:\n{out}{err}");
        assert_eq!(out, "", "{line}");
        assert!(err.starts_with("portreeve keys: ") && err.contains("\nhint: "), "{line}: {err}");
        err
    }
}

/// Runs another program, which must succeed; prints a note and returns `None` if it is not
/// installed.
pub(crate) fn run_tool(program: &str, arguments: &[&str], folder: &Path) -> Option<String> {
    let output = match Command::new(program).args(arguments).current_dir(folder).stdin(Stdio::null()).output()
    {
        Ok(output) => output,
        Err(_) => {
            println!("skipped: {program} is not installed");
            return None;
        }
    };
    let printed = text(&output.stdout) + &text(&output.stderr);
    assert!(output.status.success(), "{program} {}:\n{printed}", arguments.join(" "));
    Some(printed)
}

pub(crate) fn text(octets: &[u8]) -> String {
    String::from_utf8(octets.to_vec()).unwrap()
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_portreeve-tools");
