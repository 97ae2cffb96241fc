//! An agent over an empty datastore, and helpers for requests to it.

use std::{collections::BTreeMap, sync::Arc};

use portreeve_datastore::{
    Coordinator, Datastore, DurableLog, GroupError, ProposedState, Purpose, Refusal, StateRecord, Ticket,
    Transaction, TransactionRecords,
};
use portreeve_lcd::{
    AllowedWeaknesses, Credential, Lcd, Name, StorageType, Tables, UserKey, UserRow, assemble,
};
use portreeve_mib::{LookupResult, Object, Requester, ServedObjects, SetVariable};
use portreeve_secret::Secret;
use portreeve_smi::{EngineId, ErrorStatus, OidBuf, OwnedValue, SecurityModel, Timestamp, Value};

use crate::LcdObjects;

pub(super) struct TestAgent {
    pub(super) datastore: Datastore,
    coordinator: Coordinator<StoredRecords>,
    served: ServedObjects,
    pub(super) security_model: SecurityModel,
    pub(super) security_name: &'static str,
}

/// One variable of a request.
pub(super) type Variable<'a> = (&'static Object, &'a [u32], Value<'a>);

impl TestAgent {
    pub(super) fn new() -> Self {
        Self::with(tables_with_every_weakness())
    }

    pub(super) fn with(tables: Tables) -> Self {
        let datastore = Datastore::without_yang(Lcd::compile(tables));
        let served = ServedObjects::new(vec![Box::new(LcdObjects::new(engine_id()))]).unwrap();
        Self {
            coordinator: Coordinator::new(datastore.clone(), StoredRecords::default()),
            datastore,
            served,
            security_model: SecurityModel::USM,
            security_name: "ops",
        }
    }

    pub(super) fn get(&mut self, object: &Object, index: &[u32]) -> Option<OwnedValue> {
        self.served.begin(&self.datastore.state().current(), Timestamp::ZERO);
        match self.served.get(&name_of(object, index)) {
            LookupResult::Value(value) => Some(OwnedValue::from(value)),
            LookupResult::NoSuchInstance => None,
            other => panic!("{}: {other:?}", object.name),
        }
    }

    pub(super) fn integer(&mut self, object: &Object, index: &[u32]) -> Option<i32> {
        self.get(object, index).map(|value| match value {
            OwnedValue::Integer(number) => number,
            other => panic!("{}: {other:?}", object.name),
        })
    }

    pub(super) fn octets(&mut self, object: &Object, index: &[u32]) -> Option<Vec<u8>> {
        self.get(object, index).map(|value| match value {
            OwnedValue::OctetString(octets) => octets,
            other => panic!("{}: {other:?}", object.name),
        })
    }

    /// Returns the indexes of all instances of an object, read by GETNEXT.
    pub(super) fn walk(&mut self, object: &Object) -> Vec<Vec<u32>> {
        self.served.begin(&self.datastore.state().current(), Timestamp::ZERO);
        let leaf = self.served.leaf_of(&object.oid()).unwrap();
        let prefix = object.oid().len();
        let mut name = object.oid();
        let mut found = Vec::new();
        loop {
            let after = name.clone();
            match self.served.next_in_leaf(leaf, &after, &mut name) {
                LookupResult::Value(_) => found.push(name[prefix..].to_vec()),
                LookupResult::NoSuchInstance => return found,
                other => panic!("{}: {other:?}", object.name),
            }
        }
    }

    /// Returns the index of the first instance of an object after `after`.
    pub(super) fn next(&mut self, object: &Object, after: &[u32]) -> Option<Vec<u32>> {
        self.served.begin(&self.datastore.state().current(), Timestamp::ZERO);
        let leaf = self.served.leaf_of(&object.oid()).unwrap();
        let mut name = OidBuf::new();
        match self.served.next_in_leaf(leaf, &name_of(object, after), &mut name) {
            LookupResult::Value(_) => Some(name[object.oid().len()..].to_vec()),
            LookupResult::NoSuchInstance => None,
            other => panic!("{}: {other:?}", object.name),
        }
    }

