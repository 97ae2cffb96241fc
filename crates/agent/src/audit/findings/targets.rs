//! Notification targets: unencrypted notifications, and incomplete targets.

use portreeve_smi::SecurityLevel;

use super::{AuditInput, FindingKind, Findings, Severity};
use crate::audit::targets;

pub(super) fn check(input: &AuditInput<'_>, list: &mut Findings) {
    for target in targets::all(input) {
        let location = target.line.map_or("row made by SET".to_owned(), |line| input.location(line));
        match &target.sender {
            None => {
                let what =
                    format!("the notification target {} refers to parameters that do not exist", target.name);
                list.add(
                    Severity::Note,
                    (FindingKind::IncompleteTarget, &target.name),
                    location,
                    what,
                    "add these parameters to snmpTargetParamsTable, or remove the target from snmpTargetAddrTable",
                );
            }
            Some(sender) if target.is_cleartext && sender.level < SecurityLevel::AuthPriv => {
                let what = format!(
                    "notifications of {} to {} ({} {}) are readable on the network path",
                    sender.name, target.name, target.transport, target.address
                );
                list.add(
                    Severity::Weak,
                    (FindingKind::CleartextTarget, &target.name),
                    location,
                    what,
                    match target.line {
                        Some(_) => "use a `user` with level = \"authPriv\", or ssh, tls or dtls in `to`",
                        None => "set snmpTargetParamsSecurityLevel to authPriv, or use a target over SSH, TLS or DTLS",
                    },
                );
            }
            Some(_) => {}
        }
    }
}
