use std::cell::{Cell, RefCell};
use std::os::unix::fs::{chown, lchown, symlink};
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::{create, find_unsafe_parent, parent};
use crate::disk::tests::{TempDir, set_mode};
use crate::error::UnsafeDirectoryReason;

#[test]
fn review_l11_parents_of_new_directories_are_synced_to_disk() {
    let base = TempDir::new("sync");
    let synced = RefCell::new(Vec::<PathBuf>::new());
    let sync = |parent: &Path| {
        synced.borrow_mut().push(parent.to_owned());
        Ok(())
    };
    let state = base.0.join("a/b");
    create(&state, sync).unwrap();
    let above = base.0.parent().unwrap().to_owned();
    assert_eq!(synced.take(), [above, base.0.clone(), base.0.join("a")]);
    create(&state, sync).unwrap();
    assert_eq!(synced.take(), [base.0.join("a")]);
    create(Path::new("src"), sync).unwrap();
    assert_eq!(synced.take(), [PathBuf::from(".")]);
}

#[test]
fn names_of_directories_are_durable_after_kill_during_their_creation() {
    let base = TempDir::new("killed");
    for killed_at in 0..5 {
        let state = base.0.join(format!("{killed_at}/a/b/c"));
        let created = || -> Vec<_> { state.ancestors().take(4).filter(|path| path.exists()).collect() };
        // The directories whose names are durable.
        let durable = RefCell::new(Vec::<PathBuf>::new());
        let calls = Cell::new(0);
        let sync = |parent: &Path| {
            calls.set(calls.get() + 1);
            if calls.get() == killed_at + 1 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let names = created().into_iter().filter(|path| path.parent() == Some(parent));
            durable.borrow_mut().extend(names.map(Path::to_owned));
            Ok(())
        };
        let _ = create(&state, sync);
        create(&state, sync).unwrap();
        let durable = durable.take();
        assert_eq!(created().len(), 4);
        assert!(created().iter().all(|path| durable.iter().any(|name| name == path)), "{durable:?}");
    }
}

#[test]
fn directory_whose_parent_cannot_be_synced_is_opened() {
    let base = TempDir::new("unsynced");
    for kind in [io::ErrorKind::PermissionDenied, io::ErrorKind::InvalidInput] {
        create(&make(&base, "state"), |_| Err(kind.into())).unwrap();
    }
    create(&base.0.join("new"), |_| Err(io::ErrorKind::InvalidInput.into())).unwrap_err();
}

#[test]
fn parent_that_others_can_write_is_refused_unless_it_is_sticky() {
    let base = TempDir::new("parents");
    let state = make(&base, "shared/own/state");
    assert_eq!(find_unsafe_parent(&state).unwrap(), None);
    let shared = base.0.join("shared");
    for mode in [0o777, 0o707] {
        set_mode(&shared, mode);
        let reason = UnsafeDirectoryReason::WritableParent(mode);
        assert_eq!(find_unsafe_parent(&state).unwrap(), Some((shared.clone(), reason)), "{mode:o}");
        // The missing part would be created there.
        let missing = shared.join("missing/state");
        assert_eq!(find_unsafe_parent(&missing).unwrap(), Some((shared.clone(), reason)));
    }
    set_mode(&shared, 0o1777);
    assert_eq!(find_unsafe_parent(&state).unwrap(), None);
    set_mode(&state, 0o777);
    assert_eq!(find_unsafe_parent(&state).unwrap(), None, "the directory itself is checked elsewhere");
}

#[test]
fn parent_that_another_group_can_write_is_refused() {
    let base = TempDir::new("groups");
    let state = make(&base, "shared/state");
    let shared = base.0.join("shared");
    set_mode(&shared, 0o775);
    assert_eq!(find_unsafe_parent(&state).unwrap(), None);
    if chown(&shared, None, Some(65534)).is_err() {
        return println!("skipped: this process is not allowed to change groups");
    }
    let reason = UnsafeDirectoryReason::WritableParent(0o775);
    assert_eq!(find_unsafe_parent(&state).unwrap(), Some((shared.clone(), reason)));
    set_mode(&shared, 0o755);
    assert_eq!(find_unsafe_parent(&state).unwrap(), None);
}

#[test]
fn parent_of_another_user_is_refused() {
    let base = TempDir::new("owners");
    let state = make(&base, "foreign/state");
    let foreign = base.0.join("foreign");
    if chown(&foreign, Some(65534), None).is_err() {
        return println!("skipped: this process is not allowed to change owners");
    }
    let reason = UnsafeDirectoryReason::ForeignParent(65534);
    assert_eq!(find_unsafe_parent(&state).unwrap(), Some((foreign, reason)));
}

#[test]
fn link_is_followed_only_if_others_can_replace_neither_it_nor_its_target() {
    let base = TempDir::new("links");
    let state = make(&base, "target/state");
    let link = base.0.join("link");
    for target in [base.0.join("target"), PathBuf::from("target"), PathBuf::from("target/../target")] {
        symlink(&target, &link).unwrap();
        assert_eq!(find_unsafe_parent(&link.join("state")).unwrap(), None);
        set_mode(&base.0.join("target"), 0o777);
        let found = find_unsafe_parent(&link.join("state")).unwrap();
        assert_eq!(found, Some((base.0.join("target"), UnsafeDirectoryReason::WritableParent(0o777))));
        set_mode(&base.0.join("target"), 0o755);
        if lchown(&link, Some(65534), None).is_ok() {
            let reason = UnsafeDirectoryReason::ForeignLink(65534);
            let found = find_unsafe_parent(&link.join("state")).unwrap();
            assert_eq!(found, Some((link.clone(), reason)));
        }
        fs::remove_file(&link).unwrap();
    }
    symlink(&link, &link).unwrap();
    find_unsafe_parent(&link).unwrap_err();
    assert_eq!(find_unsafe_parent(&state).unwrap(), None);
}

#[test]
fn parent_of_relative_path_is_relative() {
    for (path, expected) in [("state", Some(".")), ("a/state", Some("a")), ("/state", Some("/")), ("/", None)]
    {
        assert_eq!(parent(Path::new(path)), expected.map(Path::new), "{path}");
    }
}

#[test]
fn path_below_a_file_is_an_error() {
    let base = TempDir::new("file");
    fs::write(base.0.join("file"), "").unwrap();
    find_unsafe_parent(&base.0.join("file/state")).unwrap_err();
    assert_eq!(find_unsafe_parent(&base.0.join("file")).unwrap(), None);
}

/// The kernel follows as many links.
#[test]
fn path_contains_at_most_forty_links() {
    let base = TempDir::new("many-links");
    make(&base, "link0");
    for n in 1..=41 {
        symlink(format!("link{}", n - 1), base.0.join(format!("link{n}"))).unwrap();
    }
    assert_eq!(find_unsafe_parent(&base.0.join("link40/state")).unwrap(), None);
    fs::metadata(base.0.join("link40")).unwrap();
    find_unsafe_parent(&base.0.join("link41/state")).unwrap_err();
    fs::metadata(base.0.join("link41")).unwrap_err();
}

/// Creates directories that only their owner can write.
fn make(base: &TempDir, path: &str) -> PathBuf {
    let path = base.0.join(path);
    fs::create_dir_all(&path).unwrap();
    let created = path.ancestors().take_while(|path| path.starts_with(&base.0));
    created.for_each(|path| set_mode(path, 0o755));
    path
}
