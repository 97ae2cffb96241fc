//! Notifications that can be read on the way, and targets that lack something.

use portreeve_smi::SecurityLevel;

use super::{Evidence, Kind, List, Weight};
use crate::audit::targets;

pub(super) fn look(evidence: &Evidence<'_>, list: &mut List) {
    for target in targets::all(evidence) {
        let place = "made over SNMP";
        match &target.sender {
            None => {
                let what = format!("the target {} names parameters that do not exist", target.name);
                list.add(
                    Weight::Note,
                    (Kind::LooseTarget, &target.name),
                    place,
                    what,
                    "make its row of snmpTargetParamsTable, or take the target away",
                );
            }
            Some(sender) if target.is_clear && sender.level < SecurityLevel::AuthPriv => {
                let what = format!(
                    "notifications of {} to {} ({} {}) can be read on the way",
                    sender.name, target.name, target.transport, target.address
                );
                list.add(
                    Weight::Weak,
                    (Kind::ClearTarget, &target.name),
                    place,
                    what,
                    "snmpTargetParamsSecurityLevel authPriv, or a target over SSH, TLS or DTLS",
                );
            }
            Some(_) => {}
        }
    }
}
