//! Pass phrases of authorities' keys: from a file or a terminal, never from the command line.

use std::{cell::OnceCell, path::PathBuf};

use portreeve_secret::Secret;

use crate::{CommandError, files};

/// Where a pass phrase comes from, if one is wanted.
#[derive(Debug, Default)]
pub(crate) struct PassPhraseSource {
    /// Its first line.
    pub(crate) file: Option<PathBuf>,
    /// Whether a new authority shall have one, to be typed in.
    pub(crate) ask: bool,
}

impl PassPhraseSource {
    /// For a new key: none unless somebody wants one.
    pub(crate) fn for_new_key(&self) -> Result<Option<Secret>, CommandError> {
        if self.file.is_some() {
            return self.read_file();
        }
        if !self.ask {
            return Ok(None);
        }
        let typed = portreeve_prompt::ask("Pass phrase for the new authority: ").ok_or_else(no_terminal)?;
        let again = portreeve_prompt::ask("The same again: ").ok_or_else(no_terminal)?;
        if typed != again {
            return Err(
                CommandError::new("the two pass phrases differ").with_hint("try again; nothing was made")
            );
        }
        Ok(Some(typed))
    }

    /// For a key that has one.
    pub(crate) fn for_existing_key(&self) -> LazyPassPhrase<'_> {
        LazyPassPhrase { source: self, answer: OnceCell::new() }
    }

    fn read_file(&self) -> Result<Option<Secret>, CommandError> {
        let Some(path) = &self.file else { return Ok(None) };
        let octets = files::read(path)?;
        let line = octets.expose().split(|octet| matches!(octet, b'\n' | b'\r')).next().unwrap_or_default();
        if line.is_empty() {
            return Err(
                CommandError::at(path, "no pass phrase in the first line").with_hint("write one there")
            );
        }
        Ok(Some(Secret::from(line)))
    }
}

/// Asks at most once, and only where a key needs it.
pub(crate) struct LazyPassPhrase<'p> {
    source: &'p PassPhraseSource,
    answer: OnceCell<Option<Secret>>,
}

impl LazyPassPhrase<'_> {
    pub(crate) fn get(&self) -> Result<Option<&Secret>, CommandError> {
        if self.answer.get().is_none() {
            let found = match self.source.read_file()? {
                None => portreeve_prompt::ask("Pass phrase of the authority: "),
                found => found,
            };
            let _ = self.answer.set(found);
        }
        Ok(self.answer.get().and_then(Option::as_ref))
    }
}

fn no_terminal() -> CommandError {
    CommandError::new("nobody is there to type a pass phrase")
        .with_hint("give it in a file: --passphrase-file FILE")
}
