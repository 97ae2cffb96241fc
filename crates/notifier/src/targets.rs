//! The targets with their tasks.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc, sync::Arc};

use portreeve_datastore::State;
use portreeve_lcd::{Name, TargetAddressKey};
use portreeve_smi::Timestamp;
use tokio::task::JoinSet;

use crate::{NotifierSettings, TargetStatus, core::Core, target::Target};

/// The targets for which there was a notification, by name.
#[derive(Default)]
pub(crate) struct Targets {
    targets: RefCell<BTreeMap<Name, Rc<Target>>>,
    tasks: RefCell<JoinSet<()>>,
}

impl Targets {
    pub(crate) fn get(&self, name: &Name) -> Option<Rc<Target>> {
        self.targets.borrow().get(name).map(Rc::clone)
    }

    /// Creates a target and starts its task.
    pub(crate) fn start(&self, name: &Name, core: &Rc<Core>) -> Rc<Target> {
        let state = core.state();
        // Managers can create and delete any number of rows.
        if self.targets.borrow().len() >= state.lcd.tables().target_addresses.len() {
            self.remove_unused(&state);
        }
        let target = Rc::new(Target::new(Arc::clone(name), &core.settings()));
        let mut tasks = self.tasks.borrow_mut();
        // Frees the tasks that have ended.
        while tasks.try_join_next().is_some() {}
        tasks.spawn_local(Rc::clone(&target).run(Rc::clone(core)));
        self.targets.borrow_mut().insert(Arc::clone(name), Rc::clone(&target));
        target
    }

    /// Stops the targets whose rows were removed, unless informs wait for the rows to return.
    pub(crate) fn remove_unused(&self, state: &State) {
        let addresses = &state.lcd.tables().target_addresses;
        self.targets.borrow_mut().retain(|name, target| {
            let exists = addresses.get(&TargetAddressKey { name: Arc::clone(name) }).is_some();
            let is_used = exists || !target.is_empty();
            if !is_used {
                target.stop();
            }
            is_used
        });
    }

    /// Applies changed settings.
    pub(crate) fn apply(&self, settings: &NotifierSettings) {
        self.targets.borrow().values().for_each(|target| target.apply(settings));
    }

    pub(crate) fn status(&self, now: Timestamp) -> Vec<TargetStatus> {
        self.targets.borrow().values().map(|target| target.status(now)).collect()
    }

    /// Closes all sessions.
    pub(crate) async fn stop(&self) {
        self.targets.borrow().values().for_each(|target| target.stop());
        let mut tasks = std::mem::take(&mut *self.tasks.borrow_mut());
        while tasks.join_next().await.is_some() {}
    }
}
