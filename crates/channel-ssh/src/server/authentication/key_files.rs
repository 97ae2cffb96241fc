//! Where a user's keys, or the names a user may be certified by, are, and whether what is there can be believed.

use std::{
    borrow::Cow,
    fmt,
    fs::{File, Metadata},
    io,
    os::unix::fs::MetadataExt,
    path::{Component, Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use portreeve_channel::LogLimiter;
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};

use super::{LoginRefusalReason, users};
use crate::keys::{self, AuthorizedKey, AuthorizedKeys, Principal};

/// Patterns of paths, `%u` for the user's name, `%h` for the user's home, `%%` for a percent sign. Files are read at each
/// login, so a change counts at once.
#[derive(Clone, Debug)]
pub struct KeyFiles {
    patterns: Vec<String>,
    /// Whether files and folders that others can write are refused, as sshd's StrictModes does; on by default.
    pub strict_modes: bool,
    /// What is wrong with files is told at each login, also where that is refused.
    log_limiter: Arc<LogLimiter>,
}

impl KeyFiles {
    /// Files at these places, which are absolute or begin with `%h`.
    ///
    /// # Errors
    /// The first pattern that cannot be understood.
    pub fn new<P: Into<String>>(patterns: impl IntoIterator<Item = P>) -> Result<Self, KeyFilePatternError> {
        let patterns: Vec<String> = patterns.into_iter().map(Into::into).collect();
        match patterns.iter().find(|pattern| expand(pattern, "x", Some(Path::new("/x"))).is_none()) {
            Some(bad) => Err(KeyFilePatternError(bad.clone())),
            None => Ok(Self { patterns, ..Self::default() }),
        }
    }

    /// Whether nobody has any.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Whether the user's files can be read without delay: the operator's own, on a disk of this machine as it may be taken,
    /// and small. Of a home nobody knows where it is. The name must have been checked.
    pub(super) fn can_read_inline(&self, user: &str) -> bool {
        self.patterns.iter().all(|pattern| {
            let path = (!pattern.contains("%h")).then(|| expand(pattern, user, None)).flatten();
            path.is_some_and(|path| match path.metadata() {
                Ok(metadata) => metadata.is_file() && metadata.len() <= MAX_INLINE_FILE_LEN,
                Err(error) => error.kind() == io::ErrorKind::NotFound,
            })
        })
    }

    /// The keys that count in the user's files. The name must have been checked.
    pub(super) fn keys_of(
        &self,
        user: &str,
    ) -> Result<impl Iterator<Item = AuthorizedKey> + use<>, LoginRefusalReason> {
        let mut found = Vec::new();
        self.for_each_file(user, |path, text| {
            let parsed = AuthorizedKeys::parse(text);
            for line in &parsed.rejected {
                self.log_problem(path, &format_args!("a line of a file of keys does not count: {line}"));
            }
            found.extend(parsed.keys);
        })?;
        Ok(found.into_iter())
    }

    /// The same for somebody who only wants to know: where each key that counts stands. Nothing where the files are not
    /// believed.
    ///
    /// # Errors
    /// Why they are not.
    pub fn list_keys(&self, user: &str) -> Result<Vec<(PathBuf, AuthorizedKey)>, LoginRefusalReason> {
        let mut found = Vec::new();
        // A name with a slash is nobody's, and would lead elsewhere.
        if !user.contains('/') {
            self.for_each_file(user, |path, text| {
                found.extend(AuthorizedKeys::parse(text).keys.into_iter().map(|key| (path.to_owned(), key)));
            })?;
        }
        Ok(found)
    }

    /// The names that count in the user's files, if these are files of principals. The user's must have been checked.
    pub(super) fn principals_of(&self, user: &str) -> Result<Vec<Principal>, LoginRefusalReason> {
        let mut found = Vec::new();
        self.for_each_file(user, |path, text| {
            let (principals, refused) = Principal::parse(text);
            for line in refused {
                self.log_problem(
                    path,
                    &format_args!("a line of a file of principals does not count: {line}"),
                );
            }
            found.extend(principals);
        })?;
        Ok(found)
    }

    /// Has `take` read each of the user's files.
    fn for_each_file(
        &self,
        user: &str,
        mut handle: impl FnMut(&Path, &str),
    ) -> Result<(), LoginRefusalReason> {
        let local =
            self.patterns.iter().any(|pattern| pattern.contains("%h")).then(|| users::find(user)).flatten();
        for pattern in &self.patterns {
            let Some(path) = expand(pattern, user, local.as_ref().map(|local| local.home.as_path())) else {
                continue;
            };
            let owner = local.as_ref().map(|local| local.uid);
            match self.read(&path, owner) {
                Ok(text) => handle(&path, &text),
                Err(ReadError::NotFound) => {}
                Err(ReadError::Io(error)) => {
                    self.log_problem(&path, &format_args!("a file of a user's cannot be read: {error}"));
                }
                Err(ReadError::Unsafe(problem)) => {
                    self.log_problem(&path, &format_args!("a file of a user's is not believed: {problem}"));
                    return Err(LoginRefusalReason::KeyFileUnsafe);
                }
            }
        }
        Ok(())
    }

    /// Tells the operator what is wrong with a file, as often as a log bears it.
    fn log_problem(&self, path: &Path, problem: &dyn fmt::Display) {
        if let Some(suppressed) = self.log_limiter.allow(Instant::now()) {
            let suppressed = (suppressed > 0).then_some(suppressed);
            tracing::warn!(path = %path.display(), suppressed, "{problem}");
        }
    }

    fn read(&self, path: &Path, owner: Option<u32>) -> Result<String, ReadError> {
        let (file, has_no_links) = open(path).map_err(ReadError::of)?;
        let metadata = file.metadata().map_err(ReadError::of)?;
        if !metadata.is_file() {
            return Err(ReadError::Unsafe("it is no regular file"));
        }
        if self.strict_modes {
            check_modes(path, has_no_links, &metadata, owner)?;
        }
        keys::read_text(file, MAX_FILE_LEN).map_err(ReadError::Io)
    }
}

impl Default for KeyFiles {
    fn default() -> Self {
        Self {
            patterns: Vec::new(),
            strict_modes: true,
            log_limiter: Arc::new(LogLimiter::per_second(MAX_LOG_LINES_PER_SECOND)),
        }
    }
}

/// A pattern that leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyFilePatternError(String);

impl fmt::Display for KeyFilePatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: expected an absolute path, or one below %h, with %u, %h or %% in it", self.0)
    }
}

