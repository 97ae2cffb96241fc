//! The command line. Each command is defined once, in [`COMMANDS`], each option in `options`.

mod options;
mod problem;

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use portreeve_usage as usage;

use options::{
    ASK, DAYS, DIR, FORCE, HOST, JSON, NAME, ONLY, OUT, PASS_PHRASE_FILE, PRINCIPAL, SAN, SELF_SIGNED,
    SOURCE, SSH, TLS, USER, WITHIN,
};
pub(crate) use options::{ASKING, Opt};
pub use problem::UsageError;

use crate::{Failure, Report, lines, make, pass_phrase::PassPhrase, show};

/// A command and what stands behind it.
pub(crate) struct CommandDefinition {
    pub(crate) name: &'static str,
    /// What follows the name.
    pub(crate) synopsis: &'static str,
    pub(crate) does: &'static str,
    pub(crate) options: &'static [&'static Opt],
    /// What stands for its operands: one, many, or none where nothing is said.
    pub(crate) operands: Operands,
    pub(crate) run: fn(&Given) -> Result<Report, Failure>,
}

/// How many operands a command wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operands {
    None,
    One,
    /// One or none.
    Maybe,
    /// At least one.
    Some,
    /// As many as there are, or none.
    Any,
}

/// Every command.
pub(crate) static COMMANDS: &[CommandDefinition] = &[
    CommandDefinition {
        name: "ca",
        synopsis: "[--tls|--ssh] [--name NAME] [--days N]",
        does: "make an authority for certificates and one for SSH keys; this comes first",
        options: &[&DIR, &TLS, &SSH, &NAME, &DAYS, &ASK, &PASS_PHRASE_FILE, &FORCE],
        operands: Operands::None,
        run: make::authorities,
    },
    CommandDefinition {
        name: "host",
        synopsis: "HOST [--san NAME]... [--days N]",
        does: "make what an agent on HOST needs: a certificate, an SSH host key, and their authorities",
        options: &[&DIR, &TLS, &SSH, &SAN, &DAYS, &SELF_SIGNED, &PASS_PHRASE_FILE, &FORCE],
        operands: Operands::One,
        run: make::host,
    },
    CommandDefinition {
        name: "user",
        synopsis: "USER [--san NAME]... [--days N]",
        does: "make what USER needs to ask: a certificate, an SSH key, and a certificate for that",
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
        does: "sign somebody's public SSH key, or certificate request; no private key leaves its owner",
        options: &[&DIR, &USER, &HOST, &SAN, &PRINCIPAL, &SOURCE, &DAYS, &OUT, &PASS_PHRASE_FILE, &FORCE],
        operands: Operands::One,
        run: make::sign,
    },
    CommandDefinition {
        name: "renew",
        synopsis: "[NAME|FILE]... [--within N] [--days N]",
        does: "put in a certificate's place its successor: same key and names, new dates",
        options: &[&DIR, &WITHIN, &DAYS, &PASS_PHRASE_FILE],
        operands: Operands::Any,
        run: make::renew,
    },
    CommandDefinition {
        name: "revoke",
        synopsis: "NAME|FILE...",
        does: "take back what a host or user has, or one certificate or key",
        options: &[&DIR, &PASS_PHRASE_FILE],
        operands: Operands::Some,
        run: make::revoke,
    },
    CommandDefinition {
        name: "lines",
        synopsis: "[NAME] [--only FOR]",
        does: "print again what to paste where: the authorities' lines, or those of a host or user",
        options: &[&DIR, &ONLY],
        operands: Operands::Maybe,
        run: lines::print,
    },
    CommandDefinition {
        name: "list",
        synopsis: "[--json]",
        does: "show who has which certificates and keys, and until when",
        options: &[&DIR, &JSON],
        operands: Operands::None,
        run: show::list,
    },
    CommandDefinition {
        name: "show",
        synopsis: "FILE|DIR... [--json]",
        does: "say what files are: for whom, by whom, until when, and their fingerprints",
        options: &[&DIR, &JSON],
        operands: Operands::Some,
        run: show::show,
    },
];

