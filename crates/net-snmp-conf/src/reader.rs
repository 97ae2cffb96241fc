//! Reads the configuration directories into entries and expands includes.
//!
//! Every `NAME.conf` and `NAME.local.conf` of each directory is read, directory by directory. The
//! number of files and entries is limited because files may include each other.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    ConfEntry, ConfLocation, Directive, EntryContent, FileSource, FileText, Section,
    line::{self, Head},
};

/// Reads the lines of `section` in `NAME.conf` and then in `NAME.local.conf` of each directory;
/// later entries take precedence. `name` is a program's, such as `snmptrapd`, or a result of
/// [`host_file`](crate::host_file). Missing files are ignored.
pub fn read(section: Section<'_>, name: &str, folders: &[PathBuf], files: &dyn FileSource) -> Vec<ConfEntry> {
    let mut reader = Reader::new(section, folders, files);
    for folder in folders {
        for file in reader.candidates(folder, name) {
            reader.read_file_if_exists(&file);
        }
    }
    reader.entries
}

/// Reads the lines of `section` in one file and in the files that it includes.
///
/// # Errors
/// The file does not exist or cannot be read.
pub fn read_file(section: Section<'_>, path: &Path, files: &dyn FileSource) -> io::Result<Vec<ConfEntry>> {
    let mut reader = Reader::new(section, &[], files);
    let text = files.text(path)?;
    reader.files_read = 1;
    reader.text(path, &text);
    Ok(reader.entries)
}

/// Reads the lines of `section` in a text as if it were the content of the file `path`. Includes
/// find no files.
pub fn read_text(section: Section<'_>, path: &Path, text: &str) -> Vec<ConfEntry> {
    let mut reader = Reader::new(section, &[], &NoFiles);
    reader.text(path, &FileText { text: text.to_owned(), mode: 0o600 });
    reader.entries
}

struct Reader<'a> {
    section: Section<'a>,
    folders: &'a [PathBuf],
    files: &'a dyn FileSource,
    entries: Vec<ConfEntry>,
    /// The current nesting depth of includes.
    depth: usize,
    files_read: usize,
}

impl<'a> Reader<'a> {
    fn new(section: Section<'a>, folders: &'a [PathBuf], files: &'a dyn FileSource) -> Self {
        Self { section, folders, files, entries: Vec::new(), depth: 0, files_read: 0 }
    }

    fn candidates(&self, folder: &Path, name: &str) -> [PathBuf; 2] {
        [folder.join(format!("{name}.conf")), folder.join(format!("{name}.local.conf"))]
    }

    /// Reads a file. Returns `false` if it does not exist.
    fn read_file_if_exists(&mut self, path: &Path) -> bool {
        if self.files_read >= MAX_FILES {
            return true;
        }
        match self.files.text(path) {
            Ok(text) => {
                self.files_read += 1;
                self.text(path, &text);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => return false,
            Err(error) => {
                let location = ConfLocation { path: path.into(), line: 0, mode: 0 };
                self.add_error(location, format!("Error: {error}"));
            }
        }
        true
    }

    fn text(&mut self, path: &Path, text: &FileText) {
        let (path, mode): (Arc<Path>, u32) = (path.into(), text.mode);
        let mut in_section = true;
        for (line, content) in (1..).zip(text.text.lines()) {
            let location = ConfLocation { path: Arc::clone(&path), line, mode };
            let (applies, content) = match Head::of(content) {
                Head::Plain(content) => (in_section, content),
                Head::Section(section, rest) if line::read(rest).is_none() => {
                    in_section = self.section.is(section);
                    continue;
                }
                // A section that is followed by a directive in the same line applies only to this
                // line.
                Head::Section(section, rest) => (self.section.is(section), rest),
                Head::Unclosed(section) => {
                    self.add_error(location, format!("Error: no matching ']' for type {section}."));
                    continue;
                }
            };
            if let (true, Some(directive)) = (applies, line::read(content)) {
                self.add_directive(location, directive);
            }
        }
    }

    fn add_directive(&mut self, location: ConfLocation, directive: Directive) {
        if directive.raw_value.is_empty() {
            return self
                .add_error(location, format!("Error: Blank line following {} token.", directive.name));
        }
        let Some(include) = Include::read(&directive.name) else {
            return self.add(location, EntryContent::Directive(directive));
        };
        if self.depth >= MAX_DEPTH || self.files_read >= MAX_FILES {
            return self.add_error(location, format!("Error: nested include depth > {MAX_DEPTH}"));
        }
        self.depth += 1;
        let included = match include {
            Include::File => self.include_file(&location, &directive.value),
            Include::Folder => self.include_folder(&location, &directive.value),
            Include::Search => {
                self.include_search(&directive.value);
                Ok(())
            }
        };
        self.depth -= 1;
        if let Err(message) = included {
            self.add_error(location, message);
        }
    }

    fn include_file(&mut self, location: &ConfLocation, name: &str) -> Result<(), String> {
        let path = resolve(location, name);
        let exists = self.read_file_if_exists(&path);
        exists.then_some(()).ok_or_else(|| format!("Error: Included file '{}' not found.", path.display()))
    }

    fn include_folder(&mut self, location: &ConfLocation, name: &str) -> Result<(), String> {
        let path = resolve(location, name);
        let files =
            self.files.folder(&path).map_err(|_| format!("Error: Can't open include dir '{name}'."))?;
        for file in files {
            self.read_file_if_exists(&file);
        }
        Ok(())
    }

    /// Reads `NAME.conf` and `NAME.local.conf` in each of the searched directories.
    fn include_search(&mut self, name: &str) {
        for folder in self.folders {
            for file in self.candidates(folder, name) {
                self.read_file_if_exists(&file);
            }
        }
    }

    fn add_error(&mut self, location: ConfLocation, message: String) {
        self.add(location, EntryContent::Error(message));
    }

    fn add(&mut self, location: ConfLocation, content: EntryContent) {
        if self.entries.len() < MAX_ENTRIES {
            self.entries.push(ConfEntry { location, content });
        }
    }
}

/// A directive that includes other files.
#[derive(Clone, Copy)]
enum Include {
    File,
    Folder,
    Search,
}

impl Include {
    fn read(directive: &str) -> Option<Self> {
        let known =
            [("includeFile", Self::File), ("includeDir", Self::Folder), ("includeSearch", Self::Search)];
        known.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(directive)).map(|(_, include)| include)
    }
}

/// A source that contains no files.
struct NoFiles;

impl FileSource for NoFiles {
    fn text(&self, _: &Path) -> io::Result<FileText> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn folder(&self, _: &Path) -> io::Result<Vec<PathBuf>> {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// Returns the path of an included file, relative to the directory of the including file.
fn resolve(location: &ConfLocation, name: &str) -> PathBuf {
    location.path.parent().unwrap_or(Path::new(".")).join(name)
}

const MAX_DEPTH: usize = 16;
const MAX_FILES: usize = 256;
const MAX_ENTRIES: usize = 10_000;

#[cfg(test)]
mod tests;
