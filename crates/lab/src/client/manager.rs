//! The manager's requests in one session, driven over its connection.

use std::time::{Duration, Instant};

use portreeve_smi::Timestamp;
use portreeve_snmp_manager::{
    Credentials, EngineId, FastWalk, KeyMaterial, Operation as PduOperation, Request, RequestEvent, Response,
    RetryPolicy, Secret, Session, SessionOptions, UsmUser, Walk, WalkOptions, WalkProgress,
};
use tokio::time::timeout;

use super::connection::Connection;
use super::job::{Keys, Retransmission, SESSION_TIMEOUT, WalkMethod};
use super::{Message, credentials_file::CredentialsFile};
use crate::error::{Context, Result};

/// The manager of one session.
pub(super) struct Manager {
    session: Session,
    begun: Instant,
    /// Messages sent, with discovery and retransmissions.
    pub(super) sent: u64,
    /// Exchanges that received a Response, and the variables in these Responses.
    pub(super) exchanges: u64,
    pub(super) variables: u64,
    /// When the first exchange ended.
    pub(super) first_done: Option<Instant>,
    /// The time of each exchange, if it is recorded.
    pub(super) times: Option<Vec<f64>>,
}

impl Manager {
    pub(super) fn new(credentials: Credentials, retry: RetryPolicy) -> Self {
        let options = SessionOptions { retry, ..SessionOptions::default() };
        Self {
            session: Session::new(credentials, &options, seed()),
            begun: Instant::now(),
            sent: 0,
            exchanges: 0,
            variables: 0,
            first_done: None,
            times: None,
        }
    }

    /// Returns the agent's engine ID after the first exchange.
    pub(super) fn engine_id(&self) -> Option<EngineId> {
        self.session.engine_id()
    }

    /// Sends the same GET `count` times, each after the response to the one before.
    pub(super) async fn get(
        &mut self,
        connection: &mut Connection,
        names: &[Vec<u32>],
        count: usize,
    ) -> Result<()> {
        let request = Request::read(PduOperation::Get, names);
        for _ in 0..count {
            let response = self.exchange(connection, &request).await?;
            if response.is_error() || response.var_binds().iter().any(|bind| bind.value.is_exception()) {
                return Err("the agent does not have the requested variables".into());
            }
            self.session.recycle(response);
        }
        Ok(())
    }

    /// Sends SETs, each after the response to the one before.
    pub(super) async fn set(&mut self, connection: &mut Connection, requests: &[Request]) -> Result<()> {
        for (number, request) in requests.iter().enumerate() {
            let response = self.exchange(connection, request).await?;
            if response.is_error() {
                let status = response.error_status_number();
                return Err(format!("the agent refused SET {number} with error status {status}").into());
            }
            self.session.recycle(response);
        }
        Ok(())
    }

    /// Walks a subtree.
    pub(super) async fn walk(
        &mut self,
        connection: &mut Connection,
        root: &[u32],
        method: WalkMethod,
    ) -> Result<()> {
        self.variables = match method {
            WalkMethod::GetNext => self.walk_one_by_one(connection, root, None).await?,
            WalkMethod::GetBulk(repetitions) => {
                self.walk_one_by_one(connection, root, Some(repetitions)).await?
            }
            WalkMethod::Ours => self.walk_fast(connection, root).await?,
        };
        Ok(())
    }

    async fn walk_one_by_one(
        &mut self,
        connection: &mut Connection,
        root: &[u32],
        max_repetitions: Option<i32>,
    ) -> Result<u64> {
        let mut walk = Walk::new(root, WalkOptions { max_repetitions, ..WalkOptions::default() });
        let mut request = Request::new(PduOperation::GetNext);
        loop {
            walk.next_request(&mut request);
            let response = self.exchange(connection, &request).await?;
            let progress = walk.accept(&response, |_| {})?;
            self.session.recycle(response);
            if let WalkProgress::Done(_) = progress {
                return Ok(walk.found());
            }
        }
    }

    async fn walk_fast(&mut self, connection: &mut Connection, root: &[u32]) -> Result<u64> {
        let mut walk = FastWalk::new(root, WalkOptions::default());
        if self.session.is_v1() {
            walk.disable_bulk();
        }
        let mut request = Request::new(PduOperation::GetNext);
        let mut in_flight = Vec::new();
        loop {
            while let Some(id) = walk.next_request(&mut request) {
                in_flight.push((self.session.request(&request), id));
            }
            let event = self.next_event(connection).await?;
            let Some(index) = in_flight.iter().position(|(handle, _)| *handle == event.handle) else {
                continue;
            };
            let (_, id) = in_flight.swap_remove(index);
            let progress = walk.accept(id, &event.result, |_| {})?;
            if let Ok(response) = event.result {
                self.session.recycle(response);
            }
            if let WalkProgress::Done(_) = progress {
                return Ok(walk.found());
            }
        }
    }

