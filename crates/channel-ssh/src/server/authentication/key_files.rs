//! Finds the files with a user's keys or principals, and checks that only trusted users can write
//! them.

use std::{
    borrow::Cow,
    fmt, io,
    os::unix::fs::MetadataExt,
    path::{Component, Path, PathBuf},
    sync::Arc,
    time::{Instant, SystemTime},
};

use portreeve_channel::LogLimiter;

use super::{
    LoginRefusalReason,
    file_cache::{FileCache, FileVersion},
    user_file::{self, FoundFile},
    users,
};
use crate::keys::{self, AuthorizedKey, AuthorizedKeys, Principal};

/// Path patterns: `%u` is the user's name, `%h` the user's home directory, `%%` a percent sign.
/// Files are checked at each login, so changes apply at once. Files below `%h` are read with the
/// rights of the user.
#[derive(Clone, Debug)]
pub struct KeyFiles {
    patterns: Vec<String>,
    /// Rejects files and directories that others can write, like sshd's StrictModes. On by default.
    pub strict_modes: bool,
    /// Limits log lines about problems with these files, which any login attempt can cause.
    log_limiter: Arc<LogLimiter>,
    keys: Arc<FileCache<AuthorizedKey>>,
    principals: Arc<FileCache<Principal>>,
}

impl KeyFiles {
    /// Returns whether a pattern contains `%u` or `%h`. Otherwise all users have the same file.
    #[must_use]
    pub fn depends_on_user(pattern: &str) -> bool {
        let mut chars = pattern.chars();
        while let Some(character) = chars.next() {
            if character == '%' && matches!(chars.next(), Some('u' | 'h')) {
                return true;
            }
        }
        false
    }

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

    /// Returns the valid keys in each of the user's files. The caller must have checked the name.
    pub(super) fn keys_of(&self, user: &str) -> Result<Vec<Arc<[AuthorizedKey]>>, LoginRefusalReason> {
        let files = self.read_files(user, &self.keys, |path, text| {
            let parsed = AuthorizedKeys::parse(text);
            for line in &parsed.rejected {
                self.log_problem(path, "ignored a line of authorized_keys", line);
            }
            parsed.keys
        })?;
        Ok(files.into_iter().map(|(_, keys)| keys).collect())
    }

    /// Returns the valid keys in the user's files with the path of each, for information only. The
    /// list is empty if the user name contains a slash.
    ///
    /// # Errors
    /// Returns the reason if a file fails the permission checks.
    pub fn list_keys(&self, user: &str) -> Result<Vec<(PathBuf, AuthorizedKey)>, LoginRefusalReason> {
        // A name with a slash is invalid and would lead to another directory.
        if user.contains('/') {
            return Ok(Vec::new());
        }
        let files = self.read_files(user, &self.keys, |_, text| AuthorizedKeys::parse(text).keys)?;
        let keys = files.iter().flat_map(|(path, keys)| keys.iter().map(|key| (path.clone(), key.clone())));
        Ok(keys.collect())
    }

    /// Reads the user's files as principals files, and returns the valid principals in each. The
    /// caller must have checked the user's name.
    pub(super) fn principals_of(&self, user: &str) -> Result<Vec<Arc<[Principal]>>, LoginRefusalReason> {
        let files = self.read_files(user, &self.principals, |path, text| {
            let (principals, rejected) = Principal::parse(text);
            for line in rejected {
                self.log_problem(
                    path,
                    "ignored a line of a file of principals",
                    &format_args!("line {line}: options that are not valid for a principal"),
                );
            }
            principals
        })?;
        Ok(files.into_iter().map(|(_, principals)| principals).collect())
    }

