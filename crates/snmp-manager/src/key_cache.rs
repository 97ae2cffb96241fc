//! Localized keys kept between runs, so that a mebibyte is hashed once per user and engine (RFC 3414 A.2).
//!
//! What is kept is as powerful as the key itself: whoever can read the file can speak as its users to its engines, and
//! can test guesses of their pass phrases. No pass phrase is in it, and nothing in it names a user or an engine: an
//! entry is found by a keyed hash over everything the keys are made from, with a key of the file's own.
//!
//! Nothing here is read or written while a session talks: [`KeyCache::open`] and [`KeyCache::save`] are all that touch
//! the disk. Keys get in once the engine has answered to them, with the key extension that it speaks.

mod entry;
mod file;

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use portreeve_crypto::{AuthKey, AuthProtocol};
use portreeve_secret::Secret;

use crate::credentials::LocalizedUser;
use entry::{CacheEntry, Tag};

/// Keys of users on engines they have talked to, for any number of sessions at once.
///
/// ```no_run
/// use std::sync::Arc;
/// use portreeve_crypto::AuthProtocol;
/// use portreeve_snmp_manager::{KeyCache, UsmUser};
/// use portreeve_secret::Secret;
///
/// let cache = Arc::new(KeyCache::open("/home/ops/.cache/portreeve/keys".as_ref())?);
/// let pass_phrase = Secret::from("a pass phrase");
/// let user = UsmUser::with_auth(b"ops", AuthProtocol::HmacSha256_192, &pass_phrase)?.with_cache(Arc::clone(&cache));
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
    /// The newest first.
    entries: Vec<CacheEntry>,
    changed: bool,
}

impl KeyCache {
    /// Reads the cache at `path`. A file that is missing, damaged, not this user's own or open to others counts as
    /// empty, and is replaced by the next [`Self::save`].
    ///
    /// # Errors
    /// Where the system has no randomness to give.
    pub fn open(path: &Path) -> io::Result<Self> {
        let (file_key, entries) = match file::read(path).and_then(|text| entry::parse(&text)) {
            Some(found) => found,
            None => (FileKey::random()?, Vec::new()),
        };
        Ok(Self {
            path: path.to_owned(),
            file_key,
            state: Mutex::new(CacheState { entries, changed: false }),
        })
    }

    /// Writes what is new, in one step, for the owner alone (mode 0600, folders 0700). What another process has
    /// written since is kept. Does nothing where nothing is new.
    ///
    /// # Errors
    /// Where the folder is not this user's own, or cannot be written.
    pub fn save(&self) -> io::Result<()> {
        let mut state = self.lock();
        if !state.changed {
            return Ok(());
        }
        if let Some((other, entries)) = file::read(&self.path).and_then(|text| entry::parse(&text))
            && other == self.file_key
        {
            let known = |entry: &CacheEntry| state.entries.iter().any(|ours| ours.tag == entry.tag);
            let new: Vec<_> = entries.into_iter().filter(|entry| !known(entry)).collect();
            state.entries.extend(new);
        }
        state.entries.truncate(MAX_ENTRIES);
        file::replace(&self.path, &entry::write(&self.file_key, &state.entries))?;
        state.changed = false;
        Ok(())
    }

    /// The keys made from `origin`, if they are known.
    pub(crate) fn find(&self, origin: &[&[u8]]) -> Option<LocalizedUser> {
        let tag = self.file_key.tag(origin);
        self.lock().entries.iter().find(|entry| entry.tag == tag).map(|entry| entry.keys.duplicate())
    }

    /// Keeps the keys made from `origin`.
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

    /// A thread that panicked has left whole entries.
    fn lock(&self) -> MutexGuard<'_, CacheState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What makes one file's tags unlike another's.
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

    /// `None` unless there are [`Self::LEN`] octets.
    fn new(octets: Vec<u8>) -> Option<Self> {
        let octets = Secret::new(octets);
        let key = AuthKey::new(AuthProtocol::HmacSha256_192, octets.expose()).ok()?;
        Some(Self { octets, key })
    }

    /// The name of the entry for what is made from `origin`.
    fn tag(&self, origin: &[&[u8]]) -> Tag {
        let mut framed = Vec::with_capacity(origin.iter().map(|part| part.len() + 8).sum());
        for part in origin {
            framed.extend_from_slice(&(part.len() as u64).to_be_bytes());
            framed.extend_from_slice(part);
        }
        let framed = Secret::new(framed);
        // Whoever has the file can guess at this speed; it is kept slow as far as nobody notices.
        let mut code = self.key.sign(&[framed.expose()]);
        for _ in 1..TAG_ROUNDS {
            code = self.key.sign(&[code.as_octets()]);
        }
        Tag::from(code)
    }

    /// Vouches for the file's text as far as accidents go.
    fn check(&self, text: &[u8]) -> Tag {
        Tag::from(self.key.sign(&[text]))
    }
}

impl PartialEq for FileKey {
    fn eq(&self, other: &Self) -> bool {
        self.octets == other.octets
    }
}

/// How many users and engines are remembered; the oldest give way.
const MAX_ENTRIES: usize = 512;
const TAG_ROUNDS: usize = 256;

#[cfg(test)]
mod tests;
