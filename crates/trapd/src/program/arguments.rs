//! The command line. Each option is defined once, in `OPTIONS`.

use std::{ffi::OsString, fmt, path::PathBuf};

use portreeve_mib::format::OutputFormat;
use portreeve_usage::{self as usage, Flag};

/// The command to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Prints the help.
    Help,
    /// Prints the version.
    Version,
    /// Receives notifications, or does one of the other tasks of the plan.
    Run(Box<Plan>),
}

/// The options of the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The configuration file; `None` for the default.
    pub config: Option<PathBuf>,
    /// `-c`: the file `snmptrapd.conf`, which is read instead of the configuration file.
    pub classic_config: Option<PathBuf>,
    /// `-C`: `snmptrapd.conf` is not searched for.
    pub skips_default_files: bool,
    /// True if the program was called as `snmptrapd`. Then `snmptrapd.conf` is searched for in the
    /// directories of Net-SNMP.
    pub is_classic: bool,
    /// The addresses to listen on, as typed. If there are any, those of the file are not used.
    pub addresses: Vec<String>,
    /// `-F`: the format of the lines.
    pub format: Option<String>,
    /// `-Lf`: the file of lines. `-Lo` is an empty path: standard output.
    pub log: Option<PathBuf>,
    /// `--json`: the file of JSON lines.
    pub json: Option<PathBuf>,
    /// The options of `-O`.
    pub values: OutputFormat,
    /// `--state-dir`: the directory of the state; `None` for that of the configuration.
    pub state_dir: Option<PathBuf>,
    /// `--check`: only check the configuration.
    pub check: bool,
    /// `--forget-senders`: only remove the stored clocks of the senders of traps.
    pub forget_senders: bool,
    /// `--show-sender-config`: only print what senders need.
    pub show_sender_config: bool,
}

/// Parses the command line; the first word is the name by which the program was called.
///
/// # Errors
/// An unknown option, or an option without its value or with an invalid one.
pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Command, UsageError> {
    let mut words = words.into_iter();
    let called = PathBuf::from(words.next().unwrap_or_default());
    let is_classic = called.file_name().is_some_and(|name| name == "snmptrapd");
    let mut plan = Plan { is_classic, ..Plan::default() };
    while let Some(word) = words.next() {
        let text = word.to_string_lossy().into_owned();
        match &*text {
            "-h" | "--help" => return Ok(Command::Help),
            "-V" | "--version" => return Ok(Command::Version),
            _ if !text.starts_with('-') => {
                plan.addresses.push(text);
                continue;
            }
            _ => {}
        }
        let (option, attached) = find(&text).ok_or_else(|| UsageError::UnknownOption(text.clone()))?;
        let value = match (option.flag.value, attached) {
            (None, None) => String::new(),
            (None, Some(_)) => return Err(UsageError::UnknownOption(text)),
            // As for snmptrapd, the file may be the next word.
            (Some(value), Some(attached)) if text == "-Lf" => {
                attached + &next_word(&mut words).ok_or(UsageError::MissingValue(option.flag, value))?
            }
            (Some(_), Some(attached)) => attached,
            (Some(value), None) => {
                next_word(&mut words).ok_or(UsageError::MissingValue(option.flag, value))?
            }
        };
        (option.apply)(&mut plan, &value).map_err(|reason| UsageError::InvalidValue(option.flag, reason))?;
    }
    Ok(Command::Run(Box::new(plan)))
}

fn next_word(words: &mut impl Iterator<Item = OsString>) -> Option<String> {
    words.next().map(|word| word.to_string_lossy().into_owned())
}

/// Returns the option of a word, and the value that is attached to it: `--json=FILE`, `-On`.
fn find(text: &str) -> Option<(&'static CommandOption, Option<String>)> {
    if let Some(word) = text.strip_prefix("--") {
        let (word, attached) = word.split_once('=').map_or((word, None), |(word, value)| (word, Some(value)));
        let option = OPTIONS.iter().find(|option| option.flag.long == Some(word))?;
        return Some((option, attached.map(str::to_owned)));
    }
    let mut characters = text.strip_prefix('-')?.chars();
    let letter = characters.next()?;
    let option = OPTIONS.iter().find(|option| option.flag.short == Some(letter))?;
    Some((option, Some(characters.as_str()).filter(|rest| !rest.is_empty()).map(str::to_owned)))
}

/// Returns the text of `--help`.
pub fn help() -> String {
    let options = usage::format_table(OPTIONS.iter().map(|option| (option.flag.syntax(), option.flag.help)));
    format!("Usage: portreeve trapd {SYNOPSIS}\n\n{DESCRIPTION}\n\n{options}\n")
}

/// The definition of an option.
pub(crate) struct CommandOption {
    pub(crate) flag: Flag,
    apply: fn(&mut Plan, &str) -> Result<(), String>,
}

/// The reason why the command line is invalid.
#[derive(Debug, PartialEq, Eq)]
pub enum UsageError {
    /// There is no such option.
    UnknownOption(String),
    /// The option has no value.
    MissingValue(Flag, &'static str),
    /// The value of the option is invalid.
    InvalidValue(Flag, String),
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownOption(text) => write!(f, "unknown option {}", text.escape_debug()),
            Self::MissingValue(flag, value) => write!(f, "{} needs {value}", flag.syntax()),
            Self::InvalidValue(flag, reason) => write!(f, "{}: {reason}", flag.syntax()),
        }
    }
}

