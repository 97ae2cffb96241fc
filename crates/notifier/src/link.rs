//! The connection or session with one target, and the messages on it.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use portreeve_smi::{EngineId, ErrorStatus, MessageProcessingModel, SecurityModel, Timestamp};
use portreeve_snmp_apps::{AgentAddress, NotificationV1};
use portreeve_snmp_engine::statistics::Counter;
use portreeve_snmp_manager::{
    Credentials, RequestError, RequestHandle, RetryPolicy, Session, SessionOptions, TrapEncoder,
};
use tokio::time::Instant;

use crate::{
    OutgoingNotification,
    connection::Connection,
    core::Core,
    destination::{self, Authoritative, Endpoint, TargetRows},
};

/// An open connection or session.
pub(crate) struct Link {
    rows: TargetRows,
    endpoint: Endpoint,
    connection: Connection,
    /// The sessions of informs, one for each context.
    sessions: Vec<InformSession>,
    /// The encoder of traps, and its context.
    encoder: Option<(Arc<[u8]>, TrapEncoder)>,
    last_used: Instant,
}

struct InformSession {
    context_name: Arc<[u8]>,
    session: Session,
    /// The informs that were sent, by request.
    sent: BTreeMap<RequestHandle, u64>,
}

/// The result of an inform.
pub(crate) enum LinkEvent {
    /// The receiver has responded.
    Acknowledged(ErrorStatus),
    /// There is no response.
    Failed(String),
    /// The inform can never be sent to this receiver.
    Unsendable(String),
}

impl Link {
    /// Opens a connection or session with the target.
    pub(crate) async fn open(core: &Core, rows: &TargetRows) -> Result<Self, String> {
        let open_time = retry(rows).total_timeout().clamp(MIN_OPEN_TIME, MAX_OPEN_TIME);
        let endpoint = {
            let (state, settings) = (core.state(), core.settings());
            destination::endpoint(&state.lcd, rows, &settings, open_time)
                .map_err(|error| error.to_string())?
        };
        //= rfc5592#5.2-3b
        //= rfc6353#5.2-5b
        let connection = Connection::open(&endpoint, open_time, core.recorder()).await?;
        Ok(Self {
            rows: rows.clone(),
            endpoint,
            connection,
            sessions: Vec::new(),
            encoder: None,
            last_used: Instant::now(),
        })
    }

    /// Returns whether messages for these rows can be sent here: the rows and the settings have not
    /// been changed since the connection was opened.
    pub(crate) fn fits(&self, core: &Core, rows: &TargetRows) -> bool {
        let open_time = retry(rows).total_timeout().clamp(MIN_OPEN_TIME, MAX_OPEN_TIME);
        let (state, settings) = (core.state(), core.settings());
        let endpoint = || destination::endpoint(&state.lcd, rows, &settings, open_time);
        self.rows.is_same(rows) && endpoint().is_ok_and(|endpoint| endpoint == self.endpoint)
    }

    pub(crate) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Sends a trap.
    pub(crate) async fn send_trap(
        &mut self,
        core: &Core,
        content: &OutgoingNotification,
    ) -> Result<(), String> {
        let local = core.local();
        let needs_clock = self.rows.params.mp_model == MessageProcessingModel::V3
            && self.rows.params.security_model == SecurityModel::USM;
        if needs_clock && local.boots.is_none() {
            return Err(destination::DestinationError::NoBoots.to_string());
        }
        let clock = local.clock(core.now());
        let own_ipv4 = self.connection.own_ipv4();
        let is_v1 = self.rows.is_v1();
        let encoder = self.encoder(core, &content.context_name)?;
        let message = match is_v1 {
            true => encode_v1(encoder, content, own_ipv4)?,
            false => encoder.encode(clock, content.var_binds()).map_err(|error| error.to_string())?,
        };
        let message = message.to_vec();
        //= rfc3413#3.3-4
        self.connection.send(&message).await?;
        core.recorder().count(Counter::SnmpOutTraps);
        core.recorder().count(Counter::SnmpOutPkts);
        self.last_used = Instant::now();
        Ok(())
    }

    fn encoder(&mut self, core: &Core, context_name: &Arc<[u8]>) -> Result<&mut TrapEncoder, String> {
        if self.encoder.as_ref().is_some_and(|(context, _)| context != context_name) {
            self.encoder = None;
        }
        if self.encoder.is_none() {
            let engine_id = core.local().engine_id;
            let credentials = self.credentials(core, Authoritative::Local(engine_id))?;
            let options = self.options(core, context_name);
            let seed = getrandom::u64().map_err(|error| error.to_string())?;
            let encoder = TrapEncoder::new(credentials, engine_id, &options, seed);
            self.encoder = Some((Arc::clone(context_name), encoder.map_err(|error| error.to_string())?));
        }
        self.encoder.as_mut().map(|(_, encoder)| encoder).ok_or_else(String::new)
    }

