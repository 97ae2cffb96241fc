//! A subtree that is read whole in every round, and what it was last time.

use portreeve_mib::format::{Format, NameForm};
use portreeve_smi::{Oid, OwnedValue};
use portreeve_snmp_manager::{
    FastWalk, Progress, Question, Request, RequestError, Response, WalkError, WalkOptions,
};

use super::{Variable, change::History};

/// One subtree.
pub(super) struct Table {
    root: Oid,
    /// What results call it as a whole.
    pub(super) name: [String; 1],
    walk: Option<FastWalk>,
    /// Whether the walk may have something to ask.
    wants_to_ask: bool,
    rows: Vec<Variable>,
    before: Vec<Oid>,
    pub(super) history: History,
}

impl Table {
    pub(super) fn new(root: &Oid) -> Self {
        let mut name = String::new();
        Format { names: NameForm::Suffix, ..Format::default() }.name(&mut name, root.arcs());
        Self {
            root: root.clone(),
            name: [name],
            walk: None,
            wants_to_ask: false,
            rows: Vec::new(),
            before: Vec::new(),
            history: History::default(),
        }
    }

    /// Begins to read it, unless it is still being read.
    pub(super) fn begin(&mut self, is_v1: bool) {
        if self.walk.is_none() {
            let options = WalkOptions { max_variables: MOST_VARIABLES, ..WalkOptions::default() };
            let mut walk = FastWalk::new(self.root.arcs(), options);
            if is_v1 {
                walk.forgo_bulk();
            }
            (self.walk, self.wants_to_ask) = (Some(walk), true);
        }
    }

    pub(super) fn is_being_read(&self) -> bool {
        self.walk.is_some()
    }

    pub(super) fn wants_to_ask(&self) -> bool {
        self.wants_to_ask
    }

    /// Makes `request` what is to be asked next.
    pub(super) fn next_request(&mut self, request: &mut Request) -> Option<Question> {
        let question = self.walk.as_mut().and_then(|walk| walk.next_request(request));
        self.wants_to_ask = question.is_some();
        question
    }

    /// Takes in the end of a request; returns all that was read when that is the end of the subtree.
    pub(super) fn accept(
        &mut self,
        question: Question,
        result: &Result<Response, RequestError>,
    ) -> Option<Result<Vec<Variable>, WalkError>> {
        let rows = &mut self.rows;
        let progress = self.walk.as_mut()?.accept(question, result, |bind| {
            if !bind.value.is_exception() {
                let name = Oid::new(&bind.name.to_buf()).unwrap_or_default();
                rows.push((name, OwnedValue::from(bind.value)));
            }
        });
        self.wants_to_ask = matches!(progress, Ok(Progress::More));
        if self.wants_to_ask {
            return None;
        }
        self.walk = None;
        let rows = std::mem::take(&mut self.rows);
        Some(progress.map(|_| self.align(rows)))
    }

    /// Rows come and go: puts what is known of each variable where the variable stands now.
    fn align(&mut self, rows: Vec<Variable>) -> Vec<Variable> {
        let before = &self.before;
        self.history.rearrange(rows.len(), |index| before.binary_search(&rows.get(index)?.0).ok());
        self.before = rows.iter().map(|(name, _)| name.clone()).collect();
        rows
    }
}

/// More than this is no table that anybody polls.
const MOST_VARIABLES: u64 = 100_000;
