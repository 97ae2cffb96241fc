//! The text of an entry, which contains no community.

use portreeve_mib::{format::OutputFormat, modules::community_mib::SNMP_TRAP_COMMUNITY};
use portreeve_smi::{OidRef, Value, ber::ForwardWriter};
use portreeve_snmp_message::VarBinds;

use crate::{Notification, NotificationKind, Security, write_default_line};

/// Returns the default lines. Another text replaces the community of the message and that of a
/// trap that an agent of SNMPv1 has sent to a proxy, snmpTrapCommunity.
pub(super) fn text(notification: &Notification<'_>, values: &OutputFormat) -> String {
    let mut notification = *notification;
    if let Security::Community(_) = notification.security {
        notification.security = Security::Community(REPLACEMENT);
    }
    let replaced = without_communities(notification.kind.var_binds());
    if let Some((octets, count)) = &replaced {
        notification.kind = with_var_binds(notification.kind, VarBinds::from_validated(octets, *count));
    }
    let mut text = String::new();
    write_default_line(&mut text, &notification, values);
    text
}

/// Returns the encoded variables with other communities, and their number; `None` if there is no
/// community among them.
fn without_communities(var_binds: VarBinds<'_>) -> Option<(Vec<u8>, usize)> {
    let is_community = |name: &OidRef<'_>| name.to_buf().starts_with(SNMP_TRAP_COMMUNITY.arcs());
    if !var_binds.iter().any(|variable| is_community(&variable.name)) {
        return None;
    }
    let mut octets = vec![0; var_binds.encoded().len() + var_binds.len() * MAX_GROWTH];
    let mut writer = ForwardWriter::new(&mut octets);
    let mut count = 0;
    for variable in var_binds.iter() {
        let value =
            if is_community(&variable.name) { Value::OctetString(REPLACEMENT) } else { variable.value };
        // If the buffer were too short, the last variables would be missing.
        if writer.var_bind(&variable.name.to_buf(), &value).is_err() {
            break;
        }
        count += 1;
    }
    let octets = writer.written().to_vec();
    Some((octets, count))
}

fn with_var_binds<'a>(kind: NotificationKind<'a>, var_binds: VarBinds<'a>) -> NotificationKind<'a> {
    match kind {
        NotificationKind::TrapV1(trap) => {
            NotificationKind::TrapV1(portreeve_snmp_message::TrapV1 { var_binds, ..trap })
        }
        NotificationKind::Trap(_) => NotificationKind::Trap(var_binds),
        NotificationKind::Inform(_) => NotificationKind::Inform(var_binds),
    }
}

/// The text instead of a community.
const REPLACEMENT: &[u8] = b"(not shown)";
/// The maximum number of octets by which the replacement and longer headers lengthen a variable.
const MAX_GROWTH: usize = 32;

#[cfg(test)]
mod tests {
    use portreeve_smi::MessageProcessingModel;

    use super::*;
    use crate::samples::{encode, notification, numeric, trap_v1, variables};

    const TRAP_COMMUNITY: &[u32] = &[1, 3, 6, 1, 6, 3, 18, 1, 4, 0];
    const NAME: &[u32] = &[1, 3, 6, 1, 2, 1, 1, 5, 0];

    #[test]
    fn community_of_a_trap_of_v1_is_not_shown() {
        let text = text(&trap_v1(6, 17, 100, VarBinds::default()), &numeric());
        assert!(text.contains("TRAP, SNMP v1, community (not shown)\n"), "{text}");
    }

    #[test]
    fn community_in_a_variable_is_not_shown() {
        let octets = encode(&[
            (TRAP_COMMUNITY, Value::OctetString(b"sesame")),
            (NAME, Value::OctetString(b"router")),
            (TRAP_COMMUNITY, Value::OctetString(b"")),
        ]);
        let hidden = ".1.3.6.1.6.3.18.1.4.0 = STRING: \"(not shown)\"";
        let expected = format!("{hidden}\t.1.3.6.1.2.1.1.5.0 = STRING: router\t{hidden}\n");
        for kind in [NotificationKind::Trap(variables(&octets)), NotificationKind::Inform(variables(&octets))]
        {
            let text = text(&notification(kind, MessageProcessingModel::V2c), &numeric());
            assert!(text.ends_with(&expected), "{text}");
        }
        let text = text(&trap_v1(6, 17, 100, variables(&octets)), &numeric());
        assert!(text.ends_with(&expected) && !text.contains("sesame"), "{text}");
    }
}
