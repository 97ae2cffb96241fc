//! Parses the command line of the simulator.

mod options;

use std::{ffi::OsString, fmt, num::NonZeroUsize, path::PathBuf, time::Duration};

use portreeve_transport::Listener;
use portreeve_usage::{self as usage, Flag};

use options::{OPTIONS, listener};

pub use crate::faults::{NetworkConditions, Percentage};

/// The agents to simulate, and the conditions under which they respond.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulationPlan {
    /// The files of the recordings. The agents are assigned to them in rotation.
    pub files: Vec<PathBuf>,
    /// The listeners of the first agent.
    pub listen: Vec<Listener>,
    /// The way in which the addresses of agents differ.
    pub addressing: AddressingMode,
    /// The number of agents; by default one per file.
    pub agents: Option<usize>,
    /// The community of all agents.
    pub community: String,
    /// The file of USM users.
    pub users: Option<PathBuf>,
    /// Keys and certificates for secure transports.
    pub keys: KeyOptions,
    /// The simulated network faults.
    pub conditions: NetworkConditions,
    /// The maximum size of responses in octets.
    pub max_response: usize,
    /// The interval after which agents restart with unchanged snmpEngineBoots.
    pub reset_clock: Option<Duration>,
    /// The random seed.
    pub seed: u64,
    /// The number of threads; by default one per core.
    pub threads: Option<NonZeroUsize>,
}

impl Default for SimulationPlan {
    fn default() -> Self {
        Self {
            files: Vec::new(),
            listen: Vec::new(),
            addressing: AddressingMode::Port,
            agents: None,
            community: "public".into(),
            users: None,
            keys: KeyOptions::default(),
            conditions: NetworkConditions::default(),
            max_response: MAX_RESPONSE,
            reset_clock: None,
            seed: 1,
            threads: None,
        }
    }
}

/// The keys of agents and of their clients in secure sessions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeyOptions {
    /// The directory for files that the other options do not specify; missing files are created.
    pub folder: Option<PathBuf>,
    /// The agents' certificate, with its chain.
    pub certificate: Option<PathBuf>,
    /// The private key of the certificate.
    pub key: Option<PathBuf>,
    /// The authority that signs the clients' certificates.
    pub authority: Option<PathBuf>,
    /// The agents' SSH host key.
    pub host_key: Option<PathBuf>,
    /// The authorized SSH keys of clients.
    pub authorized_keys: Option<PathBuf>,
}

/// The way in which the addresses of agents differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressingMode {
    /// Each agent has its own IP address.
    Address,
    /// Each agent has its own port.
    Port,
    /// All agents share one engine and the address of the first agent. Each agent is a context of
    /// this engine, and has its own community.
    Context,
}

/// The command to run.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Prints the help.
    Help,
    /// Prints the version.
    Version,
    /// Runs the simulated agents.
    Serve(Box<SimulationPlan>),
}

/// Parses the command line without the program's name.
///
/// # Errors
/// An unknown option, an invalid value with the accepted ones, or no file.
pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Command, UsageError> {
    let mut plan = SimulationPlan::default();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy().into_owned();
        match &*text {
            "-h" | "--help" => return Ok(Command::Help),
            "-V" | "--version" => return Ok(Command::Version),
            _ if !text.starts_with('-') => {
                plan.files.push(word.into());
                continue;
            }
            _ => {}
        }
        let (name, attached) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (&*text, None),
        };
        let option = OPTIONS.iter().find(|option| option.flag.names().iter().any(|known| known == name));
        let option = option.ok_or_else(|| UsageError::UnknownOption(name.into()))?;
        let value = attached.or_else(|| words.next().map(|word| word.to_string_lossy().into_owned()));
        let value = value.ok_or(UsageError::InvalidValue(option.flag, String::new()))?;
        (option.apply)(&mut plan, &value).ok_or(UsageError::InvalidValue(option.flag, value))?;
    }
    if plan.files.is_empty() {
        return Err(UsageError::MissingFile);
    }
    if plan.listen.is_empty() {
        plan.listen.extend(listener(DEFAULT_LISTEN));
    }
    Ok(Command::Serve(Box::new(plan)))
}

/// Returns the text of `--help`.
pub fn help() -> String {
    let mut text = format!(
        "Usage: portreeve simulate {SYNOPSIS}\n\n{DESCRIPTION}\n{FILE_FORMATS}\n{READY_AND_SIGNALS}\n\n"
    );
    text += &usage::format_table(flags().map(|flag| (flag.syntax(), flag.help)));
    text
}

/// Every option, in the order of the help.
pub(crate) fn flags() -> impl Iterator<Item = Flag> {
    OPTIONS.iter().map(|option| option.flag).chain(INFO_FLAGS)
}

/// The reason why the command line is invalid.
#[derive(Debug)]
pub enum UsageError {
    /// There is no option with this name.
    UnknownOption(String),
    /// The option's value is missing or invalid.
    InvalidValue(Flag, String),
    /// The command line names no recording.
    MissingFile,
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownOption(name) => write!(f, "unknown option `{name}`"),
            Self::InvalidValue(flag, value) => {
                let (name, accepted) = (flag.long.unwrap_or_default(), flag.value.unwrap_or_default());
                write!(f, "invalid value `{value}` for --{name}, expected {accepted}: {}", flag.help)
            }
            Self::MissingFile => f.write_str("no recording given"),
        }
    }
}

impl std::error::Error for UsageError {}

/// The options that print information about the program.
const INFO_FLAGS: [Flag; 2] =
    [Flag::both('h', "help", "print this help"), Flag::both('V', "version", "print the version")];

pub(crate) const SYNOPSIS: &str = "[OPTION]... FILE...";
pub(crate) const DESCRIPTION: &str = "Serves recorded agents, thousands from one process.";
pub(crate) const FILE_FORMATS: &str =
    "FILE is the output of snmpwalk (preferably with -On), or\nNAME.snmprec with lines OID|TAG|VALUE.";
pub(crate) const READY_AND_SIGNALS: &str =
    "Prints `ready` when every agent listens. SIGTERM ends the program.";
const DEFAULT_LISTEN: &str = "udp:127.0.0.1:1161";
/// The maximum message size of simulated agents.
pub(crate) const MAX_RESPONSE: usize = 16_384;

#[cfg(test)]
mod tests;
