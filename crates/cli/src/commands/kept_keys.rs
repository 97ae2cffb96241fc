//! Keys that were made by an earlier command are not made again.

use std::{path::PathBuf, sync::Arc};

use portreeve_snmp_manager::{Credentials, KeyCache};

use crate::environment::Variable;

/// The user's file of keys, as far as this command needs one.
pub(super) struct KeptKeys(Option<Arc<KeyCache>>);

impl KeptKeys {
    /// Lets `credentials` use the file unless `--no-cache` forbids; a command that uses no pass phrase needs none.
    pub(super) fn lend(credentials: Credentials, forbidden: bool) -> (Self, Credentials) {
        let user = match credentials {
            Credentials::V3(user) if !forbidden => user,
            other => return (Self(None), other),
        };
        let cache = user.derives_keys().then(path).flatten().and_then(|path| KeyCache::open(&path).ok());
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
fn path() -> Option<PathBuf> {
    let from_home = || Some(PathBuf::from(Variable::Home.value()?).join(".cache"));
    let folder = Variable::CacheHome.value().map(PathBuf::from).filter(|folder| folder.is_absolute());
    Some(folder.or_else(from_home)?.join("portreeve").join("keys"))
}
