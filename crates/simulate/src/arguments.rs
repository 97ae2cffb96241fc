//! The command line. Each option is defined once, in the table `OPTIONS`.

use std::{ffi::OsString, fmt, net::SocketAddr, path::PathBuf, time::Duration};

use portreeve_transport::{Listener, Protocol};

pub use crate::faults::{Conditions, Share};

/// What to simulate.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Recordings; agents take them in turn.
    pub files: Vec<PathBuf>,
    /// Where the first agent listens.
    pub listen: Vec<Listener>,
    /// What tells agents apart.
    pub by: By,
    /// How many agents there are; as many as files unless said.
    pub agents: Option<usize>,
    /// The community that every agent answers.
    pub community: String,
    /// A file of users.
    pub users: Option<PathBuf>,
    /// What the way does to messages.
    pub conditions: Conditions,
    /// The longest answer, in octets.
    pub max_answer: usize,
    /// After so long an agent restarts with the boots it had.
    pub forget_boots: Option<Duration>,
    /// Where chance begins.
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            files: Vec::new(),
            listen: Vec::new(),
            by: By::Port,
            agents: None,
            community: "public".into(),
            users: None,
            conditions: Conditions::default(),
            max_answer: MAX_ANSWER,
            forget_boots: None,
            seed: 1,
        }
    }
}

/// What tells agents apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
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
    Serve(Box<Plan>),
}

/// Reads the command line, without the program's name.
///
/// # Errors
/// What cannot be understood, with what would have been.
pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Command, UsageError> {
    let mut plan = Plan::default();
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
        let option = OPTIONS.iter().find(|option| option.name == name);
        let option = option.ok_or_else(|| UsageError::Unknown(name.into()))?;
        let value = attached.or_else(|| words.next().map(|word| word.to_string_lossy().into_owned()));
        let value = value.ok_or(UsageError::Bad(option, String::new()))?;
        (option.take)(&mut plan, &value).ok_or(UsageError::Bad(option, value))?;
    }
    if plan.files.is_empty() {
        return Err(UsageError::NoFile);
    }
    if plan.listen.is_empty() {
        plan.listen.extend(listener(DEFAULT_LISTEN));
    }
    Ok(Command::Serve(Box::new(plan)))
}

/// What `--help` prints.
pub fn help() -> String {
    let mut text = String::from(
        "portreeve-simulate: serves recorded agents\n\nUsage: portreeve-simulate [OPTION]... FILE...\n\n\
         FILE is what snmpwalk has printed (best with -On), or NAME.snmprec with lines OID|TAG|VALUE.\n\
         `ready` is printed once every agent listens; SIGTERM ends.\n\n",
    );
    let usage = |option: &OptionHelp| format!("{} {}", option.name, option.value);
    let width = OPTIONS.iter().map(|option| usage(option).len()).max().unwrap_or_default();
    for option in OPTIONS {
        text += &format!("  {:width$}  {}\n", usage(option), option.does);
    }
    text
}

/// One option, which always has a value.
pub struct OptionHelp {
    name: &'static str,
    value: &'static str,
    does: &'static str,
    take: fn(&mut Plan, &str) -> Option<()>,
}

impl fmt::Debug for OptionHelp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Why a command line means nothing.
#[derive(Debug)]
pub enum UsageError {
    /// No option has this name.
    Unknown(String),
    /// The option's value is missing or none of its values.
    Bad(&'static OptionHelp, String),
    /// Nothing to play.
    NoFile,
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "no option is called `{name}`"),
            Self::Bad(option, value) => {
                write!(f, "{} takes {}, not `{value}`: {}", option.name, option.value, option.does)
            }
            Self::NoFile => f.write_str("no recording was given"),
        }
    }
}

impl std::error::Error for UsageError {}

