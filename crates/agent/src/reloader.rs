//! Replaces the configuration of a running agent.
//!
//! ```text
//! files ─▶ PreparedConfig ─▶ rows assembled on the current state ─▶ transaction lock ─▶ published
//!                                           ▲                             │
//!                                           └──── other transaction first ┘
//! ```

use std::{fmt, mem, sync::Arc, time::Duration};

use portreeve_channel_ssh::server::SshServer;
use portreeve_datastore::{Datastore, Purpose, Refusal, RunningLockHolder, State, Ticket};
use portreeve_lcd::{Assembled, Lcd, Tables, carry_over};
use portreeve_notifier::NotifierHandle;
use portreeve_server_credentials::{CredentialFilesError, TlsServers};
use portreeve_smi::EngineId;
use portreeve_transport::Clock;

use crate::{
    configured_rows,
    control::ReloadOutcome,
    netconf::NetconfHandle,
    notifications,
    prepared::PreparedConfig,
    reload_changes::{ReloadableSettings, row_changes},
    restart_only::RestartOnlySettings,
    set_log::SetLogSwitch,
    yang_modules,
};

/// The parts of a running agent that a reload replaces.
pub(crate) struct Reloader {
    pub(crate) datastore: Datastore,
    /// Rows made by SET that are hidden by rows of the file.
    pub(crate) hidden: Tables,
    /// The SSH server, if a listener needs it.
    pub(crate) ssh: Option<Arc<SshServer>>,
    /// The TLS and DTLS servers, if listeners need them.
    pub(crate) tls: Option<TlsServers>,
    /// Closes the sessions whose identity is no longer accepted.
    pub(crate) recheck_sessions: Box<dyn Fn() + Send>,
    pub(crate) clock: Clock,
    pub(crate) engine_id: EngineId,
    pub(crate) restart_only: RestartOnlySettings,
    /// The settings in effect that are not rows.
    pub(crate) settings: ReloadableSettings,
    pub(crate) set_log: SetLogSwitch,
    /// The NETCONF server, if there is one.
    pub(crate) netconf: Option<NetconfHandle>,
    /// The notifier, if notifications are sent.
    pub(crate) notifier: Option<NotifierHandle>,
    /// True while some parts of the new configuration are in effect and others may not be.
    pub(crate) is_replacing: bool,
}

