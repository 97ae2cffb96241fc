use std::{
    env, fs,
    os::unix::fs::{PermissionsExt, symlink},
    sync::Arc,
};

use portreeve_crypto::PrivProtocol;
use portreeve_smi::EngineId;

use super::*;
use crate::UsmUser;

/// A temporary directory of the test, removed on drop.
struct TempFolder(PathBuf);

impl TempFolder {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("portreeve-keys-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self) -> PathBuf {
        self.0.join("new").join("keys")
    }

    fn cache(&self) -> Arc<KeyCache> {
        Arc::new(KeyCache::open(&self.file()).unwrap())
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn engine(number: u16) -> EngineId {
    let [high, low] = number.to_be_bytes();
    EngineId::new(&[0x80, 0, 0, 0, 5, 1, high, low]).unwrap()
}

fn user(auth: &str, cache: &Arc<KeyCache>) -> UsmUser {
    let auth = (AuthProtocol::HmacSha96, &Secret::from(auth));
    let privacy = (PrivProtocol::Aes256, &Secret::from("private phrase"));
    UsmUser::with_privacy(b"ops", auth, privacy).unwrap().with_cache(Arc::clone(cache))
}

const PASS_PHRASE: &str = "authentic phrase";

/// Writes a cache that contains the user's keys for engine 1, with the extension that was not
/// requested.
fn filled(folder: &TempFolder) -> LocalizedUser {
    let cache = folder.cache();
    let user = user(PASS_PHRASE, &cache);
    let keys = user.with_other_extension(engine(1), &user.localize(engine(1))).unwrap();
    user.cache_keys(engine(1), &keys);
    cache.save().unwrap();
    keys
}

fn is_known(folder: &TempFolder, keys: &LocalizedUser) -> bool {
    let cache = folder.cache();
    user(PASS_PHRASE, &cache).localize(engine(1)) == *keys
}

#[test]
fn reopened_key_cache_contains_keys_and_only_its_owner_can_access_it() {
    let folder = TempFolder::new("outlive");
    let keys = filled(&folder);
    assert!(is_known(&folder, &keys));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder.file()), mode(folder.file().parent().unwrap())), (0o600, 0o700));
}

#[test]
fn cache_file_contains_neither_names_nor_pass_phrases_nor_engine_ids() {
    let folder = TempFolder::new("contents");
    filled(&folder);
    let text = fs::read_to_string(folder.file()).unwrap();
    for secret in ["ops", PASS_PHRASE, "8000000005", "61757468656e746963"] {
        assert!(!text.contains(secret), "{secret}");
    }
}

#[test]
fn cached_keys_are_found_only_by_their_pass_phrase_and_engine_id() {
    let folder = TempFolder::new("origin");
    let keys = filled(&folder);
    let cache = folder.cache();
    assert!(user("another phrase", &cache).localize(engine(1)) != keys);
    assert!(user(PASS_PHRASE, &cache).localize(engine(2)) != keys);
    // The tag depends on the boundaries between the parts of the origin, and on the file key.
    let key = FileKey::new(vec![7; FileKey::LEN]).unwrap();
    assert_ne!(key.tag(&[b"ab", b"c"]), key.tag(&[b"a", b"bc"]));
    assert_ne!(key.tag(&[b"a"]), FileKey::new(vec![8; FileKey::LEN]).unwrap().tag(&[b"a"]));
}

#[test]
fn damaged_cache_file_is_ignored_and_replaced() {
    let folder = TempFolder::new("damaged");
    let keys = filled(&folder);
    let valid = fs::read(folder.file()).unwrap();
    for at in (0..valid.len()).step_by(7) {
        let mut damaged = valid.clone();
        damaged[at] ^= 1;
        fs::write(folder.file(), &damaged).unwrap();
        assert!(!is_known(&folder, &keys), "octet {at}");
    }
    for damaged in
        [&b""[..], b"portreeve-keys 1 ", &valid[..valid.len() / 2], &[0xff; 400], &vec![b'x'; 1 << 19]]
    {
        fs::write(folder.file(), damaged).unwrap();
        assert!(!is_known(&folder, &keys));
    }
    let keys = filled(&folder);
    assert!(is_known(&folder, &keys));
}

#[test]
fn cache_file_accessible_to_others_or_symlink_is_ignored() {
    let folder = TempFolder::new("mode");
    let keys = filled(&folder);
    for mode in [0o640, 0o604, 0o620, 0o610] {
        fs::set_permissions(folder.file(), fs::Permissions::from_mode(mode)).unwrap();
        assert!(!is_known(&folder, &keys), "{mode:o}");
    }
    fs::set_permissions(folder.file(), fs::Permissions::from_mode(0o600)).unwrap();
    assert!(is_known(&folder, &keys));
    fs::rename(folder.file(), folder.0.join("elsewhere")).unwrap();
    symlink(folder.0.join("elsewhere"), folder.file()).unwrap();
    assert!(!is_known(&folder, &keys));
}

#[test]
fn saving_key_cache_keeps_entries_that_another_cache_has_written() {
    let folder = TempFolder::new("two");
    filled(&folder);
    let (one, other) = (folder.cache(), folder.cache());
    for (cache, number) in [(&one, 2), (&other, 3)] {
        let user = user(PASS_PHRASE, cache);
        user.cache_keys(engine(number), &user.localize(engine(number)));
        cache.save().unwrap();
    }
    assert_eq!(folder.cache().lock().entries.len(), 3);
    assert_eq!(fs::read_dir(folder.file().parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn oldest_cached_keys_are_evicted_at_limit() {
    let folder = TempFolder::new("bound");
    let cache = folder.cache();
    let keys = user(PASS_PHRASE, &cache).localize(engine(0));
    for number in 0..=MAX_ENTRIES as u16 {
        cache.insert(&[&number.to_be_bytes()], &keys);
    }
    cache.save().unwrap();
    let cache = folder.cache();
    assert_eq!(cache.lock().entries.len(), MAX_ENTRIES);
    assert!(cache.find(&[&0u16.to_be_bytes()]).is_none());
    assert!(cache.find(&[&1u16.to_be_bytes()]).is_some());
}

#[test]
fn saving_unchanged_key_cache_does_not_write_the_file() {
    let folder = TempFolder::new("idle");
    folder.cache().save().unwrap();
    assert!(!folder.file().exists());
    let keys = filled(&folder);
    let cache = folder.cache();
    user(PASS_PHRASE, &cache).cache_keys(engine(1), &keys);
    fs::remove_file(folder.file()).unwrap();
    cache.save().unwrap();
    assert!(!folder.file().exists());
}
