//! Runs the jobs of the harness.

use std::time::Instant;

use portreeve_snmp_manager::{Credentials, EngineId, UsmUser};
use rustix::time::{ClockId, clock_gettime};
use tokio::time::timeout;

use super::job::{ClientSetup, Job, Keys, Opener, Operation, Phases, Retransmission, SESSION_TIMEOUT};
use super::manager::{Access, Manager, credentials, retry_policy};
use super::target::PreparedConnection;
use super::{Client, Connection, ProtocolStack, Target};
use crate::error::Result;
use crate::experiments::stair;
use crate::requests::SYS_DESCR;

impl Client {
    /// Runs a job: prepares and measures one session after the other.
    pub(super) fn run_job(&mut self, job: Job) -> Result<Vec<Phases>> {
        let stack = job.stack()?;
        let mut login = Login::for_job(self, stack, &job)?;
        let mut phases = Vec::with_capacity(job.sessions);
        for _ in 0..job.sessions {
            let session = prepare_session(&mut self.target, &job, stack, login.next()?)?;
            // Runs in a spawned task, because waking the task of `block_on` costs another poll of
            // all sockets.
            let session = self.runtime.spawn_local(session);
            phases.push(self.runtime.block_on(session)??);
        }
        Ok(phases)
    }
}

/// Prepares a session, and returns the future that runs and measures it.
pub(super) fn prepare_session(
    target: &mut Target,
    job: &Job,
    stack: ProtocolStack,
    credentials: Credentials,
) -> Result<impl Future<Output = Result<Phases>> + use<>> {
    let prepared = match (job.opener, job.setup) {
        (Opener::Client, ClientSetup::Before) => Some(target.prepare(stack.carrier)?),
        (Opener::Client, ClientSetup::InSession) => None,
        (Opener::Broker, _) => Some(target.prepare_broker(stack.carrier)?),
    };
    let mut new_target = target.without_keys();
    let retry = retry_policy(job.retransmission, stack.carrier.is_datagram());
    let (operation, exchange_times) = (job.operation.clone(), job.exchange_times);
    // Requests are built before the clock starts.
    let sets = match operation {
        Operation::SetStair { objects, per_request, serial } => stair::sets(objects, per_request, serial),
        _ => Vec::new(),
    };
    Ok(async move {
        let (begun, cpu) = (Instant::now(), thread_cpu());
        let prepared = prepared.map_or_else(|| new_target.prepare(stack.carrier), Ok)?;
        let set_up = Instant::now();
        let mut connection = open(prepared).await?;
        let opened = Instant::now();
        let mut manager = Manager::new(credentials, retry);
        manager.times = exchange_times.then(Vec::new);
        match &operation {
            Operation::Open => confirm(&mut connection, stack).await?,
            Operation::Get { names, count } => manager.get(&mut connection, names, *count).await?,
            Operation::SetStair { .. } => manager.set(&mut connection, &sets).await?,
            Operation::Walk { root, method } => manager.walk(&mut connection, root, *method).await?,
        }
        let done = Instant::now();
        connection.close().await;
        let ended = Instant::now();
        let first_done = manager.first_done.unwrap_or(opened);
        Ok(Phases {
            total: (ended - begun).as_secs_f64(),
            open: (opened - begun).as_secs_f64(),
            setup: (set_up - begun).as_secs_f64(),
            first: (first_done - opened).as_secs_f64(),
            rest: (done - first_done).as_secs_f64(),
            close: (ended - done).as_secs_f64(),
            cpu: thread_cpu() - cpu,
            exchanges: manager.exchanges,
            variables: manager.variables,
            sent: manager.sent,
            exchange_times: manager.times.unwrap_or_default(),
        })
    })
}

/// The credentials of one session after the other.
pub(super) struct Login {
    target: Target,
    stack: ProtocolStack,
    keys: Keys,
    access: Access,
    /// A user whose keys are derived and localized.
    user: Option<UsmUser>,
}

impl Login {
    /// Prepares the credentials for the sessions of a job.
    pub(super) fn for_job(client: &mut Client, stack: ProtocolStack, job: &Job) -> Result<Self> {
        let access = match job.operation {
            Operation::SetStair { .. } => Access::Write,
            _ => Access::Read,
        };
        Self::new(client, stack, job.keys, access)
    }

    /// Localizes the keys of a user. Queries the agent for its engine ID if it is not known.
    pub(super) fn new(client: &mut Client, stack: ProtocolStack, keys: Keys, access: Access) -> Result<Self> {
        let mut user = None;
        if stack.message.has_keys() && keys == Keys::Localized {
            let engine_id = match client.target.engine_id()?.or(client.engine_id) {
                Some(engine_id) => engine_id,
                None => client.discover(stack)?,
            };
            client.engine_id = Some(engine_id);
            let credentials = credentials(&client.target.file, stack.message, keys, Some(engine_id), access)?;
            if let Credentials::V3(localized) = credentials {
                user = Some(localized);
            }
        }
        Ok(Self { target: client.target.clone(), stack, keys, access, user })
    }

    pub(super) fn next(&mut self) -> Result<Credentials> {
        match &self.user {
            Some(user) => Ok(Credentials::V3(user.duplicate())),
            None => credentials(&self.target.file, self.stack.message, self.keys, None, self.access),
        }
    }
}

impl Client {
    /// Discovers the agent's engine ID with a request whose keys are derived from pass phrases.
    fn discover(&mut self, stack: ProtocolStack) -> Result<EngineId> {
        let credentials =
            credentials(&self.target.file, stack.message, Keys::PassPhrase, None, Access::Read)?;
        let prepared = self.target.prepare(stack.carrier)?;
        let retry = retry_policy(Retransmission::Adaptive, stack.carrier.is_datagram());
        self.runtime.block_on(async {
            let mut connection = open(prepared).await?;
            let mut manager = Manager::new(credentials, retry);
            let name = [SYS_DESCR, &[0]].concat();
            manager.get(&mut connection, &[name], 1).await?;
            connection.close().await;
            manager.engine_id().ok_or_else(|| "the agent's engine ID is not known".into())
        })
    }
}

/// Completes a session in which nothing is sent. Over DTLS, opening it has completed it, and an
/// agent sends nothing for which the client could wait.
pub(super) async fn confirm(connection: &mut Connection, stack: ProtocolStack) -> Result<()> {
    if stack.carrier.is_datagram() { Ok(()) } else { connection.confirm().await }
}

pub(super) async fn open(prepared: PreparedConnection) -> Result<Connection> {
    match timeout(SESSION_TIMEOUT, Target::connect(prepared)).await {
        Ok(connection) => connection,
        Err(_) => Err(format!("no session within {} s", SESSION_TIMEOUT.as_secs()).into()),
    }
}

/// Returns the CPU time of this thread in seconds.
fn thread_cpu() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
