//! The users of the configuration datastore. Their key schedules are prepared once, not for each
//! message.

use std::{collections::HashMap, sync::Arc};

use portreeve_crypto::{AuthKey, PrivKey};
use portreeve_lcd::{Credential, Lcd, Name, UserRow};
use portreeve_smi::EngineId;

use super::{
    UserKeys, UserLookup,
    protocols::{are_protocols_allowed, auth_protocol, priv_protocol},
};

/// A cache of prepared users, updated with each snapshot of the datastore. Users that have not
/// changed remain prepared.
#[derive(Default)]
pub struct UserCache {
    snapshot: Option<Arc<Lcd>>,
    by_name: HashMap<Name, Vec<CachedUser>>,
}

impl UserCache {
    /// Prepares the users that are new or changed in `lcd`, and removes those that no longer exist.
    pub fn refresh(&mut self, lcd: &Arc<Lcd>) {
        if self.snapshot.as_ref().is_some_and(|snapshot| Arc::ptr_eq(snapshot, lcd)) {
            return;
        }
        let snapshot = self.snapshot.replace(Arc::clone(lcd));
        let (new, allowed) = (lcd.tables(), &lcd.tables().allowed_weaknesses);
        if snapshot.is_some_and(|snapshot| {
            let old = snapshot.tables();
            old.users.is_same(&new.users) && old.allowed_weaknesses == *allowed
        }) {
            return;
        }
        let mut old = std::mem::take(&mut self.by_name);
        for row in new.users.active().filter(|row| are_protocols_allowed(row, allowed)) {
            let kept = old.get_mut(&row.key.name).and_then(|users| {
                let position = users.iter().position(|user| Arc::ptr_eq(&user.row, row))?;
                Some(users.swap_remove(position))
            });
            let Some(prepared) = kept.or_else(|| CachedUser::new(row)) else { continue };
            self.by_name.entry(Arc::clone(&row.key.name)).or_default().push(prepared);
        }
    }
}

impl UserLookup for UserCache {
    fn user(&self, engine_id: &[u8], user_name: &[u8]) -> Option<&Arc<UserKeys>> {
        let candidates = self.by_name.get(user_name)?;
        let user = candidates.iter().find(|user| user.engine_id.as_bytes() == engine_id)?;
        Some(&user.keys)
    }
}

struct CachedUser {
    row: Arc<UserRow>,
    engine_id: EngineId,
    keys: Arc<UserKeys>,
}

impl CachedUser {
    /// Prepares the user in `row`. Returns `None` if the row has an unsupported protocol or an
    /// invalid key. Such a user cannot authenticate.
    fn new(row: &Arc<UserRow>) -> Option<Self> {
        let auth = match &row.auth {
            Some(credential) => Some(auth_key(credential)?),
            None => None,
        };
        let privacy = match &row.privacy {
            Some(credential) => Some(priv_key(credential)?),
            None => None,
        };
        let keys = UserKeys {
            user_name: row.key.name.to_vec(),
            security_name: row.security_name.to_vec(),
            auth,
            privacy,
        };
        Some(Self { row: Arc::clone(row), engine_id: row.key.engine_id, keys: Arc::new(keys) })
    }
}

fn auth_key(credential: &Credential) -> Option<AuthKey> {
    AuthKey::new(auth_protocol(&credential.protocol)?, credential.key.expose()).ok()
}

fn priv_key(credential: &Credential) -> Option<PrivKey> {
    PrivKey::new(priv_protocol(&credential.protocol)?, credential.key.expose()).ok()
}

#[cfg(test)]
mod tests;
