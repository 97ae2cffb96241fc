//! Keys that were made by an earlier command are not made again.

use std::{path::PathBuf, sync::Arc};

use portreeve_snmp_manager::{Credentials, KeyCache};

use crate::environment::Variable;

/// The user's file of keys, as far as this command needs one.
pub(super) struct SavedKeys(Option<Arc<KeyCache>>);

impl SavedKeys {
    /// Lets `credentials` use the file unless `--no-cache` forbids; a command that uses no pass phrase needs none.
    pub(super) fn attach(credentials: Credentials, forbidden: bool) -> (Self, Credentials) {
        let user = match credentials {
            Credentials::V3(user) if !forbidden => user,
            other => return (Self(None), other),
        };
        let cache =
            user.derives_keys().then(cache_file).flatten().and_then(|path| KeyCache::open(&path).ok());
        match cache.map(Arc::new) {
            Some(cache) => (Self(Some(Arc::clone(&cache))), Credentials::V3(user.with_cache(cache))),
            None => (Self(None), Credentials::V3(user)),
        }
    }

    /// Writes what is new. Where that cannot be, the next command makes the keys again; nobody need be told.
    pub(super) fn save(&self) {
        if let Some(cache) = &self.0 {
            let _ = cache.save();
        }
    }
}

/// Where the XDG base directory specification puts it.
fn cache_file() -> Option<PathBuf> {
    let from_home = || Some(PathBuf::from(Variable::Home.value()?).join(".cache"));
    let folder = Variable::CacheHome.value().map(PathBuf::from).filter(|folder| folder.is_absolute());
    Some(folder.or_else(from_home)?.join("portreeve").join("keys"))
}
