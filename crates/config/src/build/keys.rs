//! Pass phrases, keys and community strings, from the configuration or from separate files.

use std::path::Path;

use portreeve_secret::{Secret, SecretBuffer};

use super::Builder;
use crate::{
    KeySource,
    options::{Section, USER},
    problem::TextPosition,
    raw::RawKey,
    reader::{Located, display_escaped},
};

impl Builder<'_> {
    /// Reads a key. Exactly one of its three options must be set; otherwise reports an error.
    /// `word` is `auth` or `priv`, and `length` is the length of the localized key in bytes.
    pub(super) fn key(
        &mut self,
        word: &str,
        raw: &RawKey,
        length: usize,
        position: TextPosition,
    ) -> Option<KeySource> {
        let given: Vec<_> = raw.given.iter().filter(|(name, _)| *name != word).collect();
        match &*given {
            [_] => {}
            [] => {
                self.problems
                    .error(position, format!("`{word}` is given without a key"))
                    .accepted(format!("{word}-pass, {word}-pass-file or {word}-key"))
                    .hint(format!("add {word}-pass-file = \"FILE\""));
                return None;
            }
            [(one, _), (two, position), ..] => {
                let found = format!("`{one}` and `{two}` are both given");
                self.problems.error(*position, found).hint(format!("remove `{one}` or `{two}`"));
                return None;
            }
        }
        if let Some(pass) = &raw.pass {
            return self.pass_phrase(&format!("{word}-pass"), pass.value.duplicate(), pass.position);
        }
        if let Some(file) = &raw.pass_file {
            let secret = self.secret_in(&USER, &format!("{word}-pass-file"), file)?;
            return self.pass_phrase(&format!("{word}-pass"), secret, file.position);
        }
        self.localized(&format!("{word}-key"), raw.key.as_ref()?, length)
    }

    /// Returns the first line of the given file.
    pub(super) fn secret_in(
        &mut self,
        section: &Section,
        key: &str,
        file: &Located<String>,
    ) -> Option<Secret> {
        let path = Path::new(&file.value);
        let content = match self.files.read(path) {
            Ok(content) => content,
            Err(error) => {
                let found = format!("`{key}`: cannot read {}: {error}", display_escaped(&file.value));
                self.reject_value(section, key, file.position, found);
                return None;
            }
        };
        if self.files.is_open_to_others(path) {
            let name = display_escaped(&file.value);
            self.problems
                .warning(file.position, format!("{name} is readable by other users"))
                .hint(format!("chmod 600 {name}"));
        }
        let line = content.expose().split(|octet| *octet == b'\n').next().unwrap_or_default();
        Some(Secret::from(line.strip_suffix(b"\r").unwrap_or(line)))
    }

    fn pass_phrase(&mut self, key: &str, phrase: Secret, position: TextPosition) -> Option<KeySource> {
        if phrase.len() < MIN_PASS_PHRASE {
            let found = format!("pass phrase of {} octets is too short", phrase.len());
            self.reject_value(&USER, key, position, found);
            return None;
        }
        Some(KeySource::PassPhrase(phrase))
    }

    fn localized(&mut self, key: &str, written: &Located<Secret>, length: usize) -> Option<KeySource> {
        let octets = hexadecimal(written.value.expose());
        match octets {
            Some(octets) if octets.len() == length => return Some(KeySource::Localized(octets)),
            Some(octets) => {
                let found =
                    format!("`{key}` has {} octets, but keys of this algorithm have {length}", octets.len());
                self.reject_value(&USER, key, written.position, found);
            }
            None => self.reject_value(&USER, key, written.position, format!("`{key}` is not hexadecimal")),
        }
        None
    }
}

/// Parses pairs of hexadecimal digits, with or without `0x`.
fn hexadecimal(text: &[u8]) -> Option<Secret> {
    let digits = text.strip_prefix(b"0x").unwrap_or(text);
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let digit = |octet: &u8| char::from(*octet).to_digit(16);
    let mut octets = SecretBuffer::with_capacity(digits.len() / 2);
    for pair in digits.chunks(2) {
        let [high, low] = pair else { return None };
        octets.extend(&[u8::try_from(digit(high)? * 16 + digit(low)?).ok()?]);
    }
    Some(octets.into_secret())
}

/// Minimum length of a pass phrase in octets (RFC 3414 §11.2).
const MIN_PASS_PHRASE: usize = 8;
