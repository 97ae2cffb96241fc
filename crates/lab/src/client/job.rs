//! The work of the client in one or more sessions, and the phases that it measures.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ProtocolStack;
use crate::error::Result;

/// Sessions to open one after the other, with the same work in each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Job {
    /// The identifier of the protocol stack.
    pub(crate) stack: String,
    pub(crate) operation: Operation,
    /// The number of sessions.
    pub(crate) sessions: usize,
    /// The form in which the client has a user's keys.
    pub(crate) keys: Keys,
    /// The program that opens the session.
    pub(crate) opener: Opener,
    /// The time at which the client sets up its end of a secure carrier.
    pub(crate) setup: ClientSetup,
    /// The retransmission over carriers that lose messages.
    pub(crate) retransmission: Retransmission,
    /// Records the time of each exchange.
    pub(crate) exchange_times: bool,
}

impl Job {
    /// Creates a job of one session with localized keys, opened by the client itself.
    pub(crate) fn new(stack: ProtocolStack, operation: Operation) -> Self {
        Self {
            stack: stack.id(),
            operation,
            sessions: 1,
            keys: Keys::Localized,
            opener: Opener::Client,
            setup: ClientSetup::Before,
            retransmission: Retransmission::Adaptive,
            exchange_times: false,
        }
    }

    /// Returns the job with another number of sessions.
    #[must_use]
    pub(crate) fn times(self, sessions: usize) -> Self {
        Self { sessions, ..self }
    }

    /// Returns the protocol stack.
    pub(crate) fn stack(&self) -> Result<ProtocolStack> {
        self.stack.parse()
    }
}

/// A job whose sessions may fail, for example because the link loses frames.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AttemptJob {
    pub(crate) job: Job,
    /// The number of sessions that are open at the same time.
    pub(crate) parallel: usize,
    /// The time after which a session has failed.
    pub(crate) deadline: Duration,
}

/// The result of a session that may fail: its phases, or the reason.
pub(crate) type Attempt = std::result::Result<Phases, String>;

/// The requests in a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Operation {
    /// No request: the session is opened and closed.
    Open,
    /// The same GET of these variables a number of times.
    Get { names: Vec<Vec<u32>>, count: usize },
    /// SETs of this number of objects of the module `stair`, one after the other. Values belong to
    /// `serial`.
    SetStair { objects: usize, per_request: usize, serial: usize },
    /// A walk of the subtree.
    Walk { root: Vec<u32>, method: WalkMethod },
}

/// An edit of the module `stair` over NETCONF, in a session of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EditJob {
    pub(crate) kind: EditKind,
    /// The number of objects.
    pub(crate) objects: usize,
    /// The serial number of the values.
    pub(crate) serial: usize,
}

/// The work of an [`EditJob`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum EditKind {
    /// Removes all entries, and creates those that contain the objects.
    Reset,
    /// Changes the objects in one `edit-config`.
    Change,
}

/// The requests of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum WalkMethod {
    /// One GETNEXT after the other.
    GetNext,
    /// One GETBULK after the other, with this number of repetitions.
    GetBulk(i32),
    /// The walk of our commands: several requests in parallel, with a batch size that adapts.
    Ours,
}

/// The form in which the client has a user's keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Keys {
    /// As pass phrases, from which each session derives the keys.
    PassPhrase,
    /// Localized to the agent.
    Localized,
}

/// The program that opens the session over a secure carrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Opener {
    /// The client itself.
    Client,
    /// The session broker, which keeps the session open between jobs.
    Broker,
}

/// The time at which the client sets up its end of a secure carrier: it reads its keys and
/// certificates, and creates the context of the security protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ClientSetup {
    /// Before the session, so that it is not part of its time: a client needs it once.
    Before,
    /// In each session, as part of opening it, as in Net-SNMP's library.
    InSession,
}

/// The retransmission over carriers that lose messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Retransmission {
    /// Ours: from the measured round trips.
    Adaptive,
    /// That of Net-SNMP: after one second, at most five times.
    Fixed,
}

/// The measured phases of one session, in seconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Phases {
    /// From the start of `open` to the end of `close`.
    pub(crate) total: f64,
    /// Opening the session, without messages of SNMP.
    pub(crate) open: f64,
    /// The part of opening in which the client sets up its end, if it does so in the session.
    pub(crate) setup: f64,
    /// The first exchange, with the discovery of the agent's engine.
    pub(crate) first: f64,
    /// All exchanges after the first one.
    pub(crate) rest: f64,
    /// Closing the session.
    pub(crate) close: f64,
    /// CPU time of the client's thread.
    pub(crate) cpu: f64,
    /// Number of exchanges, without discovery.
    pub(crate) exchanges: u64,
    /// Number of variables in the responses.
    pub(crate) variables: u64,
    /// Number of messages sent, with discovery and retransmissions.
    pub(crate) sent: u64,
    /// The time of each exchange, if the job requests it.
    pub(crate) exchange_times: Vec<f64>,
}

/// A command of the harness to the client.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ClientCommand {
    /// Runs a job.
    Run(Job),
    /// Runs a job whose sessions may fail.
    Attempt(AttemptJob),
    /// Edits the configuration over NETCONF.
    Edit(EditJob),
    /// Opens sessions and keeps them open.
    Hold { stack: String, count: usize, use_once: bool },
    /// Closes the sessions that are kept open.
    Release,
    /// Sends this number of GETs in the sessions that are kept open, in turn.
    Exchange { requests: usize },
    /// Opens and closes this number of sessions, several in parallel, and sends one request in each
    /// if `use_once` is true.
    Churn { stack: String, count: usize, use_once: bool },
}

impl From<Job> for ClientCommand {
    fn from(job: Job) -> Self {
        Self::Run(job)
    }
}

impl From<EditJob> for ClientCommand {
    fn from(job: EditJob) -> Self {
        Self::Edit(job)
    }
}

/// The client's response to a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ClientResponse {
    /// The phases of each session.
    Phases(Vec<Phases>),
    /// The result of each session that may fail.
    Attempts(Vec<Attempt>),
    /// The number of sessions that are open now.
    Open(usize),
    /// The seconds that the work took.
    Seconds(f64),
    /// The command failed.
    Failed(String),
}

/// The timeout for opening a session, and for a request in it: that of Net-SNMP's commands.
pub(super) const SESSION_TIMEOUT: Duration = Duration::from_secs(6);

/// The time for which the broker keeps an idle session.
pub(super) const BROKER_PERSIST: Duration = Duration::from_secs(60);
