//! GetNextRequest (RFC 3416 §4.2.2).

use portreeve_smi::{OidBuf, ber::ForwardWriter};
use portreeve_snmp_message::VarBinds;

use super::{Scene, Stop};

/// Appends, for each variable, the one that follows it.
pub(crate) fn get_next(
    scene: &mut Scene<'_>,
    var_binds: VarBinds<'_>,
    reply: &mut ForwardWriter<'_>,
) -> Result<(), Stop> {
    let (mut after, mut name) = (OidBuf::new(), OidBuf::new());
    for (position, var_bind) in var_binds.iter().enumerate() {
        var_bind.name.decode_into(&mut after);
        let mut leaf = scene.served.first_leaf_after(&after);
        scene.append_next(position + 1, &after, &mut leaf, &mut name, reply)?;
    }
    Ok(())
}
