//! The command line. Each command and option is defined once, in [`COMMANDS`].

use std::{ffi::OsString, fmt, mem, path::PathBuf};

use portreeve_usage::Flag;

use crate::audit::Kind;

/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Help,
    Version,
    Run { config: PathBuf },
    Demo { directory: PathBuf, base_port: u16 },
    Init { directory: PathBuf },
    Check { config: PathBuf },
    Audit { config: PathBuf, accepted: Vec<String>, as_data: bool },
    Reload { config: PathBuf },
}

/// A command and what stands behind it.
pub(crate) struct CommandDefinition {
    pub(crate) name: &'static str,
    /// What follows the name.
    pub(crate) synopsis: &'static str,
    pub(crate) does: &'static str,
    pub(crate) options: &'static [&'static Opt],
    make: fn(&mut Given) -> Result<Command, UsageError>,
}

/// An option.
pub(crate) struct Opt {
    pub(crate) flag: Flag,
    take: fn(&mut Given, OsString) -> Result<(), UsageError>,
}

/// Every command.
pub(crate) static COMMANDS: &[CommandDefinition] = &[
    CommandDefinition {
        name: "run",
        synopsis: "[--config FILE]",
        does: "serve as FILE says; SIGHUP reads it again, SIGTERM ends",
        options: &[&CONFIG],
        make: |given| Ok(Command::Run { config: given.config() }),
    },
    CommandDefinition {
        name: "demo",
        synopsis: "--dir DIR [--base-port N]",
        does: "serve on loopback, to whoever has your SSH keys and to users that are new in DIR; needs no root",
        options: &[&DIRECTORY, &BASE_PORT],
        make: |given| {
            Ok(Command::Demo {
                directory: given.directory.take().ok_or(UsageError::Missing("demo", "--dir DIR"))?,
                base_port: given.base_port.take().unwrap_or(DEFAULT_BASE_PORT),
            })
        },
    },
    CommandDefinition {
        name: "init",
        synopsis: "DIR",
        does: "write a commented portreeved.toml with fresh secrets into DIR",
        options: &[],
        make: |given| {
            Ok(Command::Init { directory: given.operand.take().ok_or(UsageError::Missing("init", "DIR"))? })
        },
    },
    CommandDefinition {
        name: "check",
        synopsis: "FILE",
        does: "say everything that is wrong with FILE",
        options: &[],
        make: |given| {
            Ok(Command::Check { config: given.operand.take().ok_or(UsageError::Missing("check", "FILE"))? })
        },
    },
    CommandDefinition {
        name: "audit",
        synopsis: "[--config FILE] [--allow FINDING]... [--json]",
        does: "list who may do what over which transport, and what is weak about it",
        options: &[&CONFIG, &ALLOW, &JSON],
        make: |given| {
            Ok(Command::Audit {
                config: given.config(),
                accepted: mem::take(&mut given.accepted),
                as_data: given.as_data,
            })
        },
    },
    CommandDefinition {
        name: "reload",
        synopsis: "[--config FILE]",
        does: "check FILE and have the agent that serves it read it again",
        options: &[&CONFIG],
        make: |given| Ok(Command::Reload { config: given.config() }),
    },
];

/// Reads the command line, without the program's name.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, UsageError> {
    let mut arguments = arguments.into_iter();
    let Some(command) = arguments.next() else { return Ok(Command::Help) };
    let mut given = Given::default();
    while let Some(argument) = arguments.next() {
        given.take(argument, &mut arguments)?;
    }
    if given.help {
        return Ok(Command::Help);
    }
    let command = command.to_string_lossy();
    let definition = match &*command {
        "-h" | "--help" | "help" => return given.finish(&command, &[]).map(|()| Command::Help),
        "-V" | "--version" | "version" => return given.finish(&command, &[]).map(|()| Command::Version),
        name => COMMANDS.iter().find(|command| command.name == name),
    };
    let definition = definition.ok_or_else(|| UsageError::UnknownCommand(command.clone().into_owned()))?;
    let parsed = (definition.make)(&mut given)?;
    given.finish(&command, definition.options)?;
    Ok(parsed)
}

/// Options and operands, before it is known whether the command takes them.
#[derive(Default)]
struct Given {
    help: bool,
    options: Vec<&'static str>,
    config: Option<PathBuf>,
    directory: Option<PathBuf>,
    base_port: Option<u16>,
    operand: Option<PathBuf>,
    accepted: Vec<String>,
    as_data: bool,
}

