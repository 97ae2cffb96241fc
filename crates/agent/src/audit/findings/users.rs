//! USM users: weak protocols, and users without rights.

use portreeve_config::ConfigLines;
use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_lcd::{StorageType, UserRow};
use portreeve_smi::SecurityModel;
use portreeve_snmp_engine::security::usm::{auth_protocol, priv_protocol};

use super::{AuditInput, FindingKind, Findings, Grant, Severity};
use crate::audit::display_escaped;

pub(super) fn check(input: &AuditInput<'_>, _: &[Grant], list: &mut Findings) {
    let users = input.lcd.tables().users.iter().filter(|row| row.is_active());
    let mut users: Vec<_> = users.filter(|row| row.key.engine_id == input.engine_id).collect();
    users.sort_by_key(|row| &row.key.name);
    for user in users {
        let location = location(input, user);
        let name = display_escaped(&user.key.name);
        let auth = user.auth.as_ref().and_then(|credential| auth_protocol(&credential.protocol));
        if let Some(weak @ (AuthProtocol::HmacMd5_96 | AuthProtocol::HmacSha96)) = auth {
            let what = format!("{name} authenticates with {weak}, which is no longer recommended");
            list.add(
                Severity::Weak,
                (FindingKind::WeakAuthentication, &name),
                location.clone(),
                what,
                "set auth = \"SHA-256\" in the [[user]]",
            );
        }
        let privacy = user.privacy.as_ref().and_then(|credential| priv_protocol(&credential.protocol));
        if let Some(weak @ (PrivProtocol::Des | PrivProtocol::TripleDes)) = privacy {
            let what = format!("{name} encrypts with {weak}, which can be broken");
            list.add(
                Severity::Weak,
                (FindingKind::WeakEncryption, &name),
                location.clone(),
                what,
                "set priv = \"AES\" in the [[user]]",
            );
        }
        // For users of the file, the configuration warnings report this.
        let is_made_over_snmp = user.storage != StorageType::ReadOnly;
        if is_made_over_snmp && input.lcd.group(SecurityModel::USM, &user.security_name).is_none() {
            let what = format!("the user {name} has no access rights");
            let id = (FindingKind::NoRights, &*name);
            list.add(
                Severity::Note,
                id,
                location,
                what,
                "add the user to a group in vacmSecurityToGroupTable, or remove the user",
            );
        }
    }
}

fn location(input: &AuditInput<'_>, user: &UserRow) -> String {
    match user.storage {
        StorageType::ReadOnly => input
            .location(ConfigLines::find_line(&input.config.lines.users, &user.key.name).unwrap_or_default()),
        _ => "row made by SET".to_owned(),
    }
}
