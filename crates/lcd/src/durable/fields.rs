//! The values of records: named fields on one line.

use portreeve_secret::{Secret, SecretBuffer};
use portreeve_smi::Oid;

use super::{RecordError, hex_digits, read_hex};
use crate::Name;

/// Writes named fields to the value of a record. It is wiped when dropped, because some fields are
/// keys.
pub struct FieldWriter(SecretBuffer);

impl FieldWriter {
    pub(crate) fn new() -> Self {
        let mut value = SecretBuffer::with_capacity(TYPICAL_LEN);
        value.extend(VERSION.as_bytes());
        Self(value)
    }

    pub(crate) fn finish(self) -> Secret {
        self.0.into_secret()
    }

    /// Writes a field of octets, in hexadecimal.
    pub fn octets(&mut self, name: &str, octets: &[u8]) {
        self.name(name);
        hex_digits(octets).for_each(|digits| self.0.extend(&digits));
    }

    /// Writes a numeric field, in decimal.
    pub fn number(&mut self, name: &str, number: u32) {
        self.name(name);
        self.0.extend(number.to_string().as_bytes());
    }

    /// Writes an object identifier in dotted decimal.
    pub fn oid(&mut self, name: &str, oid: &Oid) {
        self.name(name);
        self.0.extend(oid.to_string().as_bytes());
    }

    fn name(&mut self, name: &str) {
        self.0.extend(b";");
        self.0.extend(name.as_bytes());
        self.0.extend(b"=");
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
        self.secret(name).map(|octets| octets.expose().to_vec())
    }

    /// Returns a field of octets that are a secret.
    ///
    /// # Errors
    /// Returns [`RecordError`] if the field is missing or malformed.
    pub fn secret(&self, name: &str) -> Result<Secret, RecordError> {
        read_hex(self.find(name)?)
    }

    /// Returns a field of octets as a name.
    ///
    /// # Errors
    /// Returns [`RecordError`] if the field is missing or malformed.
    pub fn name(&self, name: &str) -> Result<Name, RecordError> {
        self.secret(name).map(|octets| octets.expose().into())
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

/// The initial capacity of a value: most records fit.
const TYPICAL_LEN: usize = 256;
