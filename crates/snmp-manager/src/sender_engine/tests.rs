use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    sync::atomic::{AtomicU64, Ordering},
};

use super::*;

/// A directory that is removed when the value is dropped, with the path of a file in it.
struct TestFile(PathBuf);

impl TestFile {
    fn new(test: &str) -> Self {
        let directory = std::env::temp_dir().join(format!("portreeve-sender-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&directory);
        Self(directory)
    }

    fn path(&self) -> PathBuf {
        self.0.join("state/sender-engine")
    }

    fn clock(&self, wall_time: u64) -> (u32, u32) {
        let clock = SenderEngine::read(&self.path(), || wall_time).unwrap().clock;
        (clock.boots.get(), clock.time)
    }

    fn error(&self) -> String {
        let error = SenderEngine::read(&self.path(), || 1000).unwrap_err().to_string();
        error.replace(&self.path().display().to_string(), "FILE")
    }
}

impl Drop for TestFile {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn engine_id_is_random_and_stays_the_same() {
    let (file, other) = (TestFile::new("id"), TestFile::new("other-id"));
    let engine_id = SenderEngine::read(&file.path(), || 1000).unwrap().engine_id;
    assert_eq!(SenderEngine::read(&file.path(), || 2000).unwrap().engine_id, engine_id);
    assert_ne!(SenderEngine::read(&other.path(), || 1000).unwrap().engine_id, engine_id);
    assert_eq!(fs::metadata(file.path()).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn engine_id_is_read_without_a_reading_of_the_clock() {
    let file = TestFile::new("id-alone");
    let engine_id = SenderEngine::read_engine_id(&file.path(), || 1000).unwrap();
    let text = fs::read_to_string(file.path()).unwrap();
    assert_eq!(SenderEngine::read_engine_id(&file.path(), || 2000).unwrap(), engine_id);
    assert_eq!(fs::read_to_string(file.path()).unwrap(), text);
    fs::write(file.path(), "damaged").unwrap();
    assert!(SenderEngine::read_engine_id(&file.path(), || 2000).is_err());
}

#[test]
fn clock_follows_the_wall_clock_and_boots_increase_if_it_steps_back() {
    let file = TestFile::new("clock");
    assert_eq!(file.clock(1000), (1, 0));
    assert_eq!(file.clock(1000), (1, 0));
    assert_eq!(file.clock(1600), (1, 600));
    assert_eq!(file.clock(1539), (2, 0));
    assert_eq!(file.clock(1600), (2, 61));
    assert_eq!(file.clock(1), (3, 0));
}

#[test]
fn reading_stays_the_same_until_a_corrected_wall_clock_has_caught_up() {
    let file = TestFile::new("correction");
    assert_eq!(file.clock(1000), (1, 0));
    assert_eq!(file.clock(1600), (1, 600));
    assert_eq!(file.clock(1540), (1, 600));
    assert_eq!(file.clock(1599), (1, 600));
    assert_eq!(file.clock(1601), (1, 601));
}

#[test]
fn boots_increase_before_the_time_exceeds_its_maximum() {
    let file = TestFile::new("maximum");
    assert_eq!(file.clock(1000), (1, 0));
    assert_eq!(file.clock(1000 + MAX_TIME), (1, 0x7fff_ffff));
    assert_eq!(file.clock(1001 + MAX_TIME), (2, 0));
}

#[test]
fn reading_is_in_the_file_before_it_is_used() {
    let file = TestFile::new("durable");
    file.clock(1000);
    file.clock(1234);
    let text = fs::read_to_string(file.path()).unwrap();
    assert!(text.ends_with("boots 1\nzero 1000\nlast 1234\n"), "{text}");
}

#[test]
fn damaged_file_is_refused_and_kept() {
    let file = TestFile::new("damaged");
    file.clock(1000);
    let text = fs::read_to_string(file.path()).unwrap();
    let line = text.lines().next().unwrap();
    let too_many_boots = text.replace("boots 1", "boots 2147483648");
    let backwards = text.replace("zero 1000", "zero 1001");
    let mut damaged: Vec<_> = (0..text.len()).map(|end| text[..end].to_owned()).collect();
    damaged.extend([text.clone() + "x\n", text.replace(line, "engine-id 12"), too_many_boots, backwards]);
    for damaged in damaged {
        fs::write(file.path(), &damaged).unwrap();
        assert!(file.error().starts_with("FILE: damaged: expected the lines"), "{damaged:?}");
        assert_eq!(fs::read_to_string(file.path()).unwrap(), damaged);
    }
}

#[test]
fn file_that_others_can_access_and_links_are_refused() {
    let file = TestFile::new("private");
    file.clock(1000);
    fs::set_permissions(file.path(), fs::Permissions::from_mode(0o640)).unwrap();
    let expected = "FILE: not a file of yours that other users cannot access: set its mode to 600";
    assert_eq!(file.error(), expected);
    let target = file.path().with_extension("target");
    fs::rename(file.path(), &target).unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&target, file.path()).unwrap();
    assert_eq!(file.error(), expected);
}

#[test]
fn simultaneous_senders_have_one_engine_id_and_ordered_readings() {
    let file = TestFile::new("simultaneous");
    let wall_time = AtomicU64::new(1000);
    let read = || SenderEngine::read(&file.path(), || wall_time.fetch_add(1, Ordering::Relaxed)).unwrap();
    let all = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| [read(), read()])).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(all.iter().all(|engine| engine.engine_id == all[0].engine_id));
    // Each reading has the boots of the first, and a time of its own.
    let readings: BTreeSet<_> = all.iter().map(|engine| (engine.clock.boots, engine.clock.time)).collect();
    assert_eq!(
        readings.into_iter().map(|(boots, time)| (boots.get(), time)).collect::<Vec<_>>(),
        (0..16).map(|time| (1, time)).collect::<Vec<_>>()
    );
}
