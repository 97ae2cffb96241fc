//! GetRequest (RFC 3416 §4.2.1).

use portreeve_lcd::SubtreeVerdict;
use portreeve_mib::Found;
use portreeve_smi::{ErrorStatus, OidBuf, Value, ber::ForwardWriter};
use portreeve_snmp_message::VarBinds;

use super::{Scene, Stop};

/// Appends the value of each variable, or what stands in its place.
pub(crate) fn get(
    scene: &mut Scene<'_>,
    var_binds: VarBinds<'_>,
    reply: &mut ForwardWriter<'_>,
) -> Result<(), Stop> {
    let rules = scene.rules;
    let mut name = OidBuf::new();
    for (position, var_bind) in var_binds.iter().enumerate() {
        let variable = position + 1;
        var_bind.name.decode_into(&mut name);
        let value = look_up(scene, &name, variable)?;
        if value.is_exception() && !rules.exceptions {
            //= rfc3584#4.2.2.3-p1
            //= rfc3584#4.2.2.2.1-p1
            return Err(Stop::Rejected(ErrorStatus::NoSuchName, variable));
        }
        reply.var_bind(&name, &value).map_err(|_| Stop::Full)?;
    }
    Ok(())
}

fn look_up<'s>(scene: &'s mut Scene<'_>, name: &[u32], variable: usize) -> Result<Value<'s>, Stop> {
    if !scene.view.contains(name) {
        return Ok(hidden(scene, name));
    }
    let rules = scene.rules;
    match scene.served.get(name) {
        Found::Value(value) if rules.allow(&value) => Ok(value),
        Found::Value(_) => Ok(Value::NoSuchInstance),
        Found::NoSuchObject => Ok(Value::NoSuchObject),
        Found::NoSuchInstance => Ok(Value::NoSuchInstance),
        Found::Later(token) => Err(Stop::Later(token, variable)),
        Found::Failed => Err(Stop::Rejected(ErrorStatus::GenErr, variable)),
    }
}

/// What a variable outside the view looks like: as if it were not there, and no different from one that is not.
//= rfc3413#3.2-5-p2
fn hidden<'s>(scene: &Scene<'_>, name: &[u32]) -> Value<'s> {
    let leaf = scene.served.leaf_of(name).and_then(|leaf| scene.served.leaf_oid(leaf));
    match leaf.map(|leaf| scene.view.judge_subtree(leaf)) {
        Some(SubtreeVerdict::All | SubtreeVerdict::Mixed) => Value::NoSuchInstance,
        Some(SubtreeVerdict::None) | None => Value::NoSuchObject,
    }
}
