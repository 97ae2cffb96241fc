//! An agent whose objects are only those of a schema.

use std::sync::Arc;

use portreeve_datastore::{
    Coordinator, Datastore, Model, ProposedState, Purpose, Refusal, Ticket, Transaction, VolatileLog,
};
use portreeve_lcd::{Lcd, Tables};
use portreeve_mib::{LookupResult, Requester, ServedObjects, SetVariable};
use portreeve_smi::{ErrorStatus, OidBuf, OwnedValue, SecurityModel, Timestamp, Value};
use portreeve_yang::Schema;
use portreeve_yang_tree::Tree;

use crate::{YangObjects, links};

pub(crate) struct TestAgent {
    pub(crate) datastore: Datastore,
    coordinator: Coordinator<VolatileLog>,
    served: ServedObjects,
}

/// The arcs of a name below the example's enterprise, and a value.
pub(crate) type Variable<'a> = (&'a [u32], Value<'a>);

impl TestAgent {
    pub(crate) fn new(schema: Schema) -> Self {
        Self::with_tree(schema, Tree::new())
    }

    pub(crate) fn with_tree(schema: Schema, tree: Tree) -> Self {
        let schema = Arc::new(schema);
        let none = ServedObjects::new(Vec::new()).unwrap();
        let objects = YangObjects::new(Arc::clone(&schema), &none).unwrap_or_else(|it| panic!("{it}"));
        let model = Model::new(Arc::clone(&schema), links(&schema));
        let lcd = Lcd::compile(Tables::default());
        let datastore = Datastore::new(lcd, tree, Arc::new(model));
        Self {
            coordinator: Coordinator::new(datastore.clone(), VolatileLog),
            datastore,
            served: ServedObjects::new(vec![Box::new(objects)]).unwrap(),
        }
    }

    pub(crate) fn tree(&self) -> Tree {
        self.datastore.state().current().tree.clone()
    }

    pub(crate) fn get(&mut self, arcs: &[u32]) -> Option<OwnedValue> {
        self.served.begin(&self.datastore.state().current(), Timestamp::ZERO);
        match self.served.get(&name(arcs)) {
            LookupResult::Value(value) => Some(OwnedValue::from(value)),
            LookupResult::NoSuchInstance | LookupResult::NoSuchObject => None,
            other => panic!("{arcs:?}: {other:?}"),
        }
    }

    /// Returns the text of an OCTET STRING.
    pub(crate) fn text(&mut self, arcs: &[u32]) -> Option<String> {
        match self.get(arcs)? {
            OwnedValue::OctetString(octets) => Some(String::from_utf8(octets).unwrap()),
            other => panic!("{arcs:?}: {other:?}"),
        }
    }

    /// Returns the first instance after a name, which is arbitrary.
    pub(crate) fn next(&mut self, arcs: &[u32]) -> Option<(Vec<u32>, OwnedValue)> {
        self.served.begin(&self.datastore.state().current(), Timestamp::ZERO);
        let after = name(arcs);
        let mut found = OidBuf::new();
        for leaf in self.served.first_leaf_after(&after)..self.served.leaf_count() {
            match self.served.next_in_leaf(leaf, &after, &mut found) {
                LookupResult::Value(value) => {
                    let value = OwnedValue::from(value);
                    return Some((found[EXAMPLES.len()..].to_vec(), value));
                }
                LookupResult::NoSuchInstance => {}
                other => panic!("{arcs:?}: {other:?}"),
            }
        }
        None
    }

    /// Returns all instances in the order of GETNEXT.
    pub(crate) fn walk(&mut self) -> Vec<(Vec<u32>, OwnedValue)> {
        let mut all: Vec<(Vec<u32>, OwnedValue)> = Vec::new();
        while let Some(next) = self.next(all.last().map_or(&[], |(name, _)| name)) {
            assert!(all.last().is_none_or(|(last, _)| *last < next.0), "{:?} follows", next.0);
            assert_eq!(self.get(&next.0).as_ref(), Some(&next.1), "{:?}", next.0);
            all.push(next);
        }
        all
    }

    pub(crate) fn set(&mut self, variables: &[Variable<'_>]) -> Result<(), Refusal> {
        self.set_group(&[variables]).remove(0)
    }

    /// Executes SETs that share one write to the disk.
    pub(crate) fn set_group(&mut self, sets: &[&[Variable<'_>]]) -> Vec<Result<(), Refusal>> {
        let set = |variables: &&[Variable<'_>]| {
            Set(variables.iter().map(|(arcs, value)| (name(arcs), OwnedValue::from(*value))).collect())
        };
        let mut group: Vec<Set> = sets.iter().map(set).collect();
        let ticket = Ticket::new("test", Purpose::Set, Timestamp::ZERO);
        self.coordinator.execute(&mut self.served, &mut group, ticket, || Timestamp::ZERO)
    }

    /// Returns the error-status and error-index of a SET that is refused.
    pub(crate) fn refused(&mut self, variables: &[Variable<'_>]) -> (ErrorStatus, usize) {
        let before = self.tree();
        let refusal = self.set(variables).expect_err("the SET is refused");
        assert!(self.tree().is_same_version(&before), "nothing has changed");
        (refusal.kind.error_status(), refusal.variable())
    }
}

/// A SET, as `snmp-apps` executes it.
struct Set(Vec<(OidBuf, OwnedValue)>);

impl Transaction for Set {
    type Participants = ServedObjects;

    fn prepare(&mut self, served: &mut ServedObjects, proposed: &mut ProposedState) -> Result<(), Refusal> {
        let requester = Requester { security_model: SecurityModel::USM, security_name: b"test" };
        let mut draft = served.draft(0, proposed, requester).unwrap();
        for (number, (name, value)) in (1..).zip(&self.0) {
            let leaf = served.leaf_of(name).unwrap_or_else(|| panic!("{name:?}"));
            let index = &name[served.leaf_oid(leaf).unwrap().len()..];
            let (_, position) = served.owner(leaf).unwrap();
            let variable = SetVariable { number, leaf: position, index, value: value.as_value() };
            draft.test(proposed, &variable).map_err(|refusal| refusal.at_variable(number))?;
        }
        draft.apply(proposed)?;
        draft.check(proposed)
    }
}

/// Returns a name below the example's enterprise.
pub(crate) fn name(arcs: &[u32]) -> OidBuf {
    let mut name = OidBuf::from_arcs(&EXAMPLES).unwrap();
    name.extend(arcs).unwrap();
    name
}

const EXAMPLES: [u32; 7] = [1, 3, 6, 1, 4, 1, 32473];

pub(crate) fn octets(text: &str) -> Value<'_> {
    Value::OctetString(text.as_bytes())
}
