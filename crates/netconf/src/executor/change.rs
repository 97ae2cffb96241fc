//! Requests that change or check configuration.

use portreeve_datastore::{Refusal, TreeEdit};
use portreeve_netconf_message::rpc::{
    Datastore, EditConfig, OperationName, Source, TestOption, WithDefaults,
};
use portreeve_netconf_message::rpc_error::{ErrorTag, ErrorType, RpcError};
use portreeve_yang::InstancePath;
use portreeve_yang_tree::{Conflicts, Fault, Tree, TreeSize};

use super::config::ConfigEdit;
use super::query::check_defaults_mode;
use super::{Executor, Pending, one};
use crate::Execution;
use crate::action::{Action, EditLog, MAX_LOGGED_PATHS, TransactionId};
use crate::edit_log::{Summary, summarize};
use crate::errors::ErrorWriter;
use crate::locks::LockOwner;
use crate::read::ReplyData;

type Outcome = Result<Execution<ReplyData>, Vec<RpcError>>;

/// A change of the running configuration that is about to be made.
struct RunningChange {
    operation: OperationName,
    /// The running configuration from which the change was made.
    base: Tree,
    edited: Tree,
    /// The content of the candidate, if that is what is committed.
    candidate: Option<Tree>,
}

impl Executor {
    /// Executes `edit-config` (RFC 6241 §7.2). Whatever the error-option is, an error leaves the
    /// datastore unchanged: all errors are found before anything is changed.
    //= rfc6241#7.2-p2
    pub(super) fn edit_config(
        &mut self,
        session: u32,
        parameters: EditConfig,
        config: Option<ConfigEdit>,
    ) -> Outcome {
        let (base, edited) = self.finish_config(config)?;
        self.check_lock(parameters.target, session)?;
        //= rfc6241#7.2-p3
        let is_test = parameters.test_option == TestOption::TestOnly;
        match parameters.target {
            Datastore::Running => {
                let operation = OperationName::EditConfig;
                let change = RunningChange { operation, base, edited, candidate: None };
                match is_test {
                    true => self.test_change(session, &change).map(|_| Execution::Ok),
                    false => self.change_running(session, change),
                }
            }
            Datastore::Candidate => {
                let current = self.candidate.tree(&self.state.tree).clone();
                let merged = self.merge(session, &current, &base, &edited)?;
                self.check_size(&merged)?;
                match is_test {
                    true => {
                        let running = self.state.tree.clone();
                        self.check_valid(session, &running, &merged).map(|()| Execution::Ok)
                    }
                    false => Ok(self.change_candidate(session, OperationName::EditConfig, &current, merged)),
                }
            }
        }
    }

    /// Executes `copy-config` (RFC 6241 §7.3).
    pub(super) fn copy_config(
        &mut self,
        session: u32,
        target: Datastore,
        source: Source,
        with_defaults: Option<WithDefaults>,
        config: Option<ConfigEdit>,
    ) -> Outcome {
        check_defaults_mode(with_defaults).map_err(one)?;
        let running = self.state.tree.clone();
        let current = self.candidate.tree(&running).clone();
        let source = match source {
            Source::Datastore(Datastore::Running) => running.clone(),
            Source::Datastore(Datastore::Candidate) => current.clone(),
            Source::Config => self.finish_config(config)?.1,
        };
        self.check_lock(target, session)?;
        let operation = OperationName::CopyConfig;
        match target {
            Datastore::Running => {
                self.check_rights(session, &running, &source)?;
                let is_candidate = source.is_same_version(&current) && self.candidate.is_modified();
                let candidate = is_candidate.then_some(current);
                let change = RunningChange { operation, base: running, edited: source, candidate };
                self.change_running(session, change)
            }
            Datastore::Candidate => {
                self.check_size(&source)?;
                self.check_rights(session, &current, &source)?;
                if source.is_same_version(&running) {
                    self.candidate.discard();
                }
                Ok(self.change_candidate(session, operation, &current, source))
            }
        }
    }