/// Every option.
const OPTIONS: &[OptionHelp] = &[
    OptionHelp {
        name: "--listen",
        value: "TRANSPORT:ADDRESS:PORT",
        does: "where the first agent listens, udp or tcp; may be repeated (udp:127.0.0.1:1161)",
        take: |plan, value| {
            plan.listen.push(listener(value)?);
            Some(())
        },
    },
    OptionHelp {
        name: "--by",
        value: "address|port|context",
        does: "each agent has the next address, the next port (this), or is a context and community of one engine",
        take: |plan, value| {
            plan.by = match value {
                "address" => By::Address,
                "port" => By::Port,
                "context" => By::Context,
                _ => return None,
            };
            Some(())
        },
    },
    OptionHelp {
        name: "--agents",
        value: "N",
        does: "how many; they play the files in turn (one for each file)",
        take: |plan, value| {
            plan.agents = Some(value.parse().ok().filter(|agents| (1..=MOST_AGENTS).contains(agents))?);
            Some(())
        },
    },
    OptionHelp {
        name: "--community",
        value: "NAME",
        does: "what SNMPv1 and v2c have to say (public)",
        take: |plan, value| {
            plan.community = Some(value).filter(|value| !value.is_empty())?.into();
            Some(())
        },
    },
    OptionHelp {
        name: "--users",
        value: "FILE",
        does: "SNMPv3's users, one a line: NAME [AUTH PASSPHRASE [PRIV PASSPHRASE]]",
        take: |plan, value| {
            plan.users = Some(value.into());
            Some(())
        },
    },
    OptionHelp {
        name: "--loss",
        value: "PERCENT",
        does: "datagrams that are lost, each way",
        take: |plan, value| set_share(&mut plan.conditions.loss, value),
    },
    OptionHelp {
        name: "--duplicate",
        value: "PERCENT",
        does: "answers that arrive twice, over UDP",
        take: |plan, value| set_share(&mut plan.conditions.duplicate, value),
    },
    OptionHelp {
        name: "--disorder",
        value: "PERCENT",
        does: "answers held back by 20 ms, so that later ones overtake them, over UDP",
        take: |plan, value| set_share(&mut plan.conditions.disorder, value),
    },
    OptionHelp {
        name: "--delay",
        value: "MILLISECONDS",
        does: "how long every answer takes",
        take: |plan, value| set_time(&mut plan.conditions.delay, value),
    },
    OptionHelp {
        name: "--jitter",
        value: "MILLISECONDS",
        does: "how much longer an answer may take",
        take: |plan, value| set_time(&mut plan.conditions.jitter, value),
    },
    OptionHelp {
        name: "--max-answer",
        value: "OCTETS",
        does: "the longest answer, 484 to 16384: longer bulks are cut short, longer gets are tooBig (16384)",
        take: |plan, value| {
            plan.max_answer =
                value.parse().ok().filter(|octets| (MIN_ANSWER..=MAX_ANSWER).contains(octets))?;
            Some(())
        },
    },
    OptionHelp {
        name: "--forget-boots",
        value: "SECONDS",
        does: "agents restart this often with the snmpEngineBoots they had; seen by managers from 150 s on",
        take: |plan, value| {
            plan.forget_boots = Some(Duration::from_secs(value.parse().ok().filter(|seconds| *seconds > 0)?));
            Some(())
        },
    },
    OptionHelp {
        name: "--seed",
        value: "NUMBER",
        does: "where chance begins: the same number, the same faults (1)",
        take: |plan, value| {
            plan.seed = value.parse().ok()?;
            Some(())
        },
    },
];

fn listener(text: &str) -> Option<Listener> {
    let (protocol, address) = text.split_once(':')?;
    let protocol = match protocol {
        "udp" => Protocol::Udp,
        "tcp" => Protocol::Tcp,
        _ => return None,
    };
    let address: SocketAddr = address.parse().ok()?;
    Some(Listener::new(protocol, address))
}

fn set_share(share: &mut Share, text: &str) -> Option<()> {
    *share = Share::percent(text.parse().ok()?)?;
    Some(())
}

fn set_time(time: &mut Duration, text: &str) -> Option<()> {
    *time = Duration::from_millis(text.parse().ok().filter(|milliseconds| *milliseconds <= LONGEST_MS)?);
    Some(())
}

const DEFAULT_LISTEN: &str = "udp:127.0.0.1:1161";
const MOST_AGENTS: usize = 1_000_000;
/// The least that every engine takes (RFC 3417 §3.2.1).
const MIN_ANSWER: usize = 484;
/// The longest message of simulated agents.
pub(crate) const MAX_ANSWER: usize = 16_384;
/// An hour.
const LONGEST_MS: u64 = 3_600_000;

#[cfg(test)]
mod tests;