impl Reloader {
    /// Replaces the rows of the file with those of a new one, atomically; rows made by SET are
    /// retained. Also replaces the TLS and SSH credentials, and then closes the sessions whose
    /// identity is no longer accepted. Logs a warning for changed settings that need a restart, and
    /// returns all changes. `owner` names the requester in the status of the transaction lock.
    ///
    /// When it returns, the new configuration is in effect: each worker compares the generation of
    /// the datastore before each message, and checks the identity of a session before its next
    /// message.
    ///
    /// After a panic, [`take_interruption`](Self::take_interruption) returns whether the agent has
    /// changed. Another reload is possible then, and completes the work.
    ///
    /// # Errors
    /// If the TLS key and certificate do not match, or a NETCONF session holds the lock on the
    /// running configuration. The agent is then unchanged.
    pub(crate) fn reload(
        &mut self,
        loaded: PreparedConfig,
        owner: &str,
    ) -> Result<ReloadOutcome, ReloadError> {
        self.datastore.running_lock().wait_until_free(MAX_LOCK_WAIT).map_err(ReloadError::Locked)?;
        let PreparedConfig { config, ssh, tls, settings, directory, .. } = loaded;
        let restart_only = self.restart_only.differences(&RestartOnlySettings::new(&config, self.engine_id));
        for setting in &restart_only {
            tracing::warn!(setting, "a changed setting takes effect only after a restart");
        }
        let rows = configured_rows::tables(&config, self.engine_id);
        let mut next = self.assemble(&rows, &self.datastore.state().current());
        let mut locked = self.datastore.begin(Ticket::new(owner, Purpose::Reload, self.clock.now()));
        locked.guard().record_grant(self.clock.now());
        // From now on no session gets the lock, until the new state is published.
        let running_lock = self.datastore.running_lock().clone();
        let change = running_lock.begin_change();
        if let Some(holder) = change.holder() {
            return Err(ReloadError::Locked(Arc::clone(holder)));
        }
        let mut changes = settings.changes_since(&self.settings);
        let current = locked.current();
        if current.generation != next.base_generation {
            next = self.assemble(&rows, &current);
        }
        changes.extend(row_changes(current.lcd.tables(), &next.assembled.tables));
        let model = Arc::clone(self.datastore.model());
        let tree = model.follow_tables(&next.assembled.tables, &current.tree).map_err(ReloadError::Tree)?;
        self.is_replacing = true;
        if let Some((material, servers)) = tls.zip(self.tls.as_ref())
            && let Err(error) = material.pin_from_state(self.datastore.state()).replace(servers)
        {
            self.is_replacing = false;
            return Err(ReloadError::Tls(error));
        }
        let NextState { lcd, mut assembled, .. } = next;
        locked.publish(lcd, tree);
        drop(change);
        // Immediately after the rows that hide them, so that no panic can separate them.
        mem::swap(&mut self.hidden, &mut assembled.hidden);
        configured_rows::log_problems(&assembled);
        self.set_log.enable(config.log.sets);
        if let Some(netconf) = &self.netconf {
            netconf.set_recovery_users(yang_modules::recovery_users(&config));
        }
        if let Some(notifier) = &self.notifier {
            notifier.replace_settings(notifications::settings(&config, &directory));
        }
        if let Some((settings, server)) = ssh.zip(self.ssh.as_deref()) {
            server.replace(settings);
        }
        drop(locked);
        (self.recheck_sessions)();
        self.settings = settings;
        self.is_replacing = false;
        Ok(ReloadOutcome { changes, restart_only: restart_only.into_iter().map(str::to_owned).collect() })
    }

    /// Returns whether a panic has ended [`reload`](Self::reload) after parts of the new
    /// configuration took effect, and forgets it. Then sessions whose identity is not accepted by
    /// these parts are closed.
    pub(crate) fn take_interruption(&mut self) -> bool {
        let was_interrupted = mem::take(&mut self.is_replacing);
        if was_interrupted {
            (self.recheck_sessions)();
        }
        was_interrupted
    }

    /// Assembles the rows of the file with the rows made by SET.
    fn assemble(&self, rows: &Tables, base: &State) -> NextState {
        let before = base.lcd.tables();
        let mut assembled = carry_over(rows.clone(), before, &self.hidden);
        assembled.tables.update_last_changed(before, self.clock.now());
        let lcd = base.lcd.recompile(assembled.tables.clone());
        NextState { lcd, base_generation: base.generation, assembled }
    }
}

/// The reason why a reload has no effect.
#[derive(Debug)]
pub(crate) enum ReloadError {
    /// The TLS credentials cannot be used.
    Tls(CredentialFilesError),
    /// The data tree cannot contain the new values.
    Tree(Refusal),
    /// A NETCONF session holds the lock on the running configuration.
    Locked(Arc<RunningLockHolder>),
}

impl fmt::Display for ReloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tls(error) => error.fmt(f),
            Self::Tree(refusal) => write!(f, "the YANG data cannot contain the new values: {}", refusal.text),
            Self::Locked(holder) => write!(
                f,
                "the running configuration is locked by NETCONF {holder}\nhint: end the session with `portreeved \
                 kill-session {}`",
                holder.session
            ),
        }
    }
}

/// The state that a reload publishes if the current one is still that of `base_generation`.
struct NextState {
    lcd: Lcd,
    base_generation: u64,
    assembled: Assembled,
}

/// The maximum time for which a reload waits until no session holds the lock on the running
/// configuration.
const MAX_LOCK_WAIT: Duration = Duration::from_secs(5);
