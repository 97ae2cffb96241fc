//! The values of records: named fields on one line.

use portreeve_smi::Oid;

use super::{RecordError, read_hex, write_hex};
use crate::Name;

/// Writes named fields to the value of a record.
pub struct FieldWriter(String);

impl FieldWriter {
    pub(crate) fn new() -> Self {
        Self(VERSION.to_owned())
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.0.into_bytes()
    }

    /// Writes a field of octets, in hexadecimal.
    pub fn octets(&mut self, name: &str, octets: &[u8]) {
        self.name(name);
        write_hex(&mut self.0, octets);
    }

    /// Writes a numeric field, in decimal.
    pub fn number(&mut self, name: &str, number: u32) {
        self.name(name);
        self.0.push_str(&number.to_string());
    }

    /// Writes an object identifier in dotted decimal.
    pub fn oid(&mut self, name: &str, oid: &Oid) {
        self.name(name);
        self.0.push_str(&oid.to_string());
    }

    fn name(&mut self, name: &str) {
        self.0.push(';');
        self.0.push_str(name);
        self.0.push('=');
    }
}

/// The named fields of one record.
pub struct Fields<'a>(&'a str);

impl<'a> Fields<'a> {
    pub(super) fn new(value: &'a [u8]) -> Result<Self, RecordError> {
        let line = std::str::from_utf8(value).map_err(|_| RecordError)?;
        let fields = line.strip_prefix(VERSION).ok_or(RecordError)?;
        if fields.is_empty() || fields.starts_with(';') { Ok(Self(fields)) } else { Err(RecordError) }
    }

    /// Returns true if the record has a field of this name.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_ok()
    }

    /// Returns a field of octets.
    ///
    /// # Errors
    /// Returns [`RecordError`] if the field is missing or malformed.
    pub fn octets(&self, name: &str) -> Result<Vec<u8>, RecordError> {
        read_hex(self.find(name)?)
    }

    /// Returns a field of octets as a name.
    ///
    /// # Errors
    /// Returns [`RecordError`] if the field is missing or malformed.
    pub fn name(&self, name: &str) -> Result<Name, RecordError> {
        self.octets(name).map(Name::from)
    }

    /// Returns a numeric field.
    ///
    /// # Errors
    /// Returns [`RecordError`] if the field is missing or malformed.
    pub fn number(&self, name: &str) -> Result<u32, RecordError> {
        self.find(name)?.parse().map_err(|_| RecordError)
    }

    /// Returns a field that contains the number of an enumeration value.
    ///
    /// # Errors
    /// Returns [`RecordError`] if the field is missing or malformed, or if no value has this
    /// number.
    pub fn choice<T>(&self, name: &str, from_number: impl Fn(i32) -> Option<T>) -> Result<T, RecordError> {
        let number = self.number(name)?.try_into().map_err(|_| RecordError)?;
        from_number(number).ok_or(RecordError)
    }

    /// Returns a field that contains an object identifier.
    ///
    /// # Errors
    /// Returns [`RecordError`] if the field is missing or malformed.
    pub fn oid(&self, name: &str) -> Result<Oid, RecordError> {
        match self.find(name)? {
            "" => Ok(Oid::default()),
            dotted => dotted.parse().map_err(|_| RecordError),
        }
    }

    fn find(&self, name: &str) -> Result<&'a str, RecordError> {
        let named = |field: &'a str| field.strip_prefix(name)?.strip_prefix('=');
        self.0.split(';').find_map(named).ok_or(RecordError)
    }
}

/// The format version, with which every value begins.
const VERSION: &str = "1";
