//! Pass phrases, keys and community strings, given in the file or in files of their own.

use std::path::Path;

use portreeve_secret::Secret;

use super::Builder;
use crate::{
    Key,
    options::{Section, USER},
    problem::Place,
    raw::RawKey,
    reader::{Written, shown},
};

impl Builder<'_> {
    /// The key in the one of three ways that is given. `word` is `auth` or `priv`, `length` the localized key's.
    pub(super) fn key(&mut self, word: &str, raw: &RawKey, length: usize, place: Place) -> Option<Key> {
        let given: Vec<_> = raw.written.iter().filter(|(name, _)| *name != word).collect();
        match &*given {
            [_] => {}
            [] => {
                self.problems
                    .error(place, format!("`{word}` is given, but no key for it"))
                    .accepted(format!("{word}-pass, {word}-pass-file or {word}-key"))
                    .hint(format!("add {word}-pass-file = \"FILE\""));
                return None;
            }
            [(one, _), (two, place), ..] => {
                let found = format!("`{one}` and `{two}` are both given");
                self.problems.error(*place, found).hint("remove one of the two");
                return None;
            }
        }
        if let Some(pass) = &raw.pass {
            return self.pass_phrase(&format!("{word}-pass"), pass.value.duplicate(), pass.place);
        }
        if let Some(file) = &raw.pass_file {
            let secret = self.secret_in(&USER, &format!("{word}-pass-file"), file)?;
            return self.pass_phrase(&format!("{word}-pass"), secret, file.place);
        }
        self.localized(&format!("{word}-key"), raw.key.as_ref()?, length)
    }

    /// The first line of the file that is named.
    pub(super) fn secret_in(
        &mut self,
        section: &Section,
        key: &str,
        file: &Written<String>,
    ) -> Option<Secret> {
        let path = Path::new(&file.value);
        let content = match self.files.read(path) {
            Ok(content) => content,
            Err(error) => {
                let found = format!("`{key}`: {} cannot be read: {error}", shown(&file.value));
                self.refuse(section, key, file.place, found);
                return None;
            }
        };
        if self.files.is_open_to_others(path) {
            let name = shown(&file.value);
            self.problems
                .warning(file.place, format!("{name} may be read by other users of this machine"))
                .hint(format!("chmod 600 {name}"));
        }
        let line = content.expose().split(|octet| *octet == b'\n').next().unwrap_or_default();
        Some(Secret::from(line.strip_suffix(b"\r").unwrap_or(line)))
    }

    fn pass_phrase(&mut self, key: &str, phrase: Secret, place: Place) -> Option<Key> {
        if phrase.len() < MIN_PASS_PHRASE {
            let found = format!("a pass phrase of {} octets is too short", phrase.len());
            self.refuse(&USER, key, place, found);
            return None;
        }
        Some(Key::PassPhrase(phrase))
    }

    fn localized(&mut self, key: &str, written: &Written<Secret>, length: usize) -> Option<Key> {
        let octets = hexadecimal(written.value.expose());
        match octets {
            Some(octets) if octets.len() == length => return Some(Key::Localized(octets)),
            Some(octets) => {
                let found =
                    format!("`{key}` has {} octets, the algorithm's keys have {length}", octets.len());
                self.refuse(&USER, key, written.place, found);
            }
            None => self.refuse(&USER, key, written.place, format!("`{key}` is not hexadecimal")),
        }
        None
    }
}

/// Pairs of hexadecimal digits, with or without `0x`.
fn hexadecimal(text: &[u8]) -> Option<Secret> {
    let digits = text.strip_prefix(b"0x").unwrap_or(text);
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let digit = |octet: &u8| char::from(*octet).to_digit(16);
    let octets = digits.chunks(2).map(|pair| match pair {
        [high, low] => u8::try_from(digit(high)? * 16 + digit(low)?).ok(),
        _ => None,
    });
    octets.collect::<Option<Vec<u8>>>().map(Secret::new)
}

/// RFC 3414 §11.2.
const MIN_PASS_PHRASE: usize = 8;
