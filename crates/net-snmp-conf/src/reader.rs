//! From folders to entries, includes followed.
//!
//! Every `NAME.conf` and `NAME.local.conf` of each folder is read, folder by folder. How many files and entries come of
//! it is bounded, because files may include each other.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    Entry, Files, Found, Place, Text, Word,
    line::{self, Head},
};

/// Reads `NAME.conf` and then `NAME.local.conf` of each folder; what comes later is stronger. `name` is `snmp`, or what
/// [`host_file`](crate::host_file) says. A file that is not there is no mistake.
pub fn read(name: &str, folders: &[PathBuf], files: &dyn Files) -> Vec<Entry> {
    let mut reader = Reader::new(folders, files);
    for folder in folders {
        for file in reader.named(folder, name) {
            reader.file_if_there(&file);
        }
    }
    reader.entries
}

/// Reads one text that is in no file and whose includes find nothing.
pub fn read_text(text: &str) -> Vec<Entry> {
    let mut reader = Reader::new(&[], &Nothing);
    reader.text(Path::new("snmp.conf"), &Text { text: text.to_owned(), mode: 0o600 });
    reader.entries
}

struct Reader<'a> {
    folders: &'a [PathBuf],
    files: &'a dyn Files,
    entries: Vec<Entry>,
    /// How many files include each other.
    depth: usize,
    files_read: usize,
}

impl<'a> Reader<'a> {
    fn new(folders: &'a [PathBuf], files: &'a dyn Files) -> Self {
        Self { folders, files, entries: Vec::new(), depth: 0, files_read: 0 }
    }

    fn named(&self, folder: &Path, name: &str) -> [PathBuf; 2] {
        [folder.join(format!("{name}.conf")), folder.join(format!("{name}.local.conf"))]
    }

    /// `false` where there is no such file.
    fn file_if_there(&mut self, path: &Path) -> bool {
        if self.files_read >= MOST_FILES {
            return true;
        }
        match self.files.text(path) {
            Ok(text) => {
                self.files_read += 1;
                self.text(path, &text);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => return false,
            Err(error) => {
                let place = Place { path: path.into(), line: 0, mode: 0 };
                self.mistake(place, format!("Error: {error}"));
            }
        }
        true
    }

    fn text(&mut self, path: &Path, text: &Text) {
        let (path, mode): (Arc<Path>, u32) = (path.into(), text.mode);
        let mut ours = true;
        for (line, content) in (1..).zip(text.text.lines()) {
            let place = Place { path: Arc::clone(&path), line, mode };
            let (here, content) = match Head::of(content) {
                Head::Plain(content) => (ours, content),
                Head::Section(section, rest) if line::read(rest).is_none() => {
                    ours = is_ours(section);
                    continue;
                }
                // In front of a word, a section holds for this line only.
                Head::Section(section, rest) => (is_ours(section), rest),
                Head::Open(section) => {
                    self.mistake(place, format!("Error: no matching ']' for type {section}."));
                    continue;
                }
            };
            if let (true, Some(word)) = (here, line::read(content)) {
                self.word(place, word);
            }
        }
    }

    fn word(&mut self, place: Place, word: Word) {
        if word.whole.is_empty() {
            return self.mistake(place, format!("Error: Blank line following {} token.", word.name));
        }
        let Some(include) = Include::read(&word.name) else { return self.add(place, Found::Word(word)) };
        if self.depth >= DEEPEST || self.files_read >= MOST_FILES {
            return self.mistake(place, format!("Error: nested include depth > {DEEPEST}"));
        }
        self.depth += 1;
        let included = match include {
            Include::File => self.include_file(&place, &word.value),
            Include::Folder => self.include_folder(&place, &word.value),
            Include::Search => {
                self.include_search(&word.value);
                Ok(())
            }
        };
        self.depth -= 1;
        if let Err(why) = included {
            self.mistake(place, why);
        }
    }

    fn include_file(&mut self, place: &Place, named: &str) -> Result<(), String> {
        let path = beside(place, named);
        let there = self.file_if_there(&path);
        there.then_some(()).ok_or_else(|| format!("Error: Included file '{}' not found.", path.display()))
    }

    fn include_folder(&mut self, place: &Place, named: &str) -> Result<(), String> {
        let path = beside(place, named);
        let files =
            self.files.folder(&path).map_err(|_| format!("Error: Can't open include dir '{named}'."))?;
        for file in files {
            self.file_if_there(&file);
        }
        Ok(())
    }

    /// `NAME.conf` and `NAME.local.conf` of the folders that are searched anyway.
    fn include_search(&mut self, named: &str) {
        for folder in self.folders {
            for file in self.named(folder, named) {
                self.file_if_there(&file);
            }
        }
    }

    fn mistake(&mut self, place: Place, what: String) {
        self.add(place, Found::Mistake(what));
    }

    fn add(&mut self, place: Place, found: Found) {
        if self.entries.len() < MOST_ENTRIES {
            self.entries.push(Entry { place, found });
        }
    }
}

/// What a word that names other files means.
#[derive(Clone, Copy)]
enum Include {
    File,
    Folder,
    Search,
}

impl Include {
    fn read(word: &str) -> Option<Self> {
        let known =
            [("includeFile", Self::File), ("includeDir", Self::Folder), ("includeSearch", Self::Search)];
        known.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, include)| include)
    }
}

/// What finds nothing.
struct Nothing;

impl Files for Nothing {
    fn text(&self, _: &Path) -> io::Result<Text> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn folder(&self, _: &Path) -> io::Result<Vec<PathBuf>> {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// Relative to the file that names it.
fn beside(place: &Place, named: &str) -> PathBuf {
    place.path.parent().unwrap_or(Path::new(".")).join(named)
}

/// Whether a section's words are read by commands.
fn is_ours(section: &str) -> bool {
    section.eq_ignore_ascii_case("snmp")
}

const DEEPEST: usize = 16;
const MOST_FILES: usize = 256;
const MOST_ENTRIES: usize = 10_000;

#[cfg(test)]
mod tests;
