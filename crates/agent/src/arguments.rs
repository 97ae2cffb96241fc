//! The command line. Each command and option is defined once, in [`COMMANDS`].

use std::{ffi::OsString, fmt, mem, path::PathBuf};

use portreeve_usage::Flag;

use crate::audit::FindingKind;

/// The command to run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Help,
    Version,
    Run { config: PathBuf, first_start: bool },
    Demo { directory: PathBuf, base_port: u16 },
    Init { directory: PathBuf },
    Check { config: PathBuf },
    Audit { config: PathBuf, accepted: Vec<String>, json: bool },
    Reload { config: PathBuf, quiet: bool },
    Status { config: PathBuf, json: bool },
    KillSession { config: PathBuf, session: u32 },
}

/// A command and its options.
pub(crate) struct CommandDefinition {
    pub(crate) name: &'static str,
    /// The operands and options of the command, as printed after its name in `--help`.
    pub(crate) synopsis: &'static str,
    pub(crate) help: &'static str,
    pub(crate) options: &'static [&'static OptionDefinition],
    build: fn(&mut ParsedArgs) -> Result<Command, UsageError>,
}

/// The definition of an option.
pub(crate) struct OptionDefinition {
    pub(crate) flag: Flag,
    apply: fn(&mut ParsedArgs, OsString) -> Result<(), UsageError>,
}

/// All commands of `portreeved`.
pub(crate) static COMMANDS: &[CommandDefinition] = &[
    CommandDefinition {
        name: "run",
        synopsis: "[--config FILE] [--first-start]",
        help: "run the agent with the configuration FILE; SIGHUP reloads it, SIGTERM stops the agent",
        options: &[&CONFIG, &FIRST_START],
        build: |args| Ok(Command::Run { config: args.config(), first_start: args.first_start }),
    },
    CommandDefinition {
        name: "demo",
        synopsis: "--dir DIR [--base-port N]",
        help: "run an agent on loopback that accepts your SSH keys and the users generated in DIR; does not need root",
        options: &[&DIRECTORY, &BASE_PORT],
        build: |args| {
            Ok(Command::Demo {
                directory: args.directory.take().ok_or(UsageError::MissingArgument("demo", "--dir DIR"))?,
                base_port: args.base_port.take().unwrap_or(DEFAULT_BASE_PORT),
            })
        },
    },
    CommandDefinition {
        name: "init",
        synopsis: "DIR",
        help: "write a commented portreeved.toml with new random secrets into DIR",
        options: &[],
        build: |args| {
            Ok(Command::Init {
                directory: args.operand.take().ok_or(UsageError::MissingArgument("init", "DIR"))?,
            })
        },
    },
    CommandDefinition {
        name: "check",
        synopsis: "FILE",
        help: "print all errors and warnings in FILE",
        options: &[],
        build: |args| {
            Ok(Command::Check {
                config: args.operand.take().ok_or(UsageError::MissingArgument("check", "FILE"))?,
            })
        },
    },
    CommandDefinition {
        name: "audit",
        synopsis: "[--config FILE] [--allow FINDING]... [--json]",
        help: "list the access rights of each user per transport, and the weaknesses of the configuration",
        options: &[&CONFIG, &ALLOW, &JSON],
        build: |args| {
            Ok(Command::Audit {
                config: args.config(),
                accepted: mem::take(&mut args.accepted),
                json: args.json,
            })
        },
    },
    CommandDefinition {
        name: "reload",
        synopsis: "[--config FILE] [--quiet]",
        help: "check FILE, make the running agent reload it, and list what has changed",
        options: &[&CONFIG, &QUIET],
        build: |args| Ok(Command::Reload { config: args.config(), quiet: args.quiet }),
    },
    CommandDefinition {
        name: "status",
        synopsis: "[--config FILE] [--json]",
        help: "show the status of the running agent: configuration, listeners, sessions, transactions and state files",
        options: &[&CONFIG, &JSON],
        build: |args| Ok(Command::Status { config: args.config(), json: args.json }),
    },
    CommandDefinition {
        name: "kill-session",
        synopsis: "[--config FILE] ID",
        help: "end a NETCONF session of the running agent, and release its locks; `status` shows the sessions",
        options: &[&CONFIG],
        build: |args| {
            let operand = args.operand.take().ok_or(UsageError::MissingArgument("kill-session", "ID"))?;
            let session = operand.to_str().and_then(|text| text.parse().ok());
            let invalid = || UsageError::InvalidSession(operand.to_string_lossy().into_owned());
            Ok(Command::KillSession { config: args.config(), session: session.ok_or_else(invalid)? })
        },
    },
];

