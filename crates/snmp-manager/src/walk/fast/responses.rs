//! Processes the responses and errors of requests for spans.

use portreeve_smi::{ErrorStatus, OidBuf};

use super::{FastWalk, span::SpanEnd};
use crate::{
    RequestError, Response,
    walk::{WalkEnd, WalkError, owned, set},
};

impl FastWalk {
    pub(super) fn on_response(&mut self, ids: &[u32], repetitions: usize, response: &Response) {
        self.release(ids);
        let requested = ids.len() * repetitions;
        match response.error_status() {
            Some(ErrorStatus::NoError) if !response.var_binds().is_empty() => {
                self.distribute(ids, requested, response);
            }
            Some(ErrorStatus::NoError | ErrorStatus::TooBig) if requested > 1 => {
                self.batch_sizer.on_rejected(requested)
            }
            Some(ErrorStatus::NoError) => self.finish(ids, &SpanEnd::Walk(WalkEnd::LeftSubtree)),
            Some(ErrorStatus::NoSuchName) => {
                let at_fault = response.error_index().and_then(|index| ids.get(index.checked_sub(1)?));
                let at_fault = at_fault.map_or(ids, std::slice::from_ref);
                match at_fault {
                    [_] => self.finish(at_fault, &SpanEnd::Walk(WalkEnd::NoSuchName)),
                    _ => self.for_each_span(ids, |span| span.is_isolated = true),
                }
            }
            // The error may concern a variable that a sequential walk would not reach, so each span
            // is requested alone.
            _ if requested > 1 => self.for_each_span(ids, |span| span.is_isolated = true),
            _ => {
                self.rejection = Some(response.clone());
                let error = WalkError::ErrorStatus(response.error_status_number());
                self.finish(ids, &SpanEnd::Failed(error));
            }
        }
    }

    /// Distributes the received variables, row by row, over the requested spans.
    fn distribute(&mut self, ids: &[u32], requested: usize, response: &Response) {
        let positions: Vec<usize> =
            ids.iter().filter_map(|id| self.spans.iter().position(|span| span.id == *id)).collect();
        if positions.len() != ids.len() {
            return;
        }
        let mut name = OidBuf::new();
        let binds = response.var_binds();
        for (bind, position) in binds.iter().zip(positions.iter().cycle()) {
            let Some(span) = self.spans.get_mut(*position).filter(|span| span.end.is_none()) else {
                continue;
            };
            set(&mut name, bind.name);
            if span.is_beyond(&name) {
                span.finish(SpanEnd::Bound);
            } else if self.order_checker.is_past(&name) {
                span.finish(SpanEnd::Walk(WalkEnd::LeftSubtree));
            } else {
                span.push(&name, &bind.value);
                if bind.value.is_exception() {
                    span.finish(SpanEnd::Walk(WalkEnd::EndOfMibView));
                } else if self.order_checker.checks_order() && *name <= *span.cursor {
                    let (previous, found) = (owned(&span.cursor), owned(&name));
                    span.finish(SpanEnd::Failed(WalkError::NotIncreasing { previous, found }));
                } else {
                    span.advance(&name);
                    continue;
                }
            }
            if span.found > 1 {
                self.rows = Some(span.found);
            }
        }
        let is_incomplete =
            positions.iter().any(|position| self.spans.get(*position).is_some_and(|span| span.end.is_none()));
        match binds.len() {
            received if received < requested && is_incomplete => self.batch_sizer.on_truncated(received),
            received => self.batch_sizer.on_complete(received, response.octets()),
        }
        positions.iter().for_each(|position| self.find_columns(*position));
    }

    pub(super) fn on_request_error(
        &mut self,
        ids: &[u32],
        repetitions: usize,
        error: RequestError,
    ) -> Result<(), WalkError> {
        let requested = ids.len() * repetitions;
        if matches!(error, RequestError::Timeout(_)) && self.batch_sizer.exceeds_max_received(requested) {
            self.batch_sizer.on_rejected(requested);
            self.release(ids);
            return Ok(());
        }
        Err(WalkError::Request(error))
    }
}
