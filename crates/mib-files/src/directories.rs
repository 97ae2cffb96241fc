//! The files of the directories, and their texts.

use std::{
    fs, io,
    io::Read,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use crate::{problem::Problem, read::Text, search::Search};

/// A file as it is now, without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) path: PathBuf,
    pub(crate) size: u64,
    /// Seconds and nanoseconds.
    pub(crate) changed: (i64, i64),
    /// Whether all its modules are wanted.
    pub(crate) named: bool,
}

/// All files in which a wanted module may be, later ones taking precedence. A directory that is not there is no
/// mistake: most people have not all of the usual ones.
pub(crate) fn files(search: &Search) -> (Vec<File>, Vec<Problem>) {
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    for directory in search.searched() {
        let Ok(entries) = fs::read_dir(directory) else { continue };
        let mut paths: Vec<PathBuf> = entries
            .take(MOST_FILES)
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| !is_hidden(path))
            .collect();
        paths.sort_unstable();
        files.extend(paths.into_iter().filter_map(|path| look_at(path, false).ok()?));
    }
    for path in search.named_files() {
        match look_at(path.to_owned(), true) {
            Ok(Some(file)) => files.push(file),
            Ok(None) => problems.push(not_read(path, "not a file")),
            Err(error) => problems.push(not_read(path, &error.to_string())),
        }
    }
    (files, problems)
}

/// The texts of files. One that cannot be read, or is too long to be a module, is told and left out.
pub(crate) fn texts(files: &[File]) -> (Vec<Text>, Vec<Problem>) {
    let (mut texts, mut problems) = (Vec::new(), Vec::new());
    for file in files {
        match read_text(file) {
            Ok(octets) => {
                let text = Text::new(file.path.to_string_lossy().into_owned(), octets);
                if file.named && text.modules.is_empty() {
                    problems.push(not_read(&file.path, "no module begins in it"));
                }
                texts.push(text);
            }
            Err(error) => problems.push(not_read(&file.path, &error.to_string())),
        }
    }
    (texts, problems)
}

fn read_text(file: &File) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    fs::File::open(&file.path)?.take(LONGEST_TEXT + 1).read_to_end(&mut octets)?;
    if u64::try_from(octets.len()).unwrap_or(u64::MAX) > LONGEST_TEXT {
        return Err(io::Error::other(format!("longer than {LONGEST_TEXT} octets")));
    }
    Ok(octets)
}

/// `None` for what is no regular file: a FIFO would make us wait.
fn look_at(path: PathBuf, named: bool) -> io::Result<Option<File>> {
    let metadata = fs::metadata(&path)?;
    let changed = (metadata.mtime(), metadata.mtime_nsec());
    Ok(metadata.is_file().then_some(File { path, size: metadata.len(), changed, named }))
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

fn not_read(path: &Path, why: &str) -> Problem {
    Problem::of_file(&path.to_string_lossy(), why, "the file is left out")
}

const LONGEST_TEXT: u64 = 8 << 20;
const MOST_FILES: usize = 10_000;
