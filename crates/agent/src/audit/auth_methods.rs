//! The ways in which a principal can authenticate: community, USM keys, SSH login, certificate.

use portreeve_config::{ConfigLines, Pam, RelayUsers};
use portreeve_lcd::{CertToNameRow, GroupRow, User};
use portreeve_mib::modules::tls_tm_mib::{SNMP_TLSTM_CERT_COMMON_NAME, SNMP_TLSTM_CERT_SPECIFIED};
use portreeve_smi::{SecurityLevel, SecurityModel, TransportDomain};
use portreeve_snmp_engine::security::usm::{are_protocols_allowed, auth_protocol, priv_protocol};

use super::{AuditInput, is_cleartext};
use portreeve_server_credentials::ssh as ssh_keys;

/// A way in which a principal can authenticate.
pub(super) struct AuthMethod {
    pub(super) description: String,
    pub(super) transports: Vec<TransportDomain>,
    /// The minimum security level of this method.
    pub(super) min_level: SecurityLevel,
    /// Line number of the definition; 0 if unknown.
    pub(super) line: usize,
}

/// Returns all ways in which this group member can authenticate; empty if there is none.
pub(super) fn methods_for(input: &AuditInput<'_>, member: &GroupRow) -> Vec<AuthMethod> {
    let name = &*member.key.security_name;
    match member.key.model {
        SecurityModel::USM => user(input, name).into_iter().collect(),
        SecurityModel::TSM => session(input, name),
        SecurityModel::SNMP_V1 | SecurityModel::SNMP_V2C => communities(input, name),
        _ => Vec::new(),
    }
}

fn communities(input: &AuditInput<'_>, name: &[u8]) -> Vec<AuthMethod> {
    let tables = input.lcd.tables();
    let is_usable = |row: &&std::sync::Arc<portreeve_lcd::CommunityRow>| {
        row.is_active() && tables.allowed_weaknesses.allow_community(row)
    };
    let rows = tables.communities.iter().filter(is_usable).filter(|row| *row.security_name == *name);
    let method = |row: &portreeve_lcd::CommunityRow| {
        let index = super::display_escaped(&row.key.index);
        let sources = match input.lcd.targets_tagged(&row.transport_tag).len() {
            _ if row.transport_tag.is_empty() => "from anywhere".to_owned(),
            1 => "from 1 network".to_owned(),
            count => format!("from {count} networks"),
        };
        let number = index.strip_prefix("community-").and_then(|number| number.parse::<usize>().ok());
        let line = number.and_then(|number| input.config.lines.communities.get(number.checked_sub(1)?));
        AuthMethod {
            description: format!("community {index}, {sources}"),
            transports: transports(input, is_cleartext),
            min_level: SecurityLevel::NoAuthNoPriv,
            line: line.copied().unwrap_or_default(),
        }
    };
    let mut methods: Vec<_> = rows.map(|row| method(row)).collect();
    let is_session_user = input.lcd.group(SecurityModel::TSM, name).is_some();
    if tables.communities_in_sessions && is_session_user {
        methods.extend(session(input, name).into_iter().map(|method| AuthMethod {
            description: format!("v1 and v2c in sessions authenticated by {}", method.description),
            min_level: SecurityLevel::NoAuthNoPriv,
            ..method
        }));
    }
    methods
}

fn user(input: &AuditInput<'_>, name: &[u8]) -> Option<AuthMethod> {
    let user = input.lcd.active_user(&input.engine_id, name)?;
    if !are_protocols_allowed(user, &input.lcd.tables().allowed_weaknesses) {
        return None;
    }
    let how = match protocols(user) {
        (None, _) => "USM without keys".to_owned(),
        (Some(auth), None) => format!("USM {auth}"),
        (Some(auth), Some(privacy)) => format!("USM {auth}, {privacy}"),
    };
    let line = ConfigLines::find_line(&input.config.lines.users, name).unwrap_or_default();
    Some(AuthMethod {
        description: how,
        transports: transports(input, |_| true),
        min_level: SecurityLevel::NoAuthNoPriv,
        line,
    })
}

