//! A writable module that logs all operations and fails at chosen stages.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use portreeve_mib::{Draft, Instrumentation, Lookup, Object, Requester, SetTestError, StateRecord};
use portreeve_smi::{ErrorStatus, OidBuf, OwnedValue, Timestamp, Value};

/// State shared by a test and its modules: the log of operations, the stages that fail, and the
/// values.
#[derive(Clone, Default)]
pub(crate) struct ModuleLog {
    entries: Arc<Mutex<Vec<String>>>,
    faults: Arc<Mutex<Vec<(&'static str, &'static str)>>>,
    values: Arc<Mutex<Values>>,
}

impl ModuleLog {
    /// Makes `stage` (test, validate, commit or undo) of the module `name` fail from now on.
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

    fn enter(&self, name: &'static str, stage: &'static str) -> Result<(), ErrorStatus> {
        self.entries.lock().unwrap().push(format!("{name} {stage}"));
        let fails = self.faults.lock().unwrap().contains(&(name, stage));
        if fails { Err(ErrorStatus::ResourceUnavailable) } else { Ok(()) }
    }
}

/// Values, keyed by the descriptor and index of their instance.
type Values = BTreeMap<(&'static str, Vec<u32>), OwnedValue>;

/// A module with writable objects.
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

    fn draft(&mut self, _: Timestamp, requester: Requester<'_>) -> Option<Box<dyn Draft>> {
        let who = String::from_utf8_lossy(requester.security_name).into_owned();
        self.log.entries.lock().unwrap().push(format!("{} draft for {who}", self.name));
        Some(Box::new(LoggingDraft {
            name: self.name,
            objects: self.objects.clone(),
            durable: self.durable,
            log: self.log.clone(),
            changes: BTreeMap::new(),
            tests: 0,
        }))
    }
}

struct LoggingDraft {
    name: &'static str,
    objects: Vec<&'static Object>,
    durable: bool,
    log: ModuleLog,
    changes: Values,
    tests: usize,
}

impl Draft for LoggingDraft {
    fn test(&mut self, leaf: usize, index: &[u32], value: &Value<'_>) -> Result<(), ErrorStatus> {
        self.log.enter(self.name, "test")?;
        self.tests += 1;
        let object = self.objects[leaf];
        if index != [0] {
            return Err(ErrorStatus::NoCreation);
        }
        object.syntax().unwrap().check(value)?;
        let value = OwnedValue::from(*value);
        let key = (object.name, index.to_vec());
        match self.changes.insert(key, value.clone()) {
            Some(other) if other != value => Err(ErrorStatus::InconsistentValue),
            _ => Ok(()),
        }
    }

    fn validate(&mut self) -> Result<(), SetTestError> {
        let last = self.tests - 1;
        self.log
            .enter(self.name, "validate")
            .map_err(|_| SetTestError { variable: last, status: ErrorStatus::InconsistentValue })
    }

    fn commit(&mut self) -> Result<(), ErrorStatus> {
        self.log.enter(self.name, "commit")
    }

    fn undo(&mut self) -> Result<(), ErrorStatus> {
        self.log.enter(self.name, "undo")
    }

    fn records(&self) -> Vec<StateRecord> {
        if !self.durable {
            return vec![];
        }
        self.changes
            .keys()
            .map(|(name, _)| StateRecord { key: name.as_bytes().to_vec(), value: Some(vec![1]) })
            .collect()
    }

    fn publish(self: Box<Self>) {
        self.log.enter(self.name, "publish").unwrap();
        self.log.values.lock().unwrap().extend(self.changes);
    }
}
