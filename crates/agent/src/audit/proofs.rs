//! How somebody proves to be who is meant: a community, keys of USM, an SSH login, a certificate.

use portreeve_config::{Lines, RelayUsers};
use portreeve_lcd::{CertToNameRow, GroupRow, User};
use portreeve_mib::modules::tls_tm_mib::{SNMP_TLSTM_CERT_COMMON_NAME, SNMP_TLSTM_CERT_SPECIFIED};
use portreeve_smi::{SecurityLevel, SecurityModel, TransportDomain};
use portreeve_snmp_engine::security::usm::{auth_protocol, priv_protocol};

use super::{Evidence, is_clear};
use crate::ssh_keys;

/// A way to be somebody.
pub(super) struct Proof {
    pub(super) how: String,
    pub(super) through: Vec<TransportDomain>,
    /// The least level at which the way can be gone.
    pub(super) least: SecurityLevel,
    /// Where it is written; 0 where that is not known.
    pub(super) line: usize,
}

/// All ways to be this member; none where nobody can be.
pub(super) fn of(evidence: &Evidence<'_>, member: &GroupRow) -> Vec<Proof> {
    let name = &*member.key.security_name;
    match member.key.model {
        SecurityModel::USM => user(evidence, name).into_iter().collect(),
        SecurityModel::TSM => session(evidence, name),
        SecurityModel::SNMP_V1 | SecurityModel::SNMP_V2C => communities(evidence, name),
        _ => Vec::new(),
    }
}

fn communities(evidence: &Evidence<'_>, name: &[u8]) -> Vec<Proof> {
    let tables = evidence.lcd.tables();
    let rows = tables.communities.iter().filter(|row| row.is_active() && *row.security_name == *name);
    let proof = |row: &portreeve_lcd::CommunityRow| {
        let index = super::shown(&row.key.index);
        let sources = match evidence.lcd.targets_tagged(&row.transport_tag).len() {
            _ if row.transport_tag.is_empty() => "from anywhere".to_owned(),
            1 => "from 1 network".to_owned(),
            count => format!("from {count} networks"),
        };
        let number = index.strip_prefix("community-").and_then(|number| number.parse::<usize>().ok());
        let line = number.and_then(|number| evidence.config.lines.communities.get(number.checked_sub(1)?));
        Proof {
            how: format!("community {index}, {sources}"),
            through: transports(evidence, is_clear),
            least: SecurityLevel::NoAuthNoPriv,
            line: line.copied().unwrap_or_default(),
        }
    };
    let mut proofs: Vec<_> = rows.map(|row| proof(row)).collect();
    let is_session_user = evidence.lcd.group(SecurityModel::TSM, name).is_some();
    if tables.communities_in_sessions && is_session_user {
        proofs.extend(session(evidence, name).into_iter().map(|proof| Proof {
            how: format!("v1 and v2c in sessions by {}", proof.how),
            least: SecurityLevel::NoAuthNoPriv,
            ..proof
        }));
    }
    proofs
}

fn user(evidence: &Evidence<'_>, name: &[u8]) -> Option<Proof> {
    let user = evidence.lcd.active_user(&evidence.engine_id, name)?;
    let how = match protocols(user) {
        (None, _) => "USM without keys".to_owned(),
        (Some(auth), None) => format!("USM {auth}"),
        (Some(auth), Some(privacy)) => format!("USM {auth}, {privacy}"),
    };
    let line = Lines::find(&evidence.config.lines.users, name).unwrap_or_default();
    Some(Proof { how, through: transports(evidence, |_| true), least: SecurityLevel::NoAuthNoPriv, line })
}

/// What a user's messages are protected by.
pub(super) fn protocols(user: &User) -> (Option<String>, Option<String>) {
    let unknown = || "an unknown protocol".to_owned();
    let auth = user.auth.as_ref().map(|credential| {
        auth_protocol(&credential.protocol).map_or_else(unknown, |protocol| protocol.to_string())
    });
    let privacy = user.privacy.as_ref().map(|credential| {
        priv_protocol(&credential.protocol).map_or_else(unknown, |protocol| protocol.to_string())
    });
    (auth, privacy)
}

/// Somebody whom a session proves.
fn session(evidence: &Evidence<'_>, name: &[u8]) -> Vec<Proof> {
    let line = Lines::find(&evidence.config.lines.session_users, name).unwrap_or_default();
    let proof = |how, through| Proof { how, through, least: SecurityLevel::AuthPriv, line };
    let mut proofs = Vec::new();
    if evidence.listens(TransportDomain::Ssh)
        && let Some(how) = ssh_login(evidence, name)
    {
        proofs.push(proof(how, vec![TransportDomain::Ssh]));
    }
    for relay in &evidence.config.relays {
        if let Some(how) = behind_sshd(&relay.users, name) {
            proofs.push(proof(how, vec![TransportDomain::Unix]));
        }
    }
    let over_tls =
        transports(evidence, |transport| matches!(transport, TransportDomain::Tls | TransportDomain::Dtls));
    if !over_tls.is_empty() {
        let rules = evidence.lcd.tables().cert_to_names.iter().filter(|row| row.is_active());
        proofs.extend(rules.filter_map(|row| by_rule(row, name)).map(|how| proof(how, over_tls.clone())));
    }
    proofs
}

/// Whether an account that sshd has let in is let in here too.
fn behind_sshd(users: &RelayUsers, name: &[u8]) -> Option<String> {
    match users {
        RelayUsers::All => Some("sshd's login".to_owned()),
        RelayUsers::Named(names) => {
            names.iter().any(|known| known.as_bytes() == name).then(|| "sshd's login".to_owned())
        }
        RelayUsers::Ours => Some("sshd's login, if that is the agent's account".to_owned()),
    }
}

/// By which of a user's keys, certificates or passwords.
fn ssh_login(evidence: &Evidence<'_>, name: &[u8]) -> Option<String> {
    let ssh = evidence.config.ssh.as_ref()?;
    let user = std::str::from_utf8(name).ok()?;
    let keys = ssh_keys::key_files(ssh, evidence.file).ok().and_then(|files| files.listed(user).ok());
    let mut ways = match keys.map_or(0, |keys| keys.len()) {
        0 => Vec::new(),
        1 => vec!["1 SSH key".to_owned()],
        count => vec![format!("{count} SSH keys")],
    };
    if ssh.authorities.is_some() {
        ways.push("SSH certificates".to_owned());
    }
    if ssh.pam.is_some() {
        ways.push("password by PAM".to_owned());
    }
    (!ways.is_empty()).then(|| ways.join(", "))
}

fn by_rule(row: &CertToNameRow, name: &[u8]) -> Option<String> {
    let number = row.key.priority;
    let takes = |identity: &portreeve_mib::Object| *row.map_type == *identity.oid();
    if takes(&SNMP_TLSTM_CERT_SPECIFIED) || row.map_type.is_empty() {
        return (*row.data == *name).then(|| format!("certificate by rule {number}"));
    }
    // Whether there is such a certificate, only its authority knows.
    let field = if takes(&SNMP_TLSTM_CERT_COMMON_NAME) { "CommonName" } else { "subjectAltName" };
    Some(format!("certificate with that {field}, rule {number}"))
}

fn transports(evidence: &Evidence<'_>, wanted: impl Fn(TransportDomain) -> bool) -> Vec<TransportDomain> {
    let mut found = Vec::new();
    for listener in &evidence.config.listeners {
        if wanted(listener.transport) && !found.contains(&listener.transport) {
            found.push(listener.transport);
        }
    }
    found
}
