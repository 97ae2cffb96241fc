//! Rights over NETCONF, and changes by SNMP of the data that it configures.

use portreeve_mib::modules::snmpv2_mib::{SYS_CONTACT, SYS_LOCATION};

use super::{AuditInput, FindingKind, Findings, Grant, Severity};
use crate::{
    audit::{netconf, views},
    yang_modules,
};

pub(super) fn check(input: &AuditInput<'_>, grants: &[Grant], list: &mut Findings) {
    let Some(users) = netconf::all(input) else { return };
    for user in &users {
        if user.is_recovery {
            let what = format!("{} may read and write everything over NETCONF, including secrets", user.name);
            let hint = "remove the user from `recovery` in [netconf] when another user has write access";
            list.add(
                Severity::Note,
                (FindingKind::NetconfRecovery, &user.name),
                input.location(0),
                what,
                hint,
            );
        } else if user.access == "none" && has_rights(grants, &user.name) {
            let what = format!(
                "{} has rights over SNMP, but none over NETCONF, because its views contain less than all objects",
                user.name
            );
            let hint = "set view = \"all\" if the user is to have rights over NETCONF";
            list.add(Severity::Note, (FindingKind::NetconfView, &user.name), input.location(0), what, hint);
        }
    }
    let may_write = |grant: &&Grant| grant.is_by_cleartext_community() && !grant.write.is_empty();
    let by_community: Vec<&Grant> = grants.iter().filter(may_write).collect();
    if by_community.is_empty() {
        return;
    }
    // To find the nodes, the modules of the operator may have to be compiled.
    let mut objects = yang_modules::settable_objects(input.config);
    objects.extend([&SYS_CONTACT, &SYS_LOCATION]);
    for grant in by_community {
        let view = || input.lcd.view(grant.write.as_bytes());
        if objects.iter().any(|object| views::overlaps(view(), object)) {
            let what = format!("the community {} may write data that NETCONF configures", grant.name);
            let hint =
                "remove the write access of the community, or the objects of YANG modules from its view";
            let id = (FindingKind::NetconfDataByCommunity, &*grant.name);
            list.add(Severity::Critical, id, grant.location.clone(), what, hint);
        }
    }
}

/// Returns true if the user may read or write over SNMP in a session.
fn has_rights(grants: &[Grant], name: &str) -> bool {
    grants.iter().any(|grant| grant.name == name && !grant.is_by_community() && !grant.read.is_empty())
}
