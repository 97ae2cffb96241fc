//! Characters of texts, comments and CDATA sections (XML 1.0 §2.2, §2.4, §2.5, §2.7, §2.11).

use super::super::references::{self, MAX_REFERENCE};
use super::super::text::{brackets_after, is_character, is_plain, plain_prefix};
use super::super::{XmlError, XmlErrorReason};
use super::{Mode, Partial, Step, Tokenizer};

impl Tokenizer {
    /// Reads characters up to the place that `find` returns, or up to the end of the octets, or up
    /// to a character that needs care. The first octet exists, and `find` does not return its
    /// place. `brackets` is `None` if `]]>` is allowed.
    pub(super) fn run<'i>(
        &mut self,
        octets: &mut &'i [u8],
        find: impl Fn(&[u8]) -> Option<usize>,
        brackets: Option<u8>,
    ) -> Result<Step<'i>, XmlError> {
        let window = octets.split_at_checked(self.window.min(octets.len())).unwrap_or_default().0;
        let end = find(window).unwrap_or(window.len());
        let run: &'i [u8] = window.split_at_checked(end).unwrap_or_default().0;
        if std::mem::take(&mut self.is_after_return) && run.first() == Some(&b'\n') {
            self.take(octets, 1);
            return Ok(Step::Nothing);
        }
        let length = match brackets.unwrap_or(0) == 0 && is_plain(run) {
            true => run.len(),
            false => plain_prefix(run, brackets),
        };
        if length == 0 {
            return match run.first() {
                Some(b'\r') => {
                    self.take(octets, 1);
                    self.is_after_return = true;
                    self.brackets = 0;
                    self.window = MIN_WINDOW;
                    Ok(Step::Character('\n'))
                }
                Some(b'>') => Err(self.fail(XmlErrorReason::SectionEndInText)),
                _ => Err(self.fail(XmlErrorReason::InvalidCharacter)),
            };
        }
        let prefix = run.split_at_checked(length).unwrap_or_default().0;
        let text = match std::str::from_utf8(prefix) {
            Ok(text) => text,
            Err(error) if error.valid_up_to() > 0 => {
                let valid = prefix.split_at_checked(error.valid_up_to()).unwrap_or_default().0;
                std::str::from_utf8(valid).unwrap_or_default()
            }
            // The end of the character has not arrived. A window is longer than a character.
            Err(error) if error.error_len().is_none() && length == octets.len() => {
                self.partial = Some(Partial::Character);
                self.pending.clear();
                return Ok(Step::Nothing);
            }
            Err(_) => return Err(self.fail(XmlErrorReason::InvalidUtf8)),
        };
        self.take(octets, text.len());
        self.window = self.window.saturating_mul(2);
        self.brackets = brackets_after(self.brackets, text.as_bytes());
        Ok(Step::Text(text))
    }

    /// Completes a reference.
    pub(super) fn reference<'i>(&mut self, octets: &mut &[u8]) -> Result<Step<'i>, XmlError> {
        while let Some((octet, rest)) = octets.split_first() {
            *octets = rest;
            self.pending.push(*octet);
            if *octet == b';' {
                let name = self.pending.get(1..self.pending.len() - 1).unwrap_or_default();
                let c = references::resolve(name).map_err(|reason| self.fail(reason))?;
                self.position.advance(&self.pending);
                self.partial = None;
                return Ok(Step::Character(c));
            }
            if self.pending.len() >= MAX_REFERENCE {
                return Err(self.fail(XmlErrorReason::InvalidReference));
            }
        }
        Ok(Step::Nothing)
    }

    /// Completes a character whose octets arrive in more than one piece.
    pub(super) fn character<'i>(&mut self, octets: &mut &[u8]) -> Result<Step<'i>, XmlError> {
        while let Some((octet, rest)) = octets.split_first() {
            self.pending.push(*octet);
            match std::str::from_utf8(&self.pending) {
                Ok(text) => {
                    let c = text.chars().next().unwrap_or_default();
                    if !is_character(c) {
                        return Err(self.fail(XmlErrorReason::InvalidCharacter));
                    }
                    *octets = rest;
                    self.position.advance(&self.pending);
                    self.partial = None;
                    self.brackets = 0;
                    return Ok(if matches!(self.mode, Mode::Comment(_)) {
                        Step::Nothing
                    } else {
                        Step::Character(c)
                    });
                }
                Err(error) if error.error_len().is_some() => {
                    return Err(self.fail(XmlErrorReason::InvalidUtf8));
                }
                Err(_) => *octets = rest,
            }
        }
        Ok(Step::Nothing)
    }

    /// Reads a part of a comment.
    pub(super) fn comment<'i>(
        &mut self,
        hyphens: u8,
        first: u8,
        octets: &mut &'i [u8],
    ) -> Result<Step<'i>, XmlError> {
        self.mode = match (hyphens, first) {
            (2, b'>') => Mode::Text,
            (2, _) => return Err(self.fail(XmlErrorReason::HyphensInComment)),
            (_, b'-') => Mode::Comment(hyphens + 1),
            _ => {
                self.mode = Mode::Comment(0);
                self.run(octets, |octets| memchr::memchr(b'-', octets), None)?;
                return Ok(Step::Nothing);
            }
        };
        self.is_after_return = false;
        self.brackets = 0;
        self.take(octets, 1);
        Ok(Step::Nothing)
    }

    /// Reads a part of a CDATA section.
    pub(super) fn section<'i>(
        &mut self,
        brackets: u8,
        first: u8,
        octets: &mut &'i [u8],
    ) -> Result<Step<'i>, XmlError> {
        let (mode, step) = match (brackets, first) {
            (2, b'>') => (Mode::Text, Step::Nothing),
            (2, b']') => (Mode::Section(2), Step::Text("]")),
            (_, b']') => (Mode::Section(brackets + 1), Step::Nothing),
            (0, _) => {
                return self.run(octets, |octets| memchr::memchr(b']', octets), None);
            }
            _ => {
                self.mode = Mode::Section(0);
                return Ok(Step::Text(if brackets == 2 { "]]" } else { "]" }));
            }
        };
        self.mode = mode;
        self.is_after_return = false;
        self.brackets = 0;
        self.take(octets, 1);
        Ok(step)
    }
}

/// Number of octets that are examined at once after a carriage return. It doubles with each text,
/// so that a text with many carriage returns is not examined to its end after each of them.
const MIN_WINDOW: usize = 64;
