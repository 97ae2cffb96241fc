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
                "{} may write everything, including users, access rights and keys, and so can impersonate any user",
                grant.name
            );
            let id = (FindingKind::WriteAll, &*grant.name);
            list.add(
                Severity::Note,
                id,
                grant.location.clone(),
                what,
                "set view to a [[view]] that contains only the objects to be written",
            );
        }
    }
    community_disclosure(input, grants, list);
    members(input, list);
    groups(input, list);
    rules(input, list);
}

/// Reports principals that may read snmpCommunityName, if a community has more rights than they
/// do. They can read the community string, and then use the rights of the community.
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
                (true, _) => (Severity::Critical, format!("write the view {}", community.write)),
                (false, true) => (Severity::Weak, format!("read the view {}", community.read)),
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
                "set view = \"restricted\", or set view to a [[view]] without snmpCommunityMIB",
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
        // If sessions accept v1 and v2c messages, the rights of a session user for these versions
        // are used too.
        let in_sessions = input.lcd.tables().communities_in_sessions && model != SecurityModel::TSM;
        if in_sessions && input.lcd.group(SecurityModel::TSM, &member.key.security_name).is_some() {
            continue;
        }
        if only_sends_notifications(input, member) {
            continue;
        }
        let (what, hint) = match model {
            SecurityModel::USM => (
                format!("{name} has access rights, but no [[user]] has this name"),
                "add a [[user]] with this name",
            ),
            SecurityModel::TSM => (
                format!(
                    "{name} has access rights in sessions, but cannot log in with a key, certificate or password"
                ),
                "add a key to the user's authorized_keys, or add a [[tls.name]] rule",
            ),
            _ => (
                format!("{name} has access rights for {model}, but no [[community]] has this security-name"),
                "add a [[community]] with this security-name",
            ),
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

/// Returns true if the member is the principal of a notification target, and may neither read nor
/// write.
fn only_sends_notifications(input: &AuditInput<'_>, member: &GroupRow) -> bool {
    let tables = input.lcd.tables();
    let is_sender =
        tables.target_params.iter().filter(|row| row.is_active()).any(|row| {
            row.security_model == member.key.model && row.security_name == member.key.security_name
        });
    let mut rights = tables.access.iter().filter(|row| row.key.group_name == member.group_name);
    is_sender && rights.all(|right| right.read_view.is_empty() && right.write_view.is_empty())
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
            let what = format!("the group {group} has access rights, but no members");
            list.add(
                Severity::Note,
                (FindingKind::EmptyGroup, &group),
                MADE_OVER_SNMP,
                what,
                "add members to vacmSecurityToGroupTable, or remove the group from vacmAccessTable",
            );
        }
    }
}

/// Notes if there is no `[[tls.name]]` rule, and notes rules that map certificates to names without
/// rights.
fn rules(input: &AuditInput<'_>, list: &mut Findings) {
    let takes_certificates = input.listens(TransportDomain::Tls) || input.listens(TransportDomain::Dtls);
    let rules: Vec<_> = input.lcd.tables().certificate_rules().collect();
    if takes_certificates && rules.is_empty() {
        let what = "no [[tls.name]] rule maps certificates to securityNames, so no client can connect over TLS or DTLS";
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
            let what = format!(
                "the [[tls.name]] rule {priority} maps a certificate to {subject}, which has no access rights"
            );
            let id = (FindingKind::NoRights, &*subject);
            let location = rule_location(input, rule);
            list.add(Severity::Note, id, location, what, "add a [[session-user]] with this name");
        }
        if *rule.map_type == *SNMP_TLSTM_CERT_COMMON_NAME.oid() && !signs_leaves_only(input, rule) {
            let what = format!(
                "the [[tls.name]] rule {priority} uses the CommonName, which X.509 name constraints do not \
                 restrict: each intermediate authority can issue a certificate with any name"
            );
            let hint =
                "set map to \"san-dns\" or \"san-rfc822\", or use an authority with a path length of 0";
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
const MADE_OVER_SNMP: &str = "row made by SET";
