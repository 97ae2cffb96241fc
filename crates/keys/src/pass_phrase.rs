//! Pass phrases of authority keys: read from a file or a terminal, never from the command line.

use std::{cell::OnceCell, path::PathBuf};

use portreeve_secret::Secret;

use crate::{CommandError, files};

/// The source of a pass phrase.
#[derive(Debug, Default)]
pub(crate) struct PassPhraseSource {
    /// The file whose first line is the pass phrase.
    pub(crate) file: Option<PathBuf>,
    /// True if the user is asked for the pass phrase of a new authority.
    pub(crate) ask: bool,
}

impl PassPhraseSource {
    /// Returns the pass phrase for a new key; `None` if none is wanted.
    pub(crate) fn for_new_key(&self) -> Result<Option<Secret>, CommandError> {
        if self.file.is_some() {
            return self.read_file();
        }
        if !self.ask {
            return Ok(None);
        }
        let typed = portreeve_prompt::ask("Pass phrase for the new authority: ").ok_or_else(no_terminal)?;
        let again = portreeve_prompt::ask("Repeat the pass phrase: ").ok_or_else(no_terminal)?;
        if typed != again {
            return Err(
                CommandError::new("the two pass phrases differ").with_hint("try again; nothing was created")
            );
        }
        Ok(Some(typed))
    }

    /// Returns the pass phrase of an existing key, on demand.
    pub(crate) fn for_existing_key(&self) -> LazyPassPhrase<'_> {
        LazyPassPhrase { source: self, answer: OnceCell::new() }
    }

    fn read_file(&self) -> Result<Option<Secret>, CommandError> {
        let Some(path) = &self.file else { return Ok(None) };
        let octets = files::read(path)?;
        let line = octets.expose().split(|octet| matches!(octet, b'\n' | b'\r')).next().unwrap_or_default();
        if line.is_empty() {
            return Err(CommandError::at(path, "the first line is empty")
                .with_hint("write the pass phrase into the first line"));
        }
        Ok(Some(Secret::from(line)))
    }
}

/// A pass phrase that is read or asked for once, and only if a key is encrypted.
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
    CommandError::new("cannot ask for a pass phrase: there is no terminal")
        .with_hint("read it from a file with --passphrase-file FILE")
}
