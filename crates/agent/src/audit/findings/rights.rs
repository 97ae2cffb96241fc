//! Rights that are broader than necessary, or that no principal can use.

use portreeve_channel::Fingerprint;
use portreeve_config::ConfigLines;
use portreeve_lcd::{CertToNameRow, GroupRow, StorageType};
use portreeve_mib::modules::{
    community_mib::SNMP_COMMUNITY_NAME,
    tls_tm_mib::{SNMP_TLSTM_CERT_COMMON_NAME, SNMP_TLSTM_CERT_SPECIFIED},
};
use portreeve_smi::{SecurityModel, TransportDomain};
use portreeve_x509::CertificateSummary;

use super::{AuditInput, FindingKind, Findings, Grant, Severity};
use crate::audit::{auth_methods, display_escaped, views};

pub(super) fn check(input: &AuditInput<'_>, grants: &[Grant], list: &mut Findings) {
    for grant in grants {
        if views::is_everything(input.lcd.view(grant.write.as_bytes())) {
            let what = format!(
                "{} may write everything, including users, rights and keys, and so can impersonate any user",
                grant.name
            );
            let id = (FindingKind::WriteAll, &*grant.name);
            list.add(
                Severity::Note,
                id,
                grant.location.clone(),
                what,
                "set view to a [[view]] of the objects to write",
            );
        }
    }
    community_disclosure(input, grants, list);
    members(input, list);
    groups(input, list);
    rules(input, list);
}

/// Reports principals that may read snmpCommunityName while a community has more rights than they
/// have: reading a community string is enough to use its rights.
fn community_disclosure(input: &AuditInput<'_>, grants: &[Grant], list: &mut Findings) {
    let everything = |view: &str| views::is_everything(input.lcd.view(view.as_bytes()));
    let reads_communities =
        |grant: &&Grant| views::overlaps(input.lcd.view(grant.read.as_bytes()), &SNMP_COMMUNITY_NAME);
    for reader in grants.iter().filter(reads_communities) {
        for community in grants.iter().filter(|grant| grant.is_by_cleartext_community()) {
            if community.name == reader.name && community.models == reader.models {
                continue;
            }
            let writes_more =
                !community.write.is_empty() && community.write != reader.write && !everything(&reader.write);
            let reads_more = everything(&community.read) && !everything(&reader.read);
            let (severity, right) = match (writes_more, reads_more) {
                (true, _) => (Severity::Critical, format!("write {}", community.write)),
                (false, true) => (Severity::Weak, format!("read {}", community.read)),
                (false, false) => continue,
            };
            let what = format!(
                "{} may read the community string of {}, and use it to {right}",
                reader.name, community.name
            );
            list.add(
                severity,
                (FindingKind::CommunityDisclosure, &reader.name),
                reader.location.clone(),
                what,
                "view = \"restricted\", or a [[view]] without snmpCommunityMIB",
            );
        }
    }
}

/// Notes group members that cannot authenticate.
fn members(input: &AuditInput<'_>, list: &mut Findings) {
    for member in input.lcd.tables().groups.iter().filter(|row| row.is_active()) {
        if !auth_methods::methods_for(input, member).is_empty() {
            continue;
        }
        let (name, model) = (display_escaped(&member.key.security_name), member.key.model);
        // If sessions accept v1 and v2c, the name of a session user has rights for these versions
        // too.
        let in_sessions = input.lcd.tables().communities_in_sessions && model != SecurityModel::TSM;
        if in_sessions && input.lcd.group(SecurityModel::TSM, &member.key.security_name).is_some() {
            continue;
        }
        let (what, hint) = match model {
            SecurityModel::USM => {
                (format!("{name} has rights, but is not a user"), "add a [[user]] with that name")
            }
            SecurityModel::TSM => (
                format!(
                    "{name} has rights in sessions, but no key, certificate or password authenticates it"
                ),
                "add a key to the user's authorized_keys, or add a [[tls.name]] rule",
            ),
            _ => {
                (format!("{name} has rights for {model}, but no community maps to it"), "add a [[community]]")
            }
        };
        let subject = format!("{model}:{name}");
        list.add(
            Severity::Note,
            (FindingKind::UnreachableRights, &subject),
            location(input, member),
            what,
            hint,
        );
    }
}

