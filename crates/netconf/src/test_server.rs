//! A server with a small schema and clients that speak to it, for tests.

mod client;
mod schema;

use std::collections::BTreeSet;
use std::sync::Arc;

use portreeve_datastore::{
    Coordinator, Datastore, Model, ProposedState, Purpose, Refusal, Ticket, Transaction, Tree, TreeEdit,
    VolatileLog,
};
use portreeve_lcd::{
    AccessKey, AccessRow, FamilyType, GroupKey, GroupRow, Lcd, StorageType, Tables, ViewFamilyKey,
    ViewFamilyRow,
};
use portreeve_netconf_message::hello::Version;
use portreeve_smi::{Oid, SecurityLevel, SecurityModel, Timestamp};
use portreeve_yang::Schema;

pub(crate) use client::{Client, OK, tags};
pub(crate) use schema::schema;

use crate::{Action, DateTime, EditLog, EndReason, Peer, Server, Settings, TransactionId, Transport};

/// The time of all calls: 2026-11-23T12:34:46Z.
pub(crate) const NOW: DateTime = DateTime::from_unix_seconds(1_795_437_286);

/// A server whose transactions are executed as soon as it requests them, unless they are held.
pub(crate) struct TestServer {
    pub(crate) server: Server,
    pub(crate) datastore: Datastore,
    coordinator: Coordinator<VolatileLog>,
    /// Transactions wait for [`TestServer::run_held`].
    pub(crate) holds_transactions: bool,
    pub(crate) held: Vec<(TransactionId, TreeEdit)>,
    pub(crate) logs: Vec<EditLog>,
    pub(crate) closes: Vec<(u32, EndReason)>,
    pub(crate) running_locks: Vec<Option<u32>>,
}

/// An edit as a transaction.
pub(crate) struct Edit(TreeEdit);

impl Transaction for Edit {
    type Participants = ();

    fn prepare(&mut self, (): &mut (), proposed: &mut ProposedState) -> Result<(), Refusal> {
        self.0.prepare(proposed)
    }
}

impl TestServer {
    /// Creates a server without data. The users `reader`, `writer` and `root` have the rights of
    /// their names; `narrow` has views that contain less than everything.
    pub(crate) fn new() -> Self {
        Self::with_schema(schema())
    }

    pub(crate) fn with_schema(schema: Arc<Schema>) -> Self {
        let model = Arc::new(Model::new(schema, Vec::new()));
        let datastore = Datastore::new(lcd(), Tree::new(), Arc::clone(&model));
        let settings = Settings {
            max_sessions: 8,
            recovery: BTreeSet::from(["root".into()]),
            start_time: NOW,
            first_session: 1,
        };
        Self {
            server: Server::new(model, datastore.state().current(), settings),
            coordinator: Coordinator::new(datastore.clone(), VolatileLog),
            datastore,
            holds_transactions: false,
            held: Vec::new(),
            logs: Vec::new(),
            closes: Vec::new(),
            running_locks: Vec::new(),
        }
    }

    /// Opens a session and exchanges the hellos.
    pub(crate) fn client(&mut self, user: &str) -> Client {
        self.client_of_version(user, Version::V1_1)
    }

    pub(crate) fn client_of_version(&mut self, user: &str, version: Version) -> Client {
        let peer = Peer { user: user.into(), transport: Transport::Ssh, address: "192.0.2.7:40112".into() };
        let id = self.server.open(peer, NOW).unwrap();
        let mut client = Client::new(id);
        client.exchange_hellos(self, version);
        client
    }

    /// Returns the running configuration.
    pub(crate) fn tree(&self) -> Tree {
        self.datastore.state().current().tree.clone()
    }

    /// Changes the configuration from one version to another as another protocol would.
    pub(crate) fn change_elsewhere(&mut self, before: &Tree, after: &Tree) {
        self.commit(&TreeEdit::new(before.clone(), after.clone())).unwrap();
    }

    /// Does what the actions of the server demand.
    pub(crate) fn run_actions(&mut self) {
        loop {
            let actions = self.server.take_actions();
            if actions.is_empty() {
                return;
            }
            for action in actions {
                match action {
                    Action::Commit { transaction, edit, .. } if self.holds_transactions => {
                        self.held.push((transaction, edit));
                    }
                    Action::Commit { transaction, edit, .. } => {
                        let result = self.commit(&edit);
                        self.server.complete(transaction, result);
                    }
                    Action::Close { session, reason } => self.closes.push((session, reason)),
                    Action::RunningLock(holder) => self.running_locks.push(holder),
                    Action::Log(log) => self.logs.push(log),
                }
            }
        }
    }

    /// Executes the transactions that were held.
    pub(crate) fn run_held(&mut self) {
        for (transaction, edit) in std::mem::take(&mut self.held) {
            let result = self.commit(&edit);
            self.server.complete(transaction, result);
        }
        self.run_actions();
    }

    fn commit(&mut self, edit: &TreeEdit) -> Result<(), Refusal> {
        let ticket = Ticket { owner: "test".into(), purpose: Purpose::Set, requested: Timestamp::ZERO };
        let mut group = [Edit(edit.clone())];
        let mut results = self.coordinator.execute(&mut (), &mut group, ticket, || Timestamp::ZERO);
        self.server.set_state(self.datastore.state().current());
        results.remove(0)
    }
}

/// Returns tables with three users of SSH.
pub(crate) fn lcd() -> Lcd {
    let mut tables = Tables::default();
    for (view, subtree, kind) in [
        ("all", &[1, 3, 6, 1][..], FamilyType::Included),
        ("restricted", &[1, 3, 6, 1], FamilyType::Included),
        ("restricted", &[1, 3, 6, 1, 6, 3], FamilyType::Excluded),
        ("system", &[1, 3, 6, 1, 2, 1, 1], FamilyType::Included),
    ] {
        let key = ViewFamilyKey { view_name: view.as_bytes().into(), subtree: Oid::new(subtree).unwrap() };
        let mut row = ViewFamilyRow::new(key);
        row.columns.kind = kind;
        tables.insert(row.into_active(StorageType::ReadOnly));
    }
    for (user, context, read, write) in [
        ("reader", "", "restricted", ""),
        ("reader-of-all", "", "all", ""),
        ("writer", "", "all", "all"),
        ("narrow", "", "system", "system"),
        ("half", "", "all", "system"),
        ("elsewhere", "other", "all", "all"),
    ] {
        let key = GroupKey { model: SecurityModel::TSM, security_name: user.as_bytes().into() };
        let mut row = GroupRow::new(key);
        row.columns.group_name = user.as_bytes().into();
        tables.insert(row.into_active(StorageType::ReadOnly));
        let mut row = AccessRow::new(AccessKey {
            group_name: user.as_bytes().into(),
            context_prefix: context.as_bytes().into(),
            model: SecurityModel::TSM,
            level: SecurityLevel::AuthPriv,
        });
        row.columns.read_view = read.as_bytes().into();
        row.columns.write_view = write.as_bytes().into();
        tables.insert(row.into_active(StorageType::ReadOnly));
    }
    Lcd::compile(tables)
}