impl std::error::Error for KeyFilePatternError {}

enum ReadError {
    NotFound,
    Io(io::Error),
    Unsafe(&'static str),
}

impl ReadError {
    fn of(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::NotFound { Self::NotFound } else { Self::Io(error) }
    }
}

/// The path for a user; `None` for a home that nobody knows, or a pattern that makes no absolute path.
fn expand(pattern: &str, user: &str, home: Option<&Path>) -> Option<PathBuf> {
    let mut path = String::new();
    let mut chars = pattern.chars();
    while let Some(character) = chars.next() {
        match character {
            '%' => match chars.next()? {
                '%' => path.push('%'),
                'u' => path.push_str(user),
                'h' => path.push_str(home?.to_str()?),
                _ => return None,
            },
            other => path.push(other),
        }
    }
    let path = PathBuf::from(path);
    let has_no_links = !path.components().any(|part| part == Component::ParentDir);
    (path.is_absolute() && has_no_links).then_some(path)
}

/// Opens a file; and whether no link led to it, as far as the kernel says so at once.
fn open(path: &Path) -> io::Result<(File, bool)> {
    let has_no_links = openat2(CWD, path, OPEN_FLAGS, Mode::empty(), ResolveFlags::NO_SYMLINKS);
    match has_no_links {
        Ok(file) => Ok((file.into(), true)),
        Err(_) => Ok((rustix::fs::open(path, OPEN_FLAGS, Mode::empty())?.into(), false)),
    }
}

/// The file and each folder it is in must belong to root, to us or to the user, and be writable by nobody else. A folder
/// like /tmp will do: what is in it can be replaced by its owner only, which is looked at as well.
fn check_modes(
    path: &Path,
    has_no_links: bool,
    metadata: &Metadata,
    user: Option<u32>,
) -> Result<(), ReadError> {
    let own_uid = rustix::process::geteuid().as_raw();
    let trusted = |owner: u32| owner == 0 || owner == own_uid || Some(owner) == user;
    if !trusted(metadata.uid()) {
        return Err(ReadError::Unsafe("it belongs to somebody else"));
    }
    if metadata.mode() & 0o022 != 0 {
        return Err(ReadError::Unsafe("its group or others can write it"));
    }
    // Also where links led to it.
    let real = match has_no_links {
        true => Cow::Borrowed(path),
        false => Cow::Owned(path.canonicalize().map_err(ReadError::of)?),
    };
    for folder in real.ancestors().skip(1) {
        let metadata = folder.metadata().map_err(ReadError::of)?;
        if !trusted(metadata.uid()) {
            return Err(ReadError::Unsafe("a folder it is in belongs to somebody else"));
        }
        if metadata.mode() & 0o022 != 0 && metadata.mode() & STICKY == 0 {
            return Err(ReadError::Unsafe("a folder it is in can be written by its group or others"));
        }
    }
    Ok(())
}

/// Octets of a file that is read on a thread which has other work as well: some hundred keys.
const MAX_INLINE_FILE_LEN: u64 = 32 * 1024;
/// Lines of the log a second.
const MAX_LOG_LINES_PER_SECOND: u32 = 10;
/// Nobody's pipe holds us up.
const OPEN_FLAGS: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);
/// Octets of a file of keys.
const MAX_FILE_LEN: u64 = 1 << 20;
/// Only owners may replace what is in the folder.
const STICKY: u32 = 0o1000;
