//! Answers a GetNextRequest (RFC 3416 §4.2.2).

use portreeve_smi::{OidBuf, ber::ForwardWriter};
use portreeve_snmp_message::VarBinds;

use super::{RetrievalContext, StopReason};

/// Appends the successor of each variable.
pub(crate) fn get_next(
    context: &mut RetrievalContext<'_>,
    var_binds: VarBinds<'_>,
    reply: &mut ForwardWriter<'_>,
) -> Result<(), StopReason> {
    let (mut after, mut name) = (OidBuf::new(), OidBuf::new());
    for (position, var_bind) in var_binds.iter().enumerate() {
        var_bind.name.decode_into(&mut after);
        let mut leaf = context.served.first_leaf_after(&after);
        context.append_next(position + 1, &after, &mut leaf, &mut name, reply)?;
    }
    Ok(())
}