/// What is to be done.
pub(crate) enum Parsed {
    Help(Option<&'static CommandDefinition>),
    Version,
    Run(&'static CommandDefinition, Box<Given>),
}

/// What a command line says.
#[derive(Debug, Default)]
pub(crate) struct Given {
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
    pub(crate) pass_phrase: PassPhrase,
    pub(crate) json: bool,
    pub(crate) only: Option<lines::For>,
    pub(crate) out: Option<PathBuf>,
    pub(crate) operands: Vec<OsString>,
}

impl Given {
    /// The operands as paths.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.operands.iter().map(Path::new)
    }

    /// The first operand as text.
    pub(crate) fn operand(&self) -> Option<String> {
        self.operands.first().map(|operand| operand.to_string_lossy().into_owned())
    }

    /// Whether certificates of X.509 are wanted, and whether SSH keys are.
    pub(crate) fn kinds(&self) -> (bool, bool) {
        if self.tls || self.ssh { (self.tls, self.ssh) } else { (true, true) }
    }
}

/// Reads the command line, without the program's name.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Parsed, UsageError> {
    let mut words = words.into_iter();
    let command = words.next().map(|word| word.to_string_lossy().into_owned());
    let command = match command.as_deref() {
        None | Some("-h" | "--help" | "help") => return Ok(Parsed::Help(None)),
        Some("-V" | "--version" | "version") => return Ok(Parsed::Version),
        Some(name) => COMMANDS.iter().find(|command| command.name == name).ok_or(name),
    };
    let command = command.map_err(|name| UsageError::NoCommand(name.to_owned()))?;
    let (mut given, mut only_operands) = (Given::default(), false);
    while let Some(word) = words.next() {
        let text = word.to_string_lossy().into_owned();
        match &*text {
            _ if only_operands => given.operands.push(word),
            "--" => only_operands = true,
            "-h" | "--help" => return Ok(Parsed::Help(Some(command))),
            option if option.starts_with('-') && option.len() > 1 => {
                take(command, &mut given, option, &mut words)?;
            }
            _ => given.operands.push(word),
        }
    }
    let wrong = match (command.operands, given.operands.as_slice()) {
        (Operands::One | Operands::Some, []) => {
            Some(UsageError::Missing(command.name, command.synopsis.split(" [").next().unwrap_or_default()))
        }
        (Operands::None, [extra, ..]) | (Operands::One | Operands::Maybe, [_, extra, ..]) => {
            Some(UsageError::Extra(command.name, extra.to_string_lossy().into_owned()))
        }
        _ => None,
    };
    wrong.map_or(Ok(Parsed::Run(command, Box::new(given))), Err)
}

/// What `--help` prints: of everything, or of one command.
pub(crate) fn help(command: Option<&CommandDefinition>) -> String {
    let mut text = String::new();
    match command {
        None => {
            text += &format!("Usage: portreeve keys COMMAND ...\n\n{DOES}\n\n");
            let row = |command: &'static CommandDefinition| {
                (format!("{} {}", command.name, command.synopsis), command.does)
            };
            for (written, does) in COMMANDS.iter().map(row) {
                text += &format!("  {written}\n      {does}\n");
            }
            text += &format!("\n{WHERE}\n`portreeve keys COMMAND --help` lists a command's options.\n");
        }
        Some(command) => {
            text += &format!(
                "Usage: portreeve keys {} {}\n\n{}\n\n",
                command.name, command.synopsis, command.does
            );
            let flags = command.options.iter().map(|option| option.flag).chain(ASKING);
            text += &usage::table(flags.map(|flag| (flag.written(), flag.does)));
        }
    }
    text
}

/// One option, and its value where it has one.
fn take(
    command: &'static CommandDefinition,
    given: &mut Given,
    written: &str,
    rest: &mut impl Iterator<Item = OsString>,
) -> Result<(), UsageError> {
    let (name, attached) = match written.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (written, None),
    };
    let is = |option: &&&Opt| option.flag.names().iter().any(|known| known == name);
    let Some(option) = command.options.iter().find(is) else {
        return Err(UsageError::NoOption(command.name, name.to_owned()));
    };
    let value = match (option.flag.value, attached) {
        (None, Some(value)) => return Err(UsageError::Bad(option.flag, value)),
        (None, None) => String::new(),
        (Some(_), Some(value)) => value,
        (Some(_), None) => {
            let word = rest.next().ok_or(UsageError::Bad(option.flag, String::new()))?;
            word.to_string_lossy().into_owned()
        }
    };
    (option.take)(given, &value).ok_or(UsageError::Bad(option.flag, value))
}

pub(crate) const DOES: &str = "Makes certificates and keys, signs and revokes those of others, shows what files are, and prints the lines\n\
     that the other end needs in its configuration.";
pub(crate) const WHERE: &str =
    "Everything lies in ~/.config/portreeve/keys, or in the folder that --dir names, for its owner alone.";

#[cfg(test)]
mod tests;
