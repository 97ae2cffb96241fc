//! What came of a question, with the names that it was asked by.

use std::borrow::Cow;

use portreeve_mib::format::{Format, NameForm};
use portreeve_smi::{Oid, OwnedValue, Value};
use portreeve_snmp_manager::{Response, WalkError};

use super::Peer;
use crate::poller::{Change, questions::Question};

/// An instance and its value.
pub type Variable = (Oid, OwnedValue);

/// How one request, or the walk of a subtree, ended.
pub struct Report {
    /// What was asked, for [`Peer::names`].
    pub about: About,
    /// What was answered and what it changes, or why there is no answer. A walk's variables are not in its response.
    pub result: Result<(Response, Change), WalkError>,
    pub(super) rows: Vec<Variable>,
}

/// Which of a peer's questions; it stays the same from round to round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum About {
    /// Some instances.
    Instances(usize),
    /// A subtree.
    Subtree(usize),
}

impl Peer {
    /// The values of a report with the names of their objects.
    pub fn values<'r>(
        &'r self,
        report: &'r Report,
        response: &'r Response,
    ) -> impl Iterator<Item = (Cow<'r, str>, Value<'r>)> {
        let names = match report.about {
            About::Instances(_) => self.names(report),
            About::Subtree(_) => &[],
        };
        let binds = response.var_binds().iter().skip(self.leading(report)).map(|bind| bind.value);
        let rows = report.rows.iter().map(|(name, value)| {
            let mut text = String::new();
            Format { names: NameForm::Suffix, ..Format::default() }.name(&mut text, name.arcs());
            (Cow::Owned(text), value.as_value())
        });
        names.iter().map(|name| Cow::Borrowed(&**name)).zip(binds).chain(rows)
    }

    /// The variables of a report, those among them that the agent does not have left out.
    pub fn variables(&self, report: &Report) -> Vec<Variable> {
        let mut variables = report.rows.clone();
        if let (About::Instances(_), Ok((response, _))) = (report.about, &report.result) {
            let binds = response.var_binds();
            let present = binds.iter().skip(self.leading(report)).filter(|bind| !bind.value.is_exception());
            variables.extend(present.map(|bind| {
                (Oid::new(&bind.name.to_buf()).unwrap_or_default(), OwnedValue::from(bind.value))
            }));
        }
        variables
    }

    /// Names of the objects that a report is about; of a walk, the subtree's.
    pub fn names(&self, report: &Report) -> &[String] {
        match report.about {
            About::Instances(index) => self.questions.get(index).map_or(&[], Question::names),
            About::Subtree(index) => self.tables.get(index).map_or(&[], |table| &table.name),
        }
    }

    /// How many variables of a report stand before its objects.
    pub(crate) fn leading(&self, report: &Report) -> usize {
        match report.about {
            About::Instances(index) => self.questions.get(index).map_or(0, Question::before),
            About::Subtree(_) => 0,
        }
    }
}
