//! A walk with several requests in parallel and the same result as a GetNext walk, in the same
//! order.
//!
//! ```text
//! next_request ──► agent ──► accept ──► spans, in order ──► visit
//!      ▲                        │ a table is detected: one span per column
//!      └───── batch size ───────┘
//! ```
//! The tree is split into spans, each from one name to the start of the next span. GetNext from a
//! span's start finds its first variable even if the start does not exist. So every variable is
//! found exactly once wherever the splits are, also in columns with missing rows and in trees
//! without tables. The batch size grows while responses are complete, and shrinks when they are
//! truncated, rejected or missing.
//!
//! Variables that arrive before their turn are buffered: at most 1 MiB plus the responses to the
//! requests in flight, of which there are at most 8.

mod batch_sizer;
mod columns;
mod responses;
mod span;
mod split;

use std::collections::VecDeque;

use portreeve_smi::{OidBuf, Value};
use portreeve_snmp_message::VarBind;

use super::{OrderChecker, WalkEnd, WalkError, WalkOptions, WalkProgress, set};
use crate::{Operation, Request, RequestError, Response};
use batch_sizer::BatchSizer;
use columns::ColumnProbe;
use span::{Span, SpanEnd};

/// A walk of one subtree, as fast as the agent allows.
///
/// [`Client::walk`](crate::Client::walk) drives such a walk. To drive it yourself, send the
/// requests from [`Self::next_request`] until it returns `None`, and pass each result to
/// [`Self::accept`].
#[derive(Debug)]
pub struct FastWalk {
    order_checker: OrderChecker,
    root: OidBuf,
    with_bulk: bool,
    /// The spans in order. The first one contains the current position of the walk.
    spans: VecDeque<Span>,
    in_flight: Vec<SentRequest>,
    window: usize,
    batch_sizer: BatchSizer,
    /// The number of rows in the last complete column.
    rows: Option<u64>,
    probe: Option<ColumnProbe>,
    /// Guessed columns that were already probed, newest first.
    probed_columns: VecDeque<OidBuf>,
    next_id: u32,
    /// The Response that ended the walk with an error-status.
    rejection: Option<Response>,
}

/// Identifies one request of one walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkRequestId(u32);

#[derive(Debug)]
struct SentRequest {
    request_id: WalkRequestId,
    subject: RequestSubject,
}

#[derive(Debug)]
enum RequestSubject {
    /// Reads the spans with these ids, with this number of repetitions for each.
    Spans {
        ids: Vec<u32>,
        repetitions: usize,
    },
    Columns(ColumnProbe),
}

impl FastWalk {
    /// Creates a walk of everything at and below `root`, which has at most 128 arcs. The batch size
    /// is adaptive and ignores [`WalkOptions::max_repetitions`]. Without order checks, requests are
    /// not sent in parallel.
    pub fn new(root: &[u32], options: WalkOptions) -> Self {
        let order_checker = OrderChecker::new(root, options);
        let root = order_checker.last().clone();
        Self {
            spans: VecDeque::from([Span::new(0, root.clone(), None)]),
            order_checker,
            root,
            with_bulk: true,
            in_flight: Vec::new(),
            window: INITIAL_WINDOW,
            batch_sizer: BatchSizer::new(),
            rows: None,
            probe: None,
            probed_columns: VecDeque::new(),
            next_id: 1,
            rejection: None,
        }
    }

    /// Uses GetNext only, as SNMPv1 requires.
    pub fn disable_bulk(&mut self) {
        self.with_bulk = false;
    }

    /// Sets `request` to the next request; `None` if a response must arrive first.
    pub fn next_request(&mut self, request: &mut Request) -> Option<WalkRequestId> {
        if self.in_flight.len() >= self.window {
            return None;
        }
        let subject = match self.probe.take() {
            Some(probe) => {
                request.reset(Operation::GetNext);
                probe.columns.iter().for_each(|column| request.push(column, Value::Null));
                RequestSubject::Columns(probe)
            }
            None => self.request_spans(request)?,
        };
        let request_id = WalkRequestId(self.new_id());
        self.in_flight.push(SentRequest { request_id, subject });
        Some(request_id)
    }