    /// Sends an inform. [`Link::poll_event`] returns its result.
    pub(crate) async fn send_inform(
        &mut self,
        core: &Core,
        id: u64,
        content: &OutgoingNotification,
    ) -> Result<(), String> {
        let position = self.sessions.iter().position(|one| one.context_name == content.context_name);
        let session = match position {
            Some(position) => self.sessions.get_mut(position),
            None => {
                let local = core.local().engine_id;
                let credentials = self.credentials(core, Authoritative::Receiver { local })?;
                let options = self.options(core, &content.context_name);
                let seed = getrandom::u64().map_err(|error| error.to_string())?;
                self.sessions.retain(|one| !one.sent.is_empty());
                self.sessions.push(InformSession {
                    context_name: Arc::clone(&content.context_name),
                    session: Session::new(credentials, &options, seed),
                    sent: BTreeMap::new(),
                });
                self.sessions.last_mut()
            }
        };
        if let Some(session) = session {
            //= rfc3413#3.3-5
            let handle = session.session.request(&content.request);
            session.sent.insert(handle, id);
        }
        self.flush(core).await
    }

    fn credentials(&self, core: &Core, engine: Authoritative) -> Result<Credentials, String> {
        let (state, settings) = (core.state(), core.settings());
        destination::credentials(&state.lcd, &self.rows, &settings, engine).map_err(|error| error.to_string())
    }

    fn options(&self, core: &Core, context_name: &[u8]) -> SessionOptions {
        let retry = retry(&self.rows);
        let in_session = self.rows.params.security_model == SecurityModel::TSM;
        SessionOptions {
            retry: if self.endpoint.loses_messages() { retry } else { retry.without_retransmission() },
            context_name: context_name.to_vec(),
            // The objects of a notification are those of this engine.
            context_engine_id: Some(core.local().engine_id),
            security_engine_id: in_session.then_some(EngineId::LOCAL),
            agent_clock: None,
            max_message_size: core.local().max_message_size,
        }
    }

    /// Forgets the informs that were sent.
    pub(crate) fn cancel_informs(&mut self) {
        for one in &mut self.sessions {
            for handle in std::mem::take(&mut one.sent).into_keys() {
                one.session.cancel(handle);
            }
        }
    }

    /// Sends the messages that are due.
    async fn flush(&mut self, core: &Core) -> Result<(), String> {
        for one in &mut self.sessions {
            while let Some(message) = one.session.poll_output(core.now()) {
                self.connection.send(message).await?;
                core.recorder().count(Counter::SnmpOutPkts);
                self.last_used = Instant::now();
            }
        }
        Ok(())
    }

    /// Waits for a message. Canceling the wait loses no data.
    pub(crate) async fn receive(&mut self, core: &Core) -> Result<(), String> {
        let Self { connection, sessions, .. } = self;
        connection
            .receive(|message| {
                // A session drops the messages of others; it may have decrypted them in place.
                for one in sessions {
                    one.session.handle_input(core.now(), &mut message.to_vec());
                }
            })
            .await
    }

    /// Handles deadlines, and sends what is due then.
    pub(crate) async fn handle_timeout(&mut self, core: &Core) -> Result<(), String> {
        for one in &mut self.sessions {
            one.session.handle_timeout(core.now());
        }
        self.flush(core).await
    }

    /// Returns the result of the next inform.
    pub(crate) fn poll_event(&mut self) -> Option<(u64, LinkEvent)> {
        for one in &mut self.sessions {
            while let Some(event) = one.session.poll_event() {
                let Some(id) = one.sent.remove(&event.handle) else { continue };
                let event = match event.result {
                    Ok(response) => {
                        let status = response.error_status();
                        one.session.recycle(response);
                        // An undefined number does not acknowledge anything.
                        LinkEvent::Acknowledged(status.unwrap_or(ErrorStatus::GenErr))
                    }
                    Err(error @ RequestError::InvalidRequest(_)) => LinkEvent::Unsendable(error.to_string()),
                    Err(error) => LinkEvent::Failed(error.to_string()),
                };
                return Some((id, event));
            }
        }
        None
    }

    pub(crate) fn next_timeout(&self) -> Option<Timestamp> {
        self.sessions.iter().filter_map(|one| one.session.next_timeout()).min()
    }

    /// Returns the time after which the link is closed if it is not used.
    pub(crate) fn idle_time_left(&self) -> Duration {
        MAX_IDLE_TIME.saturating_sub(self.last_used.elapsed())
    }

    /// Returns whether the link was not used for long.
    pub(crate) fn is_idle(&self) -> bool {
        self.idle_time_left().is_zero() && self.sessions.iter().all(|one| one.sent.is_empty())
    }

    pub(crate) async fn close(self, core: &Core) {
        self.connection.close(&self.endpoint, core.recorder()).await;
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

/// Returns the retransmissions of a target.
fn retry(rows: &TargetRows) -> RetryPolicy {
    let timeout = Duration::from_millis(u64::from(rows.address.timeout) * 10).max(MIN_TIMEOUT);
    RetryPolicy::fixed(timeout, rows.address.retry_count.into())
}

/// The minimum timeout of an inform.
const MIN_TIMEOUT: Duration = Duration::from_millis(10);
/// The time for opening a session is that of an inform with its retransmissions, but within these
/// limits.
const MIN_OPEN_TIME: Duration = Duration::from_secs(2);
const MAX_OPEN_TIME: Duration = Duration::from_secs(20);
/// The time after which a connection that is not used is closed.
const MAX_IDLE_TIME: Duration = Duration::from_secs(300);
