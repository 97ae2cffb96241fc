//! Answers a GetRequest (RFC 3416 §4.2.1).

use portreeve_lcd::SubtreeCoverage;
use portreeve_mib::LookupResult;
use portreeve_smi::{ErrorStatus, OidBuf, Value, ber::ForwardWriter};
use portreeve_snmp_message::VarBinds;

use super::{RetrievalContext, StopReason};

/// Appends the value of each variable, or an exception instead.
pub(crate) fn get(
    context: &mut RetrievalContext<'_>,
    var_binds: VarBinds<'_>,
    reply: &mut ForwardWriter<'_>,
) -> Result<(), StopReason> {
    let rules = context.rules;
    let mut name = OidBuf::new();
    for (position, var_bind) in var_binds.iter().enumerate() {
        let variable = position + 1;
        var_bind.name.decode_into(&mut name);
        let value = look_up(context, &name, variable)?;
        if value.is_exception() && !rules.exceptions {
            //= rfc3584#4.2.2.3-p1
            //= rfc3584#4.2.2.2.1-p1
            return Err(StopReason::Rejected(ErrorStatus::NoSuchName, variable));
        }
        reply.var_bind(&name, &value).map_err(|_| StopReason::Full)?;
    }
    Ok(())
}

fn look_up<'s>(
    context: &'s mut RetrievalContext<'_>,
    name: &[u32],
    variable: usize,
) -> Result<Value<'s>, StopReason> {
    if !context.view.contains(name) {
        return Ok(hidden(context, name));
    }
    let rules = context.rules;
    match context.served.get(name) {
        LookupResult::Value(value) if rules.allows(&value) => Ok(value),
        LookupResult::Value(_) => Ok(Value::NoSuchInstance),
        LookupResult::NoSuchObject => Ok(Value::NoSuchObject),
        LookupResult::NoSuchInstance => Ok(Value::NoSuchInstance),
        LookupResult::Later(token) => Err(StopReason::ValuePending(token, variable)),
        LookupResult::Failed => Err(StopReason::Rejected(ErrorStatus::GenErr, variable)),
    }
}

/// Returns the exception for a variable outside the view. It is the same exception as for a missing
/// variable.
//= rfc3413#3.2-5-p2
fn hidden<'s>(context: &RetrievalContext<'_>, name: &[u32]) -> Value<'s> {
    let leaf = context.served.leaf_of(name).and_then(|leaf| context.served.leaf_oid(leaf));
    match leaf.map(|leaf| context.view.classify_subtree(leaf)) {
        Some(SubtreeCoverage::All | SubtreeCoverage::Mixed) => Value::NoSuchInstance,
        Some(SubtreeCoverage::None) | None => Value::NoSuchObject,
    }
}
