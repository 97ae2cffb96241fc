//! Keys of records: the table's kind, then the index, part by part between slashes.

use portreeve_smi::Oid;

use super::{Unreadable, read_hex, write_hex};
use crate::Name;

/// The index of a table.
pub trait RowKey: Ord + Clone + Send + Sync + 'static {
    /// Writes every part.
    fn write(&self, key: &mut KeyWriter);

    /// Reads the parts that [`RowKey::write`] has written.
    fn read(key: &mut KeyReader<'_>) -> Result<Self, Unreadable>;
}

/// Writes the parts of a key.
pub struct KeyWriter(String);

impl KeyWriter {
    pub(super) fn new(kind: &str) -> Self {
        Self(kind.to_owned())
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.0.into_bytes()
    }

    /// Octets, in hexadecimal.
    pub fn octets(&mut self, octets: &[u8]) {
        self.0.push('/');
        write_hex(&mut self.0, octets);
    }

    /// A number.
    pub fn number(&mut self, number: u32) {
        self.0.push('/');
        self.0.push_str(&number.to_string());
    }

    /// An object identifier.
    pub fn oid(&mut self, oid: &Oid) {
        self.0.push('/');
        self.0.push_str(&oid.to_string());
    }
}

/// Reads the parts of a key, in the order they were written.
pub struct KeyReader<'a>(std::str::Split<'a, char>);

impl<'a> KeyReader<'a> {
    /// A reader of the parts of `key`, if it is of this kind.
    pub(super) fn new(key: &'a str, kind: &str) -> Option<Self> {
        key.strip_prefix(kind)?.strip_prefix('/').map(|parts| Self(parts.split('/')))
    }

    pub(super) fn finish(mut self) -> Result<(), Unreadable> {
        self.0.next().map_or(Ok(()), |_| Err(Unreadable))
    }

    /// Octets.
    pub fn octets(&mut self) -> Result<Vec<u8>, Unreadable> {
        read_hex(self.part()?)
    }

    /// Octets of a name.
    pub fn name(&mut self) -> Result<Name, Unreadable> {
        self.octets().map(Name::from)
    }

    /// A number.
    pub fn number(&mut self) -> Result<u32, Unreadable> {
        self.part()?.parse().map_err(|_| Unreadable)
    }

    /// One of several values, by its number.
    pub fn choice<T>(&mut self, from_number: impl Fn(i32) -> Option<T>) -> Result<T, Unreadable> {
        let number = self.number()?.try_into().map_err(|_| Unreadable)?;
        from_number(number).ok_or(Unreadable)
    }

    /// An object identifier.
    pub fn oid(&mut self) -> Result<Oid, Unreadable> {
        match self.part()? {
            "" => Ok(Oid::default()),
            dotted => dotted.parse().map_err(|_| Unreadable),
        }
    }

    fn part(&mut self) -> Result<&'a str, Unreadable> {
        self.0.next().ok_or(Unreadable)
    }
}
