//! Reading: what a response to a GetRequest, GetNextRequest or GetBulkRequest carries (RFC 3416 §4.2.1 to §4.2.3).
//!
//! Variable bindings are appended to the reply as they are found; nothing is collected first.

mod get;
mod get_bulk;
mod get_next;

use portreeve_lcd::{SubtreeVerdict, View};
use portreeve_mib::{Found, Served, Token};
use portreeve_smi::{ErrorStatus, OidBuf, Value, ber::ForwardWriter};
use portreeve_snmp_engine::PduRules;

pub(crate) use get::get;
pub(crate) use get_bulk::get_bulk;
pub(crate) use get_next::get_next;

/// What a request reads from, and under which rules.
pub(crate) struct Scene<'s> {
    /// The objects of the request's context.
    pub(crate) served: &'s mut Served,
    /// The principal's read view.
    pub(crate) view: &'s View,
    /// What the version lets values be.
    pub(crate) rules: PduRules,
    /// How many instances outside the view may still be stepped over.
    pub(crate) steps: usize,
}

/// Why reading ends before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The request is rejected: its status and the variable to blame, counted from 1.
    Rejected(ErrorStatus, usize),
    /// The reply is full.
    Full,
    /// The value of this variable, counted from 1, will be at hand later.
    Later(Token, usize),
}

/// Whether a value was appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Appended {
    /// The instance's value.
    Value,
    /// endOfMibView.
    EndOfMibView,
}

impl Scene<'_> {
    /// Appends the first variable in the view that follows `after`. Scratch for its name is `name`.
    ///
    /// `leaf` is where to start looking: any leaf number that [`Served::first_leaf_after`] could have returned for
    /// this name. It is left at the leaf of what was found.
    fn append_next(
        &mut self,
        variable: usize,
        after: &[u32],
        leaf: &mut usize,
        name: &mut OidBuf,
        reply: &mut ForwardWriter<'_>,
    ) -> Result<Appended, Stop> {
        while let Some(prefix) = self.served.leaf_oid(*leaf) {
            let verdict = self.view.judge_subtree(prefix);
            if verdict != SubtreeVerdict::None
                && self.append_next_in_leaf(variable, after, *leaf, verdict, name, reply)?
            {
                return Ok(Appended::Value);
            }
            *leaf += 1;
        }
        if !self.rules.exceptions {
            //= rfc3584#4.2.2.4-p2
            //= rfc3584#4.2.2.2.2-p1
            return Err(Stop::Rejected(ErrorStatus::NoSuchName, variable));
        }
        reply.var_bind(after, &Value::EndOfMibView).map_err(|_| Stop::Full)?;
        Ok(Appended::EndOfMibView)
    }

    /// As [`Scene::append_next`], in one leaf; `false` where nothing follows there.
    fn append_next_in_leaf(
        &mut self,
        variable: usize,
        after: &[u32],
        leaf: usize,
        verdict: SubtreeVerdict,
        name: &mut OidBuf,
        reply: &mut ForwardWriter<'_>,
    ) -> Result<bool, Stop> {
        let rules = self.rules;
        match self.served.next_in_leaf(leaf, after, name) {
            Found::Value(value) if verdict == SubtreeVerdict::All || self.view.contains(name) => {
                //= rfc3584#4.2.2.4-p1
                if !rules.allow(&value) {
                    return match self.served.leaf_object(leaf) {
                        Some(_) => Ok(false), // an object has one syntax: none of its values can be sent
                        None => self.step_over(variable, leaf, name, reply),
                    };
                }
                reply.var_bind(name, &value).map_err(|_| Stop::Full)?;
                Ok(true)
            }
            Found::Value(_) => self.step_over(variable, leaf, name, reply),
            Found::NoSuchInstance | Found::NoSuchObject => Ok(false),
            Found::Later(token) => Err(Stop::Later(token, variable)),
            Found::Failed => Err(Stop::Rejected(ErrorStatus::GenErr, variable)),
        }
    }

    /// Goes on behind `name`, which is outside the view or cannot be sent, until an instance can be shown.
    fn step_over(
        &mut self,
        variable: usize,
        leaf: usize,
        name: &mut OidBuf,
        reply: &mut ForwardWriter<'_>,
    ) -> Result<bool, Stop> {
        let rules = self.rules;
        let mixed = self.served.leaf_object(leaf).is_none();
        loop {
            self.steps = self.steps.checked_sub(1).ok_or(Stop::Rejected(ErrorStatus::GenErr, variable))?;
            let after = name.clone();
            match self.served.next_in_leaf(leaf, &after, name) {
                Found::Value(_) if !self.view.contains(name) => {}
                Found::Value(value) if rules.allow(&value) => {
                    reply.var_bind(name, &value).map_err(|_| Stop::Full)?;
                    return Ok(true);
                }
                Found::Value(_) if mixed => {}
                Found::Value(_) | Found::NoSuchInstance | Found::NoSuchObject => return Ok(false),
                Found::Later(token) => return Err(Stop::Later(token, variable)),
                Found::Failed => return Err(Stop::Rejected(ErrorStatus::GenErr, variable)),
            }
        }
    }
}

/// Instances outside the view that one request may step over: what a malicious principal may cost us.
pub(crate) const MAX_STEPS: usize = 100_000;
