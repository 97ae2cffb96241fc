//! The thread that writes notifications: lines to files, and the clocks of senders to the store.

use std::{
    collections::HashMap,
    fs::{File, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use portreeve_mib::format::{OutputFormat, octets_of};
use portreeve_secret::Secret;
use portreeve_smi::{ClockReading, EngineBoots, EngineId, MessageProcessingModel};
use portreeve_snmp_apps::{ReceivedNotification, StoreResult};
use portreeve_store::{Record, Store, Writer as StoreWriter};

use super::{
    handlers::Handlers,
    queue::{Item, QueueReceiver, Results},
    settings::LineFormats,
};
use crate::{
    Journal, JsonOptions, MessageDetails, Notification, NotificationKind, Security, Source,
    write_default_line, write_json_line,
};

/// Writes groups of notifications until the queue ends.
pub(crate) struct Writer {
    pub(crate) queue: QueueReceiver,
    pub(crate) results: Results,
    pub(crate) log: Output,
    /// The file of JSON lines.
    pub(crate) json: Option<Output>,
    pub(crate) journal: Option<Journal>,
    pub(crate) formats: LineFormats,
    pub(crate) values: OutputFormat,
    pub(crate) handlers: Handlers,
    pub(crate) clocks: SenderClockStore,
    /// True if the files are to be opened again.
    pub(crate) reopen: Arc<AtomicBool>,
}

impl Writer {
    /// Writes until the queue ends.
    pub(crate) fn run(mut self) {
        let mut failures = FailureLog::default();
        while let Some(group) = self.queue.next_group() {
            if self.reopen.swap(false, Ordering::Relaxed) {
                self.log.reopen();
                self.json.iter_mut().for_each(Output::reopen);
            }
            let result = match self.write(&group) {
                Ok(()) => {
                    self.write_journal(&group);
                    self.run_handlers(&group);
                    StoreResult::Stored
                }
                Err(error) => {
                    failures.record(&error, group.len());
                    StoreResult::Failed
                }
            };
            self.clocks.store(group.iter().filter_map(|item| item.clock));
            self.results.report(group.iter().filter_map(|item| item.inform), result);
            self.queue.release(&group);
        }
    }

    /// Writes a group to the journal. A notification that the journal does not accept is in the
    /// files nevertheless.
    fn write_journal(&self, group: &[Item]) {
        let Some(journal) = &self.journal else { return };
        // A journal that does not accept an entry within a second would delay the next group.
        let mut accepts = true;
        for item in group.iter().filter(|item| item.notification.actions.log) {
            if !accepts {
                return;
            }
            with_notification(item, |notification| {
                let mut message = String::new();
                write_default_line(&mut message, notification, &self.values);
                let details = MessageDetails::of(&item.notification);
                let written = journal.write(&message, notification, &details, &self.values);
                accepts = written.is_ok();
                if let Err(error) = written {
                    tracing::debug!(%error, "the journal does not accept a notification");
                }
            });
        }
    }

    /// Passes a group to the handlers. An inform that could not be written is sent again, and its
    /// handlers run then.
    fn run_handlers(&self, group: &[Item]) {
        for item in group.iter().filter(|item| item.notification.actions.execute) {
            with_notification(item, |notification| {
                let received = &item.notification;
                self.handlers.run(
                    notification,
                    &received.snmp_trap_oid,
                    received.community.as_ref(),
                    &self.values,
                );
            });
        }
    }

    /// Writes the lines of a group. When this returns, they are on disk.
    fn write(&mut self, group: &[Item]) -> io::Result<()> {
        let (mut lines, mut json) = (String::new(), String::new());
        for item in group.iter().filter(|item| item.notification.actions.log) {
            with_notification(item, |notification| {
                let is_v1 = notification.version == MessageProcessingModel::V1;
                match if is_v1 { &self.formats.v1 } else { &self.formats.v2 } {
                    Some(format) => format.write(&mut lines, notification, &self.values),
                    None => write_default_line(&mut lines, notification, &self.values),
                }
                if self.json.is_some() {
                    let details = MessageDetails::of(&item.notification);
                    write_json_line(&mut json, notification, &details, &self.values, JsonOptions::default());
                }
            });
        }
        if let Some(file) = &mut self.json {
            file.write(json.as_bytes())?;
        }
        self.log.write(&octets_of(&lines))
    }
}

/// Calls `use_it` with the printable form of an item.
fn with_notification(item: &Item, use_it: impl FnOnce(&Notification<'_>)) {
    let received: &ReceivedNotification = &item.notification;
    let kind = match (received.trap_v1(), item.inform) {
        (Some(trap), _) => NotificationKind::TrapV1(trap),
        (None, Some(_)) => NotificationKind::Inform(received.var_binds()),
        (None, None) => NotificationKind::Trap(received.var_binds()),
    };
    let version = match (&kind, &received.community) {
        (NotificationKind::TrapV1(_), _) => MessageProcessingModel::V1,
        (_, Some(_)) => MessageProcessingModel::V2c,
        (_, None) => MessageProcessingModel::V3,
    };
    let security = match &received.community {
        Some(community) => Security::Community(Secret::expose(community)),
        None => Security::User {
            model: received.security_model,
            name: &received.security_name,
            context_name: &received.context_name,
        },
    };
    let context_engine_id = received.context_engine_id;
    use_it(&Notification {
        kind,
        version,
        security,
        context_engine_id: context_engine_id.as_ref().map_or(&[], EngineId::as_bytes),
        source: Source { addresses: &item.addresses, host: &item.addresses, agent_host: None },
        received: item.received,
    });
}

/// A file to which lines are appended, or standard output.
pub(crate) struct Output {
    path: Option<PathBuf>,
    file: Option<File>,
}

impl Output {
    /// Opens the file `path`; standard output without one.
    pub(crate) fn open(path: Option<&Path>) -> io::Result<Self> {
        let file = path.map(append_to).transpose()?;
        Ok(Self { path: path.map(Path::to_owned), file })
    }

    /// Opens the file again, for example after it has been renamed. If that fails, the old one
    /// stays in use.
    fn reopen(&mut self) {
        let Some(path) = &self.path else { return };
        match append_to(path) {
            Ok(file) => self.file = Some(file),
            Err(error) => tracing::error!(path = %path.display(), %error, "cannot open the file again"),
        }
    }

    /// Appends octets. When this returns, they are on disk, unless this is not a regular file.
    /// After an error, the file has its old length.
    fn write(&mut self, octets: &[u8]) -> io::Result<()> {
        if octets.is_empty() {
            return Ok(());
        }
        let Some(file) = &mut self.file else {
            let mut stdout = io::stdout().lock();
            return stdout.write_all(octets).and_then(|()| stdout.flush());
        };
        let metadata = file.metadata()?;
        let written = file.write_all(octets).and_then(|()| match metadata.is_file() {
            true => file.sync_data(),
            false => Ok(()),
        });
        if written.is_err() && metadata.is_file() {
            // Part of a line would otherwise precede the next one. If this fails as well, the file
            // contains a line without its end.
            let _ = file.set_len(metadata.len());
        }
        written
    }
}

fn append_to(path: &Path) -> io::Result<File> {
    // The lines contain communities.
    OpenOptions::new().append(true).create(true).mode(0o600).open(path)
}

/// The clocks of the senders of traps, on disk.
pub(crate) struct SenderClockStore {
    writer: StoreWriter,
    stored: HashMap<EngineId, (EngineBoots, Instant)>,
}

impl SenderClockStore {
    pub(crate) fn new(writer: StoreWriter) -> Self {
        Self { writer, stored: HashMap::new() }
    }

    /// Returns the stored clocks.
    pub(crate) fn read(store: &Store) -> Vec<(EngineId, ClockReading)> {
        let read = |(key, value): (&[u8], &[u8])| {
            let engine_id = EngineId::new(&decode(key.strip_prefix(PREFIX)?)?).ok()?;
            let (boots, time) = value.split_first_chunk::<4>()?;
            let boots = EngineBoots::new(u32::from_be_bytes(*boots))?;
            let time = u32::from_be_bytes(time.try_into().ok()?);
            Some((engine_id, ClockReading { boots, time }))
        };
        store.iter(PREFIX).filter_map(read).collect()
    }

    /// Stores the clocks of senders that have restarted, or were not stored for a minute.
    fn store(&mut self, clocks: impl Iterator<Item = (EngineId, ClockReading)>) {
        let now = Instant::now();
        let mut records = Vec::new();
        for (engine_id, reading) in clocks {
            let is_stored = self.stored.get(&engine_id).is_some_and(|(boots, stored_at)| {
                *boots == reading.boots && now.duration_since(*stored_at) < STORE_INTERVAL
            });
            if !is_stored {
                self.stored.insert(engine_id, (reading.boots, now));
                let value = [reading.boots.get().to_be_bytes(), reading.time.to_be_bytes()].concat();
                records.push(Record::set([PREFIX, &*encode(&engine_id)].concat(), value));
            }
        }
        if !records.is_empty() && self.writer.commit_group(vec![records.into()]).is_err() {
            // They are stored with the next trap.
            self.stored.clear();
        }
    }
}

fn encode(engine_id: &EngineId) -> Vec<u8> {
    engine_id.as_bytes().iter().map(|octet| format!("{octet:02x}")).collect::<String>().into_bytes()
}

fn decode(digits: &[u8]) -> Option<Vec<u8>> {
    let pairs = digits.chunks_exact(2);
    pairs.map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok()).collect()
}

/// Limits the log lines about failed writes.
#[derive(Default)]
struct FailureLog {
    logged_at: Option<Instant>,
    lost: usize,
}

impl FailureLog {
    fn record(&mut self, error: &io::Error, notifications: usize) {
        self.lost += notifications;
        if self.logged_at.is_none_or(|logged_at| logged_at.elapsed() >= FAILURE_INTERVAL) {
            tracing::error!(%error, notifications = self.lost, "cannot write notifications: informs are answered with genErr, and traps are lost");
            (self.logged_at, self.lost) = (Some(Instant::now()), 0);
        }
    }
}

/// The beginning of the keys of clocks.
const PREFIX: &[u8] = b"sender/";
/// The time after which the clock of a sender is stored again.
const STORE_INTERVAL: Duration = Duration::from_secs(60);
/// The time between log lines about failed writes.
const FAILURE_INTERVAL: Duration = Duration::from_secs(60);
