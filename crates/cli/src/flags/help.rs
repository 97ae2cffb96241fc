//! The usage and help texts, generated from the flag definitions.

use std::fmt::Write;

use portreeve_usage::format_row;

use super::{Flag, FlagGroup, application, application::LetterValue, output_letters, table};
use crate::{environment::Variable, external, verb::Verb};

/// Returns the synopsis of a verb in one line.
pub(crate) fn synopsis(verb: Verb, program: &str) -> String {
    format!("USAGE: {program} [OPTIONS] {}\n", verb.operands())
}

/// Returns the full help of a verb: the synopsis and every flag.
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
        for variable in Variable::of(verb) {
            out += &format_row(INDENT, variable.name(), NAME_WIDTH, variable.help());
        }
    }
    out
}

/// Returns the explanation of a verb's operands, if it has any.
pub(crate) fn appendix(verb: Verb) -> &'static str {
    match verb {
        Verb::Set => SET_TYPES,
        Verb::Trap | Verb::Inform => TRAP_PARAMETERS,
        Verb::Usm => USM_COMMANDS,
        Verb::Vacm => VACM_COMMANDS,
        _ => "",
    }
}

/// The synopsis of `portreeve` without a verb.
pub(crate) const OVERVIEW_SYNOPSIS: &str = "USAGE: portreeve VERB [OPTIONS] ...\n";

/// Returns the help of `portreeve` without a verb.
pub(crate) fn overview() -> String {
    let verbs = Verb::ALL.into_iter().map(|verb| (verb.name().to_owned(), verb.summary()));
    let programs = external::PROGRAMS.into_iter().map(|(name, summary)| (name.to_owned(), summary));
    let rows = portreeve_usage::format_table(verbs.chain(programs));
    format!(
        "{OVERVIEW_SYNOPSIS}\n{rows}\n\
         AGENT is ssh://USER@HOST, tls:HOST, dtls:HOST, udp:HOST or tcp:HOST, optionally\n\
         followed by :PORT, or unix:PATH.\n\
         Run `portreeve VERB --help` for help on a verb. When called as snmpget,\n\
         snmpwalk and so on, the program behaves as that command.\n"
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

/// Number of spaces before a flag.
const INDENT: usize = 2;
/// Width of the column of flags.
const NAME_WIDTH: usize = 21;
/// Number of spaces before a letter, so that letters are below the help text of their flag.
const LETTER_INDENT: usize = 25;
const LETTER_WIDTH: usize = 5;
const SET_TYPES: &str = "
  TYPE: one of i, u, t, a, o, s, x, d, b, n, c, C, =
    i: INTEGER, u: unsigned INTEGER, t: TIMETICKS, a: IPADDRESS
    o: OBJID, s: STRING, x: HEX STRING, d: DECIMAL STRING, b: BITS
    U: unsigned int64, I: signed int64, F: float, D: double
    n: NULL, c: Counter32, C: Counter64, =: the object's own type

";
const TRAP_PARAMETERS: &str = "
  TRAP-PARAMETERS, for SNMPv2c and SNMPv3:
    UPTIME TRAP-OID [OID TYPE VALUE]...
  TRAP-PARAMETERS, for traps of SNMPv1:
    ENTERPRISE-OID ADDRESS GENERIC SPECIFIC UPTIME [OID TYPE VALUE]...
  UPTIME is in hundredths of a second. If it is empty, it is the
  uptime of this machine. An empty ADDRESS is that of this machine,
  and an empty ENTERPRISE-OID is 1.3.6.1.4.1.3.1.1.
  With --via-daemon, there is no RECEIVER, the TRAP-PARAMETERS are
  those for SNMPv2c and SNMPv3, and an empty UPTIME is the sysUpTime
  of portreeved.

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
