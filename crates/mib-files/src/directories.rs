//! The files of the directories, and their content.

use std::{
    fs, io,
    io::Read,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use crate::{read::MibText, search::MibSearch, warning::LoadWarning};

/// A file that may define modules, without its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MibFile {
    pub(crate) path: PathBuf,
    pub(crate) size: u64,
    /// The modification time in seconds and nanoseconds.
    pub(crate) modified: (i64, i64),
    /// True if the file was requested by path, which requests all of its modules.
    pub(crate) is_explicit: bool,
}

/// Returns all files that may contain a requested module; later files take precedence. Missing
/// directories are ignored because most systems have only some of the default ones.
pub(crate) fn files(search: &MibSearch) -> (Vec<MibFile>, Vec<LoadWarning>) {
    let (mut files, mut warnings) = (Vec::new(), Vec::new());
    for directory in search.search_path() {
        let Ok(entries) = fs::read_dir(directory) else { continue };
        let mut paths: Vec<PathBuf> = entries
            .take(MAX_FILES_PER_DIRECTORY)
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| !is_hidden(path))
            .collect();
        paths.sort_unstable();
        files.extend(paths.into_iter().filter_map(|path| read_metadata(path, false).ok()?));
    }
    for path in search.explicit_files() {
        match read_metadata(path.to_owned(), true) {
            Ok(Some(file)) => files.push(file),
            Ok(None) => warnings.push(skipped_file(path, "not a file")),
            Err(error) => warnings.push(skipped_file(path, &error.to_string())),
        }
    }
    (files, warnings)
}

/// Reads the files. A file that is unreadable or too large is skipped with a warning.
pub(crate) fn texts(files: &[MibFile]) -> (Vec<MibText>, Vec<LoadWarning>) {
    let (mut texts, mut warnings) = (Vec::new(), Vec::new());
    for file in files {
        match read_text(file) {
            Ok(octets) => {
                let text = MibText::new(file.path.to_string_lossy().into_owned(), octets);
                if file.is_explicit && text.modules.is_empty() {
                    warnings.push(skipped_file(&file.path, "no module definition found"));
                }
                texts.push(text);
            }
            Err(error) => warnings.push(skipped_file(&file.path, &error.to_string())),
        }
    }
    (texts, warnings)
}

fn read_text(file: &MibFile) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    fs::File::open(&file.path)?.take(MAX_FILE_SIZE + 1).read_to_end(&mut octets)?;
    if u64::try_from(octets.len()).unwrap_or(u64::MAX) > MAX_FILE_SIZE {
        return Err(io::Error::other(format!("larger than {MAX_FILE_SIZE} bytes")));
    }
    Ok(octets)
}

/// Returns the metadata of a file. Returns `None` if it is not a regular file, because reading a
/// FIFO would block.
fn read_metadata(path: PathBuf, named: bool) -> io::Result<Option<MibFile>> {
    let metadata = fs::metadata(&path)?;
    let changed = (metadata.mtime(), metadata.mtime_nsec());
    Ok(metadata.is_file().then_some(MibFile {
        path,
        size: metadata.len(),
        modified: changed,
        is_explicit: named,
    }))
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

fn skipped_file(path: &Path, reason: &str) -> LoadWarning {
    LoadWarning::of_file(&path.to_string_lossy(), reason, "skipping the file")
}

const MAX_FILE_SIZE: u64 = 8 << 20;
const MAX_FILES_PER_DIRECTORY: usize = 10_000;
