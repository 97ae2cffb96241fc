//! A subtree that is walked in every round, and its last values.

use portreeve_mib::format::{NameForm, OutputFormat};
use portreeve_smi::{Oid, OwnedValue};
use portreeve_snmp_manager::{
    FastWalk, Request, RequestError, Response, WalkError, WalkOptions, WalkProgress, WalkRequestId,
};

use super::{Variable, change::History};

/// A subtree and its last values.
pub(super) struct Table {
    root: Oid,
    /// The name of the subtree in results.
    pub(super) name: [String; 1],
    walk: Option<FastWalk>,
    /// True if the walk may have a request to send.
    has_request: bool,
    rows: Vec<Variable>,
    previous_names: Vec<Oid>,
    pub(super) history: History,
}

impl Table {
    pub(super) fn new(root: &Oid) -> Self {
        let mut name = String::new();
        OutputFormat { names: NameForm::Suffix, ..OutputFormat::default() }.name(&mut name, root.arcs());
        Self {
            root: root.clone(),
            name: [name],
            walk: None,
            has_request: false,
            rows: Vec::new(),
            previous_names: Vec::new(),
            history: History::default(),
        }
    }

    /// Starts a walk, unless one is running.
    pub(super) fn start_walk(&mut self, is_v1: bool) {
        if self.walk.is_none() {
            let options = WalkOptions { max_variables: Some(MAX_VARIABLES), ..WalkOptions::default() };
            let mut walk = FastWalk::new(self.root.arcs(), options);
            if is_v1 {
                walk.disable_bulk();
            }
            (self.walk, self.has_request) = (Some(walk), true);
        }
    }

    pub(super) fn is_walking(&self) -> bool {
        self.walk.is_some()
    }

    pub(super) fn has_request(&self) -> bool {
        self.has_request
    }

    /// Sets `request` to the next request of the walk.
    pub(super) fn next_request(&mut self, request: &mut Request) -> Option<WalkRequestId> {
        let query = self.walk.as_mut().and_then(|walk| walk.next_request(request));
        self.has_request = query.is_some();
        query
    }

    /// Processes the result of a request; returns all variables at the end of the walk.
    pub(super) fn accept(
        &mut self,
        query: WalkRequestId,
        result: &Result<Response, RequestError>,
    ) -> Option<Result<Vec<Variable>, WalkError>> {
        let rows = &mut self.rows;
        let progress = self.walk.as_mut()?.accept(query, result, |bind| {
            if !bind.value.is_exception() {
                let name = Oid::new(&bind.name.to_buf()).unwrap_or_default();
                rows.push((name, OwnedValue::from(bind.value)));
            }
        });
        self.has_request = matches!(progress, Ok(WalkProgress::More));
        if self.has_request {
            return None;
        }
        self.walk = None;
        let rows = std::mem::take(&mut self.rows);
        Some(progress.map(|_| self.align(rows)))
    }

    /// Moves the history of each variable to its new position, because rows can appear and
    /// disappear.
    fn align(&mut self, rows: Vec<Variable>) -> Vec<Variable> {
        let previous_names = &self.previous_names;
        self.history.rearrange(rows.len(), |index| previous_names.binary_search(&rows.get(index)?.0).ok());
        self.previous_names = rows.iter().map(|(name, _)| name.clone()).collect();
        rows
    }
}

/// The maximum number of variables in a walk. It is larger than any table that is worth polling.
const MAX_VARIABLES: u64 = 100_000;
