//! The command line. Each command is defined once in [`COMMANDS`], each option in `options`.

mod options;
mod usage_error;

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use portreeve_usage as usage;

use options::{
    ASK, DAYS, DIR, FORCE, HOST, JSON, NAME, ONLY, OUT, PASS_PHRASE_FILE, PRINCIPAL, SAN, SELF_SIGNED,
    SOURCE, SSH, TLS, USER, WITHIN,
};
pub(crate) use options::{HELP_FLAGS, OptionDefinition};
pub use usage_error::UsageError;

use crate::{CommandError, Report, lines, make, pass_phrase::PassPhraseSource, show};

/// A command and its options.
pub(crate) struct CommandDefinition {
    pub(crate) name: &'static str,
    /// The operands and options of the command, as printed after its name in `--help`.
    pub(crate) synopsis: &'static str,
    pub(crate) help: &'static str,
    pub(crate) options: &'static [&'static OptionDefinition],
    /// The number of operands that the command accepts.
    pub(crate) operands: Operands,
    pub(crate) run: fn(&Args) -> Result<Report, CommandError>,
}

/// The number of operands that a command accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operands {
    None,
    One,
    /// One operand, or none.
    ZeroOrOne,
    /// At least one operand.
    OneOrMore,
    /// Any number of operands, including none.
    Any,
}

/// All commands of `portreeve keys`.
pub(crate) static COMMANDS: &[CommandDefinition] = &[
    CommandDefinition {
        name: "ca",
        synopsis: "[--tls|--ssh] [--name NAME] [--days N]",
        help: "create an X.509 authority and an SSH authority; run this first",
        options: &[&DIR, &TLS, &SSH, &NAME, &DAYS, &ASK, &PASS_PHRASE_FILE, &FORCE],
        operands: Operands::None,
        run: make::authorities,
    },
    CommandDefinition {
        name: "host",
        synopsis: "HOST [--san NAME]... [--days N]",
        help: "create the credentials of an agent on HOST: a certificate and an SSH host key, with their authorities",
        options: &[&DIR, &TLS, &SSH, &SAN, &DAYS, &SELF_SIGNED, &PASS_PHRASE_FILE, &FORCE],
        operands: Operands::One,
        run: make::host,
    },
    CommandDefinition {
        name: "user",
        synopsis: "USER [--san NAME]... [--days N]",
        help: "create the credentials of USER: a certificate, an SSH key, and a certificate for that key",
        options: &[
            &DIR,
            &TLS,
            &SSH,
            &SAN,
            &PRINCIPAL,
            &SOURCE,
            &DAYS,
            &SELF_SIGNED,
            &PASS_PHRASE_FILE,
            &FORCE,
        ],
        operands: Operands::One,
        run: make::user,
    },
    CommandDefinition {
        name: "sign",
        synopsis: "FILE --user USER|--host HOST",
        help: "sign a public SSH key or a certificate request; private keys stay with their owners",
        options: &[&DIR, &USER, &HOST, &SAN, &PRINCIPAL, &SOURCE, &DAYS, &OUT, &PASS_PHRASE_FILE, &FORCE],
        operands: Operands::One,
        run: make::sign,
    },
    CommandDefinition {
        name: "renew",
        synopsis: "[NAME|FILE]... [--within N] [--days N]",
        help: "replace certificates with new ones that have the same keys and names, but new dates",
        options: &[&DIR, &WITHIN, &DAYS, &PASS_PHRASE_FILE],
        operands: Operands::Any,
        run: make::renew,
    },
    CommandDefinition {
        name: "revoke",
        synopsis: "NAME|FILE...",
        help: "revoke the credentials of a host or user, or a single certificate or key",
        options: &[&DIR, &PASS_PHRASE_FILE],
        operands: Operands::OneOrMore,
        run: make::revoke,
    },
    CommandDefinition {
        name: "lines",
        synopsis: "[NAME] [--only AUDIENCE]",
        help: "print configuration lines to paste: for the authorities, or for a host or user",
        options: &[&DIR, &ONLY],
        operands: Operands::ZeroOrOne,
        run: lines::print,
    },
    CommandDefinition {
        name: "list",
        synopsis: "[--json]",
        help: "list certificates and keys with their owners and expiry dates",
        options: &[&DIR, &JSON],
        operands: Operands::None,
        run: show::list,
    },
    CommandDefinition {
        name: "show",
        synopsis: "FILE|DIR... [--json]",
        help: "display the owner, issuer, expiry date and fingerprint of the certificates and keys in files",
        options: &[&DIR, &JSON],
        operands: Operands::OneOrMore,
        run: show::show,
    },
];

