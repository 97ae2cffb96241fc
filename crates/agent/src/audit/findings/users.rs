//! USM's users: algorithms that have grown weak, and users that can do nothing.

use portreeve_config::Lines;
use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_lcd::{StorageType, UserRow};
use portreeve_smi::SecurityModel;
use portreeve_snmp_engine::security::usm::{auth_protocol, priv_protocol};

use super::{Evidence, Grant, Kind, List, Weight};
use crate::audit::shown;

pub(super) fn look(evidence: &Evidence<'_>, _: &[Grant], list: &mut List) {
    let users = evidence.lcd.tables().users.iter().filter(|row| row.is_active());
    for user in users.filter(|row| row.key.engine_id == evidence.engine_id) {
        let place = place(evidence, user);
        let name = shown(&user.key.name);
        let auth = user.auth.as_ref().and_then(|credential| auth_protocol(&credential.protocol));
        if let Some(weak @ (AuthProtocol::HmacMd5_96 | AuthProtocol::HmacSha96)) = auth {
            let what = format!("{name} signs with {weak}, from which no new key should be made");
            list.add(Weight::Weak, (Kind::WeakSigning, &name), place.clone(), what, "auth = \"SHA-256\"");
        }
        let privacy = user.privacy.as_ref().and_then(|credential| priv_protocol(&credential.protocol));
        if let Some(weak @ (PrivProtocol::Des | PrivProtocol::TripleDes)) = privacy {
            let what = format!("{name} encrypts with {weak}, which can be broken");
            list.add(Weight::Weak, (Kind::WeakEncryption, &name), place.clone(), what, "priv = \"AES\"");
        }
        // Of the file's users this is told by its own warnings.
        let is_made = user.storage != StorageType::ReadOnly;
        if is_made && evidence.lcd.group(SecurityModel::USM, &user.security_name).is_none() {
            let what = format!("the user {name} has no rights");
            let id = (Kind::NoRights, &*name);
            list.add(Weight::Note, id, place, what, "give it `access`, or take it away");
        }
    }
}

fn place(evidence: &Evidence<'_>, user: &UserRow) -> String {
    match user.storage {
        StorageType::ReadOnly => {
            evidence.place(Lines::find(&evidence.config.lines.users, &user.key.name).unwrap_or_default())
        }
        _ => "made over SNMP".to_owned(),
    }
}
