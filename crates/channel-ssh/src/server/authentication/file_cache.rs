//! Caches parsed files, so that login attempts do not parse an unchanged file again.

use std::{
    fs::Metadata,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

/// The parsed content, such as keys or principals, of the files that were used last.
#[derive(Debug)]
pub(super) struct FileCache<T> {
    /// The least recently used file is first.
    files: Mutex<Vec<CachedFile<T>>>,
}

#[derive(Debug)]
struct CachedFile<T> {
    path: PathBuf,
    version: FileVersion,
    items: Arc<[T]>,
}

/// The metadata that changes whenever the contents change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileVersion {
    device: u64,
    inode: u64,
    len: u64,
    /// Seconds and nanoseconds since 1970.
    modified: (i64, i64),
    changed: (i64, i64),
}

impl FileVersion {
    pub(super) fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            len: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// Returns false if a further change to the file might not change the metadata, because file
    /// systems store times with limited precision.
    fn is_settled(&self, now: SystemTime) -> bool {
        let now = now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let settled = now.saturating_sub(TIME_PRECISION);
        [self.modified, self.changed]
            .iter()
            .all(|(seconds, _)| u64::try_from(*seconds).is_ok_and(|at| at < settled))
    }
}

impl<T> FileCache<T> {
    /// Returns the items of a file that has not changed since it was parsed.
    pub(super) fn get(&self, path: &Path, version: FileVersion) -> Option<Arc<[T]>> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let index = files.iter().position(|file| file.path == path && file.version == version)?;
        let file = files.remove(index);
        let items = Arc::clone(&file.items);
        files.push(file);
        Some(items)
    }

    /// Stores the items of a file, unless the file has just changed. Evicts the least recently used
    /// files.
    pub(super) fn insert(&self, path: &Path, version: FileVersion, items: &Arc<[T]>, now: SystemTime) {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.retain(|file| file.path != path);
        if !version.is_settled(now) {
            return;
        }
        files.push(CachedFile { path: path.to_owned(), version, items: Arc::clone(items) });
        while files.len() > MAX_FILES
            || files.iter().map(|file| file.version.len).sum::<u64>() > MAX_TOTAL_LEN
        {
            files.remove(0);
        }
    }
}

impl<T> Default for FileCache<T> {
    fn default() -> Self {
        Self { files: Mutex::default() }
    }
}

/// Seconds after which a change is certain to be visible in a file's times.
const TIME_PRECISION: u64 = 2;
/// Maximum number of cached files.
const MAX_FILES: usize = 64;
/// Maximum size in bytes of all files together.
const MAX_TOTAL_LEN: u64 = 4 << 20;

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const LATER: Duration = Duration::from_secs(5);

    fn version(len: u64) -> FileVersion {
        FileVersion { device: 1, inode: 2, len, modified: (1000, 1), changed: (1000, 1) }
    }

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn review_h1_unchanged_file_is_parsed_once() {
        let cache = FileCache::default();
        let path = Path::new("/keys/ops");
        cache.insert(path, version(9), &Arc::from([1, 2]), at(1000) + LATER);
        assert_eq!(cache.get(path, version(9)).as_deref(), Some(&[1, 2][..]));
        let changes = [
            version(10),
            FileVersion { inode: 3, ..version(9) },
            FileVersion { modified: (1000, 2), ..version(9) },
            FileVersion { changed: (1000, 2), ..version(9) },
        ];
        for changed in changes {
            assert_eq!(cache.get(path, changed), None, "{changed:?}");
        }
        assert_eq!(cache.get(Path::new("/keys/root"), version(9)), None);
    }

    #[test]
    fn recently_changed_file_is_not_cached() {
        let cache = FileCache::default();
        let path = Path::new("/keys/ops");
        cache.insert(path, version(9), &Arc::from([1]), at(1001));
        assert_eq!(cache.get(path, version(9)), None);
        // The clock of a file server may be ahead of ours.
        cache.insert(path, version(9), &Arc::from([1]), at(10));
        assert_eq!(cache.get(path, version(9)), None);
    }

    #[test]
    fn number_and_total_size_of_cached_files_are_limited() {
        let cache = FileCache::default();
        for number in 0..MAX_FILES as u64 + 5 {
            cache.insert(Path::new(&format!("/{number}")), version(9), &Arc::from([0]), at(2000));
        }
        assert_eq!(cache.files.lock().unwrap().len(), MAX_FILES);
        for number in 0..9 {
            cache.insert(Path::new(&format!("/{number}")), version(1 << 20), &Arc::from([0]), at(2000));
        }
        assert_eq!(cache.files.lock().unwrap().len(), 4);
        assert!(cache.get(Path::new("/8"), version(1 << 20)).is_some());
    }
}
