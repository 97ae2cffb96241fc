//! A walk with several questions at once, which finds what a GetNext walk finds, in its order.
//!
//! ```text
//! next_request ──► agent ──► accept ──► stretches, in order ──► visit
//!      ▲                        │ a table's columns are seen: a stretch for each
//!      └────── how much ────────┘
//! ```
//! The tree is cut into stretches, each from one name to the next one's start. GetNext from a stretch's start finds its
//! first variable whether or not the start exists, so wherever the cuts are, all is found once: holes in columns,
//! missing cells and trees that are no tables included. How much is asked for at once grows while answers come whole,
//! and shrinks when they are cut short, refused or do not come.
//!
//! What comes before its turn waits: at most 1 MiB and the answers on their way, 8 messages.

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

/// A walk through one subtree, as quick as the agent allows.
///
/// [`Client::walk`](crate::Client::walk) drives one. By hand: send what [`Self::next_request`] makes until it has
/// nothing more to ask, and hand every end of a request to [`Self::accept`].
#[derive(Debug)]
pub struct FastWalk {
    order_checker: OrderChecker,
    root: OidBuf,
    with_bulk: bool,
    /// In order; the first is where the walk is.
    spans: VecDeque<Span>,
    in_flight: Vec<SentRequest>,
    window: usize,
    batch_sizer: BatchSizer,
    /// How many variables the last column had.
    rows: Option<u64>,
    probe: Option<ColumnProbe>,
    /// Guesses that were asked about, the latest first.
    probe_cause: VecDeque<OidBuf>,
    next_id: u32,
    /// The answer that ended the walk with an error-status.
    rejection: Option<Response>,
}

/// Names one request of one walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkRequestId(u32);

#[derive(Debug)]
struct SentRequest {
    question: WalkRequestId,
    about: RequestSubject,
}

#[derive(Debug)]
enum RequestSubject {
    /// The stretches with these numbers, each this often.
    Spans {
        ids: Vec<u32>,
        repetitions: usize,
    },
    Columns(ColumnProbe),
}

impl FastWalk {
    /// A walk of everything at and below `root`, at most 128 arcs. How many successors to ask for is learned, whatever
    /// the options say; where they say that order is not checked, one request at a time is made.
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
            probe_cause: VecDeque::new(),
            next_id: 1,
            rejection: None,
        }
    }

    /// From now on with GetNext only, as SNMPv1 needs it.
    pub fn disable_bulk(&mut self) {
        self.with_bulk = false;
    }

    /// Makes `request` the one to send next; `None` while there is nothing to ask before an answer has come.
    pub fn next_request(&mut self, request: &mut Request) -> Option<WalkRequestId> {
        if self.in_flight.len() >= self.window {
            return None;
        }
        let about = match self.probe.take() {
            Some(probe) => {
                request.reset(Operation::GetNext);
                probe.columns.iter().for_each(|column| request.push(column, Value::Null));
                RequestSubject::Columns(probe)
            }
            None => self.request_spans(request)?,
        };
        let question = WalkRequestId(self.new_id());
        self.in_flight.push(SentRequest { question, about });
        Some(question)
    }

    /// Takes the end of a request in and hands to `visit`, in order, each variable whose turn has come; a name that is
    /// out of order and the exception at the end included.
    pub fn accept(
        &mut self,
        question: WalkRequestId,
        result: &Result<Response, RequestError>,
        mut visit: impl FnMut(&VarBind<'_>),
    ) -> Result<WalkProgress, WalkError> {
        let asked = self.in_flight.iter().position(|asked| asked.question == question);
        let Some(asked) = asked.map(|index| self.in_flight.swap_remove(index)) else {
            return Ok(WalkProgress::More);
        };
        match (asked.about, result) {
            (RequestSubject::Columns(probe), Ok(response)) => self.split(&probe, response),
            // A guess that is not answered was no good.
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

    /// How many variables were found and handed out.
    pub fn found(&self) -> u64 {
        self.order_checker.found()
    }

    /// The answer that ended the walk with [`WalkError::ErrorStatus`].
    pub fn rejection(&self) -> Option<&Response> {
        self.rejection.as_ref()
    }

    /// The first stretch that waits to be asked about, and others behind it that fit the same request.
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

    /// Variables that a stretch still has if it is as long as the last column was, and one to see its end.
    fn remaining_in(&self, span: &Span) -> Option<usize> {
        let rest = self.rows?.checked_sub(span.found)?;
        usize::try_from(rest).ok()?.checked_add(1)
    }

    /// Hands out whatever is next in order.
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
/// Octets of variables that may wait before only the first stretch is asked about.
const MAX_BUFFERED: usize = 1 << 20;
const MAX_SPANS_PER_REQUEST: usize = 32;

#[cfg(test)]
pub(super) mod tests;