/// A parsed command line.
pub(crate) enum Parsed {
    Help(Option<&'static CommandDefinition>),
    Version,
    Run(&'static CommandDefinition, Box<Args>),
}

/// The options and operands of a command line.
#[derive(Debug, Default)]
pub(crate) struct Args {
    pub(crate) folder: Option<PathBuf>,
    pub(crate) tls: bool,
    pub(crate) ssh: bool,
    pub(crate) name: Option<String>,
    pub(crate) names: Vec<portreeve_channel::AlternativeName>,
    pub(crate) days: Option<u32>,
    pub(crate) within: Option<u32>,
    pub(crate) user: Option<String>,
    pub(crate) host: Option<String>,
    pub(crate) principals: Vec<String>,
    pub(crate) source_address: Option<String>,
    pub(crate) self_signed: bool,
    pub(crate) force: bool,
    pub(crate) pass_phrase: PassPhraseSource,
    pub(crate) json: bool,
    pub(crate) only: Option<lines::Audience>,
    pub(crate) out: Option<PathBuf>,
    pub(crate) operands: Vec<OsString>,
}

impl Args {
    /// Returns the operands as paths.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.operands.iter().map(Path::new)
    }

    /// Returns the first operand as text.
    pub(crate) fn operand(&self) -> Option<String> {
        self.operands.first().map(|operand| operand.to_string_lossy().into_owned())
    }

    /// Returns two flags. The first is true if X.509 certificates are selected, the second if SSH
    /// keys are selected. If no option selects one of them, both are true.
    pub(crate) fn kinds(&self) -> (bool, bool) {
        if self.tls || self.ssh { (self.tls, self.ssh) } else { (true, true) }
    }
}

/// Parses the command line without the program's name.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Parsed, UsageError> {
    let mut words = words.into_iter();
    let command = words.next().map(|word| word.to_string_lossy().into_owned());
    let command = match command.as_deref() {
        None | Some("-h" | "--help" | "help") => return Ok(Parsed::Help(None)),
        Some("-V" | "--version" | "version") => return Ok(Parsed::Version),
        Some(name) => COMMANDS.iter().find(|command| command.name == name).ok_or(name),
    };
    let command = command.map_err(|name| UsageError::UnknownCommand(name.to_owned()))?;
    let (mut args, mut only_operands) = (Args::default(), false);
    while let Some(word) = words.next() {
        let text = word.to_string_lossy().into_owned();
        match &*text {
            _ if only_operands => args.operands.push(word),
            "--" => only_operands = true,
            "-h" | "--help" => return Ok(Parsed::Help(Some(command))),
            option if option.starts_with('-') && option.len() > 1 => {
                parse_option(command, &mut args, option, &mut words)?;
            }
            _ => args.operands.push(word),
        }
    }
    let wrong = match (command.operands, args.operands.as_slice()) {
        (Operands::One | Operands::OneOrMore, []) => Some(UsageError::MissingOperand(
            command.name,
            command.synopsis.split(" [").next().unwrap_or_default(),
        )),
        (Operands::None, [extra, ..]) | (Operands::One | Operands::ZeroOrOne, [_, extra, ..]) => {
            Some(UsageError::ExtraOperand(command.name, extra.to_string_lossy().into_owned()))
        }
        _ => None,
    };
    wrong.map_or(Ok(Parsed::Run(command, Box::new(args))), Err)
}

/// Returns the text of `--help`, for all commands or for one.
pub(crate) fn help(command: Option<&CommandDefinition>) -> String {
    let mut text = String::new();
    match command {
        None => {
            text += &format!("Usage: portreeve keys COMMAND ...\n\n{DESCRIPTION}\n\n");
            let row = |command: &'static CommandDefinition| {
                (format!("{} {}", command.name, command.synopsis), command.help)
            };
            for (written, help) in COMMANDS.iter().map(row) {
                text += &usage::format_row(2, &written, 2, help);
            }
            text += &format!("\n{FOLDER_NOTE}\n`portreeve keys COMMAND --help` lists a command's options.\n");
        }
        Some(command) => {
            text += &format!("Usage: portreeve keys {} {}\n\n", command.name, command.synopsis);
            text += &usage::format_row(0, "", 0, command.help);
            text.push('\n');
            let flags = command.options.iter().map(|option| option.flag).chain(HELP_FLAGS);
            text += &usage::format_table(flags.map(|flag| (flag.syntax(), flag.help)));
        }
    }
    text
}

/// Parses one option, with its value if it has one.
fn parse_option(
    command: &'static CommandDefinition,
    args: &mut Args,
    written: &str,
    rest: &mut impl Iterator<Item = OsString>,
) -> Result<(), UsageError> {
    let (name, attached) = match written.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (written, None),
    };
    let is = |option: &&&OptionDefinition| option.flag.names().iter().any(|known| known == name);
    let Some(option) = command.options.iter().find(is) else {
        return Err(UsageError::UnknownOption(command.name, name.to_owned()));
    };
    let value = match (option.flag.value, attached) {
        (None, Some(value)) => return Err(UsageError::InvalidValue(option.flag, value)),
        (None, None) => String::new(),
        (Some(_), Some(value)) => value,
        (Some(_), None) => {
            let word = rest.next().ok_or(UsageError::InvalidValue(option.flag, String::new()))?;
            word.to_string_lossy().into_owned()
        }
    };
    (option.apply)(args, &value).ok_or(UsageError::InvalidValue(option.flag, value))
}

pub(crate) const DESCRIPTION: &str = "Creates, signs, revokes and displays certificates and keys, and prints the\n\
     configuration lines for agents, hosts and users.";
pub(crate) const FOLDER_NOTE: &str = "All files are in ~/.config/portreeve/keys or in the directory given by --dir,\n\
     and are readable by their owner only.";

#[cfg(test)]
mod tests;
