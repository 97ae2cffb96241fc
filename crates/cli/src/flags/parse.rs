//! Parses the command line like getopt: attached or separate values, several letters in one word,
//! flags before and after operands. Only `set` stops at the first operand, because values may start
//! with a hyphen.

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
};

use super::{Action, Flag, FlagName, Settings, application, table};
use crate::{command_error::CommandError, snmp_conf::set_directive, verb::Verb};

/// Parses all words after the verb. Returns the settings and the operands in order.
pub(crate) fn parse(
    verb: Verb,
    program: &str,
    words: impl Iterator<Item = OsString>,
) -> Result<(Settings, Vec<OsString>), CommandError> {
    let words: Vec<OsString> = words.collect();
    let host = find_host(verb, program, &words);
    let settings = Settings::for_verb(verb, host.as_deref());
    let mut parser =
        Parser { verb, program, settings, is_dry_run: false, given: Vec::new(), words: words.into_iter() };
    let mut operands = parser.parse_all()?;
    if verb.sends_notifications() {
        table::check_combination(&parser.given).map_err(CommandError::from_flag)?;
    }
    if let (Some(operand), Some(transport)) = (operands.first_mut(), parser.settings.host_transport.take()) {
        *operand = transport.into();
    }
    Ok((parser.settings, operands))
}

/// Finds the host before any flag is applied, because the host's file sets defaults that flags
/// override. Errors are reported later, when the flags are applied.
fn find_host(verb: Verb, program: &str, words: &[OsString]) -> Option<String> {
    if verb == Verb::Translate {
        return None;
    }
    let words = words.iter().cloned();
    let mut parser =
        Parser { verb, program, settings: Settings::default(), is_dry_run: true, given: Vec::new(), words };
    let operands = parser.parse_all().ok()?;
    let has_host = !parser.given.contains(&table::DAEMON_FLAG);
    operands.into_iter().next().filter(|_| has_host)?.into_string().ok()
}

struct Parser<'p, W> {
    verb: Verb,
    program: &'p str,
    settings: Settings,
    /// True if flags are parsed but not applied, so that files and descriptors are read only once.
    is_dry_run: bool,
    /// The flags so far.
    given: Vec<FlagName>,
    words: W,
}

impl<W: Iterator<Item = OsString>> Parser<'_, W> {
    /// Parses all words and returns the operands.
    fn parse_all(&mut self) -> Result<Vec<OsString>, CommandError> {
        let mut operands = Vec::new();
        while let Some(word) = self.words.next() {
            match word.as_bytes() {
                b"--" => {
                    operands.extend(self.words.by_ref());
                }
                [b'-', b'-', long @ ..] => self.parse_long(OsStr::from_bytes(long))?,
                [b'-', letters @ ..] if !letters.is_empty() => self.parse_short(letters)?,
                _ => {
                    operands.push(word);
                    if self.verb == Verb::Set || self.verb.sends_notifications() {
                        operands.extend(self.words.by_ref());
                    }
                }
            }
        }
        Ok(operands)
    }

    /// Parses `--name`, `--name=value` or `--name value`.
    fn parse_long(&mut self, option: &OsStr) -> Result<(), CommandError> {
        let mut halves = option.as_bytes().splitn(2, |octet| *octet == b'=');
        let name = halves.next().unwrap_or_default();
        let attached = halves.next().map(OsStr::from_bytes);
        let Some(flag) = self.find_flag(|flag| flag.name.long().is_some_and(|long| long.as_bytes() == name))
        else {
            let name = String::from_utf8_lossy(name);
            if self.is_classic() && self.is_dry_run {
                return Ok(());
            }
            if self.is_classic() {
                let value = attached.unwrap_or_default().to_string_lossy();
                return set_directive(&mut self.settings, &name, &value)
                    .map_err(|why| CommandError::Usage(format!("{}: --{name}: {why}", self.program)));
            }
            return Err(CommandError::Usage(format!("{}: unrecognized option '--{name}'", self.program)));
        };
        let value = match (flag.value, attached) {
            (None, None) => OsString::new(),
            (None, Some(_)) => {
                let name = String::from_utf8_lossy(name);
                return Err(CommandError::Usage(format!(
                    "{}: option '--{name}' doesn't allow an argument",
                    self.program
                )));
            }
            (Some(_), Some(value)) => value.to_owned(),
            (Some(_), None) => self.next_word(&format!("option '--{}'", String::from_utf8_lossy(name)))?,
        };
        self.apply(flag, &value)
    }

    /// Parses `-q`, `-v2c`, `-v 2c`, and several letters in one word.
    fn parse_short(&mut self, mut letters: &[u8]) -> Result<(), CommandError> {
        while let Some((letter, rest)) = letters.split_first() {
            let letter = char::from(*letter);
            let Some(flag) = self.find_flag(|flag| flag.name.short() == Some(letter)) else {
                return Err(CommandError::Usage(format!("{}: invalid option -- '{letter}'", self.program)));
            };
            if flag.value.is_none() {
                self.apply(flag, OsStr::new(""))?;
                letters = rest;
                continue;
            }
            let value = match rest {
                [] => self.next_word(&format!("option -- '{letter}'"))?,
                attached => OsString::from_vec(attached.to_vec()),
            };
            return self.apply(flag, &value);
        }
        Ok(())
    }

    /// Returns true if the program was called by its Net-SNMP name; `--name=value` is then a
    /// directive of `snmp.conf`.
    fn is_classic(&self) -> bool {
        self.program == self.verb.classic_name()
    }

    fn find_flag(&self, matches: impl Fn(&Flag) -> bool) -> Option<&'static Flag> {
        table::all().find(|flag| flag.verbs.contains(&self.verb) && matches(flag))
    }

    fn next_word(&mut self, what: &str) -> Result<OsString, CommandError> {
        self.words.next().ok_or_else(|| {
            let (program, what) = (self.program, what.replacen("option", "option requires an argument", 1));
            CommandError::Usage(format!("{program}: {what}"))
        })
    }

    fn apply(&mut self, flag: &Flag, value: &OsStr) -> Result<(), CommandError> {
        self.given.push(flag.name);
        let result = match flag.action {
            Action::Apply(_) if self.is_dry_run => Ok(()),
            Action::Apply(apply) => apply(&mut self.settings, value),
            Action::ApplyWithNext(apply) => {
                let words = &mut self.words;
                let mut next_word = || words.next().map(|word| word.to_string_lossy().into_owned());
                apply(&mut self.settings, &value.to_string_lossy(), &mut next_word)
            }
            Action::ApplicationLetters => {
                let (words, verb) = (&mut self.words, self.verb);
                let next_word = || words.next().map(|word| word.to_string_lossy().into_owned());
                application::apply(&mut self.settings, verb, &value.to_string_lossy(), next_word)
            }
        };
        result.map_err(CommandError::from_flag)
    }
}
