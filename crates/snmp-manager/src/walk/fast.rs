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

mod absorb;
mod appetite;
mod columns;
mod divide;
mod span;

use std::collections::VecDeque;

use portreeve_smi::{OidBuf, Value};
use portreeve_snmp_message::VarBind;

use super::{Judge, Progress, WalkEnd, WalkError, WalkOptions, set};
use crate::{Operation, Request, RequestError, Response};
use appetite::Appetite;
use columns::Probe;
use span::{Span, SpanEnd};

/// A walk through one subtree, as quick as the agent allows.
///
/// [`Client::walk`](crate::Client::walk) drives one. By hand: send what [`Self::next_request`] makes until it has
/// nothing more to ask, and hand every end of a request to [`Self::accept`].
#[derive(Debug)]
pub struct FastWalk {
    judge: Judge,
    root: OidBuf,
    with_bulk: bool,
    /// In order; the first is where the walk is.
    spans: VecDeque<Span>,
    on_their_way: Vec<Asked>,
    window: usize,
    appetite: Appetite,
    /// How many variables the last column had.
    rows: Option<u64>,
    probe: Option<Probe>,
    /// Guesses that were asked about, the latest first.
    probed: VecDeque<OidBuf>,
    next_id: u32,
    /// The answer that ended the walk with an error-status.
    rejection: Option<Response>,
}

/// Names one request of one walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question(u32);

#[derive(Debug)]
struct Asked {
    question: Question,
    about: About,
}

#[derive(Debug)]
enum About {
    /// The stretches with these numbers, each this often.
    Spans {
        ids: Vec<u32>,
        repetitions: usize,
    },
    Columns(Probe),
}

impl FastWalk {
    /// A walk of everything at and below `root`, at most 128 arcs. How many successors to ask for is learned, whatever
    /// the options say; where they say that order is not checked, one request at a time is made.
    pub fn new(root: &[u32], options: WalkOptions) -> Self {
        let judge = Judge::new(root, options);
        let root = judge.last().clone();
        Self {
            spans: VecDeque::from([Span::new(0, root.clone(), None)]),
            judge,
            root,
            with_bulk: true,
            on_their_way: Vec::new(),
            window: FIRST_WINDOW,
            appetite: Appetite::new(),
            rows: None,
            probe: None,
            probed: VecDeque::new(),
            next_id: 1,
            rejection: None,
        }
    }

    /// From now on with GetNext only, as SNMPv1 needs it.
    pub fn forgo_bulk(&mut self) {
        self.with_bulk = false;
    }

    /// Makes `request` the one to send next; `None` while there is nothing to ask before an answer has come.
    pub fn next_request(&mut self, request: &mut Request) -> Option<Question> {
        if self.on_their_way.len() >= self.window {
            return None;
        }
        let about = match self.probe.take() {
            Some(probe) => {
                request.reset(Operation::GetNext);
                probe.columns.iter().for_each(|column| request.push(column, Value::Null));
                About::Columns(probe)
            }
            None => self.ask_about_spans(request)?,
        };
        let question = Question(self.new_id());
        self.on_their_way.push(Asked { question, about });
        Some(question)
    }