    /// Sends a request and waits for its response.
    async fn exchange(&mut self, connection: &mut Connection, request: &Request) -> Result<Response> {
        let begun = self.times.is_some().then(Instant::now);
        let handle = self.session.request(request);
        loop {
            let event = self.next_event(connection).await?;
            if event.handle != handle {
                continue;
            }
            if let (Some(begun), Some(times)) = (begun, &mut self.times) {
                times.push(begun.elapsed().as_secs_f64());
            }
            return Ok(event.result?);
        }
    }

    /// Sends what is waiting, until a request has ended.
    async fn next_event(&mut self, connection: &mut Connection) -> Result<RequestEvent> {
        loop {
            while let Some(message) = self.session.poll_output(Timestamp::ZERO + self.begun.elapsed()) {
                self.sent += 1;
                connection.send(message).await?;
            }
            if let Some(event) = self.session.poll_event() {
                if let Ok(response) = &event.result {
                    self.exchanges += 1;
                    self.variables += response.var_binds().len() as u64;
                    self.first_done.get_or_insert_with(Instant::now);
                }
                return Ok(event);
            }
            let now = Timestamp::ZERO + self.begun.elapsed();
            let wait = self.session.next_timeout().map_or(SESSION_TIMEOUT, |at| at.since(now));
            match timeout(wait.max(Duration::from_micros(1)), connection.receive()).await {
                Ok(message) => self.session.handle_input(Timestamp::ZERO + self.begun.elapsed(), message?),
                Err(_) => self.session.handle_timeout(Timestamp::ZERO + self.begun.elapsed()),
            }
        }
    }
}

/// The access that a community needs. Users have both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

impl Access {
    /// Returns the variable with the community.
    fn community(self) -> &'static str {
        match self {
            Self::Read => "RO",
            Self::Write => "RW",
        }
    }
}

/// Returns the credentials for messages. `engine_id` is needed for localized keys.
pub(super) fn credentials(
    file: &CredentialsFile,
    message: Message,
    keys: Keys,
    engine_id: Option<EngineId>,
    access: Access,
) -> Result<Credentials> {
    let community = || file.get(access.community()).map(Secret::from);
    let (auth, privacy) = match message {
        Message::V1 => return Ok(Credentials::V1(community()?)),
        Message::V2c => return Ok(Credentials::V2c(community()?)),
        Message::Tsm => return Ok(Credentials::Transport),
        Message::Usm(auth, privacy) => (auth, privacy),
    };
    let user = file.user(auth, privacy)?;
    let name = user.name.as_bytes();
    let Some(auth) = auth else { return Ok(Credentials::V3(UsmUser::unauthenticated(name))) };
    let (auth_pass, priv_pass) = (Secret::from(&*user.auth_pass), Secret::from(&*user.priv_pass));
    let user = match (keys, engine_id) {
        (Keys::PassPhrase, _) => UsmUser::with_keys(
            name,
            (auth, KeyMaterial::PassPhrase(&auth_pass)),
            privacy.map(|privacy| (privacy, KeyMaterial::PassPhrase(&priv_pass))),
        ),
        (Keys::Localized, None) => return Err("the agent's engine ID is not known".into()),
        (Keys::Localized, Some(engine_id)) => {
            let localize = |pass: &Secret, privacy| -> Result<Secret> {
                let master = portreeve_crypto::password_to_key(auth, pass)?;
                let engine_id = engine_id.as_bytes();
                Ok(match privacy {
                    None => Secret::from(master.localize(engine_id).expose()),
                    Some(privacy) => Secret::from(master.localize_for(privacy, engine_id).expose()),
                })
            };
            let auth_key = localize(&auth_pass, None)?;
            let priv_key = privacy.map(|privacy| localize(&priv_pass, Some(privacy))).transpose()?;
            let privacy = privacy.zip(priv_key.as_ref());
            UsmUser::with_keys(
                name,
                (auth, KeyMaterial::Localized(&auth_key)),
                privacy.map(|(privacy, key)| (privacy, KeyMaterial::Localized(key))),
            )
        }
    };
    Ok(Credentials::V3(user.context("invalid keys")?))
}

/// Returns the policy for a carrier.
pub(super) fn retry_policy(retransmission: Retransmission, loses_messages: bool) -> RetryPolicy {
    let policy = match retransmission {
        Retransmission::Adaptive => RetryPolicy::adaptive(SESSION_TIMEOUT),
        Retransmission::Fixed => RetryPolicy::default(),
    };
    if loses_messages { policy } else { policy.without_retransmission() }
}

/// Returns the seed of request-ids, msgIDs and salts: the time is unique enough on a network of
/// the lab.
fn seed() -> u64 {
    let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    (since_epoch.as_nanos() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
