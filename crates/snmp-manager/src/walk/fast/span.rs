//! One stretch of a walk: from a name to where the next stretch begins.

use portreeve_smi::{OidBuf, Value, ber::Reader};
use portreeve_snmp_message::VarBind;

use crate::{
    request::append,
    walk::{WalkEnd, WalkError},
};

/// Names after a start, up to and with a bound. Stretches side by side find, in their order, what one walk finds,
/// whatever the tree looks like: the bound of each is the start of the next.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub(super) id: u32,
    /// The start, or the last name found.
    pub(super) cursor: OidBuf,
    /// `None` where the walk's own end is the stretch's.
    pub(super) bound: Option<OidBuf>,
    pub(super) found: u64,
    /// A request about it is on its way.
    pub(super) is_requested: bool,
    /// Its start is a guess: no agent has said this name.
    pub(super) is_guess: bool,
    /// Something went wrong when it was asked about along with others: ask about it alone, one variable at a time.
    pub(super) is_isolated: bool,
    pub(super) end: Option<SpanEnd>,
    /// The first of the names that are next to be looked at for columns, and how many there are.
    run: Option<(OidBuf, usize)>,
    /// Encoded variable bindings that wait for their turn.
    buffer: Vec<u8>,
}

#[derive(Clone, Debug)]
pub(super) enum SpanEnd {
    /// The next stretch goes on.
    Bound,
    /// The walk ends here.
    Walk(WalkEnd),
    /// The walk fails here.
    Failed(WalkError),
    /// Nobody can tell before the stretch before it has ended: then the walk goes on from there.
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

    /// A variable of the stretch.
    pub(super) fn push(&mut self, name: &OidBuf, value: &Value<'_>) {
        append(&mut self.buffer, name, value);
    }

    /// It ends, or what it was asked about failed. Only a name that the agent itself has said is asked as in a walk
    /// one by one, so only then is the agent's word final.
    pub(super) fn finish(&mut self, end: SpanEnd) {
        let is_final = !self.is_guess || self.found > 0 || matches!(end, SpanEnd::Bound);
        self.end = Some(if is_final { end } else { SpanEnd::Undecided });
    }

    /// Goes on from what the walk has found before it.
    pub(super) fn resume_from(&mut self, name: &OidBuf) {
        self.cursor.clone_from(name);
        self.is_guess = false;
        self.end = None;
        self.buffer.clear();
    }

    /// The stretch has come to `name`.
    pub(super) fn advance(&mut self, name: &OidBuf) {
        self.found += 1;
        self.cursor.clone_from(name);
        match &mut self.run {
            Some((_, length)) => *length += 1,
            None => self.run = Some((name.clone(), 1)),
        }
    }

    /// The first of at least so many names up to the last one, which are then done with.
    pub(super) fn take_run(&mut self, length: usize) -> Option<OidBuf> {
        self.run.take_if(|run| run.1 >= length).map(|(first, _)| first)
    }

    pub(super) fn octets(&self) -> usize {
        self.buffer.len()
    }

    /// Hands out what waits, in order, until `visit` wants no more.
    pub(super) fn drain<E>(&mut self, mut visit: impl FnMut(&VarBind<'_>) -> Result<(), E>) -> Result<(), E> {
        let mut reader = Reader::new(&self.buffer);
        // The bindings are of our own making.
        while let Ok(bind) = VarBind::parse(&mut reader) {
            visit(&bind)?;
        }
        self.buffer.clear();
        Ok(())
    }
}
