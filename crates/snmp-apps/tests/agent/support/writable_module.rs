//! A writable module that logs all operations and fails at chosen stages.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use portreeve_datastore::{ProposedState, Refusal, RefusalKind, StateRecord};
use portreeve_mib::{Draft, Instrumentation, Lookup, Object, Requester, SetVariable};
use portreeve_secret::Secret;
use portreeve_smi::{OidBuf, OwnedValue};

/// State shared by a test and its modules: the log of operations, the stages that fail, and the
/// values.
#[derive(Clone, Default)]
pub(crate) struct ModuleLog {
    entries: Arc<Mutex<Vec<String>>>,
    faults: Arc<Mutex<Vec<(&'static str, &'static str)>>>,
    values: Arc<Mutex<Values>>,
}

impl ModuleLog {
    /// Makes `stage` (test, apply, commit or undo) of the module `name` fail from now on.
    pub(crate) fn fail(&self, name: &'static str, stage: &'static str) {
        self.faults.lock().unwrap().push((name, stage));
    }

    /// Returns the operations since the last call.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.entries.lock().unwrap())
    }

    /// Returns the published value.
    pub(crate) fn value(&self, object: &'static Object, index: &[u32]) -> Option<OwnedValue> {
        self.values.lock().unwrap().get(&(object.name, index.to_vec())).cloned()
    }

    /// Enters a write of the log.
    pub(crate) fn enter_store(&self) {
        self.entries.lock().unwrap().push("store".to_owned());
    }

    fn enter(&self, name: &'static str, stage: &'static str) -> Result<(), RefusalKind> {
        self.entries.lock().unwrap().push(format!("{name} {stage}"));
        let fails = self.faults.lock().unwrap().contains(&(name, stage));
        if fails { Err(RefusalKind::ResourceUnavailable) } else { Ok(()) }
    }
}

/// Values, keyed by the descriptor and index of their instance.
type Values = BTreeMap<(&'static str, Vec<u32>), OwnedValue>;

/// A module with writable objects.
#[derive(Clone)]
pub(crate) struct WritableModule {
    name: &'static str,
    objects: Vec<&'static Object>,
    durable: bool,
    log: ModuleLog,
    shown: Option<OwnedValue>,
}

impl WritableModule {
    /// Creates a module without records, whose changes are effective at once.
    pub(crate) fn new(name: &'static str, objects: &[&'static Object], log: &ModuleLog) -> Self {
        for object in objects {
            let empty = OwnedValue::OctetString(vec![]);
            log.values.lock().unwrap().insert((object.name, vec![0]), empty);
        }
        Self { name, objects: objects.to_vec(), durable: false, log: log.clone(), shown: None }
    }

    /// Makes changes take effect only after their records are durable.
    pub(crate) fn durable(self) -> Self {
        Self { durable: true, ..self }
    }

    /// Returns the log of the module.
    pub(crate) fn log(&self) -> ModuleLog {
        self.log.clone()
    }

    fn show(&mut self, value: Option<OwnedValue>) -> Lookup<'_> {
        self.shown = value;
        self.shown.as_ref().map_or(Lookup::Absent, |value| Lookup::Value(value.as_value()))
    }
}

impl Instrumentation for WritableModule {
    fn objects(&self) -> Vec<&'static Object> {
        self.objects.clone()
    }

    fn get(&mut self, leaf: usize, index: &[u32]) -> Lookup<'_> {
        let value = self.log.value(self.objects[leaf], index);
        self.show(value)
    }

    fn next(&mut self, leaf: usize, after: &[u32], name: &mut OidBuf) -> Lookup<'_> {
        if !after.is_empty() {
            return Lookup::Absent;
        }
        name.push(0).unwrap();
        let value = self.log.value(self.objects[leaf], &[0]);
        self.show(value)
    }

    fn draft(&mut self, _: &ProposedState, requester: Requester<'_>) -> Option<Box<dyn Draft>> {
        let who = String::from_utf8_lossy(requester.security_name).into_owned();
        self.log.entries.lock().unwrap().push(format!("{} draft for {who}", self.name));
        Some(Box::new(LoggingDraft {
            name: self.name,
            objects: self.objects.clone(),
            durable: self.durable,
            log: self.log.clone(),
            changes: BTreeMap::new(),
            last_variable: 0,
        }))
    }
}

struct LoggingDraft {
    name: &'static str,
    objects: Vec<&'static Object>,
    durable: bool,
    log: ModuleLog,
    changes: Values,
    last_variable: usize,
}

impl Draft for LoggingDraft {
    fn test(&mut self, _: &mut ProposedState, variable: &SetVariable<'_>) -> Result<(), Refusal> {
        self.log.enter(self.name, "test")?;
        self.last_variable = variable.number;
        let object = self.objects[variable.leaf];
        if variable.index != [0] {
            return Err(RefusalKind::NoCreation.into());
        }
        object.syntax().unwrap().check(&variable.value)?;
        let value = OwnedValue::from(variable.value);
        let key = (object.name, variable.index.to_vec());
        match self.changes.insert(key, value.clone()) {
            Some(other) if other != value => Err(RefusalKind::InconsistentValue.into()),
            _ => Ok(()),
        }
    }

    fn apply(&mut self, proposed: &mut ProposedState) -> Result<(), Refusal> {
        self.log
            .enter(self.name, "apply")
            .map_err(|_| Refusal::from(RefusalKind::InconsistentValue).at_variable(self.last_variable))?;
        if self.durable {
            for (name, _) in self.changes.keys() {
                let value = Some(Secret::new(vec![1]));
                proposed.add_record(StateRecord { key: name.as_bytes().to_vec(), value });
            }
        }
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Refusal> {
        Ok(self.log.enter(self.name, "commit")?)
    }

    fn undo(&mut self) -> Result<(), Refusal> {
        Ok(self.log.enter(self.name, "undo")?)
    }

    fn publish(&mut self) {
        self.log.enter(self.name, "publish").unwrap();
        self.log.values.lock().unwrap().append(&mut self.changes);
    }
}
