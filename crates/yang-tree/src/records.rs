//! Rows as records for the store. Records contain names and never numbers of a schema, so that they
//! can be read with another version of the modules.
//!
//! ```text
//! key    = step …                    a row, a position or a leaf-list entry
//!        | 4 name                    the leafs of one module at the top level
//! step   = 0 name                    container
//!        | 1 name count value …      list entry with its keys
//!        | 2 name value              leaf-list entry
//!        | 3                         the position of the entry before
//! record = name value …              the leafs of a row without its keys
//!        | position                  8 octets, of a list or leaf-list that the user orders
//! ```
//! A name has a length of two octets, a value one of four. The key of a row is the beginning of the
//! keys of everything below it, and of no others.
//!
//! Records are passed to a function one at a time, so that those of a large tree are never in
//! memory together.

mod key;
mod read;
mod without;
mod write;

use std::fmt;

use portreeve_yang::Schema;

use crate::Tree;
pub use read::{RecordError, RecordReader, RefusedRecord};

/// A change of the records of a store.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RecordChange<'r> {
    /// Sets a record.
    Put {
        /// The key.
        key: &'r [u8],
        /// The value.
        value: &'r [u8],
    },
    /// Removes all records whose keys begin with these octets.
    RemoveAll {
        /// The beginning of the keys.
        prefix: &'r [u8],
    },
}

/// A function that receives the key and the value of a record.
pub type PutRecord<'f, E> = dyn FnMut(&[u8], &[u8]) -> Result<(), E> + 'f;

/// A function that receives a change of a record.
pub type PassChange<'f, E> = dyn FnMut(RecordChange<'_>) -> Result<(), E> + 'f;

/// Prints lengths only, because values can be secret.
impl fmt::Debug for RecordChange<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Put { key, value } => write!(f, "Put({} octets, {} octets)", key.len(), value.len()),
            Self::RemoveAll { prefix } => write!(f, "RemoveAll({} octets)", prefix.len()),
        }
    }
}

impl Tree {
    /// Passes the records of all rows to a function. The record of a row precedes those below it.
    ///
    /// # Errors
    /// Stops at the first error of the function and returns it.
    pub fn write_records<E>(&self, schema: &Schema, put: &mut PutRecord<'_, E>) -> Result<(), E> {
        Self::new().write_record_changes(schema, self, &mut |change| match change {
            RecordChange::Put { key, value } => put(key, value),
            // An empty tree has no records to remove.
            RecordChange::RemoveAll { .. } => Ok(()),
        })
    }

    /// Passes the changes of records from this version to another one to a function. Parts that the
    /// versions share take no time.
    ///
    /// # Errors
    /// Stops at the first error of the function and returns it.
    pub fn write_record_changes<E>(
        &self,
        schema: &Schema,
        after: &Self,
        pass: &mut PassChange<'_, E>,
    ) -> Result<(), E> {
        write::changes(schema, self, after, pass)
    }
}

const CONTAINER: u8 = 0;
const ENTRY: u8 = 1;
const VALUE: u8 = 2;
const POSITION: u8 = 3;
const TOP_LEVEL: u8 = 4;

#[cfg(test)]
mod tests;
