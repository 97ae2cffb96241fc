//! Executes SETs in the order in which they are passed to it.

use portreeve_datastore::{
    Coordinator, Datastore, DurableLog, Purpose, Ticket, Transaction, TransactionResult,
};
use portreeve_mib::ServedObjects;
use portreeve_smi::Timestamp;

use crate::set::{SetRequest, SetToken};

/// The objects that SETs change, with the coordinator of their transactions. It belongs to the
/// thread that executes transactions. A program without such a thread calls it between
/// [`Entity::poll_set`](crate::Entity::poll_set) and
/// [`Entity::finish_set`](crate::Entity::finish_set).
pub struct SetExecutor<L> {
    coordinator: Coordinator<L>,
    served: ServedObjects,
}

impl<L: DurableLog> SetExecutor<L> {
    /// Creates an executor of SETs on `datastore`. `served` must contain all objects that an entity
    /// serves and a SET can change.
    pub fn new(datastore: Datastore, log: L, served: ServedObjects) -> Self {
        Self { coordinator: Coordinator::new(datastore, log), served }
    }

    /// Returns the log of the coordinator.
    pub fn log_mut(&mut self) -> &mut L {
        self.coordinator.log_mut()
    }

    /// Returns whether a panic has ended [`execute_group`](Self::execute_group) after it began to
    /// commit; see [`Coordinator::was_interrupted`].
    pub fn was_interrupted(&self) -> bool {
        self.coordinator.was_interrupted()
    }

    /// Executes SETs that have been started, as one group; see [`Coordinator::execute`]. The group
    /// can contain transactions of other protocols.
    pub fn execute_group<T: Transaction<Participants = ServedObjects>>(
        &mut self,
        group: &mut [T],
        ticket: Ticket,
        clock: impl Fn() -> Timestamp,
    ) -> Vec<TransactionResult> {
        self.coordinator.execute(&mut self.served, group, ticket, clock)
    }

    /// Starts and executes one SET. Returns `None` if it cannot be started any more.
    pub fn execute(&mut self, mut set: SetRequest, now: Timestamp) -> Option<(SetToken, TransactionResult)> {
        if !set.start() {
            return None;
        }
        let owner = String::from_utf8_lossy(set.principal().security_name).into_owned();
        let ticket = Ticket::new(owner, Purpose::Set, now);
        let results = self.execute_group(std::slice::from_mut(&mut set), ticket, || now);
        self.coordinator.datastore().state().free_replaced();
        results.into_iter().next().map(|result| (set.token(), result))
    }
}
