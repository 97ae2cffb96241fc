//! The schema file: the definitions of a schema as octets.
//!
//! ```text
//! magic  "PRTRYANG"   8 octets
//! version             2 octets
//! checksum            4 octets, CRC-32 of all that follows
//! modules, identities, types, nodes without the root: each a count and the items
//! ```
//!
//! Numbers are big-endian. A list is its length in 4 octets and its items, a text the same with its
//! UTF-8 octets, an optional item an octet 0, or 1 and the item. The parts of an item follow one
//! another in the order of `items`.
//!
//! The reader accepts exactly what the writer writes: a file that it accepts is that of the schema
//! it returns. All references between definitions are checked by [`SchemaBuilder::build`].

use crate::{
    Identity, MAX_FILE, MAX_IDENTITIES, MAX_MODULES, MAX_NODES, MAX_TYPES, Module, Node, Schema,
    SchemaBuilder, SchemaError, Type, definitions::Definitions,
};

mod items;
mod reader;
mod writer;

use reader::Reader;
use writer::write_list;

/// A part of the schema file.
trait Item: Sized {
    /// Appends the octets of the item.
    fn write(&self, file: &mut Vec<u8>);

    /// Reads the item.
    fn read(file: &mut Reader<'_>) -> Result<Self, FileReason>;
}

/// The fault of a schema file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileReason {
    /// The octets do not begin as a schema file does.
    NotASchemaFile,
    /// The file has another version, which another version of the compiler has written.
    UnsupportedVersion(u16),
    /// The file has more than [`MAX_FILE`] octets.
    TooLong,
    /// The checksum is wrong: the file is damaged.
    WrongChecksum,
    /// The file ends within an item.
    Truncated,
    /// A list within an item has more than [`MAX_LIST`](crate::MAX_LIST) items.
    ListTooLong,
    /// An item is invalid.
    InvalidItem,
    /// Octets follow the last item.
    TrailingOctets,
}

impl Schema {
    /// Returns the octets of the schema file. [`Schema::decode`] refuses more than [`MAX_FILE`]
    /// octets.
    pub fn encode(&self) -> Vec<u8> {
        let Definitions { modules, identities, types, nodes } = &self.definitions;
        let mut body = Vec::new();
        write_list(modules.items(), &mut body);
        write_list(identities.items(), &mut body);
        write_list(types.items(), &mut body);
        write_list(nodes.items().get(1..).unwrap_or_default(), &mut body);
        let mut file = Vec::with_capacity(HEADER_LEN + body.len());
        file.extend(MAGIC);
        file.extend(VERSION.to_be_bytes());
        file.extend(crc32fast::hash(&body).to_be_bytes());
        file.extend(body);
        file
    }

    /// Reads a schema from the octets of a schema file, which can come from an attacker. The memory
    /// that it takes is at most a small multiple of the file.
    ///
    /// # Errors
    /// The file is damaged or has another version, or the schema is invalid.
    pub fn decode(file: &[u8]) -> Result<Self, SchemaError> {
        let body = open(file).map_err(SchemaError::File)?;
        let schema = read(&mut Reader::new(body))?.build()?;
        let _ = schema.digest.set(digest(body));
        Ok(schema)
    }

    /// Returns a digest of the schema file. It shows that the modules have changed, but gives no
    /// protection against deliberate collisions.
    pub fn digest(&self) -> u64 {
        *self.digest.get_or_init(|| digest(self.encode().get(HEADER_LEN..).unwrap_or_default()))
    }
}

/// Checks the header of a file and returns its body.
fn open(file: &[u8]) -> Result<&[u8], FileReason> {
    if file.len() > MAX_FILE {
        return Err(FileReason::TooLong);
    }
    let rest = file.strip_prefix(MAGIC).ok_or(FileReason::NotASchemaFile)?;
    let (version, rest) = rest.split_first_chunk().ok_or(FileReason::Truncated)?;
    let version = u16::from_be_bytes(*version);
    if version != VERSION {
        return Err(FileReason::UnsupportedVersion(version));
    }
    let (checksum, body) = rest.split_first_chunk().ok_or(FileReason::Truncated)?;
    if u32::from_be_bytes(*checksum) != crc32fast::hash(body) {
        return Err(FileReason::WrongChecksum);
    }
    Ok(body)
}

fn read(file: &mut Reader<'_>) -> Result<SchemaBuilder, SchemaError> {
    let mut definitions = Definitions::new();
    file.items("modules", MAX_MODULES, |module: Module| {
        definitions.modules.push(module);
    })?;
    file.items("identities", MAX_IDENTITIES, |identity: Identity| {
        definitions.identities.push(identity);
    })?;
    file.items("types", MAX_TYPES, |value_type: Type| {
        definitions.types.push(value_type);
    })?;
    // The root is a node as well.
    file.items("nodes", MAX_NODES - 1, |node: Node| {
        definitions.nodes.push(node);
    })?;
    if !file.is_empty() {
        return Err(SchemaError::File(FileReason::TrailingOctets));
    }
    Ok(SchemaBuilder::from_definitions(definitions))
}

/// Returns the FNV-1a hash of octets, in 64 bits.
fn digest(octets: &[u8]) -> u64 {
    octets.iter().fold(0xcbf2_9ce4_8422_2325, |hash, octet| {
        (hash ^ u64::from(*octet)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

const MAGIC: &[u8] = b"PRTRYANG";
const VERSION: u16 = 2;
const HEADER_LEN: usize = 14;

#[cfg(test)]
mod tests;
