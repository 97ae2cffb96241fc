//! The records of informs in the store.

use std::collections::{BTreeMap, BTreeSet};

use portreeve_lcd::Name;
use portreeve_snmp_message::{VarBinds, encoded_names};
use portreeve_store::{Record, Store};

use crate::OutgoingNotification;

/// The content of the disk at the start.
#[derive(Default)]
pub(crate) struct Stored {
    /// The waiting informs of each target, in order.
    pub(crate) queues: BTreeMap<Name, Vec<StoredEntry>>,
    pub(crate) contents: BTreeMap<u64, OutgoingNotification>,
    /// The seconds by which the system's clock was ahead of the clock of the queues.
    pub(crate) clock_offset: i64,
    /// The digest of the configuration of the last start.
    pub(crate) configuration: Option<Vec<u8>>,
}

/// One entry of the queue of a target.
pub(crate) struct StoredEntry {
    pub(crate) id: u64,
    /// The reading of the clock of the queues at which it was stored.
    pub(crate) stored_at: u64,
    /// True if the inform must not be passed to the fallback of the target.
    pub(crate) is_passed_on: bool,
}

/// Returns the record of a content: the reading of the clock of the queues, the length of the
/// context name, the context name and the variables.
pub(crate) fn content(id: u64, stored_at: u64, content: &OutgoingNotification) -> Record {
    let context_name = &content.context_name;
    let length = u32::try_from(context_name.len()).unwrap_or_default();
    let octets =
        [&stored_at.to_be_bytes()[..], &length.to_be_bytes(), context_name, content.var_binds().encoded()];
    Record::set(content_key(id), octets.concat())
}

/// Returns the record of an entry. `is_passed_on` if the inform must not be passed to the fallback
/// of the target.
pub(crate) fn entry(target: &[u8], id: u64, is_passed_on: bool) -> Record {
    Record::set(entry_key(target, id), vec![1; usize::from(is_passed_on)])
}

/// Returns the record that removes an entry.
pub(crate) fn removed_entry(target: &[u8], id: u64) -> Record {
    Record::remove(entry_key(target, id))
}

/// Returns the record that removes a content.
pub(crate) fn removed_content(id: u64) -> Record {
    Record::remove(content_key(id))
}

/// Returns the record of the seconds by which the system's clock is ahead of the clock of the
/// queues.
pub(crate) fn clock_offset(seconds: i64) -> Record {
    Record::set(CLOCK, seconds.to_be_bytes())
}

/// Returns the record of the digest of the configuration.
pub(crate) fn configuration(digest: &[u8]) -> Record {
    Record::set(CONFIGURATION, digest)
}

fn content_key(id: u64) -> Vec<u8> {
    format!("content/{id:016x}").into_bytes()
}

fn entry_key(target: &[u8], id: u64) -> Vec<u8> {
    let name: String = target.iter().map(|octet| format!("{octet:02x}")).collect();
    format!("target/{name}/{id:016x}").into_bytes()
}

/// Returns the stored informs, and the records that remove what belongs to none.
pub(crate) fn read(store: &Store) -> (Stored, Vec<Record>) {
    let mut stored = Stored {
        clock_offset: store.get(CLOCK.as_bytes()).and_then(read_seconds).unwrap_or_default(),
        configuration: store.get(CONFIGURATION.as_bytes()).map(<[u8]>::to_vec),
        ..Stored::default()
    };
    let mut unused = Vec::new();
    let mut times = BTreeMap::new();
    for (key, value) in store.iter(b"content/") {
        let id = key.rsplit(|octet| *octet == b'/').next().and_then(parse_id);
        match id.zip(read_content(value)) {
            Some((id, (stored_at, content))) => {
                times.insert(id, stored_at);
                stored.contents.insert(id, content);
            }
            None => unused.push(Record::remove(key)),
        }
    }
    let mut used = BTreeSet::new();
    for (key, value) in store.iter(b"target/") {
        let entry = read_entry_key(key).and_then(|(name, id)| {
            let stored_at = *times.get(&id)?;
            Some((name, StoredEntry { id, stored_at, is_passed_on: !value.is_empty() }))
        });
        match entry {
            // Entries are sorted by their number, because its digits have a fixed length.
            Some((name, entry)) => {
                used.insert(entry.id);
                stored.queues.entry(name).or_default().push(entry);
            }
            None => unused.push(Record::remove(key)),
        }
    }
    unused.extend(times.keys().filter(|id| !used.contains(id)).map(|id| removed_content(*id)));
    stored.contents.retain(|id, _| used.contains(id));
    (stored, unused)
}

fn read_entry_key(key: &[u8]) -> Option<(Name, u64)> {
    let mut parts = key.strip_prefix(b"target/")?.split(|octet| *octet == b'/');
    let (name, id) = (parts.next()?, parse_id(parts.next()?)?);
    let pairs = name.chunks_exact(2);
    let octets = pairs.map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok());
    Some((octets.collect::<Option<Vec<u8>>>()?.into(), id))
}

fn read_seconds(value: &[u8]) -> Option<i64> {
    Some(i64::from_be_bytes(value.try_into().ok()?))
}

fn parse_id(digits: &[u8]) -> Option<u64> {
    u64::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}

fn read_content(value: &[u8]) -> Option<(u64, OutgoingNotification)> {
    let (stored_at, rest) = value.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    let (context_name, encoded) = rest.split_at_checked(length)?;
    let var_binds = VarBinds::from_validated(encoded, encoded_names(encoded).count());
    let content = OutgoingNotification::from_var_binds(context_name, var_binds);
    Some((u64::from_be_bytes(*stored_at), content))
}

/// Returns the length of a record, about.
pub(crate) fn octets(record: &Record) -> usize {
    match record {
        Record::Set { key, value } => key.len() + value.len(),
        Record::Remove { key } | Record::RemovePrefix { prefix: key } => key.len(),
    }
}

/// The key of the offset of the system's clock.
const CLOCK: &str = "clock";
/// The key of the digest of the configuration.
const CONFIGURATION: &str = "configuration";
