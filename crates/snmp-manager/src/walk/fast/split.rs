//! Splits spans at the columns of tables.

use portreeve_smi::OidBuf;

use super::{
    FastWalk,
    columns::{ColumnProbe, MAX_SIBLINGS},
    span::Span,
};
use crate::Response;

impl FastWalk {
    /// Creates a probe if the last names of a span may be in one column of a table.
    pub(super) fn find_columns(&mut self, position: usize) {
        if !self.order_checker.checks_order() || self.probe.is_some() || self.spans.len() > MAX_SPANS {
            return;
        }
        let Some(span) = self.spans.get_mut(position).filter(|span| span.end.is_none()) else { return };
        let Some(first) = span.take_run(MIN_COLUMN_RUN) else { return };
        let Some(mut guess) = ColumnProbe::guess(span.id, &self.root, &first, &span.cursor) else { return };
        guess.columns.retain(|column| {
            !self.order_checker.is_past(column)
                && span.bound.as_ref().is_none_or(|bound| **column < **bound)
                && !self.probed_columns.contains(column)
        });
        if guess.columns.is_empty() {
            return;
        }
        guess.columns.iter().for_each(|column| self.probed_columns.push_front(column.clone()));
        self.probed_columns.truncate(MAX_PROBED);
        self.probe = Some(guess);
    }

    /// Splits a span at the columns that a probe found.
    pub(super) fn split(&mut self, probe: &ColumnProbe, response: &Response) {
        if response.is_error() {
            return;
        }
        let after = response.var_binds().iter().map(|bind| bind.name.to_buf());
        let mut starts: Vec<OidBuf> = probe.existing(after).cloned().collect();
        if !probe.is_confirmed {
            starts.truncate(1);
            self.probe =
                starts.first().and_then(|column| ColumnProbe::siblings(probe.span, column, MAX_SIBLINGS));
        }
        let mut id = probe.span;
        for start in starts {
            id = self.split_at(id, start).unwrap_or(id);
        }
        // The next probe looks for further columns, which are in the span after the last split.
        if let Some(next) = &mut self.probe {
            next.span = id;
        }
    }

    /// Splits off a span for the names after `start` and returns its id.
    fn split_at(&mut self, id: u32, start: OidBuf) -> Option<u32> {
        let position = self.spans.iter().position(|span| span.id == id)?;
        let is_inside = |span: &&mut Span| {
            span.end.is_none()
                && *start > *span.cursor
                && span.bound.as_ref().is_none_or(|bound| *start < **bound)
        };
        let new_id = self.new_id();
        let span = self.spans.get_mut(position).filter(is_inside)?;
        let bound = span.bound.replace(start.clone());
        let mut split_off = Span::new(new_id, start, bound);
        split_off.is_guess = true;
        self.spans.insert(position + 1, split_off);
        Some(new_id)
    }
}

const MAX_SPANS: usize = 512;
/// The number of guessed columns to remember.
const MAX_PROBED: usize = 64;
/// The minimum number of names in a run that is probed for columns.
const MIN_COLUMN_RUN: usize = 8;
