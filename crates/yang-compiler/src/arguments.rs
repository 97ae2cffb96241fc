//! The command line. Each command is defined once in [`COMMANDS`], and lists its options.

use std::{ffi::OsString, fmt, path::PathBuf};

use portreeve_usage::{self as usage, Flag};

use crate::CompileRequest;

/// A parsed command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Parsed {
    Help,
    Version,
    /// Compile modules and write the schema to a file.
    Compile(CompileRequest, PathBuf),
    /// Compile modules and print the schema.
    Check(CompileRequest),
    /// Print a schema file.
    Show(PathBuf),
}

/// The definition of a command.
pub(crate) struct CommandDefinition {
    pub(crate) name: &'static str,
    /// The operands and options of the command, as printed after its name in `--help`.
    pub(crate) synopsis: &'static str,
    pub(crate) help: &'static str,
    pub(crate) options: &'static [Flag],
}

/// Parses the command line without the program's name.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Parsed, UsageError> {
    let mut words = words.into_iter();
    let Some(command) = words.next() else { return Ok(Parsed::Help) };
    match &*command.to_string_lossy() {
        "-h" | "--help" | "help" => Ok(Parsed::Help),
        "-V" | "--version" | "version" => Ok(Parsed::Version),
        "compile" => parse_compile(&COMPILE, words),
        "check" => parse_compile(&CHECK, words),
        "show" => parse_show(words),
        name => Err(UsageError::UnknownCommand(name.to_owned())),
    }
}

/// Parses the arguments of `compile` or `check`.
fn parse_compile(
    command: &CommandDefinition,
    mut words: impl Iterator<Item = OsString>,
) -> Result<Parsed, UsageError> {
    let (mut request, mut out) = (CompileRequest::default(), None);
    let mut only_operands = false;
    while let Some(word) = words.next() {
        let text = text(word)?;
        if only_operands || !text.starts_with('-') || text == "-" {
            request.modules.push(text);
            continue;
        }
        let (name, attached) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (&*text, None),
        };
        match name {
            "--" => {
                only_operands = true;
                continue;
            }
            "-h" | "--help" => return Ok(Parsed::Help),
            _ => {}
        }
        let is = |flag: &&Flag| flag.names().iter().any(|known| known == name);
        let flag =
            command.options.iter().find(is).ok_or_else(|| UsageError::UnknownOption(name.to_owned()))?;
        if flag.value.is_none() && attached.is_none() {
            request.shipped = true;
            continue;
        }
        let value = match attached {
            Some(value) => value,
            None => words.next().map(self::text).transpose()?.ok_or(UsageError::NoValue(*flag))?,
        };
        if value.is_empty() || flag.value.is_none() {
            return Err(UsageError::InvalidValue(*flag, value));
        }
        match flag.long {
            Some("out") => out = Some(value.into()),
            Some("path") => request.directories.push(value.into()),
            _ => request.features.push(parse_features(&value).ok_or(UsageError::InvalidValue(*flag, value))?),
        }
    }
    if request.modules.is_empty() && !request.shipped {
        return Err(UsageError::Missing("MODULE"));
    }
    match out {
        Some(out) => Ok(Parsed::Compile(request, out)),
        None if command.options.contains(&OUT) => Err(UsageError::Missing("--out FILE")),
        None => Ok(Parsed::Check(request)),
    }
}

fn parse_show(words: impl Iterator<Item = OsString>) -> Result<Parsed, UsageError> {
    let mut file = None;
    let mut only_operands = false;
    for word in words {
        let shown = word.to_string_lossy().into_owned();
        match &*shown {
            "--" if !only_operands => only_operands = true,
            "-h" | "--help" if !only_operands => return Ok(Parsed::Help),
            option if !only_operands && option.starts_with('-') => {
                return Err(UsageError::UnknownOption(shown));
            }
            _ if file.is_some() => return Err(UsageError::Unexpected(shown)),
            _ => file = Some(PathBuf::from(word)),
        }
    }
    file.map(Parsed::Show).ok_or(UsageError::Missing("FILE"))
}

/// Parses `MODULE:FEATURE,FEATURE`; no feature is possible.
fn parse_features(value: &str) -> Option<(String, Vec<String>)> {
    let (module, features) = value.split_once(':')?;
    let features: Vec<_> =
        features.split(',').filter(|feature| !feature.is_empty()).map(str::to_owned).collect();
    (!module.is_empty()).then(|| (module.to_owned(), features))
}

