//! The cache of derived keys, so that later commands need not derive them again.

use std::{path::PathBuf, sync::Arc};

use portreeve_snmp_manager::{Credentials, KeyCache};

use crate::environment::Variable;

/// The user's key cache, if this command needs it.
pub(super) struct SavedKeys(Option<Arc<KeyCache>>);

impl SavedKeys {
    /// Attaches the cache to `credentials`, unless `no_cache` is set or no key is derived from a
    /// pass phrase.
    pub(super) fn attach(credentials: Credentials, no_cache: bool) -> (Self, Credentials) {
        let user = match credentials {
            Credentials::V3(user) if !no_cache => user,
            other => return (Self(None), other),
        };
        let cache =
            user.derives_keys().then(cache_file).flatten().and_then(|path| KeyCache::open(&path).ok());
        match cache.map(Arc::new) {
            Some(cache) => (Self(Some(Arc::clone(&cache))), Credentials::V3(user.with_cache(cache))),
            None => (Self(None), Credentials::V3(user)),
        }
    }

    /// Writes newly derived keys to the cache file. Errors are ignored; the next command then
    /// derives the keys again.
    pub(super) fn save(&self) {
        if let Some(cache) = &self.0 {
            let _ = cache.save();
        }
    }
}

/// Returns the path of the cache according to the XDG base directory specification.
fn cache_file() -> Option<PathBuf> {
    let from_home = || Some(PathBuf::from(Variable::Home.value()?).join(".cache"));
    let cache_home = Variable::CacheHome.value().map(PathBuf::from).filter(|dir| dir.is_absolute());
    Some(cache_home.or_else(from_home)?.join("portreeve").join("keys"))
}