impl std::error::Error for UsageError {}

/// Every option, in the order of the help.
pub(crate) static OPTIONS: &[CommandOption] = &[
    CommandOption {
        flag: Flag::long("config", "read FILE instead of /etc/portreeve/portreeve-trapd.toml")
            .with_value("FILE"),
        apply: |plan, value| {
            plan.config = Some(value.into());
            Ok(())
        },
    },
    CommandOption {
        flag: Flag::short('c', "read FILE in the format of snmptrapd.conf instead").with_value("FILE"),
        apply: |plan, value| {
            plan.classic_config = Some(value.into());
            Ok(())
        },
    },
    CommandOption {
        flag: Flag::short('C', "do not search for snmptrapd.conf; with -c, it is not searched for anyway"),
        apply: |plan, _| {
            plan.skips_default_files = true;
            Ok(())
        },
    },
    CommandOption {
        flag: Flag::long("check", "print all errors and warnings of the configuration, and exit"),
        apply: |plan, _| {
            plan.check = true;
            Ok(())
        },
    },
    CommandOption {
        flag: Flag::long("show-sender-config", "print what senders need to reach this receiver, and exit"),
        apply: |plan, _| {
            plan.show_sender_config = true;
            Ok(())
        },
    },
    CommandOption {
        flag: Flag::long(
            "forget-senders",
            "remove the clocks of all senders of SNMPv3 traps from the state, and exit",
        ),
        apply: |plan, _| {
            plan.forget_senders = true;
            Ok(())
        },
    },
    CommandOption {
        flag: Flag::long("state-dir", "keep snmpEngineBoots and the clocks of senders in DIR")
            .with_value("DIR"),
        apply: |plan, value| {
            plan.state_dir = Some(value.into());
            Ok(())
        },
    },
    CommandOption {
        flag: Flag::long("json", "also append each notification to FILE, as a line of JSON")
            .with_value("FILE"),
        apply: |plan, value| {
            plan.json = Some(value.into());
            Ok(())
        },
    },
    CommandOption {
        flag: Flag::short('F', "print notifications in this format, as snmptrapd does").with_value("FORMAT"),
        apply: |plan, value| {
            plan.format = Some(value.to_owned());
            Ok(())
        },
    },
    CommandOption {
        flag: Flag::short('L', "write lines to standard output (o), or append them to a file (f FILE)")
            .with_value("o|f"),
        apply: |plan, value| match value.split_at_checked(1) {
            Some(("o", "")) => {
                plan.log = Some(PathBuf::new());
                Ok(())
            }
            Some(("f", file)) if !file.trim().is_empty() => {
                plan.log = Some(file.trim().into());
                Ok(())
            }
            _ => Err("expected -Lo, or -Lf FILE".to_owned()),
        },
    },
    CommandOption {
        flag: Flag::short('O', "print names and values in this way, as snmpget does").with_value("LETTERS"),
        apply: |plan, value| plan.values.apply(value).map_err(|error| error.to_string()),
    },
    CommandOption {
        flag: Flag::short('f', "stay in the foreground; this program always does"),
        apply: |_, _| Ok(()),
    },
    CommandOption {
        flag: Flag::short('n', "do not look up the names of senders; this program never does"),
        apply: |_, _| Ok(()),
    },
];

/// The arguments, for help and manual.
pub(crate) const SYNOPSIS: &str = "[OPTION]... [ADDRESS]...";
/// The purpose of the program, for help and manual.
pub(crate) const DESCRIPTION: &str = "Receives traps and informs of SNMPv1, SNMPv2c and SNMPv3 over UDP, TCP, SSH, TLS\n\
and DTLS, and prints them. Only notifications that the configuration accepts are\n\
printed. An inform is acknowledged when it is on disk. ADDRESS is\n\
TRANSPORT:IP[:PORT], for example udp:0.0.0.0:162; without one, the addresses of\n\
the configuration are used.";

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(words: &[&str]) -> Plan {
        match parse(std::iter::once(&"portreeve-trapd").chain(words).map(OsString::from)) {
            Ok(Command::Run(plan)) => *plan,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn options_of_snmptrapd_are_understood() {
        let plan = plan(&["-f", "-n", "-C", "-Lo", "-On", "-F", "%V", "--json=a", "udp:127.0.0.1:1162"]);
        assert_eq!(plan.log, Some(PathBuf::new()));
        assert_eq!((plan.format.as_deref(), plan.json), (Some("%V"), Some("a".into())));
        assert_eq!(plan.addresses, ["udp:127.0.0.1:1162"]);
        assert_eq!(plan.values.names, portreeve_mib::format::NameForm::Numeric);
    }

    #[test]
    fn attached_value_of_a_short_option_is_used() {
        assert_eq!(plan(&["-Lf/tmp/a"]).log, Some("/tmp/a".into()));
        assert_eq!(plan(&["-Lf", "/tmp/a", "-n"]).log, Some("/tmp/a".into()));
    }

    #[test]
    fn invalid_command_lines_are_rejected() {
        for words in [&["--wrong"][..], &["-F"], &["-Lx"], &["-Lf"], &["-O?"], &["--check=1"]] {
            let all = std::iter::once(&"portreeve-trapd").chain(words);
            assert!(parse(all.map(OsString::from)).is_err(), "{words:?}");
        }
    }
}