    /// Executes `commit` (RFC 6241 §8.3.4.1).
    pub(super) fn commit(&mut self, session: u32) -> Outcome {
        self.check_lock(Datastore::Candidate, session)?;
        self.check_lock(Datastore::Running, session)?;
        if !self.candidate.is_modified() {
            return Ok(Execution::Ok);
        }
        //= rfc6241#8.3.4.1-p1
        let running = self.state.tree.clone();
        let candidate = self.candidate.tree(&running).clone();
        let merged = self.merged_candidate(session)?;
        self.check_rights(session, &running, &merged)?;
        let operation = OperationName::Commit;
        let change = RunningChange { operation, base: running, edited: merged, candidate: Some(candidate) };
        self.change_running(session, change)
    }

    /// Executes `discard-changes` (RFC 6241 §8.3.4.2).
    pub(super) fn discard_changes(&mut self, session: u32) -> Result<Execution<ReplyData>, RpcError> {
        self.locks.check_change(Datastore::Candidate, LockOwner::Session(session))?;
        //= rfc6241#8.3.4.2-p1
        self.candidate.discard();
        Ok(Execution::Ok)
    }

    /// Executes `validate` (RFC 6241 §8.6.4.1). The running configuration is always valid.
    pub(super) fn validate(&mut self, session: u32, source: Source, config: Option<ConfigEdit>) -> Outcome {
        let running = self.state.tree.clone();
        let tree = match source {
            Source::Datastore(Datastore::Running) => return Ok(Execution::Ok),
            Source::Datastore(Datastore::Candidate) => self.merged_candidate(session)?,
            Source::Config => self.finish_config(config)?.1,
        };
        //= rfc6241#8.6.4.1-p1
        self.check_valid(session, &running, &tree)?;
        Ok(Execution::Ok)
    }

    /// Ends a transaction of the running configuration.
    pub(crate) fn complete(
        &mut self,
        transaction: TransactionId,
        result: Result<(), Refusal>,
    ) -> Option<Execution<ReplyData>> {
        let Pending { candidate, mut log } = self.pending.remove(&transaction)?;
        let session = transaction.session;
        let execution = match &result {
            Ok(()) => {
                if let Some(candidate) = candidate {
                    self.candidate.committed(&candidate);
                }
                Execution::Ok
            }
            Err(refusal) => {
                log.failure = Some(refusal.text.clone().into_owned());
                Execution::Failed(self.with_errors(session, |errors| errors.of_refusal(refusal)))
            }
        };
        self.actions.push(Action::Log(log));
        Some(execution)
    }

    /// Requests a transaction that changes the running configuration.
    fn change_running(&mut self, session: u32, change: RunningChange) -> Outcome {
        let edited = self.test_change(session, &change)?;
        let running = self.state.tree.clone();
        if edited.is_same_version(&running) {
            if let Some(candidate) = change.candidate {
                self.candidate.committed(&candidate);
            }
            return Ok(Execution::Ok);
        }
        let log = self.edit_log(session, change.operation, Datastore::Running, &running, &edited);
        let user = log.user.clone();
        self.transactions += 1;
        let transaction = TransactionId { session, number: self.transactions };
        self.pending.insert(transaction, Pending { candidate: change.candidate, log });
        let edit = TreeEdit::new(running, edited).validated().by_session(session);
        self.actions.push(Action::Commit { transaction, user, edit });
        Ok(Execution::Later)
    }

    /// Returns the running configuration after a change, if it is valid.
    fn test_change(&self, session: u32, change: &RunningChange) -> Result<Tree, Vec<RpcError>> {
        let running = &self.state.tree;
        let edited = self.merge(session, running, &change.base, &change.edited)?;
        self.check_size(&edited)?;
        self.check_valid(session, running, &edited)?;
        Ok(edited)
    }

    fn change_candidate(
        &mut self,
        session: u32,
        operation: OperationName,
        before: &Tree,
        after: Tree,
    ) -> Execution<ReplyData> {
        if !before.is_same_version(&after) {
            let log = self.edit_log(session, operation, Datastore::Candidate, before, &after);
            self.actions.push(Action::Log(log));
            let running = self.state.tree.clone();
            self.candidate.set(&running, after);
        }
        Execution::Ok
    }

