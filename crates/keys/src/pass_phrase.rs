//! Pass phrases of authorities' keys: from a file or a terminal, never from the command line.

use std::{cell::OnceCell, path::PathBuf};

use portreeve_secret::Secret;

use crate::{Failure, files};

/// Where a pass phrase comes from, if one is wanted.
#[derive(Debug, Default)]
pub(crate) struct PassPhrase {
    /// Its first line.
    pub(crate) file: Option<PathBuf>,
    /// Whether a new authority shall have one, to be typed in.
    pub(crate) ask: bool,
}

impl PassPhrase {
    /// For a new key: none unless somebody wants one.
    pub(crate) fn of_new(&self) -> Result<Option<Secret>, Failure> {
        if self.file.is_some() {
            return self.filed();
        }
        if !self.ask {
            return Ok(None);
        }
        let typed = portreeve_prompt::ask("Pass phrase for the new authority: ").ok_or_else(nobody)?;
        let again = portreeve_prompt::ask("The same again: ").ok_or_else(nobody)?;
        if typed != again {
            return Err(Failure::new("the two pass phrases differ").cured_by("try again; nothing was made"));
        }
        Ok(Some(typed))
    }

    /// For a key that has one.
    pub(crate) fn of_existing(&self) -> Asked<'_> {
        Asked { source: self, answer: OnceCell::new() }
    }

    fn filed(&self) -> Result<Option<Secret>, Failure> {
        let Some(path) = &self.file else { return Ok(None) };
        let octets = files::read(path)?;
        let line = octets.expose().split(|octet| matches!(octet, b'\n' | b'\r')).next().unwrap_or_default();
        if line.is_empty() {
            return Err(Failure::at(path, "no pass phrase in the first line").cured_by("write one there"));
        }
        Ok(Some(Secret::from(line)))
    }
}

/// Asks at most once, and only where a key needs it.
pub(crate) struct Asked<'p> {
    source: &'p PassPhrase,
    answer: OnceCell<Option<Secret>>,
}

impl Asked<'_> {
    pub(crate) fn get(&self) -> Result<Option<&Secret>, Failure> {
        if self.answer.get().is_none() {
            let found = match self.source.filed()? {
                None => portreeve_prompt::ask("Pass phrase of the authority: "),
                found => found,
            };
            let _ = self.answer.set(found);
        }
        Ok(self.answer.get().and_then(Option::as_ref))
    }
}

fn nobody() -> Failure {
    Failure::new("nobody is there to type a pass phrase")
        .cured_by("give it in a file: --passphrase-file FILE")
}
