//! The result of a query, and the names of its objects.

use std::borrow::Cow;

use portreeve_mib::format::{NameForm, OutputFormat};
use portreeve_smi::{Oid, OwnedValue, Value};
use portreeve_snmp_manager::{Response, WalkError};

use super::Peer;
use crate::poller::{Change, queries::PollQuery};

/// The name of an instance and its value.
pub type Variable = (Oid, OwnedValue);

/// The result of one request, or of the walk of a subtree.
pub struct PollResult {
    /// The query or subtree, for [`Peer::names`].
    pub subject: ResultSubject,
    /// The response and its changes, or the reason why there is none. The variables of a walk are
    /// not in the response.
    pub outcome: Result<(Response, Change), WalkError>,
    pub(super) rows: Vec<Variable>,
}

/// Identifies a query or a subtree of a peer. The identifier is the same in every round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ResultSubject {
    /// A query for instances, by its number.
    Instances(usize),
    /// A subtree, by its number.
    Subtree(usize),
}

impl Peer {
    /// Returns the values of a result with the names of their objects.
    pub fn values<'r>(
        &'r self,
        result: &'r PollResult,
        response: &'r Response,
    ) -> impl Iterator<Item = (Cow<'r, str>, Value<'r>)> {
        let names = match result.subject {
            ResultSubject::Instances(_) => self.names(result),
            ResultSubject::Subtree(_) => &[],
        };
        let binds = response.var_binds().iter().skip(self.leading_count(result)).map(|bind| bind.value);
        let rows = result.rows.iter().map(|(name, value)| {
            let mut text = String::new();
            OutputFormat { names: NameForm::Suffix, ..OutputFormat::default() }.name(&mut text, name.arcs());
            (Cow::Owned(text), value.as_value())
        });
        names.iter().map(|name| Cow::Borrowed(&**name)).zip(binds).chain(rows)
    }

    /// Returns the variables of a result, without those that the agent does not have.
    pub fn variables(&self, result: &PollResult) -> Vec<Variable> {
        let mut variables = result.rows.clone();
        if let (ResultSubject::Instances(_), Ok((response, _))) = (result.subject, &result.outcome) {
            let binds = response.var_binds();
            let present =
                binds.iter().skip(self.leading_count(result)).filter(|bind| !bind.value.is_exception());
            variables.extend(present.map(|bind| {
                (Oid::new(&bind.name.to_buf()).unwrap_or_default(), OwnedValue::from(bind.value))
            }));
        }
        variables
    }

    /// Returns the names of a result's objects; for a walk, the name of the subtree.
    pub fn names(&self, result: &PollResult) -> &[String] {
        match result.subject {
            ResultSubject::Instances(index) => self.queries.get(index).map_or(&[], PollQuery::names),
            ResultSubject::Subtree(index) => self.tables.get(index).map_or(&[], |table| &table.name),
        }
    }

    /// Returns the number of variables that precede the objects of a result: sysUpTime and, with
    /// SNMPv3, boots.
    pub(crate) fn leading_count(&self, result: &PollResult) -> usize {
        match result.subject {
            ResultSubject::Instances(index) => self.queries.get(index).map_or(0, PollQuery::leading_count),
            ResultSubject::Subtree(_) => 0,
        }
    }
}
