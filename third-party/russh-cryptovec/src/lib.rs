//! Replaces the crate of this name, in which russh keeps secrets. The workspace patches it in.
//!
//! The original asks the kernel to lock each buffer in memory, and to unlock it when it is freed.
//! Setting up one session takes a dozen such calls on each side, a tenth of its total time, and
//! each lock splits the heap's mapping, of which a process has a limited number. The benefit is
//! small:
//!
//! - During a session such a buffer holds only the session identifier. The keys that encrypt
//!   messages are held by the cipher library, which locks nothing.
//! - Locks do not nest, so freeing one buffer unlocks its neighbors on the same page.
//! - Beyond a few megabytes the kernel refuses.
//!
//! To keep secrets out of swap, keep the whole process out of swap.
//!
//! This crate keeps what the name promises: a buffer's content is wiped before its memory is freed
//! or reused. The interface is that of the original, as far as russh uses it. No code of the
//! original is used.

use std::{
    fmt, io,
    ops::{Deref, DerefMut},
};

use zeroize::Zeroize;

/// Octets that are wiped on drop.
#[derive(Default)]
pub struct CryptoVec(Vec<u8>);

impl CryptoVec {
    /// Creates an empty buffer without allocating memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty buffer with this capacity.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self(Vec::with_capacity(capacity))
    }

    /// Creates a buffer with this number of zeros.
    #[must_use]
    pub fn new_zeroed(size: usize) -> Self {
        Self(vec![0; size])
    }

    /// Creates a copy of these octets.
    #[must_use]
    pub fn from_slice(octets: &[u8]) -> Self {
        Self(octets.to_vec())
    }

    /// Changes the length: appends zeros, or wipes and removes octets at the end.
    pub fn resize(&mut self, size: usize) {
        match self.0.get_mut(size..) {
            Some(rest) => {
                rest.zeroize();
                self.0.truncate(size);
            }
            None => {
                self.make_room(size - self.0.len());
                self.0.resize(size, 0);
            }
        }
    }

    /// Appends this number of zeros and returns them for overwriting.
    pub fn resize_mut(&mut self, more: usize) -> &mut [u8] {
        let before = self.0.len();
        self.make_room(more);
        self.0.resize(before + more, 0);
        self.0.get_mut(before..).unwrap_or_default()
    }

    /// Wipes and removes all octets; keeps the memory.
    pub fn clear(&mut self) {
        self.resize(0);
    }

    /// Appends an octet.
    pub fn push(&mut self, octet: u8) {
        self.extend(&[octet]);
    }

    /// Appends octets.
    pub fn extend(&mut self, octets: &[u8]) {
        self.make_room(octets.len());
        self.0.extend_from_slice(octets);
    }

    /// Ensures capacity for `more` octets. Moves the content here if necessary, because a move by
    /// `Vec` would leave a copy behind.
    fn make_room(&mut self, more: usize) {
        if self.0.capacity() - self.0.len() >= more {
            return;
        }
        let wanted = self.0.len().saturating_add(more).max(2 * self.0.capacity()).max(LEAST);
        let mut wider = Vec::with_capacity(wanted);
        wider.extend_from_slice(&self.0);
        self.0.zeroize();
        self.0 = wider;
    }
}

impl Clone for CryptoVec {
    fn clone(&self) -> Self {
        Self::from_slice(self)
    }
}

impl Drop for CryptoVec {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl fmt::Debug for CryptoVec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CryptoVec({} octets)", self.0.len())
    }
}

impl Deref for CryptoVec {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for CryptoVec {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl AsRef<[u8]> for CryptoVec {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl AsMut<[u8]> for CryptoVec {
    fn as_mut(&mut self) -> &mut [u8] {
        self
    }
}

impl From<Vec<u8>> for CryptoVec {
    fn from(octets: Vec<u8>) -> Self {
        Self(octets)
    }
}

impl From<&[u8]> for CryptoVec {
    fn from(octets: &[u8]) -> Self {
        Self::from_slice(octets)
    }
}

impl From<String> for CryptoVec {
    fn from(text: String) -> Self {
        Self(text.into_bytes())
    }
}

impl From<&str> for CryptoVec {
    fn from(text: &str) -> Self {
        Self::from_slice(text.as_bytes())
    }
}

impl io::Write for CryptoVec {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.extend(octets);
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(feature = "ssh-encoding")]
impl ssh_encoding::Writer for CryptoVec {
    fn write(&mut self, octets: &[u8]) -> ssh_encoding::Result<()> {
        self.extend(octets);
        Ok(())
    }
}

/// Minimum capacity in octets, enough for a secret or a key.
const LEAST: usize = 64;