/// Parses the command line without the program's name.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, UsageError> {
    let mut arguments = arguments.into_iter();
    let Some(command) = arguments.next() else { return Ok(Command::Help) };
    let mut args = ParsedArgs::default();
    while let Some(argument) = arguments.next() {
        args.parse_argument(argument, &mut arguments)?;
    }
    if args.help {
        return Ok(Command::Help);
    }
    let command = command.to_string_lossy();
    let definition = match &*command {
        "-h" | "--help" | "help" => return args.reject_unused(&command, &[]).map(|()| Command::Help),
        "-V" | "--version" | "version" => {
            return args.reject_unused(&command, &[]).map(|()| Command::Version);
        }
        name => COMMANDS.iter().find(|command| command.name == name),
    };
    let definition = definition.ok_or_else(|| UsageError::UnknownCommand(command.clone().into_owned()))?;
    let parsed = (definition.build)(&mut args)?;
    args.reject_unused(&command, definition.options)?;
    Ok(parsed)
}

/// The parsed options and operands, before they are checked against the command.
#[derive(Default)]
struct ParsedArgs {
    help: bool,
    options: Vec<&'static str>,
    config: Option<PathBuf>,
    first_start: bool,
    directory: Option<PathBuf>,
    base_port: Option<u16>,
    operand: Option<PathBuf>,
    accepted: Vec<String>,
    json: bool,
    quiet: bool,
}

impl ParsedArgs {
    fn parse_argument(
        &mut self,
        argument: OsString,
        rest: &mut impl Iterator<Item = OsString>,
    ) -> Result<(), UsageError> {
        let text = argument.to_string_lossy().into_owned();
        if !text.starts_with('-') {
            return match self.operand.replace(argument.into()) {
                None => Ok(()),
                Some(_) => Err(UsageError::UnexpectedArgument(text)),
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
            Some(_) => attached.or_else(|| rest.next()).ok_or(UsageError::MissingValue(name))?,
            None => OsString::new(),
        };
        self.options.extend(option.flag.long);
        (option.apply)(self, value)
    }

    fn config(&mut self) -> PathBuf {
        self.config.take().unwrap_or_else(|| PathBuf::from(DEFAULT_CONFIG))
    }

    /// Fails if there are options or operands that the command does not accept.
    fn reject_unused(self, command: &str, known: &[&OptionDefinition]) -> Result<(), UsageError> {
        let unsupported =
            self.options.iter().find(|name| !known.iter().any(|option| option.flag.long == Some(**name)));
        if let Some(option) = unsupported {
            return Err(UsageError::NotForCommand(option, command.to_owned()));
        }
        match self.operand {
            Some(operand) => Err(UsageError::UnexpectedArgument(operand.to_string_lossy().into_owned())),
            None => Ok(()),
        }
    }
}

impl OptionDefinition {
    fn is(&self, written: &str) -> bool {
        self.flag.names().iter().any(|name| name == written)
    }
}

/// An invalid command line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UsageError {
    UnknownCommand(String),
    UnknownOption(String),
    NotForCommand(&'static str, String),
    MissingArgument(&'static str, &'static str),
    MissingValue(String),
    InvalidPort(String),
    InvalidSession(String),
    UnknownFinding(String),
    UnexpectedArgument(String),
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCommand(name) => {
                let names: Vec<_> = COMMANDS.iter().map(|command| command.name).collect();
                write!(f, "unknown command `{name}`; the commands are {}", names.join(", "))
            }
            Self::UnknownOption(name) => write!(f, "unknown option `{name}`"),
            Self::NotForCommand(option, command) => write!(f, "`{command}` does not accept --{option}"),
            Self::MissingArgument(command, what) => write!(f, "`{command}` requires {what}"),
            Self::MissingValue(option) => write!(f, "{option} requires a value"),
            Self::InvalidPort(value) => {
                write!(f, "invalid --base-port `{value}`: expected a number from 1 to 65535")
            }
            Self::InvalidSession(value) => {
                write!(
                    f,
                    "invalid session `{value}`: expected a number from the output of `portreeved status`"
                )
            }
            Self::UnknownFinding(word) => {
                let known: Vec<_> = FindingKind::names().map(|(word, _)| word).collect();
                write!(f, "unknown finding `{word}`; the findings are {}", known.join(", "))
            }
            Self::UnexpectedArgument(argument) => write!(f, "unexpected argument `{argument}`"),
        }
    }
}