/// Notes groups that have rights, but no members. For groups of the file, the configuration
/// warnings report this.
fn groups(input: &AuditInput<'_>, list: &mut Findings) {
    let tables = input.lcd.tables();
    let made = tables.access.iter().filter(|row| row.is_active() && row.storage != StorageType::ReadOnly);
    for right in made {
        let group = &right.key.group_name;
        if !tables.groups.iter().any(|row| row.is_active() && row.group_name == *group) {
            let group = display_escaped(group);
            let what = format!("group {group} has rights, but no members");
            list.add(
                Severity::Note,
                (FindingKind::EmptyGroup, &group),
                MADE_OVER_SNMP,
                what,
                "add members, or remove its rights",
            );
        }
    }
}

/// Notes missing rules, and rules that map certificates to names without rights.
fn rules(input: &AuditInput<'_>, list: &mut Findings) {
    let takes_certificates = input.listens(TransportDomain::Tls) || input.listens(TransportDomain::Dtls);
    let rules: Vec<_> = input.lcd.tables().certificate_rules().collect();
    if takes_certificates && rules.is_empty() {
        let what = "no rule maps certificates to names, so no client can connect over TLS or DTLS";
        let location = input.location(input.config.lines.tls);
        list.add(
            Severity::Note,
            (FindingKind::NoCertificateRule, ""),
            location,
            what,
            "add a [[tls.name]] rule",
        );
    }
    for rule in rules {
        let priority = rule.key.priority;
        let is_specified = *rule.map_type == *SNMP_TLSTM_CERT_SPECIFIED.oid() || rule.map_type.is_empty();
        if is_specified && input.lcd.group(SecurityModel::TSM, &rule.data).is_none() {
            let subject = display_escaped(&rule.data);
            let what = format!("rule {priority} maps a certificate to {subject}, which has no rights");
            let id = (FindingKind::NoRights, &*subject);
            let location = rule_location(input, rule);
            list.add(Severity::Note, id, location, what, "add a [[session-user]] with that name");
        }
        if *rule.map_type == *SNMP_TLSTM_CERT_COMMON_NAME.oid() && !signs_leaves_only(input, rule) {
            let what = format!(
                "rule {priority} takes names from the CommonName, which X.509 name constraints do not restrict: \
                 each authority below the trusted one can sign every name"
            );
            let hint = "map = \"san-dns\" or \"san-rfc822\", or an authority with a path length of 0";
            let subject = priority.to_string();
            list.add(
                Severity::Note,
                (FindingKind::CommonNameRule, &subject),
                rule_location(input, rule),
                what,
                hint,
            );
        }
    }
}

/// Returns true if the rule refers to a configured authority that may not sign other authorities.
fn signs_leaves_only(input: &AuditInput<'_>, rule: &CertToNameRow) -> bool {
    let authorities = input.config.tls.iter().flat_map(|tls| &tls.authorities);
    let files =
        authorities.filter_map(|named| CertificateSummary::read_file(&input.resolve(&named.path)).ok());
    let referred = Fingerprint::from_octets(&rule.fingerprint).ok();
    files
        .flatten()
        .any(|authority| Some(&authority.fingerprint) == referred.as_ref() && !authority.signs_authorities)
}

fn rule_location(input: &AuditInput<'_>, rule: &CertToNameRow) -> String {
    if rule.storage != StorageType::ReadOnly {
        return MADE_OVER_SNMP.to_owned();
    }
    let found = input.config.lines.tls_names.iter().find(|(priority, _)| *priority == rule.key.priority);
    input.location(found.map_or(0, |(_, line)| *line))
}

fn location(input: &AuditInput<'_>, member: &GroupRow) -> String {
    if member.storage != StorageType::ReadOnly {
        return MADE_OVER_SNMP.to_owned();
    }
    let lines = &input.config.lines;
    let list = if member.key.model == SecurityModel::USM { &lines.users } else { &lines.session_users };
    let own = ConfigLines::find_line(list, &member.key.security_name);
    input.location(
        own.or_else(|| ConfigLines::find_line(&lines.groups, &member.group_name)).unwrap_or_default(),
    )
}

/// Replaces the line number of rows made by SET.
const MADE_OVER_SNMP: &str = "made over SNMP";
