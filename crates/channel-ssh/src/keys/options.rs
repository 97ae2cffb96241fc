//! The options before a key in authorized_keys (sshd(8)).
//!
//! Those that say who may use the key are honoured. Those that only take away what does not exist here are met already.
//! Any other refuses the key: whoever wrote it meant a restriction that we would not keep.

use std::fmt;

use super::{addresses::AddressList, expiry};

/// What restricts a key's use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyOptions {
    /// `from=`: whence it may be used; from everywhere, if nothing is said.
    pub from: Option<AddressList>,
    /// `expiry-time=`: seconds since 1970 after which it may not be used.
    pub expires: Option<u64>,
    /// `cert-authority`: it does not log in itself, but signs certificates that do.
    pub authority: bool,
    /// `principals=`: of an authority's certificates, those with one of these; the user's name, if nothing is said.
    pub principals: Option<Vec<String>>,
}

impl KeyOptions {
    /// Reads options parted by commas.
    pub(super) fn parse(mut text: &str) -> Result<Self, OptionProblem> {
        let mut options = Self::default();
        loop {
            let end = text.find(['=', ',']).unwrap_or(text.len());
            let (name, rest) = text.split_at_checked(end).unwrap_or((text, ""));
            let (value, rest) = match rest.strip_prefix("=\"") {
                Some(quoted) => unquote(quoted).map(|(value, rest)| (Some(value), rest))?,
                None => (None, rest),
            };
            options.take(name, value)?;
            match rest.strip_prefix(',') {
                Some(more) => text = more,
                None if rest.is_empty() => return Ok(options),
                None => return Err(OptionProblem::Unreadable),
            }
        }
    }

    fn take(&mut self, name: &str, value: Option<String>) -> Result<(), OptionProblem> {
        let lower = name.to_ascii_lowercase();
        match (lower.as_str(), value) {
            ("from", Some(value)) => {
                let list = AddressList::parse(&value).map_err(|_| OptionProblem::Value("from"))?;
                set(&mut self.from, list, "from")
            }
            ("expiry-time", Some(value)) => {
                let time = expiry::parse(&value).ok_or(OptionProblem::Value("expiry-time"))?;
                // Said twice, the earlier one holds.
                self.expires = Some(self.expires.map_or(time, |before| before.min(time)));
                Ok(())
            }
            ("principals", Some(value)) => {
                let names: Vec<_> = value.split(',').map(str::to_owned).collect();
                if names.iter().any(String::is_empty) {
                    return Err(OptionProblem::Value("principals"));
                }
                set(&mut self.principals, names, "principals")
            }
            ("cert-authority", None) => {
                self.authority = true;
                Ok(())
            }
            (known, None) if MET.contains(&known) => Ok(()),
            (known @ ("command" | "environment"), _) => Err(OptionProblem::NotOurs(known.to_owned())),
            _ => Err(OptionProblem::NotOurs(name.chars().take(LONGEST_NAME).collect())),
        }
    }
}

/// Why a line's options cannot be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionProblem {
    /// No list of options.
    Unreadable,
    /// An option whose value makes no sense.
    Value(&'static str),
    /// An option said twice.
    Twice(&'static str),
    /// An option that does not exist here.
    NotOurs(String),
}

impl fmt::Display for OptionProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable => f.write_str("its options cannot be read"),
            Self::Value(name) => write!(f, "the value of its option {name} makes no sense"),
            Self::Twice(name) => write!(f, "its option {name} is there twice"),
            Self::NotOurs(name) => write!(f, "its option {:?} is none that can be kept here", name),
        }
    }
}

fn set<T>(slot: &mut Option<T>, value: T, name: &'static str) -> Result<(), OptionProblem> {
    if slot.replace(value).is_some() {
        return Err(OptionProblem::Twice(name));
    }
    Ok(())
}

/// A value up to its closing quote, and what follows. `\"` is a quote.
fn unquote(text: &str) -> Result<(String, &str), OptionProblem> {
    let mut value = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Ok((value, text.get(at + 1..).unwrap_or_default())),
            '\\' if text.get(at + 1..).is_some_and(|rest| rest.starts_with('"')) => {
                letters.next();
                value.push('"');
            }
            other => value.push(other),
        }
    }
    Err(OptionProblem::Unreadable)
}

/// Options that take away, or give back, what nobody has here.
const MET: [&str; 11] = [
    "restrict",
    "no-pty",
    "no-port-forwarding",
    "no-agent-forwarding",
    "no-x11-forwarding",
    "no-user-rc",
    "pty",
    "port-forwarding",
    "agent-forwarding",
    "x11-forwarding",
    "user-rc",
];
/// Letters of an unknown option's name that are told.
const LONGEST_NAME: usize = 32;
