//! The credentials of messages to a target.

use portreeve_lcd::{Credential, Lcd, TargetParamsRow, UserRow};
use portreeve_smi::{EngineId, MessageProcessingModel, SecurityLevel, SecurityModel};
use portreeve_snmp_engine::security::usm::{are_protocols_allowed, auth_protocol, priv_protocol};
use portreeve_snmp_manager::{Credentials, KeyMaterial, Secret, UsmUser};

use super::{DestinationError, TargetRows};
use crate::NotifierSettings;

/// The engine that is authoritative for a message, to which the user's keys are localized (RFC 3414
/// §1.5.1).
#[derive(Clone, Copy)]
pub(crate) enum Authoritative {
    /// The local engine, for a trap.
    Local(EngineId),
    /// The receiver of an inform, whose engine ID is not known yet.
    Receiver {
        /// The local engine.
        local: EngineId,
    },
}

/// Returns the credentials for messages to a target.
pub(crate) fn credentials(
    lcd: &Lcd,
    rows: &TargetRows,
    settings: &NotifierSettings,
    engine: Authoritative,
) -> Result<Credentials, DestinationError> {
    let community = || {
        let name = rows.community.as_ref().map(|row| row.name.to_vec());
        Secret::new(name.unwrap_or_default())
    };
    let params = &rows.params;
    match (params.mp_model, params.security_model) {
        (MessageProcessingModel::V1, _) => return Ok(Credentials::V1(community())),
        (MessageProcessingModel::V2c, _) => return Ok(Credentials::V2c(community())),
        (MessageProcessingModel::V3, SecurityModel::TSM) => return Ok(Credentials::Transport),
        _ => {}
    }
    let user = usm_user(lcd, params, settings, engine)?;
    match user.limited_to(params.security_level) {
        user if user.level() == params.security_level => Ok(Credentials::V3(user)),
        _ => Err(DestinationError::LevelNotSupported),
    }
}

fn usm_user(
    lcd: &Lcd,
    params: &TargetParamsRow,
    settings: &NotifierSettings,
    engine: Authoritative,
) -> Result<UsmUser, DestinationError> {
    let name = &params.security_name;
    if params.security_level == SecurityLevel::NoAuthNoPriv {
        return Ok(UsmUser::unauthenticated(name));
    }
    if matches!(engine, Authoritative::Receiver { .. })
        && let Some(user) = settings.users.get(&**name)
    {
        return Ok(user.duplicate());
    }
    let users = lcd.tables().users.active();
    let allowed = &lcd.tables().allowed_weaknesses;
    let mut rows = users.filter(|row| row.security_name == *name && are_protocols_allowed(row, allowed));
    let row = match engine {
        Authoritative::Local(local) => rows.find(|row| row.key.engine_id == local),
        // The row of another engine is that of the receiver.
        Authoritative::Receiver { local } => rows.find(|row| row.key.engine_id != local),
    };
    localized_user(row.ok_or(DestinationError::NoUser)?).ok_or(DestinationError::NoUser)
}

fn localized_user(row: &UserRow) -> Option<UsmUser> {
    let auth = row.auth.as_deref()?;
    let privacy = match row.privacy.as_deref() {
        Some(privacy) => Some((priv_protocol(&privacy.protocol)?, key(privacy))),
        None => None,
    };
    UsmUser::with_keys(&row.key.name, (auth_protocol(&auth.protocol)?, key(auth)), privacy).ok()
}

fn key(credential: &Credential) -> KeyMaterial<'_> {
    KeyMaterial::Localized(&credential.key)
}
