//! Localized keys stored between runs, so that one mebibyte is hashed once per user and engine (RFC
//! 3414 A.2).
//!
//! The file is as sensitive as the keys: anyone who has it can impersonate its users to their
//! engines and test guesses of their pass phrases. It contains no pass phrases, user names or
//! engine IDs: an entry is found by a keyed hash over everything from which its keys are derived.
//! The file contains the random key of this hash.
//!
//! A session does no file I/O: only [`KeyCache::open`] and [`KeyCache::save`] access the file. Keys
//! are inserted after the engine has accepted them, with the key extension that it uses.

mod entry;

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use portreeve_crypto::{AuthKey, AuthProtocol};
use portreeve_secret::Secret;

use crate::{credentials::LocalizedUser, private_file};
use entry::{CacheEntry, Tag};

/// Localized keys of users, for any number of sessions in parallel.
///
/// ```no_run
/// use std::sync::Arc;
/// use portreeve_crypto::AuthProtocol;
/// use portreeve_snmp_manager::{KeyCache, UsmUser};
/// use portreeve_secret::Secret;
///
/// let cache = Arc::new(KeyCache::open("/home/ops/.cache/portreeve/keys".as_ref())?);
/// let pass_phrase = Secret::from("a pass phrase");
/// let user = UsmUser::with_auth(b"ops", AuthProtocol::HmacSha256_192, &pass_phrase)?
///     .with_cache(Arc::clone(&cache));
/// // … sessions of the user …
/// cache.save()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct KeyCache {
    path: PathBuf,
    file_key: FileKey,
    state: Mutex<CacheState>,
}

struct CacheState {
    /// The cached keys, newest first.
    entries: Vec<CacheEntry>,
    changed: bool,
}

impl KeyCache {
    /// Reads the cache at `path`. A file that is missing, damaged, not owned by this user or
    /// accessible to others counts as empty; the next [`Self::save`] replaces it.
    ///
    /// # Errors
    /// The system's random number generator failed.
    pub fn open(path: &Path) -> io::Result<Self> {
        let (file_key, entries) = match private_file::read(path).and_then(|text| entry::parse(&text)) {
            Some(found) => found,
            None => (FileKey::random()?, Vec::new()),
        };
        Ok(Self {
            path: path.to_owned(),
            file_key,
            state: Mutex::new(CacheState { entries, changed: false }),
        })
    }

    /// Writes new entries, atomically and accessible to the owner only (mode 0600, directories
    /// 0700). Entries that another process has written in the meantime are kept. Does nothing if
    /// there are no new entries.
    ///
    /// # Errors
    /// The directory is not owned by this user or cannot be written.
    pub fn save(&self) -> io::Result<()> {
        let mut state = self.lock();
        if !state.changed {
            return Ok(());
        }
        if let Some((other, entries)) = private_file::read(&self.path).and_then(|text| entry::parse(&text))
            && other == self.file_key
        {
            let known = |entry: &CacheEntry| state.entries.iter().any(|ours| ours.tag == entry.tag);
            let new: Vec<_> = entries.into_iter().filter(|entry| !known(entry)).collect();
            state.entries.extend(new);
        }
        state.entries.truncate(MAX_ENTRIES);
        // Losing the cache in a power failure is acceptable.
        private_file::replace(&self.path, &entry::write(&self.file_key, &state.entries), false)?;
        state.changed = false;
        Ok(())
    }

    /// Returns the keys derived from `origin`, if they are cached.
    pub(crate) fn find(&self, origin: &[&[u8]]) -> Option<LocalizedUser> {
        let tag = self.file_key.tag(origin);
        self.lock().entries.iter().find(|entry| entry.tag == tag).map(|entry| entry.keys.duplicate())
    }

    /// Stores the keys derived from `origin`.
    pub(crate) fn insert(&self, origin: &[&[u8]], keys: &LocalizedUser) {
        let tag = self.file_key.tag(origin);
        let mut state = self.lock();
        let known = state.entries.iter().position(|entry| entry.tag == tag);
        if known.and_then(|index| state.entries.get(index)).is_some_and(|entry| entry.keys == *keys) {
            return;
        }
        state.entries.retain(|entry| entry.tag != tag);
        state.entries.insert(0, CacheEntry { tag, keys: keys.duplicate() });
        state.entries.truncate(MAX_ENTRIES);
        state.changed = true;
    }

    /// Locks the state, poisoned or not: entries are complete even after a panic in another thread.
    fn lock(&self) -> MutexGuard<'_, CacheState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The random key of one file. It makes the tags of this file differ from those of other files.
struct FileKey {
    octets: Secret,
    key: AuthKey,
}

impl FileKey {
    const LEN: usize = 32;

    fn random() -> io::Result<Self> {
        let mut octets = vec![0; Self::LEN];
        let mut filled = 0;
        while let Some(rest) = octets.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            filled += rustix::rand::getrandom(rest, rustix::rand::GetRandomFlags::empty())?;
        }
        Self::new(octets).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    /// Creates the key; `None` unless `octets` has [`Self::LEN`] bytes.
    fn new(octets: Vec<u8>) -> Option<Self> {
        let octets = Secret::new(octets);
        let key = AuthKey::new(AuthProtocol::HmacSha256_192, octets.expose()).ok()?;
        Some(Self { octets, key })
    }

    /// Returns the tag that identifies keys derived from `origin`.
    fn tag(&self, origin: &[&[u8]]) -> Tag {
        let mut framed = Vec::with_capacity(origin.iter().map(|part| part.len() + 8).sum());
        for part in origin {
            framed.extend_from_slice(&(part.len() as u64).to_be_bytes());
            framed.extend_from_slice(part);
        }
        let framed = Secret::new(framed);
        // The rounds slow down guessing with a stolen file, and are few enough not to delay the
        // user noticeably.
        let mut code = self.key.sign(&[framed.expose()]);
        for _ in 1..TAG_ROUNDS {
            code = self.key.sign(&[code.as_octets()]);
        }
        Tag::from(code)
    }

    /// Returns a checksum of the file's text. It detects accidental damage.
    fn check(&self, text: &[u8]) -> Tag {
        Tag::from(self.key.sign(&[text]))
    }
}

impl PartialEq for FileKey {
    fn eq(&self, other: &Self) -> bool {
        self.octets == other.octets
    }
}

/// The maximum number of entries. If it is reached, the oldest entry is evicted.
const MAX_ENTRIES: usize = 512;
const TAG_ROUNDS: usize = 256;

#[cfg(test)]
mod tests;
