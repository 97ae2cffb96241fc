//! Usage and help, derived from the tables.

use std::fmt::Write;

use super::{Flag, Group, application, application::Value, output_letters, table};
use crate::{environment::Variable, external, verb::Verb};

/// How a verb is used: one line, then every flag it takes.
pub(crate) fn usage(verb: Verb, program: &str) -> String {
    let mut out = format!("USAGE: {program} [OPTIONS] {}\n\n", verb.operands());
    line(&mut out, &format!("  Version:  {}\n", env!("CARGO_PKG_VERSION")));
    for group in Group::ALL {
        let mut flags =
            table::all().filter(|flag| flag.group == group && flag.verbs.contains(&verb)).peekable();
        if flags.peek().is_some() {
            line(&mut out, group.heading());
        }
        for flag in flags {
            explain(&mut out, flag, verb);
        }
    }
    out += appendix(verb);
    if verb != Verb::Translate {
        line(&mut out, "Environment");
        for variable in Variable::ALL {
            line(&mut out, &format!("  {}\t{}", variable.name(), variable.help()));
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

/// What `portreeve` alone says.
pub(crate) fn overview() -> String {
    let mut out = String::from("USAGE: portreeve VERB [OPTIONS] ...\n\n");
    for verb in Verb::ALL {
        line(&mut out, &format!("  {:<10} {}", verb.name(), verb.summary()));
    }
    for (name, summary) in external::PROGRAMS {
        line(&mut out, &format!("  {name:<10} {summary}"));
    }
    out + "\n`portreeve VERB --help` explains a verb. Called as snmpget, snmpwalk and so on it is that command.\n"
}

fn explain(out: &mut String, flag: &Flag, verb: Verb) {
    let mut name = match (flag.name.short(), flag.name.long()) {
        (Some(letter), Some(word)) => format!("-{letter}, --{word}"),
        (Some(letter), None) => format!("-{letter}"),
        (None, word) => format!("--{}", word.unwrap_or_default()),
    };
    if let Some(value) = flag.value {
        name = format!("{name} {value}");
    }
    line(out, &format!("  {name:<21} {}", flag.help));
    match flag.name.short() {
        Some('O') => {
            for (letter, help) in output_letters::LETTERS {
                line(out, &format!("{LETTER_INDENT}{letter}:  {help}"));
            }
        }
        Some('C') => {
            for letter in application::letters(verb) {
                let value = match letter.value {
                    Value::None => String::new(),
                    Value::Number => "NUM".to_owned(),
                    Value::NextWord(name) | Value::Word(name) => format!(" {name}"),
                };
                line(out, &format!("{LETTER_INDENT}{}{value}:  {}", letter.letter, letter.help));
            }
        }
        _ => {}
    }
}

fn line(out: &mut String, text: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "{text}");
}

const LETTER_INDENT: &str = "                          ";
const SET_TYPES: &str = "
  TYPE: one of i, u, t, a, o, s, x, d, b, n, c, C, =
\ti: INTEGER, u: unsigned INTEGER, t: TIMETICKS, a: IPADDRESS
\to: OBJID, s: STRING, x: HEX STRING, d: DECIMAL STRING, b: BITS
\tU: unsigned int64, I: signed int64, F: float, D: double
\tn: NULL, c: Counter32, C: Counter64, =: the object's own type

";
const USM_COMMANDS: &str = "
  COMMAND: one of
\tcreate USER [CLONEFROM-USER]
\tdelete USER
\tactivate USER
\tdeactivate USER
\tcloneFrom USER CLONEFROM-USER
\tpasswd OLD-PASSPHRASE NEW-PASSPHRASE [USER]

";
const VACM_COMMANDS: &str = "
  COMMAND: one of
\tcreateAccess GROUPNAME [CONTEXTPREFIX] SECURITYMODEL SECURITYLEVEL CONTEXTMATCH READVIEW WRITEVIEW NOTIFYVIEW
\tdeleteAccess GROUPNAME [CONTEXTPREFIX] SECURITYMODEL SECURITYLEVEL
\tcreateSec2Group MODEL SECURITYNAME GROUPNAME
\tdeleteSec2Group MODEL SECURITYNAME
\tcreateView NAME SUBTREE [MASK]
\tdeleteView NAME SUBTREE

";
