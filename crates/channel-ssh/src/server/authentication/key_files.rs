//! Finds the files with a user's keys or principals, and checks that only trusted users can write
//! them.

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

/// Path patterns: `%u` is the user's name, `%h` the user's home directory, `%%` a percent sign.
/// Files are read at each login, so changes apply at once.
#[derive(Clone, Debug)]
pub struct KeyFiles {
    patterns: Vec<String>,
    /// Rejects files and directories that others can write, like sshd's StrictModes. On by default.
    pub strict_modes: bool,
    /// Limits log lines about problems with these files, which any login attempt can cause.
    log_limiter: Arc<LogLimiter>,
}

impl KeyFiles {
    /// Creates a list of patterns. Each must be absolute or begin with `%h`.
    ///
    /// # Errors
    /// Returns the first invalid pattern.
    pub fn new<P: Into<String>>(patterns: impl IntoIterator<Item = P>) -> Result<Self, KeyFilePatternError> {
        let patterns: Vec<String> = patterns.into_iter().map(Into::into).collect();
        match patterns.iter().find(|pattern| expand(pattern, "x", Some(Path::new("/x"))).is_none()) {
            Some(bad) => Err(KeyFilePatternError(bad.clone())),
            None => Ok(Self { patterns, ..Self::default() }),
        }
    }

    /// Returns true if there are no patterns.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Returns true if the user's files can be read without delay: small regular files outside of
    /// home directories, which are presumably on a local disk. Home directories may be on any file
    /// system. The caller must have checked the name.
    pub(super) fn can_read_inline(&self, user: &str) -> bool {
        self.patterns.iter().all(|pattern| {
            let path = (!pattern.contains("%h")).then(|| expand(pattern, user, None)).flatten();
            path.is_some_and(|path| match path.metadata() {
                Ok(metadata) => metadata.is_file() && metadata.len() <= MAX_INLINE_FILE_LEN,
                Err(error) => error.kind() == io::ErrorKind::NotFound,
            })
        })
    }

    /// Returns the valid keys in the user's files. The caller must have checked the name.
    pub(super) fn keys_of(
        &self,
        user: &str,
    ) -> Result<impl Iterator<Item = AuthorizedKey> + use<>, LoginRefusalReason> {
        let mut found = Vec::new();
        self.for_each_file(user, |path, text| {
            let parsed = AuthorizedKeys::parse(text);
            for line in &parsed.rejected {
                self.log_problem(path, "authorized_keys line rejected", line);
            }
            found.extend(parsed.keys);
        })?;
        Ok(found.into_iter())
    }

    /// Returns the valid keys in the user's files with the path of each, for information only. The
    /// list is empty if the user name contains a slash.
    ///
    /// # Errors
    /// Returns the reason if a file fails the permission checks.
    pub fn list_keys(&self, user: &str) -> Result<Vec<(PathBuf, AuthorizedKey)>, LoginRefusalReason> {
        let mut found = Vec::new();
        // A name with a slash is invalid and would lead to another directory.
        if !user.contains('/') {
            self.for_each_file(user, |path, text| {
                found.extend(AuthorizedKeys::parse(text).keys.into_iter().map(|key| (path.to_owned(), key)));
            })?;
        }
        Ok(found)
    }

    /// Returns the valid principals in the user's files, if these are principals files. The caller
    /// must have checked the user's name.
    pub(super) fn principals_of(&self, user: &str) -> Result<Vec<Principal>, LoginRefusalReason> {
        let mut found = Vec::new();
        self.for_each_file(user, |path, text| {
            let (principals, rejected) = Principal::parse(text);
            for line in rejected {
                self.log_problem(path, "principals line rejected", &format_args!("line {line}"));
            }
            found.extend(principals);
        })?;
        Ok(found)
    }