/// Returns the names of a user's authentication and privacy protocols.
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

/// Returns the ways in which a session can authenticate this user.
fn session(input: &AuditInput<'_>, name: &[u8]) -> Vec<AuthMethod> {
    let line = ConfigLines::find_line(&input.config.lines.session_users, name).unwrap_or_default();
    let method = |how, transports| AuthMethod {
        description: how,
        transports,
        min_level: SecurityLevel::AuthPriv,
        line,
    };
    let mut methods = Vec::new();
    if input.listens(TransportDomain::Ssh)
        && let Some(how) = ssh_login(input, name)
    {
        methods.push(method(how, vec![TransportDomain::Ssh]));
    }
    for relay in &input.config.relays {
        if let Some(how) = behind_sshd(&relay.users, name) {
            methods.push(method(how, vec![TransportDomain::Unix]));
        }
    }
    let over_tls =
        transports(input, |transport| matches!(transport, TransportDomain::Tls | TransportDomain::Dtls));
    if !over_tls.is_empty() {
        let rules = input.lcd.tables().certificate_rules();
        methods.extend(rules.filter_map(|row| by_rule(row, name)).map(|how| method(how, over_tls.clone())));
    }
    methods
}

/// Describes the login through sshd if the account may connect to the socket.
fn behind_sshd(users: &RelayUsers, name: &[u8]) -> Option<String> {
    match users {
        RelayUsers::All => Some("login through sshd".to_owned()),
        RelayUsers::Named(names) => {
            names.iter().any(|known| known.as_bytes() == name).then(|| "login through sshd".to_owned())
        }
        RelayUsers::AgentAndRoot => {
            Some("login through sshd, for root and the agent's account only".to_owned())
        }
    }
}

/// Describes the SSH credentials of a user.
fn ssh_login(input: &AuditInput<'_>, name: &[u8]) -> Option<String> {
    let ssh = input.config.ssh.as_ref()?;
    let user = std::str::from_utf8(name).ok()?;
    let keys = ssh_keys::key_files(ssh, input.file).ok().and_then(|files| files.list_keys(user).ok());
    let mut ways = match keys.map_or(0, |keys| keys.len()) {
        0 => Vec::new(),
        1 => vec!["1 SSH key".to_owned()],
        count => vec![format!("{count} SSH keys")],
    };
    if ssh.authorities.is_some() {
        ways.push("SSH certificates".to_owned());
    }
    if ssh.pam.as_ref().is_some_and(Pam::accepts_passwords) {
        ways.push("password verified by PAM".to_owned());
    }
    (!ways.is_empty()).then(|| ways.join(", "))
}

fn by_rule(row: &CertToNameRow, name: &[u8]) -> Option<String> {
    let number = row.key.priority;
    let takes = |identity: &portreeve_mib::Object| *row.map_type == *identity.oid();
    if takes(&SNMP_TLSTM_CERT_SPECIFIED) || row.map_type.is_empty() {
        return (*row.data == *name).then(|| format!("certificate mapped by [[tls.name]] rule {number}"));
    }
    // The agent does not know the certificates that an authority has issued, so the text names only
    // the field that must contain the name.
    let field = if takes(&SNMP_TLSTM_CERT_COMMON_NAME) { "CommonName" } else { "subjectAltName" };
    Some(format!("certificate with this name as {field} ([[tls.name]] rule {number})"))
}

fn transports(input: &AuditInput<'_>, wanted: impl Fn(TransportDomain) -> bool) -> Vec<TransportDomain> {
    let mut found = Vec::new();
    for listener in &input.config.listeners {
        if wanted(listener.transport) && !found.contains(&listener.transport) {
            found.push(listener.transport);
        }
    }
    found
}
