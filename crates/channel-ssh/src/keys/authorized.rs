//! The format of authorized_keys (sshd(8)): one key a line, with options before it.
//!
//! A line that cannot be kept is set aside with its reason and the others count. What the options mean for a peer is decided
//! where it logs in.

use std::fmt;

use russh::keys::PublicKey;

use super::{
    KeyData,
    options::{KeyOptions, OptionProblem},
};

/// The keys of one user.
#[derive(Clone, Debug, Default)]
pub struct AuthorizedKeys {
    /// In the file's order.
    pub keys: Vec<AuthorizedKey>,
    /// Lines that do not count, and why.
    pub refused: Vec<RefusedLine>,
}

impl AuthorizedKeys {
    /// Reads a file's text. At most [`MOST_LINES`](Self::MOST_LINES) lines count; the others are refused with one word.
    pub fn parse(text: &str) -> Self {
        let mut parsed = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            if number > Self::MOST_LINES {
                parsed.refused.push(RefusedLine { line: number, problem: LineProblem::TooMany });
                break;
            }
            let line_text = line.trim_matches([' ', '\t', '\r']);
            if line_text.is_empty() || line_text.starts_with('#') {
                continue;
            }
            match AuthorizedKey::parse(number, line_text) {
                Ok(key) => parsed.keys.push(key),
                Err(problem) => parsed.refused.push(RefusedLine { line: number, problem }),
            }
        }
        parsed
    }

    /// Lines of a file that count.
    pub const MOST_LINES: usize = 10_000;
}

/// A key, and what restricts its use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorizedKey {
    /// Where it stands, counted from 1.
    pub line: usize,
    /// The key.
    pub key: KeyData,
    /// What restricts it.
    pub options: KeyOptions,
}

impl AuthorizedKey {
    fn parse(line: usize, text: &str) -> Result<Self, LineProblem> {
        if text.len() > LONGEST_LINE {
            return Err(LineProblem::TooLong);
        }
        let (options, key) = if starts_with_key(text) {
            (KeyOptions::default(), text)
        } else {
            let (options, key) = split_options(text).ok_or(LineProblem::NoKey)?;
            if !starts_with_key(key) {
                return Err(LineProblem::NoKey);
            }
            (KeyOptions::parse(options).map_err(LineProblem::Option)?, key)
        };
        let key = PublicKey::from_openssh(&without_comment(key)).map_err(|_| LineProblem::NoKey)?;
        Ok(Self { line, key: key.key_data().clone(), options })
    }
}

/// A line that does not count. Shows itself as a clause for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedLine {
    /// Which one, counted from 1.
    pub line: usize,
    problem: LineProblem,
}

impl fmt::Display for RefusedLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.problem {
            LineProblem::TooLong => write!(f, "longer than {LONGEST_LINE} octets"),
            LineProblem::TooMany => f.write_str("this and all that follow are too many"),
            LineProblem::NoKey => f.write_str("no public key of a known kind"),
            LineProblem::Option(problem) => write!(f, "the key is refused because {problem}"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum LineProblem {
    TooLong,
    TooMany,
    NoKey,
    Option(OptionProblem),
}

/// Whether the line's first word names a kind of key.
fn starts_with_key(text: &str) -> bool {
    let word = text.split([' ', '\t']).next().unwrap_or_default();
    KINDS.contains(&word)
}

/// Options, and what follows the first blank that is in no quotes.
fn split_options(text: &str) -> Option<(&str, &str)> {
    let (mut quoted, mut escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' if !escaped => quoted = !quoted,
            b' ' | b'\t' if !quoted => {
                return Some((text.get(..at)?, text.get(at..)?.trim_start_matches([' ', '\t'])));
            }
            _ => {}
        }
        escaped = byte == b'\\';
    }
    None
}

/// Kind and key: a comment may have anything in it.
fn without_comment(key: &str) -> String {
    let mut words = key.split([' ', '\t']).filter(|word| !word.is_empty());
    format!("{} {}", words.next().unwrap_or_default(), words.next().unwrap_or_default())
}

/// The kinds of keys that are taken: DSA is not among them.
const KINDS: [&str; 7] = [
    "ssh-ed25519",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "ssh-rsa",
    "sk-ssh-ed25519@openssh.com",
    "sk-ecdsa-sha2-nistp256@openssh.com",
];
/// Octets of a line.
const LONGEST_LINE: usize = 16 * 1024;

#[cfg(test)]
mod tests;
