//! The thread that writes notifications: lines to files, and the clocks of senders to the store.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use portreeve_mib::{
    format::{OutputFormat, octets_of},
    modules::snmpv2_mib::AUTHENTICATION_FAILURE,
};
use portreeve_secret::Secret;
use portreeve_smi::{EngineId, MessageProcessingModel};
use portreeve_snmp_apps::{ReceivedNotification, StoreResult};

use super::{
    actions::Actions,
    addresses::AddressFormatter,
    interval_count::IntervalCount,
    journal_thread::JournalThread,
    message_handler::LOST_EVENT,
    output_file::OutputFile,
    outputs::{LineFile, Outputs},
    queue::{Item, QueueReceiver, Results},
    sender_clocks::SenderClockStore,
    settings::LineFormats,
    source_log::log_sources,
    writer_thread::Progress,
};
use crate::{
    JournalEntry, JsonOptions, MessageDetails, Notification, NotificationKind, Security, Source,
    write_default_line, write_json_line,
};

/// Writes groups of notifications until the queue ends.
pub(crate) struct Writer<F = OutputFile> {
    pub(crate) queue: QueueReceiver,
    pub(crate) results: Results,
    pub(crate) outputs: Outputs<F>,
    pub(crate) journal: Option<JournalThread>,
    pub(crate) formats: LineFormats,
    pub(crate) values: OutputFormat,
    /// True if authenticationFailure is not logged.
    pub(crate) ignores_authentication_failures: bool,
    pub(crate) addresses: AddressFormatter,
    pub(crate) buffers: Buffers,
    pub(crate) actions: Actions,
    pub(crate) clocks: SenderClockStore,
    /// True if the files are to be opened again.
    pub(crate) reopen: Arc<AtomicBool>,
}

impl<F: LineFile> Writer<F> {
    /// Writes until the queue ends.
    pub(crate) fn run(mut self, progress: &Progress) {
        let mut lost = IntervalCount::default();
        while let Some(group) = self.queue.next_group() {
            if self.reopen.swap(false, Ordering::Relaxed) {
                self.outputs.request_reopen();
            }
            let result = self.write(&group);
            self.clocks.store(group.iter().filter_map(|item| item.clock));
            let informs = group.iter().filter_map(|item| item.inform);
            match result {
                Ok(()) => {
                    self.results.report(informs, StoreResult::Stored);
                    self.write_journal(&group);
                    self.run_actions(&group);
                }
                Err(error) => {
                    self.results.report(informs, StoreResult::Failed);
                    let traps = group.iter().filter(|item| item.inform.is_none());
                    self.results.report_lost(traps.map(|item| item.notification.source));
                    if let Some(notifications) = lost.add(group.len() as u64, Instant::now()) {
                        tracing::error!(%error, notifications, "cannot write notifications: informs are answered with genErr, and traps are lost");
                    }
                }
            }
            self.queue.release(&group);
            progress.record();
        }
        log_sources(LOST_EVENT, &self.results.take_lost());
        self.clocks.store_present();
        if let Some(journal) = self.journal {
            journal.finish();
            progress.record();
        }
        self.actions.finish();
    }

    /// Passes a group to the journal.
    fn write_journal(&mut self, group: &[Item]) {
        let Some(mut journal) = self.journal.take() else { return };
        let ignores = self.ignores_authentication_failures;
        for item in group.iter().filter(|item| is_logged(item, ignores)) {
            with_notification(item, &mut self.addresses, |notification| {
                let details = MessageDetails::of(&item.notification);
                journal.write(JournalEntry::new(notification, &details, &self.values));
            });
        }
        self.journal = Some(journal);
    }

    /// Runs the actions for a group. An inform that could not be written is sent again, and its
    /// actions run then.
    fn run_actions(&mut self, group: &[Item]) {
        let Self { addresses, actions, values, .. } = self;
        for item in group {
            with_notification(item, addresses, |notification| actions.run(item, notification, values));
        }
    }

    /// Writes the lines of a group. When this returns, they are on disk; after an error, none is in
    /// a file.
    fn write(&mut self, group: &[Item]) -> io::Result<()> {
        let Buffers { lines, json_lines } = &mut self.buffers;
        let ignores = self.ignores_authentication_failures;
        for item in group.iter().filter(|item| is_logged(item, ignores)) {
            with_notification(item, &mut self.addresses, |notification| {
                let is_v1 = notification.version == MessageProcessingModel::V1;
                match if is_v1 { &self.formats.v1 } else { &self.formats.v2 } {
                    Some(format) => format.write(lines, notification, &self.values),
                    None => write_default_line(lines, notification, &self.values),
                }
                if self.outputs.has_json() {
                    let details = MessageDetails::of(&item.notification);
                    let options = JsonOptions::default();
                    write_json_line(json_lines, notification, &details, &self.values, options);
                }
            });
        }
        let written = self.outputs.write(&octets_of(lines), json_lines.as_bytes());
        self.buffers.clear();
        written
    }
}

/// Returns whether an item is written. authenticationFailure can be ignored.
fn is_logged(item: &Item, ignores_authentication_failures: bool) -> bool {
    let is_ignored = || *item.notification.snmp_trap_oid == *AUTHENTICATION_FAILURE.arcs();
    item.notification.actions.log && !(ignores_authentication_failures && is_ignored())
}

/// The text of a group. The memory is used again for the next group.
#[derive(Default)]
pub(crate) struct Buffers {
    lines: String,
    json_lines: String,
}

impl Buffers {
    fn clear(&mut self) {
        for text in [&mut self.lines, &mut self.json_lines] {
            text.clear();
            text.shrink_to(MAX_KEPT_BUFFER);
        }
    }
}

/// Calls `use_it` with the printable form of an item.
fn with_notification(item: &Item, addresses: &mut AddressFormatter, use_it: impl FnOnce(&Notification<'_>)) {
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
    let addresses = addresses.text(received.domain, received.source, item.listener);
    use_it(&Notification {
        kind,
        version,
        security,
        context_engine_id: context_engine_id.as_ref().map_or(&[], EngineId::as_bytes),
        source: Source { addresses, host: addresses, agent_host: None },
        received: item.received,
    });
}

/// The maximum memory that stays allocated for the text of the next group.
const MAX_KEPT_BUFFER: usize = 1 << 20;

#[cfg(test)]
mod tests;