    /// Returns `current` with the changes from `base` to `edited`.
    fn merge(&self, session: u32, current: &Tree, base: &Tree, edited: &Tree) -> Result<Tree, Vec<RpcError>> {
        if current.is_same_version(base) {
            return Ok(edited.clone());
        }
        let merged = current.merge(&self.schema, base, edited);
        merged.map_err(|conflicts| self.conflict_errors(session, &conflicts))
    }

    fn merged_candidate(&self, session: u32) -> Result<Tree, Vec<RpcError>> {
        let merged = self.candidate.merged(&self.schema, &self.state.tree);
        merged.map_err(|conflicts| self.conflict_errors(session, &conflicts))
    }

    fn finish_config(&self, config: Option<ConfigEdit>) -> Result<(Tree, Tree), Vec<RpcError>> {
        match config {
            Some(config) => config.finish(&self.schema).map_err(one),
            None => Err(one(RpcError::new(ErrorType::Protocol, ErrorTag::OperationFailed))),
        }
    }

    fn check_lock(&self, datastore: Datastore, session: u32) -> Result<(), Vec<RpcError>> {
        self.locks.check_change(datastore, LockOwner::Session(session)).map_err(one)
    }

    /// Checks that a tree is not larger than permitted.
    fn check_size(&self, tree: &Tree) -> Result<(), Vec<RpcError>> {
        if tree.size().is_within(self.quota) {
            return Ok(());
        }
        let TreeSize { leafs, octets } = self.quota;
        Err(one(RpcError::new(ErrorType::Application, ErrorTag::ResourceDenied).with_message(format!(
            "the configuration would have more than {leafs} leafs or {octets} octets"
        ))))
    }

    /// Checks that the user may make all changes between two trees.
    fn check_rights(&self, session: u32, before: &Tree, after: &Tree) -> Result<(), Vec<RpcError>> {
        let Some(rules) = self.rules.write_access(self.level(session)) else { return Ok(()) };
        before
            .check_access(&self.schema, after, rules)
            .map_err(|error| one(RpcError::of_edit_error(&error, &self.schema)))
    }

    /// Checks a tree that follows a valid one.
    fn check_valid(&self, session: u32, before: &Tree, after: &Tree) -> Result<(), Vec<RpcError>> {
        let faults: Vec<Fault> = self.model.validator().validate_change(before, after);
        match faults.is_empty() {
            true => Ok(()),
            false => Err(self.with_errors(session, |errors| errors.of_faults(&faults))),
        }
    }

    fn conflict_errors(&self, session: u32, conflicts: &Conflicts) -> Vec<RpcError> {
        self.with_errors(session, |errors| errors.of_conflicts(conflicts))
    }

    fn with_errors(
        &self,
        session: u32,
        write: impl FnOnce(&ErrorWriter<'_>) -> Vec<RpcError>,
    ) -> Vec<RpcError> {
        let level = self.level(session);
        let may_read = |path: &InstancePath| self.rules.may_read(level, path.node());
        write(&ErrorWriter { schema: &self.schema, may_read: &may_read })
    }

    fn edit_log(
        &self,
        session: u32,
        operation: OperationName,
        datastore: Datastore,
        before: &Tree,
        after: &Tree,
    ) -> EditLog {
        let Summary { changes, paths } = summarize(&self.schema, before, after);
        EditLog { changes, paths, ..self.empty_log(session, operation, Some(datastore)) }
    }

    /// Returns the line about a refused request: the nodes and the tags of its errors, because
    /// their messages can contain values.
    pub(super) fn refusal_log(&self, session: u32, operation: OperationName, errors: &[RpcError]) -> EditLog {
        let paths = errors.iter().filter_map(|error| error.path.as_ref()).map(|path| path.xpath.clone());
        EditLog {
            paths: paths.take(MAX_LOGGED_PATHS).collect(),
            failure: errors.first().map(|error| error.tag.as_str().to_owned()),
            ..self.empty_log(session, operation, None)
        }
    }

    fn empty_log(&self, session: u32, operation: OperationName, datastore: Option<Datastore>) -> EditLog {
        let peer = self.sessions.get(&session).map(|info| info.peer.clone());
        let (user, address) = peer.map(|peer| (peer.user, peer.address)).unwrap_or_default();
        EditLog { session, user, address, operation, datastore, changes: 0, paths: Vec::new(), failure: None }
    }
}