impl Given {
    fn take(
        &mut self,
        argument: OsString,
        rest: &mut impl Iterator<Item = OsString>,
    ) -> Result<(), UsageError> {
        let text = argument.to_string_lossy().into_owned();
        if !text.starts_with('-') {
            return match self.operand.replace(argument.into()) {
                None => Ok(()),
                Some(_) => Err(UsageError::Unexpected(text)),
            };
        }
        if matches!(&*text, "-h" | "--help") {
            self.help = true;
            return Ok(());
        }
        let (name, attached) = match text.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(OsString::from(value))),
            None => (text, None),
        };
        let option = COMMANDS.iter().flat_map(|command| command.options).find(|option| option.is(&name));
        let option = option.ok_or_else(|| UsageError::UnknownOption(name.clone()))?;
        let value = match option.flag.value {
            Some(_) => attached.or_else(|| rest.next()).ok_or(UsageError::NoValue(name))?,
            None => OsString::new(),
        };
        self.options.extend(option.flag.long);
        (option.take)(self, value)
    }

    fn config(&mut self) -> PathBuf {
        self.config.take().unwrap_or_else(|| PathBuf::from(DEFAULT_CONFIG))
    }

    /// Insists that the command has used everything.
    fn finish(self, command: &str, known: &[&Opt]) -> Result<(), UsageError> {
        let foreign =
            self.options.iter().find(|name| !known.iter().any(|option| option.flag.long == Some(**name)));
        if let Some(option) = foreign {
            return Err(UsageError::NotForCommand(option, command.to_owned()));
        }
        match self.operand {
            Some(operand) => Err(UsageError::Unexpected(operand.to_string_lossy().into_owned())),
            None => Ok(()),
        }
    }
}

impl Opt {
    fn is(&self, written: &str) -> bool {
        self.flag.names().iter().any(|name| name == written)
    }
}

/// Why a command line means nothing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UsageError {
    UnknownCommand(String),
    UnknownOption(String),
    NotForCommand(&'static str, String),
    Missing(&'static str, &'static str),
    NoValue(String),
    BadPort(String),
    NoFinding(String),
    Unexpected(String),
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCommand(name) => {
                let names: Vec<_> = COMMANDS.iter().map(|command| command.name).collect();
                write!(f, "no command is called `{name}`; there are {}", names.join(", "))
            }
            Self::UnknownOption(name) => write!(f, "no option is called `{name}`"),
            Self::NotForCommand(option, command) => write!(f, "`{command}` takes no --{option}"),
            Self::Missing(command, what) => write!(f, "`{command}` needs {what}"),
            Self::NoValue(option) => write!(f, "{option} needs a value"),
            Self::BadPort(value) => write!(f, "--base-port is a number from 1 to 65535, not `{value}`"),
            Self::NoFinding(word) => {
                let known: Vec<_> = Kind::words().map(|(word, _)| word).collect();
                write!(f, "no finding is called `{word}`; there are {}", known.join(", "))
            }
            Self::Unexpected(argument) => write!(f, "`{argument}` is one argument too many"),
        }
    }
}

static CONFIG: Opt = Opt {
    flag: Flag::long("config", "the configuration (default: /etc/portreeve/portreeved.toml)").with("FILE"),
    take: |given, value| {
        given.config = Some(value.into());
        Ok(())
    },
};
static DIRECTORY: Opt = Opt {
    flag: Flag::long("dir", "where keys, users and the configuration are written").with("DIR"),
    take: |given, value| {
        given.directory = Some(value.into());
        Ok(())
    },
};
static BASE_PORT: Opt = Opt {
    flag: Flag::long("base-port", "the first of the ports, 1 to 65535 (default: 16161)").with("N"),
    take: |given, value| {
        let port = value.to_str().and_then(|text| text.parse().ok()).filter(|port| *port > 0);
        given.base_port =
            Some(port.ok_or_else(|| UsageError::BadPort(value.to_string_lossy().into_owned()))?);
        Ok(())
    },
};

static ALLOW: Opt = Opt {
    flag: Flag::long(
        "allow",
        "accept a kind of finding, or one: `open-socket`, `write-all:ops`; may be repeated",
    )
    .with("FINDING"),
    take: |given, value| {
        let accepted = value.to_string_lossy().into_owned();
        let kind = accepted.split(':').next().unwrap_or_default();
        if !Kind::words().any(|(word, _)| word == kind) {
            return Err(UsageError::NoFinding(kind.to_owned()));
        }
        given.accepted.push(accepted);
        Ok(())
    },
};
static JSON: Opt = Opt {
    flag: Flag::long("json", "print one JSON object"),
    take: |given, _| {
        given.as_data = true;
        Ok(())
    },
};

/// Where the configuration is looked for unless said otherwise.
pub(crate) const DEFAULT_CONFIG: &str = "/etc/portreeve/portreeved.toml";
/// Where the demo's ports begin: above those that need privileges.
const DEFAULT_BASE_PORT: u16 = 16161;

#[cfg(test)]
mod tests;
