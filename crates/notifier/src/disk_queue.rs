//! The informs that wait, on disk.
//!
//! ```text
//! content/ID             when it was stored, its context and its variables
//! target/NAME/ID         one entry of the queue of a target
//! ```
//! A content is stored once for all of its targets, in the batch of their entries, and removed with
//! the last of them. A thread writes everything that waits with one sync.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::mpsc,
    thread::{self, JoinHandle},
};

use portreeve_lcd::Name;
use portreeve_snmp_apps::QueueEntry;
use portreeve_snmp_message::{VarBinds, encoded_names};
use portreeve_store::{OpenError, Record, Store, Writer};
use tokio::sync::mpsc::UnboundedSender;

use crate::OutgoingNotification;

/// The result of writing the batch with this number.
pub(crate) struct Written {
    pub(crate) batch: u64,
    pub(crate) result: Result<(), String>,
}

/// The thread that writes the queues.
pub(crate) struct DiskQueue {
    /// `None` when no more batches are written.
    batches: Option<mpsc::Sender<(u64, Vec<Record>)>>,
    thread: Option<JoinHandle<()>>,
}

/// The content of the disk at the start.
#[derive(Default)]
pub(crate) struct Stored {
    /// The waiting informs of each target, in order.
    pub(crate) queues: BTreeMap<Name, Vec<QueueEntry>>,
    pub(crate) contents: BTreeMap<u64, OutgoingNotification>,
    /// The digest of the configuration of the last start.
    pub(crate) configuration: Option<Vec<u8>>,
}

impl DiskQueue {
    /// Opens the queues in `directory`. Results are sent to `results`.
    pub(crate) fn open(
        directory: &Path,
        results: UnboundedSender<Written>,
    ) -> Result<(Self, Stored), OpenError> {
        let (mut store, _) = Store::open(directory)?;
        let (stored, unused) = read(&store);
        if !unused.is_empty() {
            // Ignore a failure: the records are removed by a later start.
            let _ = store.commit(unused);
        }
        let failed = |source| OpenError::Directory { path: directory.to_owned(), source };
        let writer = store.into_writer().map_err(failed)?;
        let (batches, receiver) = mpsc::channel();
        let thread = thread::Builder::new().name("notify-store".into());
        let thread = thread.spawn(move || write_batches(&writer, &receiver, &results)).map_err(failed)?;
        Ok((Self { batches: Some(batches), thread: Some(thread) }, stored))
    }

    /// Writes a batch. Batches become durable in their order.
    pub(crate) fn write(&self, batch: u64, records: Vec<Record>) {
        if let Some(batches) = &self.batches {
            // The thread ends only after this queue.
            let _ = batches.send((batch, records));
        }
    }
}

impl Drop for DiskQueue {
    fn drop(&mut self) {
        drop(self.batches.take());
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has already been printed.
            let _ = thread.join();
        }
    }
}

fn write_batches(
    writer: &Writer,
    batches: &mpsc::Receiver<(u64, Vec<Record>)>,
    results: &UnboundedSender<Written>,
) {
    while let Ok(first) = batches.recv() {
        let group: Vec<_> = std::iter::once(first).chain(batches.try_iter().take(MAX_GROUP - 1)).collect();
        let numbers: Vec<u64> = group.iter().map(|(number, _)| *number).collect();
        let written = writer.commit_group(group.into_iter().map(|(_, records)| records.into()).collect());
        for (position, batch) in numbers.into_iter().enumerate() {
            let result = match &written {
                Err(failed) if position >= failed.durable => Err(failed.error.to_string()),
                _ => Ok(()),
            };
            // The notifier has stopped if it does not receive the result.
            let _ = results.send(Written { batch, result });
        }
    }
}

/// Returns the record of a content: the time, the length of the context name, the context name and
/// the variables.
pub(crate) fn content_record(id: u64, stored_at: u64, content: &OutgoingNotification) -> Record {
    let context_name = &content.context_name;
    let length = u32::try_from(context_name.len()).unwrap_or_default();
    let octets =
        [&stored_at.to_be_bytes()[..], &length.to_be_bytes(), context_name, content.var_binds().encoded()];
    Record::set(content_key(id), octets.concat())
}

/// Returns the record of an entry.
pub(crate) fn entry_record(target: &[u8], id: u64) -> Record {
    Record::set(entry_key(target, id), Vec::new())
}

/// Returns the record that removes an entry.
pub(crate) fn removed_entry(target: &[u8], id: u64) -> Record {
    Record::remove(entry_key(target, id))
}

/// Returns the record that removes a content.
pub(crate) fn removed_content(id: u64) -> Record {
    Record::remove(content_key(id))
}

/// Returns the record of the digest of the configuration.
pub(crate) fn configuration_record(digest: &[u8]) -> Record {
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
fn read(store: &Store) -> (Stored, Vec<Record>) {
    let mut stored = Stored {
        configuration: store.get(CONFIGURATION.as_bytes()).map(<[u8]>::to_vec),
        ..Stored::default()
    };
    let mut unused = Vec::new();
    let mut times = BTreeMap::new();
    for (key, value) in store.iter(b"content/") {
        let id = key.rsplit(|octet| *octet == b'/').next().and_then(parse_id);
        match id.zip(read_content(value)) {
            Some((id, (stored_at, content))) => {
                times.insert(id, (stored_at, content.octets()));
                stored.contents.insert(id, content);
            }
            None => unused.push(Record::remove(key)),
        }
    }
    let mut used = std::collections::BTreeSet::new();
    for (key, _) in store.iter(b"target/") {
        let entry = read_entry_key(key).and_then(|(name, id)| {
            let (stored_at, octets) = *times.get(&id)?;
            Some((name, QueueEntry { id, octets, stored_at }))
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

/// The key of the digest of the configuration.
const CONFIGURATION: &str = "configuration";
/// The maximum number of batches that are written together.
const MAX_GROUP: usize = 1000;
