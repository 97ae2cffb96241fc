//! Stands in for the crate of this name that russh keeps secrets in; the workspace patches it in.
//!
//! Why: the original asks the kernel to lock each of its buffers into memory, and to unlock it when it goes. Setting up one
//! session takes each end a dozen such calls, a tenth of all its time, and each lock splits the heap's mapping, of which a
//! process has only so many. It protects little: what it holds while a session lasts is the session's identifier; the keys
//! that messages are encrypted with are the cipher library's, which locks nothing; locks do not count, so that one buffer's
//! end unlocks its neighbours on the page; and beyond a few megabytes the kernel refuses. Whoever must keep secrets out of
//! the swap keeps the whole process out of it.
//!
//! What is left is what the name promises: whatever was in a buffer is wiped before its memory is given back or used again.
//! The interface is the original's, as far as russh uses it; nothing of its text is.

use std::{
    fmt, io,
    ops::{Deref, DerefMut},
};

use zeroize::Zeroize;

/// Octets that are wiped when they go.
#[derive(Default)]
pub struct CryptoVec(Vec<u8>);

impl CryptoVec {
    /// Without octets, and without memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Without octets, and with room for so many.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self(Vec::with_capacity(capacity))
    }

    /// So many zeros.
    #[must_use]
    pub fn new_zeroed(size: usize) -> Self {
        Self(vec![0; size])
    }

    /// A copy of these octets.
    #[must_use]
    pub fn from_slice(octets: &[u8]) -> Self {
        Self(octets.to_vec())
    }

    /// Takes zeros in at the end, or wipes what is too much.
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

    /// As many zeros more, to be written over.
    pub fn resize_mut(&mut self, more: usize) -> &mut [u8] {
        let before = self.0.len();
        self.make_room(more);
        self.0.resize(before + more, 0);
        self.0.get_mut(before..).unwrap_or_default()
    }

    /// Wipes all; the memory stays.
    pub fn clear(&mut self) {
        self.resize(0);
    }

    /// Takes an octet in at the end.
    pub fn push(&mut self, octet: u8) {
        self.extend(&[octet]);
    }

    /// Takes octets in at the end.
    pub fn extend(&mut self, octets: &[u8]) {
        self.make_room(octets.len());
        self.0.extend_from_slice(octets);
    }

    /// Makes sure that growing by `more` moves nothing, as what is moved leaves a copy behind.
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

/// Octets of room with which a buffer begins: a secret or a key.
const LEAST: usize = 64;
