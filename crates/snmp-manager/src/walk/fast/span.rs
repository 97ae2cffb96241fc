//! One span of a walk: from a name to the start of the next span.

use portreeve_smi::{OidBuf, Value, ber::Reader};
use portreeve_snmp_message::VarBind;

use crate::{
    request::append,
    walk::{WalkEnd, WalkError},
};

/// The names after a start, up to and including a bound. The bound of each span is the start of the
/// next, so all spans together find the same variables as one sequential walk, for any tree.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub(super) id: u32,
    /// The start of the span, or the last name found in it.
    pub(super) cursor: OidBuf,
    /// The last name of the span; `None` if the span ends with the walk.
    pub(super) bound: Option<OidBuf>,
    pub(super) found: u64,
    /// True while a request for the span is in flight.
    pub(super) is_requested: bool,
    /// True if the start of the span is a guess and not a name from the agent.
    pub(super) is_guess: bool,
    /// True after an error in a request for several spans: the span is then requested alone, one
    /// variable at a time.
    pub(super) is_isolated: bool,
    pub(super) end: Option<SpanEnd>,
    /// The run of names in which to look for columns: its first name and its length.
    run: Option<(OidBuf, usize)>,
    /// Encoded variable bindings that are not passed on before the previous spans have ended.
    buffer: Vec<u8>,
}

#[derive(Clone, Debug)]
pub(super) enum SpanEnd {
    /// The span ends at its bound, and the next span follows.
    Bound,
    /// The walk ends in this span.
    Walk(WalkEnd),
    /// The walk fails in this span.
    Failed(WalkError),
    /// The end is unknown until the previous span has ended. The walk then resumes from there.
    Undecided,
}

impl Span {
    pub(super) fn new(id: u32, start: OidBuf, bound: Option<OidBuf>) -> Self {
        Self {
            id,
            cursor: start,
            bound,
            found: 0,
            is_requested: false,
            is_guess: false,
            is_isolated: false,
            end: None,
            run: None,
            buffer: Vec::new(),
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        !self.is_requested && self.end.is_none()
    }

    pub(super) fn is_beyond(&self, name: &[u32]) -> bool {
        self.bound.as_ref().is_some_and(|bound| name > &**bound)
    }

    /// Buffers a variable that was found in the span.
    pub(super) fn push(&mut self, name: &OidBuf, value: &Value<'_>) {
        append(&mut self.buffer, name, value);
    }

    /// Ends the span, normally or with an error. If the start of the span is a guess and nothing
    /// was found, the end remains undecided: a sequential walk would not have sent this request.
    pub(super) fn finish(&mut self, end: SpanEnd) {
        let is_final = !self.is_guess || self.found > 0 || matches!(end, SpanEnd::Bound);
        self.end = Some(if is_final { end } else { SpanEnd::Undecided });
    }

    /// Resumes after the last name that the walk found before this span.
    pub(super) fn resume_from(&mut self, name: &OidBuf) {
        self.cursor.clone_from(name);
        self.is_guess = false;
        self.end = None;
        self.buffer.clear();
    }

    /// Records `name` as found; the next request continues after it.
    pub(super) fn advance(&mut self, name: &OidBuf) {
        self.found += 1;
        self.cursor.clone_from(name);
        match &mut self.run {
            Some((_, length)) => *length += 1,
            None => self.run = Some((name.clone(), 1)),
        }
    }

    /// Takes the first name of the current run if the run has at least `length` names.
    pub(super) fn take_run(&mut self, length: usize) -> Option<OidBuf> {
        self.run.take_if(|run| run.1 >= length).map(|(first, _)| first)
    }

    pub(super) fn octets(&self) -> usize {
        self.buffer.len()
    }

    /// Passes buffered variables to `visit`, in order, until it returns an error.
    pub(super) fn drain<E>(&mut self, mut visit: impl FnMut(&VarBind<'_>) -> Result<(), E>) -> Result<(), E> {
        let mut reader = Reader::new(&self.buffer);
        // Parsing cannot fail, because this span encoded the bindings.
        while let Ok(bind) = VarBind::parse(&mut reader) {
            visit(&bind)?;
        }
        self.buffer.clear();
        Ok(())
    }
}