    /// Performs a SET. If it fails, returns the error and the position of the failing variable,
    /// counted from 0.
    pub(super) fn set(&mut self, variables: &[Variable<'_>]) -> Result<(), (usize, ErrorStatus)> {
        let requester =
            Requester { security_model: self.security_model, security_name: self.security_name.as_bytes() };
        let ticket = Ticket::new(self.security_name, Purpose::Set, Timestamp::ZERO);
        let mut sets = [TestSet { variables, requester }];
        let results = self.coordinator.execute(&mut self.served, &mut sets, ticket, || Timestamp::ZERO);
        let failure = |refusal: &Refusal| (refusal.variable().saturating_sub(1), refusal.kind.error_status());
        results[0].as_ref().map(drop).map_err(failure)
    }

    /// Makes the writing of records fail from now on.
    pub(super) fn fail_writes(&mut self) {
        self.coordinator.log_mut().fails = true;
    }

    /// Returns the records that were stored last, by key.
    pub(super) fn records(&mut self) -> &BTreeMap<Vec<u8>, Arc<Secret>> {
        &self.coordinator.log_mut().records
    }

    /// Returns the current datastore.
    pub(super) fn lcd(&self) -> Arc<Lcd> {
        Arc::clone(&self.datastore.state().current().lcd)
    }

    /// Returns the agent as it is after a restart with an empty configuration file.
    pub(super) fn restarted(&mut self) -> Self {
        let stored = self.coordinator.log_mut().clone();
        let records = stored.records.iter().map(|(key, value)| (&key[..], value.expose()));
        let assembled = assemble(tables_with_every_weakness(), records);
        assert_eq!(assembled.unreadable, [""; 0]);
        let mut agent = Self::with(assembled.tables);
        *agent.coordinator.log_mut() = stored;
        agent
    }

    /// Changes the tables directly, without the checks of a SET.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Tables)) {
        let mut locked = self.datastore.begin(Ticket::new("test", Purpose::Set, Timestamp::ZERO));
        let mut tables = self.lcd().tables().clone();
        change(&mut tables);
        locked.publish_tables(Lcd::compile(tables));
    }
}

/// A SET of variables of one module.
struct TestSet<'a> {
    variables: &'a [Variable<'a>],
    requester: Requester<'a>,
}

impl Transaction for TestSet<'_> {
    type Participants = ServedObjects;

    fn prepare(&mut self, served: &mut ServedObjects, proposed: &mut ProposedState) -> Result<(), Refusal> {
        let mut draft = served.draft(0, proposed, self.requester).unwrap();
        for (number, (object, index, value)) in (1..).zip(self.variables) {
            let leaf = served.leaf_of(&name_of(object, index)).unwrap();
            let (_, leaf) = served.owner(leaf).unwrap();
            let variable = SetVariable { number, leaf, index, value: *value };
            draft.test(proposed, &variable).map_err(|refusal| refusal.at_variable(number))?;
        }
        draft.apply(proposed)?;
        draft.check(proposed)
    }
}

/// The records that were stored last, by key.
#[derive(Clone, Default)]
struct StoredRecords {
    records: BTreeMap<Vec<u8>, Arc<Secret>>,
    fails: bool,
}

impl DurableLog for StoredRecords {
    fn commit_group(&mut self, batches: Vec<TransactionRecords>) -> Result<(), GroupError> {
        if self.fails {
            return Err(GroupError { durable: 0, reason: "disk full".to_owned(), may_reappear: false });
        }
        for StateRecord { key, value } in batches.into_iter().flat_map(|batch| batch.records) {
            match value {
                Some(value) => self.records.insert(key, Arc::new(value)),
                None => self.records.remove(&key),
            };
        }
        Ok(())
    }
}

pub(super) fn engine_id() -> EngineId {
    "8000000005706f7274".parse().unwrap()
}

pub(super) fn name_of(object: &Object, index: &[u32]) -> OidBuf {
    let mut name = object.oid();
    name.extend(index).unwrap();
    name
}

/// Encodes octets as index arcs, preceded by their length.
pub(super) fn counted(octets: &[u8]) -> Vec<u32> {
    let mut arcs = vec![octets.len() as u32];
    arcs.extend(octets.iter().map(|octet| u32::from(*octet)));
    arcs
}

/// Encodes octets as index arcs, without their length.
pub(super) fn implied(octets: &[u8]) -> Vec<u32> {
    counted(octets).split_off(1)
}

pub(super) fn user_index(name: &str) -> Vec<u32> {
    [counted(engine_id().as_bytes()), counted(name.as_bytes())].concat()
}

/// Returns a user with SHA-256 and AES-128, whose keys consist of sevens and eights.
pub(super) fn user(name: &str) -> UserRow {
    let name: Name = name.as_bytes().into();
    let mut row = UserRow::new(UserKey { engine_id: engine_id(), name });
    let credential = |protocol: &Object, key: Vec<u8>| {
        let protocol = portreeve_smi::Oid::new(&protocol.oid()).unwrap();
        Some(Arc::new(Credential { protocol, key: Secret::new(key) }))
    };
    use portreeve_mib::modules::{usm_aes_mib, usm_hmac_sha2_mib};
    row.columns.auth = credential(&usm_hmac_sha2_mib::USM_HMAC192_SHA256_AUTH_PROTOCOL, vec![7; 32]);
    row.columns.privacy = credential(&usm_aes_mib::USM_AES_CFB128_PROTOCOL, vec![8; 16]);
    row.into_active(StorageType::NonVolatile)
}

pub(super) const ACTIVE: Value<'static> = Value::Integer(1);
pub(super) const NOT_IN_SERVICE: Value<'static> = Value::Integer(2);
pub(super) const CREATE_AND_GO: Value<'static> = Value::Integer(4);
pub(super) const CREATE_AND_WAIT: Value<'static> = Value::Integer(5);
pub(super) const DESTROY: Value<'static> = Value::Integer(6);

/// Returns tables without rows, to which SET may add every row.
fn tables_with_every_weakness() -> Tables {
    Tables { allowed_weaknesses: AllowedWeaknesses::ALL, ..Tables::default() }
}
