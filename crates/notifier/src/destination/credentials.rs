//! The credentials of messages to a target.

use portreeve_lcd::{Credential, Lcd, TargetParamsRow, UserRow};
use portreeve_smi::{EngineId, MessageProcessingModel, SecurityLevel, SecurityModel};
use portreeve_snmp_engine::security::usm::{are_protocols_allowed, auth_protocol, priv_protocol};
use portreeve_snmp_manager::{
    Credentials, KeyMaterial, LocalizedUsers, Secret, Session, SessionOptions, UsmUser,
};

use super::{DestinationError, TargetRows};
use crate::NotifierSettings;

/// The credentials of informs to a target. The receiver is authoritative for them, and its engine
/// ID is not known before it is discovered (RFC 3414 §1.5.1).
pub(crate) enum InformCredentials {
    /// The credentials for any receiver.
    Any(Credentials),
    /// The keys of the rows of usmUserTable, each for the receiver with its engine ID.
    Localized(LocalizedUsers),
}

impl InformCredentials {
    /// Creates a session for informs.
    pub(crate) fn session(self, options: &SessionOptions, seed: u64) -> Session {
        match self {
            Self::Any(credentials) => Session::new(credentials, options, seed),
            Self::Localized(users) => Session::with_localized_users(users, options, seed),
        }
    }
}

/// Returns the credentials for traps to a target. The engine `local` is authoritative for them.
pub(crate) fn trap_credentials(
    lcd: &Lcd,
    rows: &TargetRows,
    local: EngineId,
) -> Result<Credentials, DestinationError> {
    if let Some(credentials) = without_keys(rows) {
        return Ok(credentials);
    }
    let params = &rows.params;
    let row = user_rows(lcd, params).find(|row| row.key.engine_id == local);
    let user = row.and_then(localized_user).ok_or(DestinationError::NoUser)?;
    at_level(user, params).map(Credentials::V3)
}

/// Returns the credentials for informs to a target. The engine `local` is not that of a receiver.
pub(crate) fn inform_credentials(
    lcd: &Lcd,
    rows: &TargetRows,
    settings: &NotifierSettings,
    local: EngineId,
) -> Result<InformCredentials, DestinationError> {
    if let Some(credentials) = without_keys(rows) {
        return Ok(InformCredentials::Any(credentials));
    }
    let params = &rows.params;
    if let Some(user) = settings.users.get(&*params.security_name) {
        return at_level(user.duplicate(), params).map(|user| InformCredentials::Any(Credentials::V3(user)));
    }
    let mut users = LocalizedUsers::new(&params.security_name, params.security_level);
    let mut exists = false;
    for row in user_rows(lcd, params) {
        exists = true;
        if row.key.engine_id != local
            && let Some(user) = localized_user(row)
        {
            users.insert(row.key.engine_id, user);
        }
    }
    // Without a row for the receiver, the session finds out which engine ID the row must have.
    if exists { Ok(InformCredentials::Localized(users)) } else { Err(DestinationError::NoUser) }
}

/// Returns the credentials if they contain no keys: a community, a session that authenticates the
/// sender, or a user at noAuthNoPriv.
fn without_keys(rows: &TargetRows) -> Option<Credentials> {
    let community = || {
        let name = rows.community.as_ref().map(|row| row.name.to_vec());
        Secret::new(name.unwrap_or_default())
    };
    let params = &rows.params;
    match (params.mp_model, params.security_model) {
        (MessageProcessingModel::V1, _) => Some(Credentials::V1(community())),
        (MessageProcessingModel::V2c, _) => Some(Credentials::V2c(community())),
        (MessageProcessingModel::V3, SecurityModel::TSM) => Some(Credentials::Transport),
        _ if params.security_level == SecurityLevel::NoAuthNoPriv => {
            Some(Credentials::V3(UsmUser::unauthenticated(&params.security_name)))
        }
        _ => None,
    }
}

fn at_level(user: UsmUser, params: &TargetParamsRow) -> Result<UsmUser, DestinationError> {
    let user = user.limited_to(params.security_level);
    if user.level() == params.security_level { Ok(user) } else { Err(DestinationError::LevelNotSupported) }
}

/// Returns the usable rows of usmUserTable with the securityName of the target, of all engines.
fn user_rows<'l>(lcd: &'l Lcd, params: &'l TargetParamsRow) -> impl Iterator<Item = &'l UserRow> {
    let allowed = &lcd.tables().allowed_weaknesses;
    let is_usable = move |row: &&UserRow| {
        row.security_name == params.security_name && are_protocols_allowed(row, allowed)
    };
    lcd.tables().users.active().map(|row| &**row).filter(is_usable)
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
