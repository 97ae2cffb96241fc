//! Object identifiers: a scratch form that never allocates and an owned form for stored identifiers
//! (RFC 2578 §3.5).
//!
//! Functions that only read an identifier take plain arcs, `&[u32]`. Both forms dereference to
//! `[u32]`.

use std::{fmt, ops::Deref, str::FromStr};

/// The maximum number of arcs of an identifier (RFC 2578 §3.5).
pub const MAX_ARCS: usize = 128;

/// A mutable identifier of at most [`MAX_ARCS`] arcs, stored inline.
///
/// Operations that would exceed the limit fail with [`OidError::TooLong`] and leave the identifier
/// unchanged.
#[derive(Clone)]
pub struct OidBuf {
    length: usize,
    arcs: [u32; MAX_ARCS],
}

impl OidBuf {
    /// Creates an identifier without arcs.
    pub const fn new() -> Self {
        Self { length: 0, arcs: [0; MAX_ARCS] }
    }

    /// Creates an identifier with a copy of `arcs`.
    ///
    /// # Errors
    /// [`OidError::TooLong`] for more than [`MAX_ARCS`] arcs.
    pub fn from_arcs(arcs: &[u32]) -> Result<Self, OidError> {
        let mut oid = Self::new();
        oid.extend(arcs)?;
        Ok(oid)
    }

    /// Appends one arc.
    ///
    /// # Errors
    /// [`OidError::TooLong`] if the identifier already has [`MAX_ARCS`] arcs.
    pub fn push(&mut self, arc: u32) -> Result<(), OidError> {
        let slot = self.arcs.get_mut(self.length).ok_or(OidError::TooLong)?;
        *slot = arc;
        self.length += 1;
        Ok(())
    }

    /// Appends all of `arcs`, or none if they do not fit.
    ///
    /// # Errors
    /// [`OidError::TooLong`] if the result would have more than [`MAX_ARCS`] arcs.
    pub fn extend(&mut self, arcs: &[u32]) -> Result<(), OidError> {
        let end = self.length + arcs.len();
        self.arcs.get_mut(self.length..end).ok_or(OidError::TooLong)?.copy_from_slice(arcs);
        self.length = end;
        Ok(())
    }

    /// Appends all of these arcs, which are below 256, or none if they do not fit.
    pub(crate) fn extend_small(&mut self, arcs: impl Iterator<Item = u8>) -> Result<(), OidError> {
        let room = self.arcs.get_mut(self.length..).unwrap_or_default();
        let mut arcs = arcs.map(u32::from);
        let taken = room.iter_mut().zip(&mut arcs).map(|(slot, arc)| *slot = arc).count();
        if arcs.next().is_some() {
            return Err(OidError::TooLong);
        }
        self.length += taken;
        Ok(())
    }

    /// Replaces the content with `arcs`.
    ///
    /// # Errors
    /// [`OidError::TooLong`] for more than [`MAX_ARCS`] arcs.
    pub fn set(&mut self, arcs: &[u32]) -> Result<(), OidError> {
        self.arcs.get_mut(..arcs.len()).ok_or(OidError::TooLong)?.copy_from_slice(arcs);
        self.length = arcs.len();
        Ok(())
    }

    /// Removes all arcs after the first `length` arcs. Has no effect if the identifier is not
    /// longer than `length`.
    pub fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    /// Removes all arcs.
    pub fn clear(&mut self) {
        self.length = 0;
    }
}

impl Default for OidBuf {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for OidBuf {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        self.arcs.get(..self.length).unwrap_or_default()
    }
}

impl PartialEq for OidBuf {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for OidBuf {}

impl fmt::Debug for OidBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&display_arcs(self), f)
    }
}

/// An owned identifier, for tables and configuration.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Oid(Box<[u32]>);

impl Oid {
    /// Creates an identifier with a copy of `arcs`.
    ///
    /// # Errors
    /// [`OidError::TooLong`] for more than [`MAX_ARCS`] arcs.
    pub fn new(arcs: &[u32]) -> Result<Self, OidError> {
        if arcs.len() > MAX_ARCS {
            return Err(OidError::TooLong);
        }
        Ok(Self(arcs.into()))
    }

    /// Returns the arcs.
    pub fn arcs(&self) -> &[u32] {
        &self.0
    }
}

impl From<&OidBuf> for Oid {
    fn from(oid: &OidBuf) -> Self {
        Self((**oid).into())
    }
}

impl Deref for Oid {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        &self.0
    }
}

impl FromStr for Oid {
    type Err = OidError;

    /// Parses dotted decimal, with or without a leading dot.
    fn from_str(text: &str) -> Result<Self, OidError> {
        let text = text.strip_prefix('.').unwrap_or(text);
        let arcs: Vec<u32> = text
            .split('.')
            .map(|arc| arc.parse().map_err(|_| OidError::NotDotted))
            .collect::<Result<_, _>>()?;
        Self::new(&arcs)
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&display_arcs(self), f)
    }
}

impl fmt::Debug for Oid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&display_arcs(self), f)
    }
}

/// The reason why arcs or a text are not an object identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OidError {
    /// There are more than [`MAX_ARCS`] arcs.
    TooLong,
    /// The text is not a list of numbers below 2³², joined by dots.
    NotDotted,
}

impl fmt::Display for OidError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong => "object identifier has more than 128 sub-identifiers",
            Self::NotDotted => "expected numbers below 4294967296 joined by dots, for example 1.3.6.1.2.1",
        })
    }
}

impl std::error::Error for OidError {}

/// Formats arcs in dotted decimal without a leading dot.
pub fn display_arcs(arcs: &[u32]) -> impl fmt::Display {
    DisplayArcs(arcs)
}

struct DisplayArcs<'a>(&'a [u32]);

impl fmt::Display for DisplayArcs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for arc in self.0 {
            write!(f, "{separator}{arc}")?;
            separator = ".";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
