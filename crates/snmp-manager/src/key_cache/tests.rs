use std::{
    env, fs,
    os::unix::fs::{PermissionsExt, symlink},
    sync::Arc,
};

use portreeve_crypto::PrivProtocol;
use portreeve_smi::EngineId;

use super::*;
use crate::UsmUser;

/// A folder of the test's own, removed in the end.
struct Folder(PathBuf);

impl Folder {
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

impl Drop for Folder {
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

const PHRASE: &str = "authentic phrase";

/// A file in which the user's keys on engine 1 are, with the other key extension.
fn filled(folder: &Folder) -> LocalizedUser {
    let cache = folder.cache();
    let user = user(PHRASE, &cache);
    let keys = user.extend_otherwise(engine(1), &user.localize(engine(1))).unwrap();
    user.remember(engine(1), &keys);
    cache.save().unwrap();
    keys
}

fn is_known(folder: &Folder, keys: &LocalizedUser) -> bool {
    let cache = folder.cache();
    user(PHRASE, &cache).localize(engine(1)) == *keys
}

#[test]
fn keys_and_their_extension_outlive_the_process() {
    let folder = Folder::new("outlive");
    let keys = filled(&folder);
    assert!(is_known(&folder, &keys));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder.file()), mode(folder.file().parent().unwrap())), (0o600, 0o700));
}

#[test]
fn neither_names_nor_pass_phrases_nor_engines_are_written() {
    let folder = Folder::new("told");
    filled(&folder);
    let text = fs::read_to_string(folder.file()).unwrap();
    for secret in ["ops", PHRASE, "8000000005", "61757468656e746963"] {
        assert!(!text.contains(secret), "{secret}");
    }
}

#[test]
fn keys_are_found_for_what_they_were_made_from_and_nothing_else() {
    let folder = Folder::new("origin");
    let keys = filled(&folder);
    let cache = folder.cache();
    assert!(user("another phrase", &cache).localize(engine(1)) != keys);
    assert!(user(PHRASE, &cache).localize(engine(2)) != keys);
    // Parts do not run into each other.
    let key = FileKey::new(vec![7; FileKey::LEN]).unwrap();
    assert_ne!(key.tag(&[b"ab", b"c"]), key.tag(&[b"a", b"bc"]));
    assert_ne!(key.tag(&[b"a"]), FileKey::new(vec![8; FileKey::LEN]).unwrap().tag(&[b"a"]));
}

#[test]
fn a_damaged_file_is_ignored_and_replaced() {
    let folder = Folder::new("damaged");
    let keys = filled(&folder);
    let good = fs::read(folder.file()).unwrap();
    for at in (0..good.len()).step_by(7) {
        let mut bad = good.clone();
        bad[at] ^= 1;
        fs::write(folder.file(), &bad).unwrap();
        assert!(!is_known(&folder, &keys), "octet {at}");
    }
    for bad in [&b""[..], b"portreeve-keys 1 ", &good[..good.len() / 2], &[0xff; 400], &vec![b'x'; 1 << 19]] {
        fs::write(folder.file(), bad).unwrap();
        assert!(!is_known(&folder, &keys));
    }
    let keys = filled(&folder);
    assert!(is_known(&folder, &keys));
}

#[test]
fn a_file_that_others_can_read_or_that_is_elsewhere_is_ignored() {
    let folder = Folder::new("mode");
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
fn what_two_processes_learn_is_kept_together() {
    let folder = Folder::new("two");
    filled(&folder);
    let (one, other) = (folder.cache(), folder.cache());
    for (cache, number) in [(&one, 2), (&other, 3)] {
        let user = user(PHRASE, cache);
        user.remember(engine(number), &user.localize(engine(number)));
        cache.save().unwrap();
    }
    assert_eq!(folder.cache().kept().entries.len(), 3);
    assert_eq!(fs::read_dir(folder.file().parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn the_oldest_entries_give_way() {
    let folder = Folder::new("bound");
    let cache = folder.cache();
    let keys = user(PHRASE, &cache).localize(engine(0));
    for number in 0..=MOST_ENTRIES as u16 {
        cache.keep(&[&number.to_be_bytes()], &keys);
    }
    cache.save().unwrap();
    let cache = folder.cache();
    assert_eq!(cache.kept().entries.len(), MOST_ENTRIES);
    assert!(cache.find(&[&0u16.to_be_bytes()]).is_none());
    assert!(cache.find(&[&1u16.to_be_bytes()]).is_some());
}

#[test]
fn nothing_is_written_where_nothing_is_new() {
    let folder = Folder::new("idle");
    folder.cache().save().unwrap();
    assert!(!folder.file().exists());
    let keys = filled(&folder);
    let cache = folder.cache();
    user(PHRASE, &cache).remember(engine(1), &keys);
    fs::remove_file(folder.file()).unwrap();
    cache.save().unwrap();
    assert!(!folder.file().exists());
}
