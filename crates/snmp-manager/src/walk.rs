//! Walks visit every variable below a name, even if the agent is faulty or malicious.
//!
//! A [`Walk`] creates one request at a time and checks the responses; a [`FastWalk`] gives the same
//! result with several requests in parallel. Both kinds of walk end at the end of the subtree. They
//! end with an error if the agent's names are out of order (attacks M7, M8 and M10) or loop (M9).
//! An agent can also return increasing names without end (M6). Neither kind of walk stores the
//! variables that it has passed on, so its memory does not grow; a caller that stores them sets
//! [`WalkOptions::max_variables`].

mod fast;
mod order_checker;

use portreeve_smi::{ErrorStatus, Oid, OidBuf, OidRef, Value};
use portreeve_snmp_message::VarBind;

use crate::{Operation, Request, RequestError, Response};
pub use fast::{FastWalk, WalkRequestId};
use order_checker::OrderChecker;

/// A walk of one subtree.
#[derive(Clone, Debug)]
pub struct Walk {
    order_checker: OrderChecker,
    with_bulk: bool,
    max_repetitions: i32,
}

/// The options of a walk.
#[derive(Clone, Debug)]
pub struct WalkOptions {
    /// The number of successors in each GetBulk request; `None` uses GetNext.
    pub max_repetitions: Option<i32>,
    /// The name at which to stop, instead of the end of the subtree.
    pub end: Option<OidBuf>,
    /// True if names that do not increase end the walk with an error.
    pub check_increasing: bool,
    /// The maximum number of variables; `None` for no limit. A walk that reaches it ends with an
    /// error.
    pub max_variables: Option<u64>,
}

impl Default for WalkOptions {
    fn default() -> Self {
        Self { max_repetitions: None, end: None, check_increasing: true, max_variables: None }
    }
}

/// The state of a walk after a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkProgress {
    /// The walk needs more requests.
    More,
    /// The walk is complete.
    Done(WalkEnd),
}

/// The reason why a complete walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkEnd {
    /// The next variable is outside the subtree.
    LeftSubtree,
    /// The agent has no more variables (SNMPv2).
    EndOfMibView,
    /// The agent has no more variables (SNMPv1).
    NoSuchName,
}

/// The reason why a walk failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkError {
    /// A name does not come after the previous one.
    NotIncreasing {
        /// The name before the one at fault.
        previous: Oid,
        /// The name received as its successor.
        found: Oid,
    },
    /// The agent returned a name for the second time.
    Loop {
        /// A name that was received twice.
        name: Oid,
    },
    /// The walk found [`WalkOptions::max_variables`] variables.
    TooManyVariables,
    /// The agent rejected a request with this error-status.
    ErrorStatus(i32),
    /// A request ended without a Response ([`FastWalk`] only).
    Request(RequestError),
}

impl std::fmt::Display for WalkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotIncreasing { previous, found } => {
                write!(f, "the agent's names do not increase: {found:?} does not come after {previous:?}")
            }
            Self::Loop { name } => write!(f, "the agent's names loop: {name:?} was received twice"),
            Self::TooManyVariables => f.write_str("the walk reached the maximum number of variables"),
            Self::Request(error) => error.fmt(f),
            Self::ErrorStatus(status) => write!(f, "the agent responded with error-status {status}"),
        }
    }
}

impl std::error::Error for WalkError {}

impl Walk {
    /// Creates a walk of everything at and below `root`, which has at most 128 arcs.
    pub fn new(root: &[u32], options: WalkOptions) -> Self {
        let with_bulk = options.max_repetitions.is_some();
        let max_repetitions = options.max_repetitions.unwrap_or_default().max(1);
        Self { order_checker: OrderChecker::new(root, options), with_bulk, max_repetitions }
    }

    /// Sets `request` to the next request to send.
    pub fn next_request(&self, request: &mut Request) {
        request.reset(match self.with_bulk {
            true => Operation::GetBulk { non_repeaters: 0, max_repetitions: self.max_repetitions },
            false => Operation::GetNext,
        });
        request.push(self.order_checker.last(), Value::Null);
    }

    /// Processes the response to [`Self::next_request`] and passes each variable of the subtree to
    /// `visit`. This includes a variable whose name is out of order, and the exception at the end.
    ///
    /// # Errors
    /// The agent rejected the request, its names are out of order or loop, or the walk reached its
    /// maximum number of variables.
    pub fn accept(
        &mut self,
        response: &Response,
        mut visit: impl FnMut(&VarBind<'_>),
    ) -> Result<WalkProgress, WalkError> {
        match response.error_status() {
            // A response without space for a single variable is treated as tooBig.
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

    /// Returns the number of variables found.
    pub fn found(&self) -> u64 {
        self.order_checker.found()
    }

    /// Halves the number of repetitions. If the agent returns nothing even for one repetition, the
    /// walk ends.
    fn halve_repetitions(&mut self) -> WalkProgress {
        if self.max_repetitions <= 1 {
            return WalkProgress::Done(WalkEnd::LeftSubtree);
        }
        self.max_repetitions /= 2;
        WalkProgress::More
    }
}

/// Converts a name. It always fits, because both types have the same maximum length.
fn owned(name: &OidBuf) -> Oid {
    Oid::new(name).unwrap_or_default()
}

fn set(name: &mut OidBuf, from: OidRef<'_>) {
    match from {
        // Neither call can fail, because the name has been validated already.
        OidRef::Arcs(arcs) => drop(name.set(arcs)),
        OidRef::Encoded(content) => drop(portreeve_smi::ber::decode_oid(content, name)),
    }
}

#[cfg(test)]
mod tests;
