//! Executes the requests of all sessions on one state.
//!
//! ```text
//! Session ─ begin_operation ─▶ rights ─ begin_config ─▶ Editor ─ execute ─▶ reply
//!                                                                  └─▶ Action::Commit
//! ```

mod change;
mod config;
mod lifecycle;
mod query;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use portreeve_datastore::{Model, State};
use portreeve_netconf_message::rpc::{ConfigUse, Operation, OperationName};
use portreeve_netconf_message::rpc_error::{ErrorTag, ErrorType, RpcError};
use portreeve_yang::Schema;
use portreeve_yang_text::Progress;
use portreeve_yang_text::xml::{Event, Start, Writer};
use portreeve_yang_tree::{Tree, TreeSize};

use crate::access::{Level, NodeRules};
use crate::action::{Action, EditLog, TransactionId};
use crate::candidate::Candidate;
use crate::locks::LockTable;
use crate::read::{ReplyData, find_schema};
use crate::sessions::{SessionInfo, TotalCounters};
use crate::time::DateTime;
use crate::{DataError, Datastores, Execution};
use config::ConfigEdit;

/// Maximum number of octets of all requests together that are being read.
pub(crate) const MAX_OCTETS_IN_FLIGHT: u64 = 256 * 1024 * 1024;

/// The datastores of the server, and what all sessions share.
pub(crate) struct Executor {
    pub(crate) schema: Arc<Schema>,
    pub(crate) model: Arc<Model>,
    pub(crate) rules: NodeRules,
    pub(crate) recovery: BTreeSet<Arc<str>>,
    pub(crate) state: Arc<State>,
    pub(crate) capabilities: Arc<[String]>,
    /// The YANG library, which never changes.
    pub(crate) library: Tree,
    pub(crate) candidate: Candidate,
    /// Maximum size of a configuration.
    pub(crate) quota: TreeSize,
    pub(crate) locks: LockTable,
    pub(crate) sessions: BTreeMap<u32, SessionInfo>,
    /// Octets of the requests of all sessions that are being read.
    pub(crate) octets_in_flight: u64,
    /// The transactions whose results are awaited.
    pub(crate) pending: BTreeMap<TransactionId, Pending>,
    /// The number of transactions so far.
    pub(crate) transactions: u64,
    pub(crate) actions: Vec<Action>,
    /// The sessions that were ended by others and are still to be removed.
    pub(crate) ended: Vec<u32>,
    pub(crate) totals: TotalCounters,
    pub(crate) start_time: DateTime,
    pub(crate) now: DateTime,
}

/// A transaction whose result is awaited.
pub(crate) struct Pending {
    /// The content of the candidate that is committed.
    pub(crate) candidate: Option<Tree>,
    pub(crate) log: EditLog,
}

impl Executor {
    /// Returns the rights of a session's user at present.
    pub(crate) fn level(&self, session: u32) -> Level {
        let user = self.sessions.get(&session).map(|info| &info.peer.user);
        user.map_or(Level::None, |user| Level::of(&self.state.lcd, &self.recovery, user))
    }
}

impl Datastores for Executor {
    type Config = ConfigEdit;
    type Data = ReplyData;

    fn begin_operation(&mut self, session: u32, operation: OperationName) -> Result<(), RpcError> {
        let level = self.level(session);
        if level.may_execute(operation) {
            return Ok(());
        }
        let message = format!("your rights are {:?}, which excludes {}", level.as_str(), operation.as_str());
        Err(RpcError::new(ErrorType::Protocol, ErrorTag::AccessDenied).with_message(message))
    }

    fn begin_config(
        &mut self,
        session: u32,
        config: ConfigUse,
        _start: Start<'_>,
    ) -> Result<ConfigEdit, RpcError> {
        self.begin_edit(session, config)
    }

    fn config_event(&mut self, config: &mut ConfigEdit, event: Event<'_>) -> Result<(), RpcError> {
        config.read(event, &self.schema)
    }

    fn count_octets(&mut self, session: u32, octets: u64) -> Result<(), RpcError> {
        let total = self.octets_in_flight.saturating_add(octets);
        if total > MAX_OCTETS_IN_FLIGHT {
            return Err(RpcError::new(ErrorType::Rpc, ErrorTag::ResourceDenied)
                .with_message("the requests of all sessions together are too large: try again later"));
        }
        if let Some(info) = self.sessions.get_mut(&session) {
            info.octets = info.octets.saturating_add(octets);
            self.octets_in_flight = total;
        }
        Ok(())
    }

    fn release_octets(&mut self, session: u32) {
        if let Some(info) = self.sessions.get_mut(&session) {
            let octets = std::mem::take(&mut info.octets);
            self.octets_in_flight = self.octets_in_flight.saturating_sub(octets);
        }
    }

    fn execute(
        &mut self,
        session: u32,
        operation: Operation,
        config: Option<ConfigEdit>,
    ) -> Execution<ReplyData> {
        let result = match operation {
            Operation::Get { filter, with_defaults } => {
                self.get(session, filter, with_defaults).map(Execution::Data).map_err(one)
            }
            Operation::GetConfig { source, filter, with_defaults } => {
                self.get_config(session, source, filter, with_defaults).map(Execution::Data).map_err(one)
            }
            Operation::GetSchema(request) => find_schema(&self.schema, &request)
                .map(|text| Execution::Data(ReplyData::Schema(text)))
                .map_err(one),
            Operation::EditConfig(parameters) => self.edit_config(session, parameters, config),
            Operation::CopyConfig { target, source, with_defaults } => {
                self.copy_config(session, target, source, with_defaults, config)
            }
            Operation::Validate(source) => self.validate(session, source, config),
            Operation::Commit => self.commit(session),
            Operation::DiscardChanges => self.discard_changes(session).map_err(one),
            Operation::Lock(datastore) => self.lock(session, datastore).map_err(one),
            Operation::Unlock(datastore) => self.unlock(session, datastore).map_err(one),
            Operation::KillSession(other) => self.kill_session(session, other).map_err(one),
            // The session itself executes it.
            Operation::CloseSession => Ok(Execution::Ok),
        };
        result.unwrap_or_else(Execution::Failed)
    }

    fn write_data(&mut self, data: &mut ReplyData, writer: &mut Writer) -> Result<Progress, DataError> {
        data.write(writer)
    }

    fn request_refused(&mut self, session: u32, operation: OperationName, errors: &[RpcError]) {
        if operation.changes_data() {
            let log = self.refusal_log(session, operation, errors);
            self.actions.push(Action::Log(log));
        }
    }

    fn request_ended(&mut self, session: u32, is_correct: bool, has_errors: bool) {
        self.totals.messages.count(is_correct, has_errors);
        if let Some(info) = self.sessions.get_mut(&session) {
            info.counters.count(is_correct, has_errors);
        }
    }

    fn session_closed(&mut self, session: u32, is_orderly: bool) {
        self.end_session(session, is_orderly);
    }
}

fn one(error: RpcError) -> Vec<RpcError> {
    vec![error]
}
