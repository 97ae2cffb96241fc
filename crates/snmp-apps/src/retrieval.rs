//! Retrieval: the content of responses to GetRequest, GetNextRequest and GetBulkRequest (RFC 3416
//! §4.2.1 to §4.2.3).
//!
//! Variable bindings are appended to the reply as they are found, without an intermediate list.

mod get;
mod get_bulk;
mod get_next;

use portreeve_lcd::{SubtreeCoverage, View};
use portreeve_mib::{LookupResult, LookupToken, ServedObjects};
use portreeve_smi::{ErrorStatus, OidBuf, Value, ber::ForwardWriter};
use portreeve_snmp_engine::PduRules;

pub(crate) use get::get;
pub(crate) use get_bulk::get_bulk;
pub(crate) use get_next::get_next;

/// The objects that a request reads, and the rules for it.
pub(crate) struct RetrievalContext<'s> {
    /// The objects of the request's context.
    pub(crate) served: &'s mut ServedObjects,
    /// The principal's read view.
    pub(crate) view: &'s View,
    /// The types of values that the SNMP version allows.
    pub(crate) rules: PduRules,
    /// The number of instances outside the view that may still be skipped.
    pub(crate) steps_left: usize,
}

/// The reason why retrieval stops early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopReason {
    /// The request is rejected with this error-status and error-index.
    Rejected(ErrorStatus, usize),
    /// The reply has no room for another variable.
    Full,
    /// The value of this variable, counted from 1, is not available yet.
    ValuePending(LookupToken, usize),
}

/// The kind of binding that was appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Appended {
    /// A binding with a value.
    Value,
    /// A binding with the exception endOfMibView.
    EndOfMibView,
}

impl RetrievalContext<'_> {
    /// Appends the first variable in the view after `after`. `name` is scratch space for its name.
    ///
    /// The search starts at `leaf`. This is the result of [`ServedObjects::first_leaf_after`] for
    /// `after`, or the leaf that the previous call for the same variable returned. `leaf` is set to
    /// the leaf of the appended variable.
    fn append_next(
        &mut self,
        variable: usize,
        after: &[u32],
        leaf: &mut usize,
        name: &mut OidBuf,
        reply: &mut ForwardWriter<'_>,
    ) -> Result<Appended, StopReason> {
        while let Some(prefix) = self.served.leaf_oid(*leaf) {
            let verdict = self.view.classify_subtree(prefix);
            if verdict != SubtreeCoverage::None
                && self.append_next_in_leaf(variable, after, *leaf, verdict, name, reply)?
            {
                return Ok(Appended::Value);
            }
            *leaf += 1;
        }
        if !self.rules.exceptions {
            //= rfc3584#4.2.2.4-p2
            //= rfc3584#4.2.2.2.2-p1
            return Err(StopReason::Rejected(ErrorStatus::NoSuchName, variable));
        }
        reply.var_bind(after, &Value::EndOfMibView).map_err(|_| StopReason::Full)?;
        Ok(Appended::EndOfMibView)
    }

    /// Like [`RetrievalContext::append_next`], but in one leaf. Returns `false` if the leaf has no
    /// further variable.
    fn append_next_in_leaf(
        &mut self,
        variable: usize,
        after: &[u32],
        leaf: usize,
        verdict: SubtreeCoverage,
        name: &mut OidBuf,
        reply: &mut ForwardWriter<'_>,
    ) -> Result<bool, StopReason> {
        let rules = self.rules;
        match self.served.next_in_leaf(leaf, after, name) {
            LookupResult::Value(value) if verdict == SubtreeCoverage::All || self.view.contains(name) => {
                //= rfc3584#4.2.2.4-p1
                if !rules.allows(&value) {
                    return match self.served.leaf_object(leaf) {
                        Some(_) => Ok(false), // all values of an object have the same type, so no value of this leaf can be sent
                        None => self.step_over(variable, leaf, name, reply),
                    };
                }
                reply.var_bind(name, &value).map_err(|_| StopReason::Full)?;
                Ok(true)
            }
            LookupResult::Value(_) => self.step_over(variable, leaf, name, reply),
            LookupResult::NoSuchInstance | LookupResult::NoSuchObject => Ok(false),
            LookupResult::Later(token) => Err(StopReason::ValuePending(token, variable)),
            LookupResult::Failed => Err(StopReason::Rejected(ErrorStatus::GenErr, variable)),
        }
    }

    /// Skips instances after `name`, which is outside the view or cannot be sent, until an instance
    /// can be appended.
    fn step_over(
        &mut self,
        variable: usize,
        leaf: usize,
        name: &mut OidBuf,
        reply: &mut ForwardWriter<'_>,
    ) -> Result<bool, StopReason> {
        let rules = self.rules;
        let mixed = self.served.leaf_object(leaf).is_none();
        loop {
            self.steps_left =
                self.steps_left.checked_sub(1).ok_or(StopReason::Rejected(ErrorStatus::GenErr, variable))?;
            let after = name.clone();
            match self.served.next_in_leaf(leaf, &after, name) {
                LookupResult::Value(_) if !self.view.contains(name) => {}
                LookupResult::Value(value) if rules.allows(&value) => {
                    reply.var_bind(name, &value).map_err(|_| StopReason::Full)?;
                    return Ok(true);
                }
                LookupResult::Value(_) if mixed => {}
                LookupResult::Value(_) | LookupResult::NoSuchInstance | LookupResult::NoSuchObject => {
                    return Ok(false);
                }
                LookupResult::Later(token) => return Err(StopReason::ValuePending(token, variable)),
                LookupResult::Failed => return Err(StopReason::Rejected(ErrorStatus::GenErr, variable)),
            }
        }
    }
}

/// The maximum number of instances outside the view that one request may skip. It limits the cost
/// of a malicious request.
pub(crate) const MAX_STEPS: usize = 100_000;
