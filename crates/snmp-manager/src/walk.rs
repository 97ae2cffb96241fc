//! Visiting every variable below a name, request by request, against agents that may be wrong or lie.
//!
//! A [`Walk`] says what to ask next and judges what came; a [`FastWalk`] finds the same with several questions at once.
//! Both end where the subtree ends, and with an error where an
//! agent answers out of order (M7, M8), in a loop (M9) or without end (M6, M10).

mod fast;
mod order_checker;

use portreeve_smi::{ErrorStatus, Oid, OidBuf, OidRef, Value};
use portreeve_snmp_message::VarBind;

use crate::{Operation, Request, RequestError, Response};
pub use fast::{FastWalk, WalkRequestId};
use order_checker::OrderChecker;

/// A walk through one subtree.
#[derive(Clone, Debug)]
pub struct Walk {
    order_checker: OrderChecker,
    with_bulk: bool,
    max_repetitions: i32,
}

/// How to walk.
#[derive(Clone, Debug)]
pub struct WalkOptions {
    /// Successors to ask for at once; `None` asks with GetNext, one at a time.
    pub max_repetitions: Option<i32>,
    /// A name at which to stop instead of the end of the subtree.
    pub end: Option<OidBuf>,
    /// Whether names that do not increase end the walk.
    pub check_increasing: bool,
    /// How many variables are taken before the agent is held to be endless.
    pub max_variables: u64,
}

impl Default for WalkOptions {
    fn default() -> Self {
        Self { max_repetitions: None, end: None, check_increasing: true, max_variables: MAX_VARIABLES }
    }
}

/// What a response meant for a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkProgress {
    /// There is more to ask.
    More,
    /// All is visited.
    Done(WalkEnd),
}

/// How a walk ended well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkEnd {
    /// The next variable lies outside.
    LeftSubtree,
    /// The agent has nothing more to show (SNMPv2).
    EndOfMibView,
    /// The agent has nothing more to show (SNMPv1).
    NoSuchName,
}

/// Why a walk ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkError {
    /// A name did not come after the one before.
    NotIncreasing {
        /// The name before.
        previous: Oid,
        /// What came as its successor.
        found: Oid,
    },
    /// The names repeat.
    Loop {
        /// A name that came twice.
        name: Oid,
    },
    /// More variables than [`WalkOptions::max_variables`].
    TooManyVariables,
    /// The agent rejected a request with this error-status.
    ErrorStatus(i32),
    /// A request ended without an answer ([`FastWalk`] only).
    Request(RequestError),
}

impl std::fmt::Display for WalkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotIncreasing { previous, found } => {
                write!(f, "the agent's names do not increase: {found:?} does not come after {previous:?}")
            }
            Self::Loop { name } => write!(f, "the agent goes round in a loop: {name:?} came twice"),
            Self::TooManyVariables => f.write_str("the agent goes on without end"),
            Self::Request(error) => error.fmt(f),
            Self::ErrorStatus(status) => write!(f, "the agent answered with error-status {status}"),
        }
    }
}

impl std::error::Error for WalkError {}

impl Walk {
    /// A walk of everything at and below `root`, at most 128 arcs.
    pub fn new(root: &[u32], options: WalkOptions) -> Self {
        let with_bulk = options.max_repetitions.is_some();
        let max_repetitions = options.max_repetitions.unwrap_or_default().max(1);
        Self { order_checker: OrderChecker::new(root, options), with_bulk, max_repetitions }
    }

    /// Makes `request` the one to send next.
    pub fn next_request(&self, request: &mut Request) {
        request.reset(match self.with_bulk {
            true => Operation::GetBulk { non_repeaters: 0, max_repetitions: self.max_repetitions },
            false => Operation::GetNext,
        });
        request.push(self.order_checker.last(), Value::Null);
    }

    /// Takes the answer to [`Self::next_request`] in and hands each variable of the subtree to `visit`, a name that is
    /// out of order and the exception at the end included.
    pub fn accept(
        &mut self,
        response: &Response,
        mut visit: impl FnMut(&VarBind<'_>),
    ) -> Result<WalkProgress, WalkError> {
        match response.error_status() {
            // An answer that had no room for a single variable is as good as tooBig.
            Some(ErrorStatus::NoError) if response.var_binds().is_empty() => {
                return Ok(self.halve_repetitions());
            }
            Some(ErrorStatus::NoError) => {}
            Some(ErrorStatus::NoSuchName) => return Ok(WalkProgress::Done(WalkEnd::NoSuchName)),
            Some(ErrorStatus::TooBig) if self.max_repetitions > 1 => return Ok(self.halve_repetitions()),
            _ => return Err(WalkError::ErrorStatus(response.error_status_number())),
        }
        let mut name = OidBuf::new();
        for bind in response.var_binds().iter() {
            set(&mut name, bind.name);
            if self.order_checker.is_past(&name) {
                return Ok(WalkProgress::Done(WalkEnd::LeftSubtree));
            }
            visit(&bind);
            if bind.value.is_exception() {
                return Ok(WalkProgress::Done(WalkEnd::EndOfMibView));
            }
            self.order_checker.take(&name)?;
        }
        Ok(WalkProgress::More)
    }

    /// How many variables were found.
    pub fn found(&self) -> u64 {
        self.order_checker.found()
    }

    /// Halves the repetitions; an agent that has nothing to say to one has nothing to say at all.
    fn halve_repetitions(&mut self) -> WalkProgress {
        if self.max_repetitions <= 1 {
            return WalkProgress::Done(WalkEnd::LeftSubtree);
        }
        self.max_repetitions /= 2;
        WalkProgress::More
    }
}

/// Both kinds of identifier have the same bound.
fn owned(name: &OidBuf) -> Oid {
    Oid::new(name).unwrap_or_default()
}

fn set(name: &mut OidBuf, from: OidRef<'_>) {
    match from {
        // Both forms are bounded and validated.
        OidRef::Arcs(arcs) => drop(name.set(arcs)),
        OidRef::Encoded(content) => drop(portreeve_smi::ber::decode_oid(content, name)),
    }
}

const MAX_VARIABLES: u64 = 500_000;

#[cfg(test)]
mod tests;
