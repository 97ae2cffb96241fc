//! Rights that are wider than they need be, or that nobody has.

use portreeve_config::Lines;
use portreeve_lcd::{GroupRow, StorageType};
use portreeve_mib::modules::tls_tm_mib::SNMP_TLSTM_CERT_SPECIFIED;
use portreeve_smi::{SecurityModel, TransportDomain};

use super::{Evidence, Grant, Kind, List, Weight};
use crate::audit::{proofs, shown, views};

pub(super) fn look(evidence: &Evidence<'_>, grants: &[Grant], list: &mut List) {
    for grant in grants {
        if views::is_everything(evidence.lcd.view(grant.write.as_bytes())) {
            let what = format!(
                "{} may write everything, which includes users, rights and keys: to be {} is to be anybody",
                grant.name, grant.name
            );
            let id = (Kind::WriteAll, &*grant.name);
            list.add(
                Weight::Note,
                id,
                grant.place.clone(),
                what,
                "view = a [[view]] of what is to be changed",
            );
        }
    }
    members(evidence, list);
    groups(evidence, list);
    rules(evidence, list);
}

/// Names that have rights and that nobody can be.
fn members(evidence: &Evidence<'_>, list: &mut List) {
    for member in evidence.lcd.tables().groups.iter().filter(|row| row.is_active()) {
        if !proofs::of(evidence, member).is_empty() {
            continue;
        }
        let (name, model) = (shown(&member.key.security_name), member.key.model);
        // The same name has rights for v1 and v2c where sessions take those.
        let in_sessions = evidence.lcd.tables().communities_in_sessions && model != SecurityModel::TSM;
        if in_sessions && evidence.lcd.group(SecurityModel::TSM, &member.key.security_name).is_some() {
            continue;
        }
        let (what, cure) = match model {
            SecurityModel::USM => {
                (format!("{name} has rights, and is no user"), "make a [[user]] of that name")
            }
            SecurityModel::TSM => (
                format!(
                    "{name} has rights in sessions, and no key, certificate or password leads to that name"
                ),
                "put a key into the user's authorized_keys, or make a [[tls.name]] rule",
            ),
            _ => (
                format!("{name} has rights for {model}, and no community leads to that name"),
                "make a [[community]]",
            ),
        };
        let about = format!("{model}:{name}");
        list.add(Weight::Note, (Kind::Nobody, &about), place(evidence, member), what, cure);
    }
}

/// Rights of groups without members; of the file's, its own warnings tell.
fn groups(evidence: &Evidence<'_>, list: &mut List) {
    let tables = evidence.lcd.tables();
    let made = tables.access.iter().filter(|row| row.is_active() && row.storage != StorageType::ReadOnly);
    for right in made {
        let group = &right.key.group_name;
        if !tables.groups.iter().any(|row| row.is_active() && row.group_name == *group) {
            let group = shown(group);
            let what = format!("the group {group} has rights, and no members");
            list.add(
                Weight::Note,
                (Kind::EmptyGroup, &group),
                MADE,
                what,
                "give it members, or take its rights away",
            );
        }
    }
}

/// Certificates that become nobody.
fn rules(evidence: &Evidence<'_>, list: &mut List) {
    let takes_certificates =
        evidence.listens(TransportDomain::Tls) || evidence.listens(TransportDomain::Dtls);
    let rules: Vec<_> = evidence.lcd.tables().cert_to_names.iter().filter(|row| row.is_active()).collect();
    if takes_certificates && rules.is_empty() {
        let what = "no rule makes a name of any certificate, so nobody gets in over TLS or DTLS";
        let place = evidence.place(evidence.config.lines.tls);
        list.add(Weight::Note, (Kind::NoRule, ""), place, what, "make a [[tls.name]] rule");
    }
    for rule in rules {
        let is_specified = *rule.map_type == *SNMP_TLSTM_CERT_SPECIFIED.oid() || rule.map_type.is_empty();
        if is_specified && evidence.lcd.group(SecurityModel::TSM, &rule.data).is_none() {
            let lines = &evidence.config.lines.tls_names;
            let place = match rule.storage {
                StorageType::ReadOnly => {
                    let found = lines.iter().find(|(priority, _)| *priority == rule.key.priority);
                    evidence.place(found.map_or(0, |(_, line)| *line))
                }
                _ => MADE.to_owned(),
            };
            let what = format!(
                "rule {} makes {} of a certificate, who has no rights",
                rule.key.priority,
                shown(&rule.data)
            );
            let about = shown(&rule.data);
            let id = (Kind::NoRights, &*about);
            list.add(Weight::Note, id, place, what, "make a [[session-user]] of that name");
        }
    }
}

fn place(evidence: &Evidence<'_>, member: &GroupRow) -> String {
    if member.storage != StorageType::ReadOnly {
        return MADE.to_owned();
    }
    let lines = &evidence.config.lines;
    let list = if member.key.model == SecurityModel::USM { &lines.users } else { &lines.session_users };
    let own = Lines::find(list, &member.key.security_name);
    evidence.place(own.or_else(|| Lines::find(&lines.groups, &member.group_name)).unwrap_or_default())
}

/// In place of a line.
const MADE: &str = "made over SNMP";
