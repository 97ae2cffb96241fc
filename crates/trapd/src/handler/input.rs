//! The standard input of a handler: the layout of Net-SNMP's `traphandle`.

use portreeve_mib::format::OutputFormat;
use portreeve_smi::ber::{BufferFullError, ForwardWriter};
use portreeve_snmp_apps::{NotificationV2, TranslationError};
use portreeve_snmp_message::{TrapV1, VarBinds, encoded_names};

use crate::{Notification, NotificationKind, Security};

/// Returns the input of a handler: a line with the host name of the sender, a line with the
/// addresses, and a line with name and value of each variable. A trap of SNMPv1 has the variables
/// of SNMPv2, with its address, its community and its enterprise at the end (RFC 3584 §3.1).
///
/// Names and values have the form of `values`, without types.
///
/// # Errors
/// [`TranslationError`] if a trap of SNMPv1 cannot be represented in SNMPv2.
pub fn handler_input(
    notification: &Notification<'_>,
    values: &OutputFormat,
) -> Result<String, TranslationError> {
    let values = OutputFormat { quick: true, value_only: false, ..*values };
    let mut input = format!("{}\n{}\n", notification.source.host, notification.source.addresses);
    match &notification.kind {
        NotificationKind::Trap(var_binds) | NotificationKind::Inform(var_binds) => {
            push_variables(&mut input, *var_binds, &values);
        }
        NotificationKind::TrapV1(trap) => {
            let community = match notification.security {
                Security::Community(community) => community,
                Security::User { .. } => &[],
            };
            let octets = translated(trap, community)?;
            let count = encoded_names(&octets).count();
            push_variables(&mut input, VarBinds::from_validated(&octets, count), &values);
        }
    }
    Ok(input)
}

fn push_variables(input: &mut String, var_binds: VarBinds<'_>, values: &OutputFormat) {
    for bind in var_binds.iter() {
        values.variable(input, &bind.name.to_buf(), &bind.value);
        input.push('\n');
    }
}

/// Returns the encoded variables of a trap of SNMPv1 in SNMPv2.
pub(crate) fn translated(trap: &TrapV1<'_>, community: &[u8]) -> Result<Vec<u8>, TranslationError> {
    let notification = NotificationV2::from_trap_v1(trap, Some(community))?;
    let mut octets = vec![0; trap.var_binds.encoded().len() + community.len() + INITIAL_ROOM];
    loop {
        let mut writer = ForwardWriter::new(&mut octets);
        match notification.append(&mut writer) {
            Ok(()) => {
                let length = writer.len();
                octets.truncate(length);
                return Ok(octets);
            }
            Err(BufferFullError) => octets.resize(octets.len() * 2, 0),
        }
    }
}

/// Room for the variables that are added to those of a trap.
const INITIAL_ROOM: usize = 256;

#[cfg(test)]
mod tests;
