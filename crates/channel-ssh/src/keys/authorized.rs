//! The authorized_keys format (see sshd(8)): one key per line, optionally preceded by options.
//!
//! A line that cannot be applied is rejected with the reason; the other lines remain valid. The
//! login code decides what the options mean for a peer.

use std::fmt;

use russh::keys::PublicKey;

use super::{
    KeyData,
    options::{KeyOptionError, KeyOptions},
};

/// The content of an authorized_keys file: the keys of one user.
#[derive(Clone, Debug, Default)]
pub struct AuthorizedKeys {
    /// Valid keys, in file order.
    pub keys: Vec<AuthorizedKey>,
    /// Rejected lines with the reason.
    pub rejected: Vec<RejectedLine>,
}

impl AuthorizedKeys {
    /// Parses a file. At most [`MAX_LINES`](Self::MAX_LINES) lines are read; one entry in
    /// `rejected` stands for all further lines.
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

    /// Maximum number of lines that are read.
    pub const MAX_LINES: usize = 10_000;
}

/// A key and its restrictions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorizedKey {
    /// The number of the line, from 1.
    pub line: usize,
    /// The public key.
    pub key: KeyData,
    /// The restrictions on the use of the key.
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
        // A touch can be verified in an authority's signature, but not in a user's, see
        // `USER_KEYS`.
        if matches!(key.key_data(), KeyData::SkEd25519(_) | KeyData::SkEcdsaSha2NistP256(_))
            && !options.is_authority
        {
            return Err(RejectReason::SecurityKey);
        }
        Ok(Self { line, key: key.key_data().clone(), options })
    }
}

/// A rejected line. Its `Display` form is a clause for log lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedLine {
    /// The number of the line, from 1.
    pub line: usize,
    reason: RejectReason,
}

impl fmt::Display for RejectedLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.reason {
            RejectReason::TooLong => write!(f, "longer than {MAX_LINE_LEN} bytes"),
            RejectReason::TooMany => {
                write!(
                    f,
                    "the maximum of {} lines is exceeded; all lines from here on are ignored",
                    AuthorizedKeys::MAX_LINES
                )
            }
            RejectReason::NoKey => f.write_str("not a supported public key"),
            RejectReason::SecurityKey => f.write_str(
                "FIDO security keys (sk-…) are not accepted, because the server cannot verify that the user touched the key; log in through sshd",
            ),
            RejectReason::Option(problem) => write!(f, "the key is ignored because {problem}"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum RejectReason {
    TooLong,
    TooMany,
    NoKey,
    SecurityKey,
    Option(KeyOptionError),
}

/// Returns true if the line's first word is a supported key type.
fn starts_with_key(text: &str) -> bool {
    let word = text.split([' ', '\t']).next().unwrap_or_default();
    KEY_TYPES.contains(&word)
}

/// Splits off the options, which end at the first blank outside of quotes.
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

/// Returns type and key without the comment, which may contain anything.
fn without_comment(key: &str) -> String {
    let mut words = key.split([' ', '\t']).filter(|word| !word.is_empty());
    format!("{} {}", words.next().unwrap_or_default(), words.next().unwrap_or_default())
}

/// The supported key types. DSA is not supported.
const KEY_TYPES: [&str; 7] = [
    "ssh-ed25519",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "ssh-rsa",
    "sk-ssh-ed25519@openssh.com",
    "sk-ecdsa-sha2-nistp256@openssh.com",
];
/// Maximum length of a line in bytes.
const MAX_LINE_LEN: usize = 16 * 1024;

#[cfg(test)]
mod tests;
