use std::fs::{self, Permissions};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use portreeve_sys::effective_user;
use tempfile::TempDir;

use super::super::Accounts;
use super::RelayListener;

#[test]
fn nobody_but_us_reaches_the_socket_unless_somebody_else_is_named() {
    let ours = |path| RelayListener { path, group: None, accounts: Accounts::Ours };
    let named = |path| RelayListener { accounts: Accounts::Named(vec!["ops".into()]), ..ours(path) };
    let all = |path| RelayListener { accounts: Accounts::All, ..ours(path) };
    let our_group = fs::metadata(tempfile::tempdir().unwrap().path()).unwrap().gid();
    let group = |path| RelayListener { group: Some(our_group), ..all(path) };
    for (make, mode) in
        [(&ours as &dyn Fn(PathBuf) -> RelayListener, 0o600), (&named, 0o666), (&all, 0o666), (&group, 0o660)]
    {
        let (directory, path) = place();
        let (_listener, _file, _doorkeeper) = make(path.clone()).bind().unwrap();
        let metadata = fs::metadata(&path).unwrap();
        assert!(metadata.file_type().is_socket());
        assert_eq!(metadata.mode() & 0o777, mode, "{:?}", make(path));
        assert_eq!(names(directory.path()), ["snmp.sock"], "nothing else is left");
    }
}

#[test]
fn the_directory_is_made_so_that_others_can_pass() {
    let parent = tempfile::tempdir().unwrap();
    let listener = at(parent.path().join("portreeve/snmp.sock"));
    let bound = listener.bind().unwrap();
    assert_eq!(fs::metadata(parent.path().join("portreeve")).unwrap().mode() & 0o777, 0o755);
    drop(bound);
    listener.bind().unwrap();
}

#[test]
fn a_socket_at_which_nobody_listens_any_more_is_replaced() {
    let (_directory, path) = place();
    drop(UnixListener::bind(&path).unwrap());
    assert!(UnixStream::connect(&path).is_err());
    let _bound = at(path.clone()).bind().unwrap();
    UnixStream::connect(&path).unwrap();
}

#[test]
fn where_somebody_listens_already_it_is_told_and_left_to_him() {
    let (_directory, path) = place();
    let _first = at(path.clone()).bind().unwrap();
    let error = at(path.clone()).bind().unwrap_err();
    assert!(error.to_string().contains("somebody listens there already"), "{error}");
    UnixStream::connect(&path).unwrap();
}

#[test]
fn what_is_no_socket_stays() {
    let (directory, path) = place();
    fs::write(&path, "important").unwrap();
    let error = at(path.clone()).bind().unwrap_err();
    assert!(error.to_string().contains("no socket"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "important");
    fs::remove_file(&path).unwrap();
    symlink(directory.path().join("elsewhere"), &path).unwrap();
    assert!(at(path).bind().unwrap_err().to_string().contains("no socket"), "nor is a link followed");
}

#[test]
fn a_directory_that_others_write_to_is_refused() {
    for mode in [0o777, 0o775, 0o1777] {
        let (directory, path) = place();
        fs::set_permissions(directory.path(), Permissions::from_mode(mode)).unwrap();
        let error = at(path).bind().unwrap_err();
        assert!(error.to_string().contains("may be written to by others"), "{mode:o}: {error}");
    }
    let parent = tempfile::tempdir().unwrap();
    fs::create_dir(parent.path().join("inner")).unwrap();
    fs::set_permissions(parent.path(), Permissions::from_mode(0o777)).unwrap();
    let error = at(parent.path().join("inner/snmp.sock")).bind().unwrap_err();
    assert!(
        error.to_string().contains("may be written to by others"),
        "nor one in such a directory: {error}"
    );
}

#[test]
fn a_directory_of_another_user_is_refused() {
    if effective_user() != 0 {
        println!("skipped: only root can give a directory away");
        return;
    }
    let (directory, path) = place();
    std::os::unix::fs::chown(directory.path(), Some(12_345), None).unwrap();
    let error = at(path).bind().unwrap_err();
    assert!(error.to_string().contains("belongs to another user"), "{error}");
}

#[test]
fn paths_that_cannot_be_are_refused_with_a_reason() {
    let (directory, _) = place();
    let long = directory.path().join("x".repeat(200));
    for path in ["snmp.sock".into(), "/".into(), directory.path().join("no/such/snmp.sock"), long] {
        assert!(at(path.clone()).bind().is_err(), "{}", path.display());
    }
    assert_eq!(names(directory.path()), [""; 0]);
}

#[test]
fn the_file_goes_with_its_listener_and_no_other_does() {
    let (directory, path) = place();
    let (_listener, file, _) = at(path.clone()).bind().unwrap();
    drop(file);
    assert_eq!(names(directory.path()), [""; 0]);
    let (listener, old, _) = at(path.clone()).bind().unwrap();
    drop(listener);
    let _new = at(path.clone()).bind().unwrap();
    drop(old);
    UnixStream::connect(&path).unwrap();
}

fn at(path: PathBuf) -> RelayListener {
    RelayListener { path, group: None, accounts: Accounts::Ours }
}

fn place() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("snmp.sock");
    (directory, path)
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}
