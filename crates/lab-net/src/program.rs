//! Programs of the system that configure a network: `ip`, `tc` and `nft`.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{env, fmt};

use crate::error::{Context, NetError, Result};
use crate::place::Place;

/// A program that configures a network.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Program {
    /// Interfaces, addresses and neighbors.
    Ip,
    /// Queueing disciplines: loss, rate and delay.
    Tc,
    /// Rules for packets.
    Nft,
}

impl Program {
    /// Runs the program in the namespace of `place` and returns its output. `input` is its standard
    /// input.
    ///
    /// # Errors
    /// `Unavailable` if the program is not installed; `Failed` with its error output.
    pub(crate) fn run(self, place: &Place, arguments: &[&str], input: &str) -> Result<String> {
        place.run(|| self.run_here(arguments, input))?
    }

    fn run_here(self, arguments: &[&str], input: &str) -> Result<String> {
        let program = self.find()?;
        let mut command = Command::new(program);
        // Translated messages and colors would be difficult to read.
        command.args(arguments).env("LC_ALL", "C");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().context(self)?;
        let stdin = child.stdin.take();
        // A program that fails early does not read its input: its own message explains more.
        let written = stdin.map(|mut stdin| stdin.write_all(input.as_bytes()));
        let output = child.wait_with_output().context(self)?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            let line = format!("{self} {}: {}", arguments.join(" "), message.trim());
            return Err(NetError::Failed(line));
        }
        written.transpose().context(self)?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn find(self) -> Result<PathBuf> {
        let (name, package) = self.names();
        let path = env::var_os("PATH").unwrap_or_default();
        let directories = env::split_paths(&path).chain(SYSTEM_DIRECTORIES.map(PathBuf::from));
        directories.map(|directory| directory.join(name)).find(|file| file.is_file()).ok_or_else(|| {
            NetError::Unavailable(format!("the program {name} is not installed (Debian: {package})"))
        })
    }

    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Ip => ("ip", "iproute2"),
            Self::Tc => ("tc", "iproute2"),
            Self::Nft => ("nft", "nftables"),
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.names().0)
    }
}

/// Directories of these programs that are not in the search path of ordinary users.
const SYSTEM_DIRECTORIES: [&str; 2] = ["/usr/sbin", "/sbin"];
