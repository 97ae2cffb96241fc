//! The keys of records: the table's prefix and the parts of the index, separated by slashes.

use portreeve_smi::Oid;

use super::{RecordError, hex_digits, read_hex};
use crate::Name;

/// The index of a table, one part for each object of the INDEX clause.
pub trait RowKey: Ord + Clone + Send + Sync + 'static {
    /// Writes all parts of the index to `key`.
    fn write(&self, key: &mut impl KeyWriter);

    /// Reads the parts that [`RowKey::write`] has written.
    ///
    /// # Errors
    /// Returns [`RecordError`] if a part is missing or malformed.
    fn read(key: &mut impl KeyReader) -> Result<Self, RecordError>;
}

/// Writes the parts of a key.
pub trait KeyWriter {
    /// Writes a part that consists of octets.
    fn octets(&mut self, octets: &[u8]);

    /// Writes a part that is a number.
    fn number(&mut self, number: u32);

    /// Writes a part that is an object identifier.
    fn oid(&mut self, oid: &Oid);
}

/// Reads the parts of a key in the order in which they were written.
pub trait KeyReader {
    /// Reads octets.
    ///
    /// # Errors
    /// Returns [`RecordError`] if the part is missing or malformed.
    fn octets(&mut self) -> Result<Vec<u8>, RecordError>;

    /// Reads a number.
    ///
    /// # Errors
    /// Returns [`RecordError`] if the part is missing or malformed.
    fn number(&mut self) -> Result<u32, RecordError>;

    /// Reads an object identifier.
    ///
    /// # Errors
    /// Returns [`RecordError`] if the part is missing or malformed.
    fn oid(&mut self) -> Result<Oid, RecordError>;

    /// Reads octets as a name.
    ///
    /// # Errors
    /// Returns [`RecordError`] if the part is missing or malformed.
    fn name(&mut self) -> Result<Name, RecordError> {
        self.octets().map(Name::from)
    }

    /// Reads the number of an enumeration value.
    ///
    /// # Errors
    /// Returns [`RecordError`] if the part is missing or malformed, or if no value has this number.
    fn choice<T>(&mut self, from_number: impl Fn(i32) -> Option<T>) -> Result<T, RecordError> {
        let number = self.number()?.try_into().map_err(|_| RecordError)?;
        from_number(number).ok_or(RecordError)
    }
}

/// Writes the key of a record: octets in hexadecimal, numbers and identifiers in decimal.
pub(super) struct RecordKeyWriter(String);

impl RecordKeyWriter {
    pub(super) fn new(kind: &str) -> Self {
        Self(kind.to_owned())
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.0.into_bytes()
    }
}

impl KeyWriter for RecordKeyWriter {
    fn octets(&mut self, octets: &[u8]) {
        self.0.push('/');
        self.0.extend(hex_digits(octets).flatten().map(char::from));
    }

    fn number(&mut self, number: u32) {
        self.0.push('/');
        self.0.push_str(&number.to_string());
    }

    fn oid(&mut self, oid: &Oid) {
        self.0.push('/');
        self.0.push_str(&oid.to_string());
    }
}

/// Reads the parts of a record's key.
pub(super) struct RecordKeyReader<'a>(std::str::Split<'a, char>);

impl<'a> RecordKeyReader<'a> {
    /// Returns a reader of the parts of `key`, or `None` if `key` belongs to another table.
    pub(super) fn new(key: &'a str, kind: &str) -> Option<Self> {
        key.strip_prefix(kind)?.strip_prefix('/').map(|parts| Self(parts.split('/')))
    }

    pub(super) fn finish(mut self) -> Result<(), RecordError> {
        self.0.next().map_or(Ok(()), |_| Err(RecordError))
    }

    fn part(&mut self) -> Result<&'a str, RecordError> {
        self.0.next().ok_or(RecordError)
    }
}

impl KeyReader for RecordKeyReader<'_> {
    fn octets(&mut self) -> Result<Vec<u8>, RecordError> {
        read_hex(self.part()?).map(|octets| octets.expose().to_vec())
    }

    fn number(&mut self) -> Result<u32, RecordError> {
        self.part()?.parse().map_err(|_| RecordError)
    }

    fn oid(&mut self) -> Result<Oid, RecordError> {
        match self.part()? {
            "" => Ok(Oid::default()),
            dotted => dotted.parse().map_err(|_| RecordError),
        }
    }
}
