//! Usage and help, derived from the tables.

use std::fmt::Write;

use portreeve_usage::format_row;

use super::{Flag, FlagGroup, application, application::LetterValue, output_letters, table};
use crate::{environment::Variable, external, verb::Verb};

/// How a verb is used, in one line.
pub(crate) fn synopsis(verb: Verb, program: &str) -> String {
    format!("USAGE: {program} [OPTIONS] {}\n", verb.operands())
}

/// The same, then every flag it takes.
pub(crate) fn usage(verb: Verb, program: &str) -> String {
    let mut out = synopsis(verb, program) + "\n";
    push_line(&mut out, &format!("  Version:  {}\n", env!("CARGO_PKG_VERSION")));
    for group in FlagGroup::ALL {
        let mut flags =
            table::all().filter(|flag| flag.group == group && flag.verbs.contains(&verb)).peekable();
        if flags.peek().is_some() {
            push_line(&mut out, group.heading());
        }
        for flag in flags {
            push_flag(&mut out, flag, verb);
        }
    }
    out += appendix(verb);
    if verb != Verb::Translate {
        push_line(&mut out, "Environment");
        for variable in Variable::ALL {
            out += &format_row(INDENT, variable.name(), NAME_WIDTH, variable.help());
        }
    }
    out
}

/// What a verb's operands are made of, where that needs more than a word.
pub(crate) fn appendix(verb: Verb) -> &'static str {
    match verb {
        Verb::Set => SET_TYPES,
        Verb::Usm => USM_COMMANDS,
        Verb::Vacm => VACM_COMMANDS,
        _ => "",
    }
}

/// How `portreeve` alone is used, in one line.
pub(crate) const OVERVIEW_SYNOPSIS: &str = "USAGE: portreeve VERB [OPTIONS] ...\n";

/// What `portreeve` alone says.
pub(crate) fn overview() -> String {
    let verbs = Verb::ALL.into_iter().map(|verb| (verb.name().to_owned(), verb.summary()));
    let programs = external::PROGRAMS.into_iter().map(|(name, summary)| (name.to_owned(), summary));
    let rows = portreeve_usage::format_table(verbs.chain(programs));
    format!(
        "{OVERVIEW_SYNOPSIS}\n{rows}\n\
         AGENT is ssh://USER@HOST, tls:HOST, dtls:HOST, udp:HOST or tcp:HOST, with :PORT\n\
         behind it where that is another.\n\
         `portreeve VERB --help` explains a verb. Called as snmpget, snmpwalk and so\n\
         on it is that command.\n"
    )
}

fn push_flag(out: &mut String, flag: &Flag, verb: Verb) {
    let mut name = match (flag.name.short(), flag.name.long()) {
        (Some(letter), Some(word)) => format!("-{letter}, --{word}"),
        (Some(letter), None) => format!("-{letter}"),
        (None, word) => format!("--{}", word.unwrap_or_default()),
    };
    if let Some(value) = flag.value {
        name = format!("{name} {value}");
    }
    *out += &format_row(INDENT, &name, NAME_WIDTH, flag.help);
    match flag.name.short() {
        Some('O') => {
            for (letter, help) in output_letters::LETTERS {
                *out += &format_row(LETTER_INDENT, &letter.to_string(), LETTER_WIDTH, help);
            }
        }
        Some('C') => {
            for letter in application::letters(verb) {
                let value = match letter.value {
                    LetterValue::None => String::new(),
                    LetterValue::Number => "NUM".to_owned(),
                    LetterValue::NextWord(name) | LetterValue::Word(name) => format!(" {name}"),
                };
                *out += &format_row(
                    LETTER_INDENT,
                    &format!("{}{value}", letter.letter),
                    LETTER_WIDTH,
                    letter.help,
                );
            }
        }
        _ => {}
    }
}

fn push_line(out: &mut String, text: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "{text}");
}

/// Blanks before a flag, and the width of its column.
const INDENT: usize = 2;
const NAME_WIDTH: usize = 21;
/// Below what their flag does.
const LETTER_INDENT: usize = 25;
const LETTER_WIDTH: usize = 5;
const SET_TYPES: &str = "
  TYPE: one of i, u, t, a, o, s, x, d, b, n, c, C, =
    i: INTEGER, u: unsigned INTEGER, t: TIMETICKS, a: IPADDRESS
    o: OBJID, s: STRING, x: HEX STRING, d: DECIMAL STRING, b: BITS
    U: unsigned int64, I: signed int64, F: float, D: double
    n: NULL, c: Counter32, C: Counter64, =: the object's own type

";
const USM_COMMANDS: &str = "
  COMMAND: one of
    create USER [CLONEFROM-USER]
    delete USER
    activate USER
    deactivate USER
    cloneFrom USER CLONEFROM-USER
    passwd OLD-PASSPHRASE NEW-PASSPHRASE [USER]

";
const VACM_COMMANDS: &str = "
  COMMAND: one of
    createAccess GROUPNAME [CONTEXTPREFIX] SECURITYMODEL SECURITYLEVEL
        CONTEXTMATCH READVIEW WRITEVIEW NOTIFYVIEW
    deleteAccess GROUPNAME [CONTEXTPREFIX] SECURITYMODEL SECURITYLEVEL
    createSec2Group MODEL SECURITYNAME GROUPNAME
    deleteSec2Group MODEL SECURITYNAME
    createView NAME SUBTREE [MASK]
    deleteView NAME SUBTREE

";
