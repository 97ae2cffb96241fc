//! The command line. Each option is defined once, in `OPTIONS`.

use std::{ffi::OsString, fmt, net::SocketAddr, num::NonZeroUsize, path::PathBuf, time::Duration};

use portreeve_transport::{Listener, Protocol};
use portreeve_usage::{self as usage, Flag};

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
    /// How many threads serve; as many as there are cores unless said.
    pub threads: Option<NonZeroUsize>,
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
            threads: None,
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
        let option = OPTIONS.iter().find(|option| option.flag.names().iter().any(|known| known == name));
        let option = option.ok_or_else(|| UsageError::Unknown(name.into()))?;
        let value = attached.or_else(|| words.next().map(|word| word.to_string_lossy().into_owned()));
        let value = value.ok_or(UsageError::Bad(option.flag, String::new()))?;
        (option.take)(&mut plan, &value).ok_or(UsageError::Bad(option.flag, value))?;
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
    let mut text = format!("Usage: portreeve simulate {SYNOPSIS}\n\n{DOES}\n{RECORDING}\n{READY}\n\n");
    text += &usage::table(flags().map(|flag| (flag.written(), flag.does)));
    text
}

/// Every option, in the order of the help.
pub(crate) fn flags() -> impl Iterator<Item = Flag> {
    OPTIONS.iter().map(|option| option.flag).chain(ASKING)
}

/// One option, which always has a value.
pub(crate) struct Opt {
    pub(crate) flag: Flag,
    take: fn(&mut Plan, &str) -> Option<()>,
}

/// Why a command line means nothing.
#[derive(Debug)]
pub enum UsageError {
    /// No option has this name.
    Unknown(String),
    /// The option's value is missing or none of its values.
    Bad(Flag, String),
    /// Nothing to play.
    NoFile,
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "no option is called `{name}`"),
            Self::Bad(flag, value) => {
                let (name, accepted) = (flag.long.unwrap_or_default(), flag.value.unwrap_or_default());
                write!(f, "--{name} takes {accepted}, not `{value}`: {}", flag.does)
            }
            Self::NoFile => f.write_str("no recording was given"),
        }
    }
}

impl std::error::Error for UsageError {}

/// What asks the program about itself.
const ASKING: [Flag; 2] =
    [Flag::both('h', "help", "show this"), Flag::both('V', "version", "show the version")];

/// Every option that says what is simulated.
const OPTIONS: &[Opt] = &[
    Opt {
        flag: Flag::long("listen", "where the first agent listens, udp or tcp; may be repeated (udp:127.0.0.1:1161)").with("TRANSPORT:ADDRESS:PORT"),
        take: |plan, value| {
            plan.listen.push(listener(value)?);
            Some(())
        },
    },
    Opt {
        flag: Flag::long("by", "each agent has the next address, the next port (this), or is a context and community of one engine").with("address|port|context"),
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
    Opt {
        flag: Flag::long("agents", "how many; they play the files in turn (one for each file)").with("N"),
        take: |plan, value| {
            plan.agents = Some(value.parse().ok().filter(|agents| (1..=MOST_AGENTS).contains(agents))?);
            Some(())
        },
    },
    Opt {
        flag: Flag::long("community", "what SNMPv1 and v2c have to say (public)").with("NAME"),
        take: |plan, value| {
            plan.community = Some(value).filter(|value| !value.is_empty())?.into();
            Some(())
        },
    },
    Opt {
        flag: Flag::long("users", "SNMPv3's users, one a line: NAME [AUTH PASSPHRASE [PRIV PASSPHRASE]]").with("FILE"),
        take: |plan, value| {
            plan.users = Some(value.into());
            Some(())
        },
    },
    Opt {
        flag: Flag::long("loss", "datagrams that are lost, each way").with("PERCENT"),
        take: |plan, value| set_share(&mut plan.conditions.loss, value),
    },
    Opt {
        flag: Flag::long("duplicate", "answers that arrive twice, over UDP").with("PERCENT"),
        take: |plan, value| set_share(&mut plan.conditions.duplicate, value),
    },
    Opt {
        flag: Flag::long("disorder", "answers held back by 20 ms, so that later ones overtake them, over UDP").with("PERCENT"),
        take: |plan, value| set_share(&mut plan.conditions.disorder, value),
    },
    Opt {
        flag: Flag::long("delay", "how long every answer takes").with("MILLISECONDS"),
        take: |plan, value| set_time(&mut plan.conditions.delay, value),
    },
    Opt {
        flag: Flag::long("jitter", "how much longer an answer may take").with("MILLISECONDS"),
        take: |plan, value| set_time(&mut plan.conditions.jitter, value),
    },
    Opt {
        flag: Flag::long("max-answer", "the longest answer, 484 to 16384: longer bulks are cut short, longer gets are tooBig (16384)").with("OCTETS"),
        take: |plan, value| {
            plan.max_answer =
                value.parse().ok().filter(|octets| (MIN_ANSWER..=MAX_ANSWER).contains(octets))?;
            Some(())
        },
    },
    Opt {
        flag: Flag::long("forget-boots", "agents restart this often with the snmpEngineBoots they had; seen by managers from 150 s on").with("SECONDS"),
        take: |plan, value| {
            plan.forget_boots = Some(Duration::from_secs(value.parse().ok().filter(|seconds| *seconds > 0)?));
            Some(())
        },
    },
    Opt {
        flag: Flag::long("seed", "where chance begins: the same number, the same faults (1)").with("NUMBER"),
        take: |plan, value| {
            plan.seed = value.parse().ok()?;
            Some(())
        },
    },
    Opt {
        flag: Flag::long("threads", "how many share the agents out among them (one for each core)").with("N"),
        take: |plan, value| {
            plan.threads = Some(value.parse().ok().filter(|threads| *threads <= MOST_THREADS)?);
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

pub(crate) const SYNOPSIS: &str = "[OPTION]... FILE...";
pub(crate) const DOES: &str = "Serves recorded agents, by the thousand from one process.";
pub(crate) const RECORDING: &str =
    "FILE is what snmpwalk has printed (best with -On), or NAME.snmprec with lines OID|TAG|VALUE.";
pub(crate) const READY: &str = "`ready` is printed once every agent listens; SIGTERM ends.";
const DEFAULT_LISTEN: &str = "udp:127.0.0.1:1161";
const MOST_AGENTS: usize = 1_000_000;
/// More than any machine has cores.
const MOST_THREADS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(1023);
/// The least that every engine takes (RFC 3417 §3.2.1).
const MIN_ANSWER: usize = 484;
/// The longest message of simulated agents.
pub(crate) const MAX_ANSWER: usize = 16_384;
/// An hour.
const LONGEST_MS: u64 = 3_600_000;

#[cfg(test)]
mod tests;
