//! A file of this user: trusted only if no other user can read or write it, and replaced
//! atomically.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, ErrorKind, Read, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

use portreeve_secret::Secret;
use rustix::{fs::OFlags, process::geteuid};

/// Returns the content of a regular file that this user owns and others cannot access; `None` for
/// any other file.
pub(crate) fn read(path: &Path) -> Option<Secret> {
    // Symbolic links are not followed, and opening a FIFO does not block.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path).ok()?;
    let found = file.metadata().ok()?;
    let is_private =
        found.is_file() && found.uid() == geteuid().as_raw() && found.mode() & GROUP_AND_OTHER == 0;
    if !is_private || found.len() > MAX_FILE_LEN {
        return None;
    }
    // At most the checked size is read, even if the file grows; the checksum detects a partial
    // file.
    let mut text = Vec::with_capacity(usize::try_from(found.len()).ok()? + 1);
    file.take(found.len()).read_to_end(&mut text).ok()?;
    Some(Secret::new(text))
}

/// Creates the directory of a private file, if it does not exist.
pub(crate) fn create_directory(folder: &Path) -> io::Result<()> {
    // A process with another user's HOME must not create files there.
    let existing = folder.ancestors().find_map(|folder| fs::metadata(folder).ok());
    if existing.is_none_or(|existing| existing.uid() != geteuid().as_raw()) {
        return Err(ErrorKind::PermissionDenied.into());
    }
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Replaces the file at `path` with `text` and creates missing directories. If `is_durable`, the
/// new content has reached the disk when this returns.
pub(crate) fn replace(path: &Path, text: &Secret, is_durable: bool) -> io::Result<()> {
    let folder = path.parent().ok_or(ErrorKind::InvalidInput)?;
    create_directory(folder)?;
    let unique = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let new = folder.join(format!(".{name}.{}.{unique}", std::process::id()));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
    let sync = |file: &File| if is_durable { file.sync_all() } else { Ok(()) };
    let written = file.write_all(text.expose()).and_then(|()| sync(&file));
    let written = written.and_then(|()| fs::rename(&new, path));
    let written = written.and_then(|()| if is_durable { sync(&File::open(folder)?) } else { Ok(()) });
    if written.is_err() {
        // The temporary file is useless now and may contain keys, so it is removed.
        let _ = fs::remove_file(&new);
    }
    written
}

/// All permission bits of group and others.
const GROUP_AND_OTHER: u32 = 0o077;
/// The maximum length of a file that is read. It is larger than any file of this crate.
const MAX_FILE_LEN: u64 = 1 << 18;
