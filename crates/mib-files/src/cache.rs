//! A cache of loaded modules for the next process.
//!
//! A cache file consists of a magic string (8 bytes), the CRC-32 of everything that follows (4),
//! the length of the key (4), the key and the table. Numbers are big-endian. The key lists the
//! requested modules and every file with its size and modification time; if it differs, the cache
//! is stale. A new cache file replaces the old one atomically, so that no process reads a partial
//! file.

use std::{
    fs,
    io::{self, Read, Write},
    os::unix::ffi::OsStrExt,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use crate::{directories::MibFile, search::MibSearch};

/// The cache file of one search.
pub(crate) struct Cache {
    path: PathBuf,
    key: Vec<u8>,
}

impl Cache {
    /// Creates the cache of a search. Returns `None` if the search uses no cache.
    pub(crate) fn of(search: &MibSearch, files: &[MibFile]) -> Option<Self> {
        let directory = search.cache_directory()?;
        let mut key = format!("{} {:?}\n", env!("CARGO_PKG_VERSION"), search.selectors()).into_bytes();
        let mut name_source = key.clone();
        for directory in search.search_path().iter().map(PathBuf::as_path).chain(search.explicit_files()) {
            name_source.extend_from_slice(directory.as_os_str().as_bytes());
            name_source.push(0);
        }
        for file in files {
            key.extend_from_slice(file.path.as_os_str().as_bytes());
            let (seconds, nanoseconds) = file.modified;
            key.push(0);
            key.extend_from_slice(
                format!("{} {seconds} {nanoseconds} {}\n", file.size, file.is_explicit).as_bytes(),
            );
        }
        let name = format!("mibs-{:08x}.cache", crc32fast::hash(&name_source));
        Some(Self { path: directory.join(name), key })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the encoded table, or `Ok(None)` if the cache is missing or stale.
    pub(crate) fn load(&self) -> Result<Option<Vec<u8>>, CacheError> {
        let mut octets = Vec::new();
        let read =
            fs::File::open(&self.path).and_then(|file| file.take(MAX_CACHE_SIZE).read_to_end(&mut octets));
        if read.is_err() {
            return Ok(None);
        }
        let (key, table) = split(&octets)?;
        Ok((key == self.key).then(|| table.to_vec()))
    }

    /// Stores a table in the cache file.
    pub(crate) fn store(&self, table: &[u8]) -> io::Result<()> {
        let directory = self.path.parent().unwrap_or(Path::new("."));
        fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
        let temporary = self.path.with_extension(format!("{}.new", std::process::id()));
        let written = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&temporary)
            .and_then(|mut file| file.write_all(&self.encode(table)))
            .and_then(|()| fs::rename(&temporary, &self.path));
        if written.is_err() {
            // Removes a temporary file that an earlier process with the same ID has left, because
            // it would prevent the creation of a new one.
            let _ = fs::remove_file(&temporary);
        }
        written
    }

    fn encode(&self, table: &[u8]) -> Vec<u8> {
        let mut body = u32::try_from(self.key.len()).unwrap_or(u32::MAX).to_be_bytes().to_vec();
        body.extend_from_slice(&self.key);
        body.extend_from_slice(table);
        let mut octets = MAGIC.to_vec();
        octets.extend_from_slice(&crc32fast::hash(&body).to_be_bytes());
        octets.extend_from_slice(&body);
        octets
    }
}

/// A cache file that is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CacheError;

/// Splits a cache file into key and table.
pub(crate) fn split(octets: &[u8]) -> Result<(&[u8], &[u8]), CacheError> {
    let body = octets.strip_prefix(MAGIC).ok_or(CacheError)?;
    let (checksum, body) = body.split_first_chunk::<4>().ok_or(CacheError)?;
    if crc32fast::hash(body) != u32::from_be_bytes(*checksum) {
        return Err(CacheError);
    }
    let (length, rest) = body.split_first_chunk::<4>().ok_or(CacheError)?;
    let length = usize::try_from(u32::from_be_bytes(*length)).map_err(|_| CacheError)?;
    rest.split_at_checked(length).ok_or(CacheError)
}

/// The magic string of cache files. Its last octet is the version of the table format.
const MAGIC: &[u8] = b"PRTRMIB\x02";
const MAX_CACHE_SIZE: u64 = 256 << 20;
