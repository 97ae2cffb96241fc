//! The format of authorized_keys (sshd(8)): one key a line, with options before it.
//!
//! A line that cannot be kept is set aside with its reason and the others count. What the options mean for a peer is decided
//! where it logs in.

use std::fmt;

use russh::keys::PublicKey;

use super::{
    KeyData,
    options::{KeyOptionError, KeyOptions},
};

/// The keys of one user.
#[derive(Clone, Debug, Default)]
pub struct AuthorizedKeys {
    /// In the file's order.
    pub keys: Vec<AuthorizedKey>,
    /// Lines that do not count, and why.
    pub rejected: Vec<RejectedLine>,
}

impl AuthorizedKeys {
    /// Reads a file's text. At most [`MAX_LINES`](Self::MAX_LINES) lines count; the others are refused with one word.
    pub fn parse(text: &str) -> Self {
        let mut parsed = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            if number > Self::MAX_LINES {
                parsed.rejected.push(RejectedLine { line: number, reason: RejectReason::TooMany });
                break;
            }
            let line_text = line.trim_matches([' ', '\t', '\r']);
            if line_text.is_empty() || line_text.starts_with('#') {
                continue;
            }
            match AuthorizedKey::parse(number, line_text) {
                Ok(key) => parsed.keys.push(key),
                Err(problem) => parsed.rejected.push(RejectedLine { line: number, reason: problem }),
            }
        }
        parsed
    }

    /// Lines of a file that count.
    pub const MAX_LINES: usize = 10_000;
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
    fn parse(line: usize, text: &str) -> Result<Self, RejectReason> {
        if text.len() > MAX_LINE_LEN {
            return Err(RejectReason::TooLong);
        }
        let (options, key) = if starts_with_key(text) {
            (KeyOptions::default(), text)
        } else {
            let (options, key) = split_options(text).ok_or(RejectReason::NoKey)?;
            if !starts_with_key(key) {
                return Err(RejectReason::NoKey);
            }
            (KeyOptions::parse(options).map_err(RejectReason::Option)?, key)
        };
        let key = PublicKey::from_openssh(&without_comment(key)).map_err(|_| RejectReason::NoKey)?;
        Ok(Self { line, key: key.key_data().clone(), options })
    }
}

/// A line that does not count. Shows itself as a clause for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedLine {
    /// Which one, counted from 1.
    pub line: usize,
    reason: RejectReason,
}

impl fmt::Display for RejectedLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.reason {
            RejectReason::TooLong => write!(f, "longer than {MAX_LINE_LEN} octets"),
            RejectReason::TooMany => f.write_str("this and all that follow are too many"),
            RejectReason::NoKey => f.write_str("no public key of a known kind"),
            RejectReason::Option(problem) => write!(f, "the key is refused because {problem}"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum RejectReason {
    TooLong,
    TooMany,
    NoKey,
    Option(KeyOptionError),
}

/// Whether the line's first word names a kind of key.
fn starts_with_key(text: &str) -> bool {
    let word = text.split([' ', '\t']).next().unwrap_or_default();
    KEY_TYPES.contains(&word)
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
const KEY_TYPES: [&str; 7] = [
    "ssh-ed25519",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "ssh-rsa",
    "sk-ssh-ed25519@openssh.com",
    "sk-ecdsa-sha2-nistp256@openssh.com",
];
/// Octets of a line.
const MAX_LINE_LEN: usize = 16 * 1024;

#[cfg(test)]
mod tests;
