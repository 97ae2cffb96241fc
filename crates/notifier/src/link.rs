//! The connection or session with one target, and the messages on it.

mod informs;

use std::{sync::Arc, time::Duration};

use portreeve_datastore::State;
use portreeve_smi::{EngineId, MessageProcessingModel, SecurityModel, Timestamp};
use portreeve_snmp_apps::{AgentAddress, NotificationV1};
use portreeve_snmp_engine::statistics::Counter;
use portreeve_snmp_manager::{RetryPolicy, SessionOptions, TrapEncoder};

use crate::{
    NotifierSettings, OutgoingNotification,
    connection::{Connection, ConnectionEnd},
    core::Core,
    destination::{self, DestinationError, Endpoint, InformCredentials, TargetRows},
    file_reads::TargetFileReads,
};

pub(crate) use informs::LinkEvent;
use informs::SentInforms;

/// An open connection or session.
pub(crate) struct Link {
    rows: TargetRows,
    endpoint: Endpoint,
    /// The tables and the settings with which the link was last compared.
    checked: (Arc<State>, Arc<NotifierSettings>),
    connection: Connection,
    informs: SentInforms,
    /// The encoder of traps, and its context.
    encoder: Option<(Arc<[u8]>, TrapEncoder)>,
    last_used: Timestamp,
}

/// The reason why a notification was not sent.
pub(crate) enum SendError {
    /// This notification cannot be sent to the target; others can.
    Unsendable(String),
    /// Nothing can be sent.
    Failed(ConnectionEnd),
}

impl From<ConnectionEnd> for SendError {
    fn from(end: ConnectionEnd) -> Self {
        Self::Failed(end)
    }
}

impl Link {
    /// Opens a connection or session with the target.
    pub(crate) async fn open(
        core: &Core,
        rows: &TargetRows,
        reads: &Arc<TargetFileReads>,
        attempt: impl FnOnce(&Endpoint),
    ) -> Result<Self, ConnectionEnd> {
        let (state, settings) = (core.state(), core.settings());
        let endpoint = endpoint(&state, rows, &settings).map_err(|error| {
            if let DestinationError::Prefix(error) = &error {
                core.recorder().count(error.counter());
            }
            ConnectionEnd::failed(error.to_string())
        })?;
        attempt(&endpoint);
        //= rfc5592#5.2-3b
        //= rfc6353#5.2-5b
        let connection = Connection::open(&endpoint, open_time(rows), core.recorder(), reads).await?;
        Ok(Self {
            rows: rows.clone(),
            endpoint,
            checked: (state, settings),
            connection,
            informs: SentInforms::default(),
            encoder: None,
            last_used: core.now(),
        })
    }

    /// Returns whether messages for these rows can be sent here: neither the rows nor what the
    /// session depends on was changed since the connection was opened. Reads no file, because a
    /// file system can block the thread.
    //= rfc5592#5.2-3a
    //= rfc6353#5.2-5a
    pub(crate) fn fits(&mut self, core: &Core, rows: &TargetRows) -> bool {
        if !self.rows.is_same(rows) {
            return false;
        }
        let (state, settings) = (core.state(), core.settings());
        let (old_state, old_settings) = &self.checked;
        let same_settings = Arc::ptr_eq(old_settings, &settings);
        if Arc::ptr_eq(old_state, &state) && same_settings {
            return true;
        }
        let same_users = old_state.lcd.tables().users.is_same(&state.lcd.tables().users);
        let same_keys = rows.params.security_model != SecurityModel::USM || (same_settings && same_users);
        let fits =
            same_keys && endpoint(&state, rows, &settings).is_ok_and(|endpoint| endpoint == self.endpoint);
        self.checked = (state, settings);
        fits
    }

    pub(crate) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Returns true if the rows differ only in the community, so that they are for the same target
    /// in another context.
    pub(crate) fn needs_other_community(&self, rows: &TargetRows) -> bool {
        !self.rows.is_same(rows)
            && self.rows.is_same(&TargetRows { community: self.rows.community.clone(), ..rows.clone() })
    }