    /// Calls `handle` with each of the user's files.
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
                    self.log_problem(&path, "key file cannot be read", &error);
                }
                Err(ReadError::Unsafe(problem)) => {
                    self.log_problem(&path, "key file is not safe", &problem);
                    return Err(LoginRefusalReason::KeyFileUnsafe);
                }
            }
        }
        Ok(())
    }

    /// Logs a problem with a file, at a limited rate.
    fn log_problem(&self, path: &Path, event: &str, reason: &dyn fmt::Display) {
        if let Some(suppressed) = self.log_limiter.allow(Instant::now()) {
            let suppressed = (suppressed > 0).then_some(suppressed);
            tracing::warn!(path = %path.display(), %reason, suppressed, "{event}");
        }
    }

    fn read(&self, path: &Path, owner: Option<u32>) -> Result<String, ReadError> {
        let (file, has_no_links) = open(path).map_err(ReadError::from_io)?;
        let metadata = file.metadata().map_err(ReadError::from_io)?;
        if !metadata.is_file() {
            return Err(ReadError::Unsafe("not a regular file"));
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

/// A pattern that does not expand to an absolute path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyFilePatternError(String);

impl fmt::Display for KeyFilePatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "invalid pattern {:?}: expected an absolute path or a path below %h; %u, %h and %% are expanded",
            self.0
        )
    }
}

impl std::error::Error for KeyFilePatternError {}

enum ReadError {
    NotFound,
    Io(io::Error),
    Unsafe(&'static str),
}

impl ReadError {
    fn from_io(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::NotFound { Self::NotFound } else { Self::Io(error) }
    }
}

/// Expands a pattern for a user. Returns `None` if the home directory is needed but unknown, or if
/// the result is not an absolute path.
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
    let has_no_parent_parts = !path.components().any(|part| part == Component::ParentDir);
    (path.is_absolute() && has_no_parent_parts).then_some(path)
}

/// Opens a file. Also returns true if the kernel confirms that the path contains no symbolic links.
fn open(path: &Path) -> io::Result<(File, bool)> {
    let opened = openat2(CWD, path, OPEN_FLAGS, Mode::empty(), ResolveFlags::NO_SYMLINKS);
    match opened {
        Ok(file) => Ok((file.into(), true)),
        Err(_) => Ok((rustix::fs::open(path, OPEN_FLAGS, Mode::empty())?.into(), false)),
    }
}

/// Checks that the file and each of its parent directories are owned by root, the server's user or
/// the user who logs in, and are not writable by anyone else. A sticky directory such as /tmp is
/// accepted: only the owner can replace a file in it, and the owner is checked too.
fn check_modes(
    path: &Path,
    has_no_links: bool,
    metadata: &Metadata,
    user: Option<u32>,
) -> Result<(), ReadError> {
    let own_uid = rustix::process::geteuid().as_raw();
    let trusted = |owner: u32| owner == 0 || owner == own_uid || Some(owner) == user;
    if !trusted(metadata.uid()) {
        return Err(ReadError::Unsafe("not owned by root, the server or the user"));
    }
    if metadata.mode() & 0o022 != 0 {
        return Err(ReadError::Unsafe("writable by its group or others"));
    }
    // Check the directories behind symbolic links too.
    let real = match has_no_links {
        true => Cow::Borrowed(path),
        false => Cow::Owned(path.canonicalize().map_err(ReadError::from_io)?),
    };
    for directory in real.ancestors().skip(1) {
        let metadata = directory.metadata().map_err(ReadError::from_io)?;
        if !trusted(metadata.uid()) {
            return Err(ReadError::Unsafe("a parent directory is not owned by root, the server or the user"));
        }
        if metadata.mode() & 0o022 != 0 && metadata.mode() & STICKY == 0 {
            return Err(ReadError::Unsafe("a parent directory is writable by its group or others"));
        }
    }
    Ok(())
}

/// Maximum size in bytes of a file that is read on the connection's own thread: some hundred keys.
const MAX_INLINE_FILE_LEN: u64 = 32 * 1024;
/// Maximum number of log lines per second.
const MAX_LOG_LINES_PER_SECOND: u32 = 10;
/// `NONBLOCK`, so that opening a named pipe does not block.
const OPEN_FLAGS: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC);
/// Maximum size in bytes of a key file.
const MAX_FILE_LEN: u64 = 1 << 20;
/// Mode bit of a directory in which only the owner can replace a file.
const STICKY: u32 = 0o1000;