    /// Returns the items in each of the user's files. A file that has changed is parsed.
    fn read_files<T: Send + Sync>(
        &self,
        user: &str,
        cache: &FileCache<T>,
        parse: impl Fn(&Path, &str) -> Vec<T>,
    ) -> Result<FileItems<T>, LoginRefusalReason> {
        let local =
            self.patterns.iter().any(|pattern| is_in_home(pattern)).then(|| users::find(user)).flatten();
        let mut files = Vec::new();
        for pattern in &self.patterns {
            let Some(path) = expand(pattern, user, local.as_ref().map(|local| local.home.as_path())) else {
                continue;
            };
            let owner = local.as_ref().map(|local| local.uid);
            let read = || self.read(&path, owner, cache);
            let result = match &local {
                Some(local) if is_in_home(pattern) => {
                    user_file::with_rights_of(local, read).unwrap_or_else(|error| Err(ReadError::Io(error)))
                }
                _ => read(),
            };
            match result {
                Ok(Content::Parsed(items)) => files.push((path, items)),
                Ok(Content::Text(version, text)) => {
                    let items = Arc::from(parse(&path, &text));
                    cache.insert(&path, version, &items, SystemTime::now());
                    files.push((path, items));
                }
                Err(ReadError::NotFound) => {}
                Err(ReadError::Io(error)) => {
                    self.log_problem(&path, "cannot read a file of keys or principals", &error);
                }
                Err(ReadError::Unsafe(problem)) => {
                    self.log_problem(&path, "rejected a file of keys or principals", &problem);
                    return Err(LoginRefusalReason::KeyFileUnsafe);
                }
            }
        }
        Ok(files)
    }

    /// Logs a problem with a file, at a limited rate.
    fn log_problem(&self, path: &Path, event: &str, reason: &dyn fmt::Display) {
        if let Some(suppressed) = self.log_limiter.allow(Instant::now()) {
            let suppressed = (suppressed > 0).then_some(suppressed);
            tracing::warn!(path = %path.display(), %reason, suppressed, "{event}");
        }
    }

    fn read<T>(
        &self,
        path: &Path,
        owner: Option<u32>,
        cache: &FileCache<T>,
    ) -> Result<Content<T>, ReadError> {
        let found = FoundFile::find(path).map_err(ReadError::from_io)?;
        if !found.metadata.is_file() {
            return Err(ReadError::Unsafe("not a regular file"));
        }
        if self.strict_modes {
            check_modes(path, &found, owner)?;
        }
        let version = FileVersion::of(&found.metadata);
        if let Some(items) = cache.get(path, version) {
            return Ok(Content::Parsed(items));
        }
        let text =
            found.open().and_then(|file| keys::read_text(file, MAX_FILE_LEN)).map_err(ReadError::Io)?;
        Ok(Content::Text(version, text))
    }
}

/// The parsed items in each file, such as keys, with the path of the file.
type FileItems<T> = Vec<(PathBuf, Arc<[T]>)>;

/// The content of a file.
enum Content<T> {
    /// The file has not changed since it was parsed.
    Parsed(Arc<[T]>),
    Text(FileVersion, String),
}

impl Default for KeyFiles {
    fn default() -> Self {
        Self {
            patterns: Vec::new(),
            strict_modes: true,
            log_limiter: Arc::new(LogLimiter::per_second(MAX_LOG_LINES_PER_SECOND)),
            keys: Arc::default(),
            principals: Arc::default(),
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

/// Returns true if the pattern starts from the user's home directory.
fn is_in_home(pattern: &str) -> bool {
    pattern.contains("%h")
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

/// Checks that the file and each of its parent directories are owned by root, the server's user or
/// the user who logs in, and are not writable by anyone else. A sticky directory such as /tmp is
/// accepted: only the owner can replace a file in it, and the owner is checked too.
fn check_modes(path: &Path, found: &FoundFile, user: Option<u32>) -> Result<(), ReadError> {
    // The real user ID is the server's. On this thread, the effective one may be the user's.
    let own_uid = rustix::process::getuid().as_raw();
    let trusted = |owner: u32| owner == 0 || owner == own_uid || Some(owner) == user;
    let metadata = &found.metadata;
    if !trusted(metadata.uid()) {
        return Err(ReadError::Unsafe("not owned by root, the server or the user"));
    }
    if metadata.mode() & 0o022 != 0 {
        return Err(ReadError::Unsafe("writable by its group or others"));
    }
    // Check the directories behind symbolic links too.
    let real = match found.has_no_links {
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

/// Maximum number of log lines per second.
const MAX_LOG_LINES_PER_SECOND: u32 = 10;
/// Maximum size in bytes of a key file.
const MAX_FILE_LEN: u64 = 1 << 20;
/// Mode bit of a directory in which only the owner can replace a file.
const STICKY: u32 = 0o1000;