    /// Returns the time for which the receiver may still reject the session.
    pub(crate) fn rejection_time_left(&self) -> Duration {
        self.connection.rejection_time_left()
    }

    /// Returns true if the receiver may still reject the session, and with it what is sent.
    pub(crate) fn is_rejectable(&self) -> bool {
        self.connection.is_rejectable()
    }

    /// Sends a trap.
    pub(crate) async fn send_trap(
        &mut self,
        core: &Core,
        content: &OutgoingNotification,
    ) -> Result<(), SendError> {
        let local = core.local();
        let needs_clock = self.rows.params.mp_model == MessageProcessingModel::V3
            && self.rows.params.security_model == SecurityModel::USM;
        if needs_clock && local.boots.is_none() {
            return Err(unusable(&DestinationError::NoBoots));
        }
        let clock = local.clock(core.now());
        let own_ipv4 = self.connection.own_ipv4();
        let is_v1 = self.rows.is_v1();
        let encoder = self.encoder(core, &content.context_name)?;
        //= rfc3413#3.3-4
        //= rfc3584#4.2.3-p1
        let message = match is_v1 {
            true => encode_v1(encoder, content, own_ipv4),
            false => encoder.encode(clock, content.var_binds()).map_err(|error| error.to_string()),
        };
        let message = message.map_err(SendError::Unsendable)?.to_vec();
        //= rfc3413#3.3-5
        self.connection.send(&message).await?;
        core.recorder().count(Counter::SnmpOutTraps);
        core.recorder().count(Counter::SnmpOutPkts);
        self.last_used = core.now();
        Ok(())
    }

    fn encoder(&mut self, core: &Core, context_name: &Arc<[u8]>) -> Result<&mut TrapEncoder, SendError> {
        let is_usable = |(context, _): &(Arc<[u8]>, TrapEncoder)| context == context_name;
        if !self.encoder.as_ref().is_some_and(is_usable) {
            let engine_id = core.local().engine_id;
            let credentials = destination::trap_credentials(&core.state().lcd, &self.rows, engine_id);
            let credentials = credentials.map_err(|error| unusable(&error))?;
            let options = self.options(core, context_name);
            let encoder = TrapEncoder::new(credentials, engine_id, &options, seed()?);
            self.encoder = Some((Arc::clone(context_name), encoder.map_err(|error| unusable(&error))?));
        }
        match &mut self.encoder {
            Some((_, encoder)) => Ok(encoder),
            None => Err(unusable(&"no encoder")),
        }
    }

    /// Sends an inform. [`Link::poll_event`] returns its result.
    pub(crate) async fn send_inform(
        &mut self,
        core: &Core,
        id: u64,
        content: &OutgoingNotification,
    ) -> Result<(), SendError> {
        if !self.informs.has_session(&content.context_name) {
            let options = self.options(core, &content.context_name);
            let session = self.inform_credentials(core)?.session(&options, seed()?);
            self.informs.add_session(&content.context_name, session);
        }
        self.informs.send(id, content);
        Ok(self.flush(core).await?)
    }

    fn inform_credentials(&self, core: &Core) -> Result<InformCredentials, SendError> {
        let (state, local) = (core.state(), core.local().engine_id);
        let found = destination::inform_credentials(&state.lcd, &self.rows, &core.settings(), local);
        found.map_err(|error| unusable(&error))
    }

    fn options(&self, core: &Core, context_name: &[u8]) -> SessionOptions {
        let retry = retry(&self.rows);
        let max_message_size = core.local().max_message_size;
        let in_session = self.rows.params.security_model == SecurityModel::TSM;
        SessionOptions {
            //= rfc3413#3.3-6d
            retry: if self.endpoint.loses_messages() { retry } else { retry.without_retransmission() },
            context_name: context_name.to_vec(),
            // The objects of a notification are those of this engine.
            context_engine_id: Some(core.local().engine_id),
            security_engine_id: in_session.then_some(EngineId::LOCAL),
            agent_clock: None,
            // A message that cannot be sent is discarded, so that it does not block those after it.
            max_message_size: self.endpoint.max_message_len().unwrap_or(usize::MAX).min(max_message_size),
        }
    }

