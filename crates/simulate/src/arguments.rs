//! The command line: what is to be simulated.

mod options;

use std::{ffi::OsString, fmt, num::NonZeroUsize, path::PathBuf, time::Duration};

use portreeve_transport::Listener;
use portreeve_usage::{self as usage, Flag};

use options::{OPTIONS, listener};

pub use crate::faults::{NetworkConditions, Percentage};

/// What to simulate.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulationPlan {
    /// Recordings; agents take them in turn.
    pub files: Vec<PathBuf>,
    /// Where the first agent listens.
    pub listen: Vec<Listener>,
    /// What tells agents apart.
    pub by: AddressingMode,
    /// How many agents there are; as many as files unless said.
    pub agents: Option<usize>,
    /// The community that every agent answers.
    pub community: String,
    /// A file of users.
    pub users: Option<PathBuf>,
    /// With what secure transports are spoken.
    pub keys: KeyOptions,
    /// What the way does to messages.
    pub conditions: NetworkConditions,
    /// The longest answer, in octets.
    pub max_response: usize,
    /// After so long an agent restarts with the boots it had.
    pub reset_clock: Option<Duration>,
    /// Where chance begins.
    pub seed: u64,
    /// How many threads serve; as many as there are cores unless said.
    pub threads: Option<NonZeroUsize>,
}

impl Default for SimulationPlan {
    fn default() -> Self {
        Self {
            files: Vec::new(),
            listen: Vec::new(),
            by: AddressingMode::Port,
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

/// What agents prove themselves with in sessions, and whom they let in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeyOptions {
    /// Where everything is that is not named otherwise; what is missing there is made.
    pub folder: Option<PathBuf>,
    /// The agents' certificate, and those that lead to its authority.
    pub certificate: Option<PathBuf>,
    /// The certificate's key.
    pub key: Option<PathBuf>,
    /// Who vouches for those who ask.
    pub authority: Option<PathBuf>,
    /// The agents' SSH host key.
    pub host_key: Option<PathBuf>,
    /// The SSH keys of those who ask.
    pub authorized_keys: Option<PathBuf>,
}

/// What tells agents apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressingMode {
    /// Each has the next address.
    Address,
    /// Each has the next port.
    Port,
    /// Each is a context, and a community, of one engine.
    Context,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Say what can be said.
    Help,
    /// Say which version this is.
    Version,
    /// Simulate.
    Serve(Box<SimulationPlan>),
}

/// Reads the command line, without the program's name.
///
/// # Errors
/// What cannot be understood, with what would have been.
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

/// What `--help` prints.
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

/// Why a command line means nothing.
#[derive(Debug)]
pub enum UsageError {
    /// No option has this name.
    UnknownOption(String),
    /// The option's value is missing or none of its values.
    InvalidValue(Flag, String),
    /// Nothing to play.
    MissingFile,
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownOption(name) => write!(f, "no option is called `{name}`"),
            Self::InvalidValue(flag, value) => {
                let (name, accepted) = (flag.long.unwrap_or_default(), flag.value.unwrap_or_default());
                write!(f, "--{name} takes {accepted}, not `{value}`: {}", flag.help)
            }
            Self::MissingFile => f.write_str("no recording was given"),
        }
    }
}

impl std::error::Error for UsageError {}

/// What asks the program about itself.
const INFO_FLAGS: [Flag; 2] =
    [Flag::both('h', "help", "show this"), Flag::both('V', "version", "show the version")];

pub(crate) const SYNOPSIS: &str = "[OPTION]... FILE...";
pub(crate) const DESCRIPTION: &str = "Serves recorded agents, by the thousand from one process.";
pub(crate) const FILE_FORMATS: &str =
    "FILE is what snmpwalk has printed (best with -On), or NAME.snmprec with lines OID|TAG|VALUE.";
pub(crate) const READY_AND_SIGNALS: &str = "`ready` is printed once every agent listens; SIGTERM ends.";
const DEFAULT_LISTEN: &str = "udp:127.0.0.1:1161";
/// The longest message of simulated agents.
pub(crate) const MAX_RESPONSE: usize = 16_384;

#[cfg(test)]
mod tests;