    /// Processes the result of a request. Passes variables to `visit` in order: each variable as
    /// soon as all earlier variables have arrived. This includes a variable whose name is out of
    /// order, and the exception at the end.
    ///
    /// # Errors
    /// The agent rejected a request or did not respond, its names are out of order or loop, or the
    /// walk reached its maximum number of variables.
    pub fn accept(
        &mut self,
        request_id: WalkRequestId,
        result: &Result<Response, RequestError>,
        mut visit: impl FnMut(&VarBind<'_>),
    ) -> Result<WalkProgress, WalkError> {
        let sent = self.in_flight.iter().position(|sent| sent.request_id == request_id);
        let Some(sent) = sent.map(|index| self.in_flight.swap_remove(index)) else {
            return Ok(WalkProgress::More);
        };
        match (sent.subject, result) {
            (RequestSubject::Columns(probe), Ok(response)) => self.split(&probe, response),
            // A probe that fails has no effect on the walk.
            (RequestSubject::Columns(_), Err(_)) => {}
            (RequestSubject::Spans { ids, repetitions }, Ok(response)) => {
                self.window = (self.window + 1).min(MAX_WINDOW);
                self.on_response(&ids, repetitions, response);
            }
            (RequestSubject::Spans { ids, repetitions }, Err(error)) => {
                self.on_request_error(&ids, repetitions, *error)?;
            }
        }
        self.deliver(&mut visit)
    }

    /// Returns the number of variables found and passed to `visit`.
    pub fn found(&self) -> u64 {
        self.order_checker.found()
    }

    /// Returns the Response that ended the walk with [`WalkError::ErrorStatus`].
    pub fn rejection(&self) -> Option<&Response> {
        self.rejection.as_ref()
    }

    /// Selects the first idle span, and later ones that fit into the same request.
    fn request_spans(&mut self, request: &mut Request) -> Option<RequestSubject> {
        let waiting: usize = self.spans.iter().map(Span::octets).sum();
        let reach = if waiting < MAX_BUFFERED { self.spans.len() } else { 1 };
        let first = self.spans.iter().take(reach).position(Span::is_idle)?;
        let span = self.spans.get(first)?;
        let size = self.batch_sizer.size();
        let (mut repetitions, mut side_by_side) = match (self.with_bulk, self.remaining_in(span)) {
            (true, Some(rest)) if rest < size => (rest, size / rest),
            (true, _) => (size, 1),
            (false, _) => (1, size),
        };
        if span.is_isolated {
            (repetitions, side_by_side) = (1, 1);
        }
        request.reset(match self.with_bulk && !span.is_isolated {
            true => Operation::GetBulk { non_repeaters: 0, max_repetitions: repetitions as i32 },
            false => Operation::GetNext,
        });
        let lone = span.is_isolated;
        let fitting = |span: &&mut Span| span.is_idle() && span.is_isolated == lone;
        let ids = self
            .spans
            .iter_mut()
            .take(reach)
            .skip(first)
            .filter(fitting)
            .take(side_by_side.clamp(1, MAX_SPANS_PER_REQUEST))
            .map(|span| {
                request.push(&span.cursor, Value::Null);
                span.is_requested = true;
                span.id
            })
            .collect();
        Some(RequestSubject::Spans { ids, repetitions })
    }

    /// Returns the number of variables to request for the rest of a span: those that remain if the
    /// span is as long as the last column, and one more to detect its end.
    fn remaining_in(&self, span: &Span) -> Option<usize> {
        let rest = self.rows?.checked_sub(span.found)?;
        usize::try_from(rest).ok()?.checked_add(1)
    }

    /// Passes on all variables for which all earlier ones have arrived.
    fn deliver(&mut self, visit: &mut impl FnMut(&VarBind<'_>)) -> Result<WalkProgress, WalkError> {
        let mut name = OidBuf::new();
        while let Some(span) = self.spans.front_mut() {
            if let Some(SpanEnd::Undecided) = span.end {
                span.resume_from(self.order_checker.last());
            }
            span.drain(|bind| {
                visit(bind);
                set(&mut name, bind.name);
                if bind.value.is_exception() { Ok(()) } else { self.order_checker.take(&name) }
            })?;
            match span.end.take() {
                None => return Ok(WalkProgress::More),
                Some(SpanEnd::Walk(end)) => return Ok(WalkProgress::Done(end)),
                Some(SpanEnd::Failed(error)) => return Err(error),
                Some(SpanEnd::Bound | SpanEnd::Undecided) => drop(self.spans.pop_front()),
            }
        }
        Ok(WalkProgress::Done(WalkEnd::LeftSubtree))
    }

    fn release(&mut self, ids: &[u32]) {
        self.for_each_span(ids, |span| span.is_requested = false);
    }

    fn finish(&mut self, ids: &[u32], end: &SpanEnd) {
        self.for_each_span(ids, |span| span.finish(end.clone()));
    }

    fn for_each_span(&mut self, ids: &[u32], what: impl Fn(&mut Span)) {
        self.spans.iter_mut().filter(|span| ids.contains(&span.id)).for_each(what);
    }

    fn new_id(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id = self.next_id.wrapping_add(1);
        id
    }
}

const INITIAL_WINDOW: usize = 2;
const MAX_WINDOW: usize = 8;
/// The size of buffered variables, in octets, above which only the first span is read.
const MAX_BUFFERED: usize = 1 << 20;
const MAX_SPANS_PER_REQUEST: usize = 32;

#[cfg(test)]
pub(super) mod tests;
