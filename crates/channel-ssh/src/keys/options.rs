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
    pub expires_at: Option<u64>,
    /// `cert-authority`: it does not log in itself, but signs certificates that do.
    pub is_authority: bool,
    /// `principals=`: of an authority's certificates, those with one of these; the user's name, if nothing is said.
    pub principals: Option<Vec<String>>,
}

impl KeyOptions {
    /// Reads options parted by commas.
    pub(super) fn parse(mut text: &str) -> Result<Self, KeyOptionError> {
        let mut options = Self::default();
        loop {
            let end = text.find(['=', ',']).unwrap_or(text.len());
            let (name, rest) = text.split_at_checked(end).unwrap_or((text, ""));
            let (value, rest) = match rest.strip_prefix("=\"") {
                Some(quoted) => unquote(quoted).map(|(value, rest)| (Some(value), rest))?,
                None => (None, rest),
            };
            options.apply(name, value)?;
            match rest.strip_prefix(',') {
                Some(more) => text = more,
                None if rest.is_empty() => return Ok(options),
                None => return Err(KeyOptionError::Syntax),
            }
        }
    }

    fn apply(&mut self, name: &str, value: Option<String>) -> Result<(), KeyOptionError> {
        let lower = name.to_ascii_lowercase();
        match (lower.as_str(), value) {
            ("from", Some(value)) => {
                let list = AddressList::parse(&value).map_err(|_| KeyOptionError::InvalidValue("from"))?;
                set(&mut self.from, list, "from")
            }
            ("expiry-time", Some(value)) => {
                let time = expiry::parse(&value).ok_or(KeyOptionError::InvalidValue("expiry-time"))?;
                // Said twice, the earlier one holds.
                self.expires_at = Some(self.expires_at.map_or(time, |before| before.min(time)));
                Ok(())
            }
            ("principals", Some(value)) => {
                let names: Vec<_> = value.split(',').map(str::to_owned).collect();
                if names.iter().any(String::is_empty) {
                    return Err(KeyOptionError::InvalidValue("principals"));
                }
                set(&mut self.principals, names, "principals")
            }
            ("cert-authority", None) => {
                self.is_authority = true;
                Ok(())
            }
            (known, None) if NO_EFFECT.contains(&known) => Ok(()),
            (known @ ("command" | "environment"), _) => Err(KeyOptionError::Unsupported(known.to_owned())),
            _ => Err(KeyOptionError::Unsupported(name.chars().take(MAX_REPORTED_NAME_LEN).collect())),
        }
    }
}

/// Why a line's options cannot be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyOptionError {
    /// No list of options.
    Syntax,
    /// An option whose value makes no sense.
    InvalidValue(&'static str),
    /// An option said twice.
    Duplicate(&'static str),
    /// An option that does not exist here.
    Unsupported(String),
}

impl fmt::Display for KeyOptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax => f.write_str("its options cannot be read"),
            Self::InvalidValue(name) => write!(f, "the value of its option {name} makes no sense"),
            Self::Duplicate(name) => write!(f, "its option {name} is there twice"),
            Self::Unsupported(name) => write!(f, "its option {:?} is none that can be kept here", name),
        }
    }
}

fn set<T>(slot: &mut Option<T>, value: T, name: &'static str) -> Result<(), KeyOptionError> {
    if slot.replace(value).is_some() {
        return Err(KeyOptionError::Duplicate(name));
    }
    Ok(())
}

/// A value up to its closing quote, and what follows. `\"` is a quote.
fn unquote(text: &str) -> Result<(String, &str), KeyOptionError> {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, character)) = chars.next() {
        match character {
            '"' => return Ok((value, text.get(at + 1..).unwrap_or_default())),
            '\\' if text.get(at + 1..).is_some_and(|rest| rest.starts_with('"')) => {
                chars.next();
                value.push('"');
            }
            other => value.push(other),
        }
    }
    Err(KeyOptionError::Syntax)
}

/// Options that take away, or give back, what nobody has here.
const NO_EFFECT: [&str; 11] = [
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
const MAX_REPORTED_NAME_LEN: usize = 32;
