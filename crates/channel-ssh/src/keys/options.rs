//! Key options in authorized_keys (see sshd(8)).
//!
//! Options that restrict who may use the key are applied. Options that only disable features that
//! do not exist here are accepted without effect. Any other option rejects the key, because its
//! restriction could not be enforced.

use std::fmt;

use super::{addresses::AddressList, expiry};

/// Restrictions on the use of a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyOptions {
    /// `from=`: allowed source addresses; all if absent.
    pub from: Option<AddressList>,
    /// `expiry-time=`: time in seconds since 1970 after which the key is invalid.
    pub expires_at: Option<u64>,
    /// `cert-authority`: the key cannot log in itself, but signs certificates that can.
    pub is_authority: bool,
    /// `principals=`: a certificate of this authority must contain one of these names, or the
    /// user's name if the option is absent.
    pub principals: Option<Vec<String>>,
}

impl KeyOptions {
    /// Parses comma-separated options.
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
                // If given twice, the earlier time applies.
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

/// Error for options that cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyOptionError {
    /// The text is not a valid list of options.
    Syntax,
    /// The option of this name has an invalid value.
    InvalidValue(&'static str),
    /// The option of this name occurs twice.
    Duplicate(&'static str),
    /// The option of this name is not supported.
    Unsupported(String),
}

impl fmt::Display for KeyOptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax => f.write_str("the list of options is malformed"),
            Self::InvalidValue(name) => write!(f, "the value of the option {name} is invalid"),
            Self::Duplicate(name) => write!(f, "the option {name} is set twice"),
            Self::Unsupported(name) => write!(f, "the option {:?} is not supported", name),
        }
    }
}

fn set<T>(slot: &mut Option<T>, value: T, name: &'static str) -> Result<(), KeyOptionError> {
    if slot.replace(value).is_some() {
        return Err(KeyOptionError::Duplicate(name));
    }
    Ok(())
}

/// Returns the value up to its closing quote, and the remaining text. `\"` is a quote within the
/// value.
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

/// Options without effect: they disable or enable features that do not exist here.
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
/// Maximum number of characters of an unknown option's name in errors.
const MAX_REPORTED_NAME_LEN: usize = 32;
