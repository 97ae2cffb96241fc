use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    time::SystemTime,
};

use portreeve_secret::Secret;

use super::{FileBatch, make_folder, read, replace};

#[test]
fn batch_writes_files_with_their_modes_into_private_directories() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("a/b");
    let mut batch = FileBatch::default();
    batch.private(folder.join("key"), Secret::from("secret"));
    batch.public(folder.join("cert"), "public");
    assert!(batch.write(false, SystemTime::now()).unwrap().is_empty());
    let mode = |path: &str| fs::metadata(root.path().join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("a"), mode("a/b"), mode("a/b/key"), mode("a/b/cert")), (0o700, 0o700, 0o600, 0o644));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "there must be no other files");
}

#[test]
fn batch_is_not_written_when_one_of_its_files_exists() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("second"), "old").unwrap();
    let error = both(root.path()).write(false, SystemTime::now()).unwrap_err().to_string();
    assert!(error.contains("second: already exists") && error.contains("--force"), "{error}");
    assert!(!root.path().join("first").exists());
    assert_eq!(fs::read_to_string(root.path().join("second")).unwrap(), "old");
}

#[test]
fn write_does_not_follow_dangling_symlink() {
    let root = tempfile::tempdir().unwrap();
    symlink(root.path().join("elsewhere"), root.path().join("second")).unwrap();
    assert!(both(root.path()).write(false, SystemTime::now()).is_err());
    assert!(!root.path().join("elsewhere").exists());
}

#[test]
fn forced_write_renames_old_file() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("second"), "old").unwrap();
    let kept = both(root.path()).write(true, SystemTime::UNIX_EPOCH).unwrap();
    assert_eq!(kept, [root.path().join("second.old-19700101T000000Z")]);
    assert_eq!(fs::read_to_string(&kept[0]).unwrap(), "old");
    assert_eq!(fs::read_to_string(root.path().join("second")).unwrap(), "new");
}

#[test]
fn replace_overwrites_file_and_leaves_no_temporary_file() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("list");
    replace(&path, b"one").unwrap();
    replace(&path, b"two").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "two");
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
}

#[test]
fn too_long_file_is_rejected_and_directory_error_contains_path() {
    let error = read("/dev/zero".as_ref()).map(drop).unwrap_err().to_string();
    assert!(error.contains("longer than"), "{error}");
    let error = make_folder("/proc/nowhere/x".as_ref()).unwrap_err().to_string();
    assert!(error.starts_with("/proc/nowhere/x: "), "{error}");
}

fn both(root: &std::path::Path) -> FileBatch {
    let mut batch = FileBatch::default();
    batch.private(root.join("first"), Secret::from("new"));
    batch.private(root.join("second"), Secret::from("new"));
    batch
}
