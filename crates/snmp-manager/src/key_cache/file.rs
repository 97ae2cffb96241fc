//! A file of secrets: believed only if nobody else can read or write it, and replaced in one step.

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::{self, ErrorKind, Read, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

use portreeve_secret::Secret;
use rustix::{fs::OFlags, process::geteuid};

/// The content of a plain file that is this user's own and closed to others; `None` for any other.
pub(super) fn read(path: &Path) -> Option<Secret> {
    // Whatever stands there is neither followed elsewhere nor waited for.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let file = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path).ok()?;
    let found = file.metadata().ok()?;
    let is_private =
        found.is_file() && found.uid() == geteuid().as_raw() && found.mode() & GROUP_AND_OTHER == 0;
    if !is_private || found.len() > MAX_FILE_LEN {
        return None;
    }
    // A file that grows meanwhile is damaged to us.
    let mut text = Vec::with_capacity(usize::try_from(found.len()).ok()? + 1);
    file.take(found.len()).read_to_end(&mut text).ok()?;
    Some(Secret::new(text))
}

/// Puts `text` in place of what is at `path`, making folders where they are missing.
pub(super) fn replace(path: &Path, text: &Secret) -> io::Result<()> {
    let folder = path.parent().ok_or(ErrorKind::InvalidInput)?;
    // Whoever borrows another user's HOME leaves nothing there.
    let existing = folder.ancestors().find_map(|folder| fs::metadata(folder).ok());
    if existing.is_none_or(|existing| existing.uid() != geteuid().as_raw()) {
        return Err(ErrorKind::PermissionDenied.into());
    }
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let unique = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let new = folder.join(format!(".{name}.{}.{unique}", std::process::id()));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
    // A cache may be lost with the power: nothing is waited for.
    let written = file.write_all(text.expose()).and_then(|()| fs::rename(&new, path));
    if written.is_err() {
        // It is of no use, and may have keys in it.
        let _ = fs::remove_file(&new);
    }
    written
}

/// Permissions of anybody but the owner.
const GROUP_AND_OTHER: u32 = 0o077;
/// More than the largest cache is.
const MAX_FILE_LEN: u64 = 1 << 18;