fn text(word: OsString) -> Result<String, UsageError> {
    word.into_string().map_err(|word| UsageError::NotText(word.to_string_lossy().into_owned()))
}

/// Returns the text of `--help`.
pub(crate) fn help() -> String {
    let mut text = format!("Usage: portreeve yang COMMAND ...\n\n{SUMMARY}\n\n");
    for command in COMMANDS {
        let written = format!("{} {}", command.name, command.synopsis);
        text += &usage::format_row(2, &written, 2, command.help);
    }
    text += "\nOptions:\n";
    let options = COMPILE.options.iter().chain(&HELP_OPTIONS);
    text += &usage::format_table(options.map(|flag| (flag.syntax(), flag.help)));
    text.push('\n');
    text += &usage::format_row(0, "", 0, MODULE_HELP);
    text
}

/// An invalid command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum UsageError {
    UnknownCommand(String),
    UnknownOption(String),
    InvalidValue(Flag, String),
    /// The command line ends after an option that has a value.
    NoValue(Flag),
    /// A required option or operand is missing.
    Missing(&'static str),
    Unexpected(String),
    NotText(String),
}

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCommand(name) => {
                write!(f, "unknown command `{}`: expected compile, check or show", name.escape_debug())
            }
            Self::UnknownOption(name) => write!(f, "unknown option `{}`", name.escape_debug()),
            Self::InvalidValue(flag, value) => {
                write!(f, "invalid value \"{}\" of `{}`", value.escape_debug(), flag.syntax())
            }
            Self::NoValue(flag) => write!(f, "the option `{}` needs a value", flag.syntax()),
            Self::Missing(what) => write!(f, "{what} is missing"),
            Self::Unexpected(word) => write!(f, "unexpected argument `{}`", word.escape_debug()),
            Self::NotText(word) => write!(f, "the argument `{}` is not UTF-8 text", word.escape_debug()),
        }
    }
}

pub(crate) const SUMMARY: &str = "Compiles YANG modules to a schema file.\nportreeved runs it for the modules that its configuration names.";
pub(crate) const MODULE_HELP: &str = "MODULE is the path of a file, which ends in `.yang` or contains a slash, or the \
     name of a module. Modules that are imported or given by name are searched for in the directories of \
     `--path`, then in those of the given files, and last among the modules of portreeved. With `--shipped`, \
     the modules of portreeved come first.";

/// All commands.
pub(crate) static COMMANDS: [&CommandDefinition; 3] = [&COMPILE, &CHECK, &SHOW];

static COMPILE: CommandDefinition = CommandDefinition {
    name: "compile",
    synopsis: "--out FILE [--shipped] [--path DIR]... [--features MODULE:FEATURE,...]... [MODULE]...",
    help: "compile modules, and write the schema to a file",
    options: &[OUT, SHIPPED, PATH, FEATURES],
};
static CHECK: CommandDefinition = CommandDefinition {
    name: "check",
    synopsis: "[--shipped] [--path DIR]... [--features MODULE:FEATURE,...]... [MODULE]...",
    help: "compile modules, and print the schema as `show` does",
    options: &[SHIPPED, PATH, FEATURES],
};
static SHOW: CommandDefinition = CommandDefinition {
    name: "show",
    synopsis: "FILE",
    help: "print the modules, the nodes, and the `must` and `when` statements of a schema file",
    options: &[],
};

const OUT: Flag = Flag::long(
    "out",
    "the schema file to write, or - for standard output; an existing file is replaced only after success",
)
.with_value("FILE");
const SHIPPED: Flag = Flag::long(
    "shipped",
    "add the modules of portreeved, such as ietf-netconf, and refuse what portreeved cannot serve",
);
const PATH: Flag =
    Flag::long("path", "a directory with modules; can be given several times, earlier ones take precedence")
        .with_value("DIR");
const FEATURES: Flag = Flag::long(
    "features",
    "the features of MODULE to enable, none if the list is empty (default: all features)",
)
.with_value("MODULE:FEATURE,...");

/// Options that print information about the program.
pub(crate) static HELP_OPTIONS: [Flag; 2] =
    [Flag::both('h', "help", "print this help"), Flag::both('V', "version", "print the version")];

#[cfg(test)]
mod tests;