static CONFIG: OptionDefinition = OptionDefinition {
    flag: Flag::long("config", "the configuration file (default: /etc/portreeve/portreeved.toml)")
        .with_value("FILE"),
    apply: |args, value| {
        args.config = Some(value.into());
        Ok(())
    },
};
static FIRST_START: OptionDefinition = OptionDefinition {
    flag: Flag::long(
        "first-start",
        "start even if there is no state for the configured engine ID; use this only for an engine ID that was never used before",
    ),
    apply: |args, _| {
        args.first_start = true;
        Ok(())
    },
};
static DIRECTORY: OptionDefinition = OptionDefinition {
    flag: Flag::long("dir", "the directory for the generated keys, users and configuration file")
        .with_value("DIR"),
    apply: |args, value| {
        args.directory = Some(value.into());
        Ok(())
    },
};
static BASE_PORT: OptionDefinition = OptionDefinition {
    flag: Flag::long("base-port", "the first of the ports to listen on, 1 to 65535 (default: 16161)")
        .with_value("N"),
    apply: |args, value| {
        let port = value.to_str().and_then(|text| text.parse().ok()).filter(|port| *port > 0);
        args.base_port =
            Some(port.ok_or_else(|| UsageError::InvalidPort(value.to_string_lossy().into_owned()))?);
        Ok(())
    },
};

static ALLOW: OptionDefinition = OptionDefinition {
    flag: Flag::long(
        "allow",
        "accept a kind of finding or a single finding, for example `open-socket` or `write-all:ops`; may be repeated",
    )
    .with_value("FINDING"),
    apply: |args, value| {
        let accepted = value.to_string_lossy().into_owned();
        let kind = accepted.split(':').next().unwrap_or_default();
        if !FindingKind::names().any(|(word, _)| word == kind) {
            return Err(UsageError::UnknownFinding(kind.to_owned()));
        }
        args.accepted.push(accepted);
        Ok(())
    },
};
static JSON: OptionDefinition = OptionDefinition {
    flag: Flag::long("json", "print one JSON object"),
    apply: |args, _| {
        args.json = true;
        Ok(())
    },
};

static QUIET: OptionDefinition = OptionDefinition {
    flag: Flag::long("quiet", "print only errors and changed settings that need a restart"),
    apply: |args, _| {
        args.quiet = true;
        Ok(())
    },
};

/// The path of the default configuration file.
pub(crate) const DEFAULT_CONFIG: &str = "/etc/portreeve/portreeved.toml";
/// The default first port of the demo. It is above the privileged ports.
const DEFAULT_BASE_PORT: u16 = 16161;

#[cfg(test)]
mod tests;