    /// Takes the end of a request in and hands to `visit`, in order, each variable whose turn has come; a name that is
    /// out of order and the exception at the end included.
    pub fn accept(
        &mut self,
        question: Question,
        result: &Result<Response, RequestError>,
        mut visit: impl FnMut(&VarBind<'_>),
    ) -> Result<Progress, WalkError> {
        let asked = self.on_their_way.iter().position(|asked| asked.question == question);
        let Some(asked) = asked.map(|index| self.on_their_way.swap_remove(index)) else {
            return Ok(Progress::More);
        };
        match (asked.about, result) {
            (About::Columns(probe), Ok(response)) => self.divide(&probe, response),
            // A guess that is not answered was no good.
            (About::Columns(_), Err(_)) => {}
            (About::Spans { ids, repetitions }, Ok(response)) => {
                self.window = (self.window + 1).min(LARGEST_WINDOW);
                self.absorb(&ids, repetitions, response);
            }
            (About::Spans { ids, repetitions }, Err(error)) => {
                self.not_answered(&ids, repetitions, *error)?;
            }
        }
        self.hand_out(&mut visit)
    }

    /// How many variables were found and handed out.
    pub fn found(&self) -> u64 {
        self.judge.found()
    }

    /// The answer that ended the walk with [`WalkError::ErrorStatus`].
    pub fn rejection(&self) -> Option<&Response> {
        self.rejection.as_ref()
    }

    /// The first stretch that waits to be asked about, and others behind it that fit the same request.
    fn ask_about_spans(&mut self, request: &mut Request) -> Option<About> {
        let waiting: usize = self.spans.iter().map(Span::octets).sum();
        let reach = if waiting < MAX_WAITING { self.spans.len() } else { 1 };
        let first = self.spans.iter().take(reach).position(Span::is_idle)?;
        let span = self.spans.get(first)?;
        let most = self.appetite.most();
        let (mut repetitions, mut side_by_side) = match (self.with_bulk, self.rest_of(span)) {
            (true, Some(rest)) if rest < most => (rest, most / rest),
            (true, _) => (most, 1),
            (false, _) => (1, most),
        };
        if span.is_alone {
            (repetitions, side_by_side) = (1, 1);
        }
        request.reset(match self.with_bulk && !span.is_alone {
            true => Operation::GetBulk { non_repeaters: 0, max_repetitions: repetitions as i32 },
            false => Operation::GetNext,
        });
        let lone = span.is_alone;
        let fitting = |span: &&mut Span| span.is_idle() && span.is_alone == lone;
        let ids = self
            .spans
            .iter_mut()
            .take(reach)
            .skip(first)
            .filter(fitting)
            .take(side_by_side.clamp(1, MOST_SIDE_BY_SIDE))
            .map(|span| {
                request.push(&span.cursor, Value::Null);
                span.is_asked = true;
                span.id
            })
            .collect();
        Some(About::Spans { ids, repetitions })
    }

    /// Variables that a stretch still has if it is as long as the last column was, and one to see its end.
    fn rest_of(&self, span: &Span) -> Option<usize> {
        let rest = self.rows?.checked_sub(span.found)?;
        usize::try_from(rest).ok()?.checked_add(1)
    }

    /// Hands out whatever is next in order.
    fn hand_out(&mut self, visit: &mut impl FnMut(&VarBind<'_>)) -> Result<Progress, WalkError> {
        let mut name = OidBuf::new();
        while let Some(span) = self.spans.front_mut() {
            if let Some(SpanEnd::Unclear) = span.end {
                span.go_on_from(self.judge.last());
            }
            span.drain(|bind| {
                visit(bind);
                set(&mut name, bind.name);
                if bind.value.is_exception() { Ok(()) } else { self.judge.take(&name) }
            })?;
            match span.end.take() {
                None => return Ok(Progress::More),
                Some(SpanEnd::Walk(end)) => return Ok(Progress::Done(end)),
                Some(SpanEnd::Failed(error)) => return Err(error),
                Some(SpanEnd::Bound | SpanEnd::Unclear) => drop(self.spans.pop_front()),
            }
        }
        Ok(Progress::Done(WalkEnd::LeftSubtree))
    }

    fn released(&mut self, ids: &[u32]) {
        self.each(ids, |span| span.is_asked = false);
    }

    fn finish(&mut self, ids: &[u32], end: &SpanEnd) {
        self.each(ids, |span| span.finish(end.clone()));
    }

    fn each(&mut self, ids: &[u32], what: impl Fn(&mut Span)) {
        self.spans.iter_mut().filter(|span| ids.contains(&span.id)).for_each(what);
    }

    fn new_id(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id = self.next_id.wrapping_add(1);
        id
    }
}

const FIRST_WINDOW: usize = 2;
const LARGEST_WINDOW: usize = 8;
/// Octets of variables that may wait before only the first stretch is asked about.
const MAX_WAITING: usize = 1 << 20;
const MOST_SIDE_BY_SIDE: usize = 32;

#[cfg(test)]
pub(super) mod tests;
