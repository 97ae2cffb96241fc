//! The status of a running agent, for `portreeved status`.
//!
//! Reading the status takes no lock that another thread holds for long, and does not wait long for
//! the disk. So an operator gets an answer while a transaction or a reload does not end, or the
//! disk does not respond.

pub(crate) mod data;
mod netconf;
mod notifications;
pub(crate) mod print;
mod state_files;
mod thread;
mod times;

use std::{path::PathBuf, process, sync::Arc, time::Duration};

use portreeve_channel_ssh::server::SshServer;
use portreeve_config::Relay;
use portreeve_datastore::{Datastore, QueueStatus, Ticket};
use portreeve_notifier::{NotifierHandle, NotifierStatus};
use portreeve_smi::TransportDomain;
use portreeve_snmp_engine::LocalEngine;
use portreeve_state_store::DataSetAside;
use portreeve_store::WriteFailures;
use portreeve_transport::{Clock, Listener, OpenSessions, SessionCount, SessionStatistics};

use crate::{
    audit::transport_name,
    datastore_thread::JobQueue,
    log_summary,
    netconf::{NetconfHandle, NetconfStatus},
    reload_thread::LoadRecord,
};

pub(crate) use state_files::StateFiles;
pub(crate) use thread::StatusThread;

/// The parts of a running agent whose status is shown.
pub(crate) struct StatusSource {
    pub(crate) clock: Clock,
    pub(crate) local: LocalEngine,
    pub(crate) datastore: Datastore,
    pub(crate) sets: JobQueue,
    /// The listeners in the order of their indexes.
    pub(crate) listeners: Vec<ListenerName>,
    pub(crate) sessions: OpenSessions,
    pub(crate) statistics: Arc<SessionStatistics>,
    pub(crate) ssh: Option<Arc<SshServer>>,
    pub(crate) state_files: StateFiles,
    pub(crate) write_failures: WriteFailures,
    /// The NETCONF server, if there is one.
    pub(crate) netconf: Option<NetconfHandle>,
    /// The notifier, if notifications are sent.
    pub(crate) notifier: Option<NotifierHandle>,
    /// The data that do not fit the YANG modules since the start.
    pub(crate) set_aside: Vec<DataSetAside>,
}

/// The transport and address of a listener.
#[derive(Clone)]
pub(crate) struct ListenerName {
    transport: TransportDomain,
    address: String,
}

/// The status at one moment.
pub(crate) struct Status {
    process: u32,
    engine_id: String,
    engine_boots: Option<u32>,
    running: Duration,
    file: PathBuf,
    loads: LoadRecord,
    generation: u64,
    /// The listeners, with their sessions if their transport has sessions.
    listeners: Vec<(ListenerName, Option<SessionCount>)>,
    lock: LockHolders,
    set_queue: QueueStatus,
    state_dir: PathBuf,
    /// The name and the size in bytes of each file in the state directory, ordered by name; `None`
    /// if the disk does not respond.
    state_files: Option<Vec<(String, u64)>>,
    write_failures: WriteFailures,
    netconf: NetconfAnswer,
    notifier: NotifierAnswer,
    set_aside: Vec<DataSetAside>,
    /// The counters of drops, rejections and closed sessions that are not zero.
    counters: Vec<(String, u64)>,
}

/// The answer of the NETCONF server to the request for its status.
enum NetconfAnswer {
    NotOffered,
    NoResponse,
    Status(NetconfStatus),
}

/// The answer of the notifier to the request for its status.
enum NotifierAnswer {
    NotRunning,
    NoResponse,
    Status(NotifierStatus),
}

/// The transactions that hold the transaction lock or wait for it, each with the time since it was
/// granted the lock or has requested it.
#[derive(Default)]
struct LockHolders {
    holder: Option<(Ticket, Duration)>,
    waiters: Vec<(Ticket, Duration)>,
    /// The number of transactions that ended with a panic, and the last of them.
    panics: u64,
    last_panic: Option<Ticket>,
}

impl StatusSource {
    /// Reads the status of an agent that has loaded `file`. Waits for the disk, for a short time.
    pub(crate) fn read(&self, file: PathBuf, loads: LoadRecord) -> Status {
        Status {
            process: process::id(),
            engine_id: self.local.engine_id.to_string(),
            engine_boots: self.local.boots.map(|boots| boots.get()),
            running: self.clock.now() - self.local.started,
            file,
            loads,
            generation: self.datastore.state().current().generation,
            listeners: self.listeners(),
            lock: self.lock_holders(),
            set_queue: self.sets.status(),
            state_dir: self.state_files.directory().to_owned(),
            state_files: self.state_files.read(),
            write_failures: self.write_failures.clone(),
            netconf: self.netconf(),
            notifier: self.notifier(),
            set_aside: self.set_aside.clone(),
            counters: self.counters(),
        }
    }

    fn listeners(&self) -> Vec<(ListenerName, Option<SessionCount>)> {
        let counts = self.sessions.count_by_listener();
        let listeners = self.listeners.iter().cloned().zip(counts);
        let has_sessions = |listener: &ListenerName| listener.transport != TransportDomain::Udp;
        listeners
            .map(|(listener, count)| {
                let count = has_sessions(&listener).then_some(count);
                (listener, count)
            })
            .collect()
    }

    fn lock_holders(&self) -> LockHolders {
        let (status, now) = (self.datastore.lock().status(), self.clock.now());
        let holder = status.holder.map(|holder| {
            let since = holder.granted.unwrap_or(holder.ticket.requested);
            (holder.ticket, now - since)
        });
        let waiters = status.waiters.into_iter().map(|ticket| {
            let requested = ticket.requested;
            (ticket, now - requested)
        });
        LockHolders {
            holder,
            waiters: waiters.collect(),
            panics: status.panics,
            last_panic: status.last_panic,
        }
    }

    fn netconf(&self) -> NetconfAnswer {
        match &self.netconf {
            None => NetconfAnswer::NotOffered,
            Some(netconf) => match netconf.status(MAX_NETCONF_WAIT) {
                Some(status) => NetconfAnswer::Status(status),
                None => NetconfAnswer::NoResponse,
            },
        }
    }

    fn notifier(&self) -> NotifierAnswer {
        match &self.notifier {
            None => NotifierAnswer::NotRunning,
            Some(notifier) => match notifier.status(MAX_NOTIFIER_WAIT) {
                Some(status) => NotifierAnswer::Status(status),
                None => NotifierAnswer::NoResponse,
            },
        }
    }

    fn counters(&self) -> Vec<(String, u64)> {
        let logins = self.ssh.as_ref().map(|server| server.statistics().read());
        let counters = log_summary::counters(&self.statistics.read(), logins.as_ref());
        counters.into_iter().filter(|(_, count)| *count > 0).collect()
    }
}

/// Returns the transports and addresses of all listeners, in the order of their indexes.
pub(crate) fn listener_names(listeners: &[Listener], relays: &[Relay]) -> Vec<ListenerName> {
    let listeners = listeners.iter().map(|listener| ListenerName {
        transport: listener.protocol.into(),
        address: listener.address.to_string(),
    });
    let relays = relays.iter().map(|relay| ListenerName {
        transport: TransportDomain::Unix,
        address: relay.path.display().to_string(),
    });
    listeners.chain(relays).collect()
}

impl ListenerName {
    fn transport(&self) -> String {
        transport_name(self.transport)
    }
}

/// The maximum time for which the status waits for the NETCONF server.
const MAX_NETCONF_WAIT: Duration = Duration::from_secs(1);
/// The maximum time for which the status waits for the notifier.
const MAX_NOTIFIER_WAIT: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests;
