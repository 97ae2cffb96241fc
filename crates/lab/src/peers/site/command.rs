//! Commands that run in the place of a site's client.

use std::fs;
use std::path::Path;

use super::{Agent, Site};
use crate::error::{Context as _, Result};
use crate::peers::{net_snmp, on_core};
use crate::process::read_output;

impl Site {
    /// Runs a command in the client's place, on its core; returns its output.
    pub(crate) fn read_command(&self, words: &[String]) -> Result<String> {
        let (program, arguments) = words.split_first().ok_or("the command is empty")?;
        let mut command = on_core(self.options.setting.manager_core(), Path::new(program))?;
        command.args(arguments).envs(self.environment());
        read_output(self.topology.manager(), command, &self.directory.join("command.log"))
    }

    /// Runs a command in the client's place `count` times; returns the seconds of each run, from
    /// the start of the process to its end.
    pub(crate) fn time_command(
        &self,
        words: &[String],
        environment: &[(String, String)],
        count: usize,
    ) -> Result<Vec<f64>> {
        let file = self.directory.join("command");
        fs::write(&file, words.join("\t")).context(file.display())?;
        let mut command = on_core(self.options.setting.manager_core(), &std::env::current_exe()?)?;
        command.args(["stopwatch", &count.to_string()]).arg(&file);
        command.envs(self.environment()).envs(environment.iter().map(|(name, value)| (name, value)));
        let text = read_output(self.topology.manager(), command, &self.directory.join("stopwatch.log"))?;
        let line = text.lines().next().unwrap_or_default();
        line.split(' ').map(|number| number.parse().context(number)).collect()
    }

    /// Like [`Self::time_command`] without variables, for a command that must print a number of
    /// lines. It runs once before the measurement, to check its output.
    pub(crate) fn time_checked_command(
        &self,
        words: &[String],
        lines: usize,
        count: usize,
    ) -> Result<Vec<f64>> {
        let text = self.read_command(words)?;
        // A value with a line feed continues on a line that does not begin with a name.
        match text.lines().filter(|line| line.starts_with('.')).count() {
            found if found == lines => self.time_command(words, &[], count),
            found => {
                let program = words.first().map_or("", String::as_str);
                Err(format!("{program}: {found} lines instead of {lines}").into())
            }
        }
    }

    /// Returns the environment of commands that query the agent.
    fn environment(&self) -> Vec<(String, String)> {
        match self.agent {
            Agent::NetSnmp(_) => net_snmp::environment(&self.directory.join("agent")),
            Agent::Ours(_) | Agent::Netconfd(_) | Agent::Device => Vec::new(),
        }
    }
}
