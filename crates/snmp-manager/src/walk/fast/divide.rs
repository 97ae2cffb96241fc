//! Cutting a stretch where a table's columns begin.

use portreeve_smi::OidBuf;

use super::{
    FastWalk,
    columns::{BESIDE, Probe},
    span::Span,
};
use crate::Response;

impl FastWalk {
    /// The latest names of a stretch may be in one column of a table.
    pub(super) fn look_for_columns(&mut self, place: usize) {
        if !self.judge.checks_order() || self.probe.is_some() || self.spans.len() > MOST_SPANS {
            return;
        }
        let Some(span) = self.spans.get_mut(place).filter(|span| span.end.is_none()) else { return };
        let Some(first) = span.take_run(TABLE_LIKE) else { return };
        let Some(mut guess) = Probe::guess(span.id, &self.root, &first, &span.cursor) else { return };
        guess.columns.retain(|column| {
            !self.judge.is_past(column)
                && span.bound.as_ref().is_none_or(|bound| **column < **bound)
                && !self.probed.contains(column)
        });
        if guess.columns.is_empty() {
            return;
        }
        guess.columns.iter().for_each(|column| self.probed.push_front(column.clone()));
        self.probed.truncate(MOST_PROBED);
        self.probe = Some(guess);
    }

    /// Cuts a stretch where a probe has found columns.
    pub(super) fn divide(&mut self, probe: &Probe, response: &Response) {
        if response.is_error() {
            return;
        }
        let after = response.var_binds().iter().map(|bind| bind.name.to_buf());
        let mut starts: Vec<OidBuf> = probe.existing(after).cloned().collect();
        if !probe.is_proven {
            starts.truncate(1);
            self.probe = starts.first().and_then(|column| Probe::beside(probe.span, column, BESIDE));
        }
        let mut id = probe.span;
        for start in starts {
            id = self.cut(id, start).unwrap_or(id);
        }
        // What else there is lies behind the last cut.
        if let Some(next) = &mut self.probe {
            next.span = id;
        }
    }

    /// Makes a stretch of what comes after `start`; its number.
    fn cut(&mut self, id: u32, start: OidBuf) -> Option<u32> {
        let place = self.spans.iter().position(|span| span.id == id)?;
        let is_inside = |span: &&mut Span| {
            span.end.is_none()
                && *start > *span.cursor
                && span.bound.as_ref().is_none_or(|bound| *start < **bound)
        };
        let new_id = self.new_id();
        let span = self.spans.get_mut(place).filter(is_inside)?;
        let bound = span.bound.replace(start.clone());
        let mut cut_off = Span::new(new_id, start, bound);
        cut_off.is_guess = true;
        self.spans.insert(place + 1, cut_off);
        Some(new_id)
    }
}

const MOST_SPANS: usize = 512;
/// How many guesses are remembered.
const MOST_PROBED: usize = 64;
/// Fewer variables are no reason to look for columns.
const TABLE_LIKE: usize = 8;
