//! The notifications of the agent: the notifier, and the events that cause notifications.
//!
//! ```text
//! start ─────────────── coldStart, warmStart ──┐
//! LinkEvents (netlink) ── linkUp, linkDown ────┼─► NotifierHandle ─► notifier thread ─► targets
//! workers ───────── authenticationFailure ─────┤
//! control socket (submissions.rs) ─────────────┘
//! ```

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::Duration,
};

use portreeve_config::{Config, FileReference, KeySource, NotifyTarget, User};
use portreeve_lcd::Name;
use portreeve_mib::{
    Object,
    modules::snmpv2_mib::{AUTHENTICATION_FAILURE, COLD_START, WARM_START},
};
use portreeve_mib_host::interfaces::{LinkChange, LinkEvents};
use portreeve_notifier::{
    Notifier, NotifierHandle, NotifierParts, NotifierSettings, OutgoingNotification, SessionCredentials,
    StartError, TargetSettings,
};
use portreeve_smi::{Timestamp, Value};
use portreeve_snmp_manager::{KeyMaterial, UsmUser};
use portreeve_transport::Clock;

/// The running notifier, and the sources of notifications. Dropping it stops both.
pub(crate) struct Notifications {
    // Dropped first, because it reports to the notifier.
    _links: Option<LinkEvents>,
    notifier: Notifier,
    events: AgentEvents,
}

impl Notifications {
    /// Starts the notifier with queues in `directory`, and reports that the agent has started.
    ///
    /// # Errors
    /// If the queues cannot be used or a thread cannot be started.
    pub(crate) fn start(
        directory: &Path,
        clock: Clock,
        parts: NotifierParts,
        max_authentication_failures: u32,
    ) -> Result<Self, StartError> {
        let started = parts.local.started;
        let notifier = Notifier::start(directory, parts)?;
        let limiter = Arc::new(SecondLimiter::new(max_authentication_failures));
        let events = AgentEvents { notifier: notifier.handle(), clock, started, limiter };
        let is_unchanged = notifier.is_configuration_unchanged();
        events.report(if is_unchanged { &WARM_START } else { &COLD_START });
        let for_links = events.clone();
        let links = LinkEvents::start(
            move |change| for_links.link_changed(&change),
            |error| tracing::error!(%error, "cannot read changes of interfaces: linkUp and linkDown may be late"),
            move || clock.now(),
        );
        let links = links.inspect_err(|error| {
            tracing::error!(%error, "cannot watch interfaces: linkUp and linkDown are not sent");
        });
        Ok(Self { _links: links.ok(), notifier, events })
    }

    /// Returns the access for local programs and for the status.
    pub(crate) fn handle(&self) -> NotifierHandle {
        self.notifier.handle()
    }

    /// Returns the access for workers.
    pub(crate) fn events(&self) -> AgentEvents {
        self.events.clone()
    }
}

/// Reports the events of the agent itself.
#[derive(Clone)]
pub(crate) struct AgentEvents {
    notifier: NotifierHandle,
    clock: Clock,
    started: Timestamp,
    limiter: Arc<SecondLimiter>,
}

impl AgentEvents {
    /// Reports that a message was not properly authenticated, unless there were too many in this
    /// second.
    pub(crate) fn authentication_failed(&self) {
        if self.limiter.allow(self.clock.now() - Timestamp::ZERO) {
            self.report(&AUTHENTICATION_FAILURE);
        }
    }

    fn link_changed(&self, change: &LinkChange) {
        let Some(notification) = change.notification().filter(|_| change.is_notified) else { return };
        let notification = OutgoingNotification::new(notification.arcs(), self.up_time());
        let columns = change.variables().into_iter();
        self.notifier.notify(columns.fold(notification, |notification, (column, value)| {
            notification.with(column, change.if_index, Value::Integer(value))
        }));
    }

    fn report(&self, notification: &Object) {
        self.notifier.notify(OutgoingNotification::new(notification.arcs(), self.up_time()));
    }

    fn up_time(&self) -> u32 {
        up_time(self.clock, self.started)
    }
}

/// Returns sysUpTime of the engine that was started at `started`.
pub(crate) fn up_time(clock: Clock, started: Timestamp) -> u32 {
    let hundredths = (clock.now() - started).as_millis() / 10;
    u32::try_from(hundredths % (1 << 32)).unwrap_or_default()
}

/// Allows a number of events in each second.
struct SecondLimiter {
    max: u32,
    /// The second of the last event, and the events in it.
    second: AtomicU64,
    count: AtomicU32,
}

impl SecondLimiter {
    fn new(max: u32) -> Self {
        Self { max, second: AtomicU64::new(u64::MAX), count: AtomicU32::new(0) }
    }

    /// Returns whether an event at this time is allowed. Two threads that begin a second together
    /// may allow one event too many.
    fn allow(&self, time: Duration) -> bool {
        let second = time.as_secs();
        if self.second.swap(second, Ordering::Relaxed) != second {
            self.count.store(0, Ordering::Relaxed);
        }
        self.count
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| {
                (count < self.max).then_some(count + 1)
            })
            .is_ok()
    }
}

/// Returns the settings of the notifier. Paths in the file are relative to `directory`.
pub(crate) fn settings(config: &Config, directory: &Path) -> NotifierSettings {
    let path = |file: &FileReference| directory.join(&file.path);
    let tls = config.tls.as_ref();
    NotifierSettings {
        targets: config
            .notify_targets
            .iter()
            .map(|target| (Name::clone(&target.name), target_settings(target, directory)))
            .collect(),
        users: config.users.iter().filter_map(user).collect(),
        credentials: SessionCredentials {
            ssh_key: config.ssh.as_ref().and_then(|ssh| ssh.host_keys.first()).map(path),
            known_hosts: None,
            certificate: tls.map(|tls| path(&tls.certificate)),
            key: tls.map(|tls| path(&tls.key)),
            authorities: tls.iter().flat_map(|tls| tls.authorities.iter().map(path)).collect(),
        },
        home: config.agent.state_dir.clone(),
    }
}

fn target_settings(target: &NotifyTarget, directory: &Path) -> TargetSettings {
    let path = |file: &FileReference| directory.join(&file.path);
    TargetSettings {
        credentials: SessionCredentials {
            ssh_key: target.ssh_key.as_ref().map(path),
            known_hosts: target.known_hosts.as_ref().map(path),
            certificate: target.certificate.as_ref().map(path),
            key: target.key.as_ref().map(path),
            authorities: target.authorities.iter().map(path).collect(),
        },
        fallback: target.fallback.clone(),
        kind: target.kind,
        queue_octets: target.queue_octets,
        queue_age: target.queue_age,
    }
}

/// Returns a user whose keys can be localized to every receiver: its pass phrases are known.
fn user(user: &User) -> Option<(Vec<u8>, UsmUser)> {
    let (auth_protocol, auth) = user.auth.as_ref()?;
    let privacy = match &user.privacy {
        Some((protocol, source)) => Some((*protocol, pass_phrase(source)?)),
        None => None,
    };
    let known = UsmUser::with_keys(&user.name, (*auth_protocol, pass_phrase(auth)?), privacy);
    Some((user.name.to_vec(), known.ok()?))
}

fn pass_phrase(source: &KeySource) -> Option<KeyMaterial<'_>> {
    match source {
        KeySource::PassPhrase(pass_phrase) => Some(KeyMaterial::PassPhrase(pass_phrase)),
        KeySource::Localized(_) => None,
    }
}