    /// Sends the messages that are due.
    async fn flush(&mut self, core: &Core) -> Result<(), ConnectionEnd> {
        let Self { connection, informs, last_used, .. } = self;
        let send = async |message: &[u8]| {
            connection.send(message).await?;
            core.recorder().count(Counter::SnmpOutPkts);
            *last_used = core.now();
            Ok(())
        };
        informs.flush(|| core.now(), send).await
    }

    /// Waits for a message. Canceling the wait loses no data.
    pub(crate) async fn receive(&mut self, core: &Core) -> Result<(), ConnectionEnd> {
        let Self { connection, informs, .. } = self;
        let handle = |message: &mut [u8]| {
            core.recorder().count(Counter::SnmpInPkts);
            if let Err(reason) = informs.handle_input(core.now(), message)
                && let Some(counter) = reason.counter()
            {
                core.recorder().count(counter);
            }
        };
        connection.receive(core.datagram(), handle).await
    }

    /// Handles deadlines, and sends what is due then.
    pub(crate) async fn handle_timeout(&mut self, core: &Core) -> Result<(), ConnectionEnd> {
        self.informs.handle_timeout(core.now());
        self.flush(core).await
    }

    /// Returns the result of the next inform.
    pub(crate) fn poll_event(&mut self) -> Option<(u64, LinkEvent)> {
        self.informs.poll_event(&self.rows.params.security_name)
    }

    pub(crate) fn next_timeout(&self) -> Option<Timestamp> {
        self.informs.next_timeout()
    }

    /// Returns the time after which the link is closed if it is not used; `None` while results of
    /// informs are outstanding.
    pub(crate) fn idle_time_left(&self, now: Timestamp) -> Option<Duration> {
        let left = MAX_IDLE_TIME.saturating_sub(now.since(self.last_used));
        self.informs.is_empty().then_some(left)
    }

    /// Returns whether the link was not used for long.
    pub(crate) fn is_idle(&self, now: Timestamp) -> bool {
        self.idle_time_left(now).is_some_and(|left| left.is_zero())
    }

    pub(crate) async fn close(self) {
        self.connection.close().await;
    }
}

fn encode_v1<'e>(
    encoder: &'e mut TrapEncoder,
    content: &OutgoingNotification,
    own_ipv4: Option<[u8; 4]>,
) -> Result<&'e [u8], String> {
    let agent = AgentAddress::Originator(own_ipv4);
    let trap =
        NotificationV1::from_var_binds(content.var_binds(), agent).map_err(|error| error.to_string())?;
    encoder.encode_v1(&trap.to_trap()).map_err(|error| error.to_string())
}

fn endpoint(
    state: &State,
    rows: &TargetRows,
    settings: &NotifierSettings,
) -> Result<Endpoint, DestinationError> {
    destination::endpoint(&state.lcd, rows, settings, open_time(rows))
}

/// Returns the error for a target to which nothing can be sent.
fn unusable(error: &impl ToString) -> SendError {
    SendError::Failed(ConnectionEnd::failed(error.to_string()))
}

fn seed() -> Result<u64, SendError> {
    getrandom::u64().map_err(|error| unusable(&error))
}

/// Returns the retransmissions of a target.
fn retry(rows: &TargetRows) -> RetryPolicy {
    let timeout = Duration::from_millis(u64::from(rows.address.timeout) * 10).max(MIN_TIMEOUT);
    RetryPolicy::fixed(timeout, rows.address.retry_count.into())
}

/// Returns the time for opening a session: that of an inform with its retransmissions, but within
/// limits.
fn open_time(rows: &TargetRows) -> Duration {
    retry(rows).total_timeout().clamp(MIN_OPEN_TIME, MAX_OPEN_TIME)
}

/// The minimum timeout of an inform.
const MIN_TIMEOUT: Duration = Duration::from_millis(10);
const MIN_OPEN_TIME: Duration = Duration::from_secs(2);
const MAX_OPEN_TIME: Duration = Duration::from_secs(20);
/// The time after which a connection that is not used is closed.
const MAX_IDLE_TIME: Duration = Duration::from_secs(300);
