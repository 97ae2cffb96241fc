use std::fs::{self, Permissions};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use portreeve_sys::effective_uid;
use tempfile::TempDir;

use super::super::AllowedAccounts;
use super::RelayListener;

#[test]
fn socket_mode_depends_on_group_and_allowed_accounts() {
    let own = |path| RelayListener { path, group: None, accounts: AllowedAccounts::OwnAndRoot };
    let named = |path| RelayListener { accounts: AllowedAccounts::Named(vec!["ops".into()]), ..own(path) };
    let all = |path| RelayListener { accounts: AllowedAccounts::All, ..own(path) };
    let our_group = fs::metadata(tempfile::tempdir().unwrap().path()).unwrap().gid();
    let group = |path| RelayListener { group: Some(our_group), ..all(path) };
    for (make, mode) in
        [(&own as &dyn Fn(PathBuf) -> RelayListener, 0o600), (&named, 0o666), (&all, 0o666), (&group, 0o660)]
    {
        let (directory, path) = temp_socket_path();
        let (_listener, _file, _policy) = make(path.clone()).bind().unwrap();
        let metadata = fs::metadata(&path).unwrap();
        assert!(metadata.file_type().is_socket());
        assert_eq!(metadata.mode() & 0o777, mode, "{:?}", make(path));
        assert_eq!(file_names(directory.path()), ["snmp.sock"], "no temporary file is left");
    }
}

#[test]
fn missing_directory_is_created_with_mode_755() {
    let parent = tempfile::tempdir().unwrap();
    let listener = listener_at(parent.path().join("portreeve/snmp.sock"));
    let bound = listener.bind().unwrap();
    assert_eq!(fs::metadata(parent.path().join("portreeve")).unwrap().mode() & 0o777, 0o755);
    drop(bound);
    listener.bind().unwrap();
}

#[test]
fn stale_socket_is_replaced() {
    let (_directory, path) = temp_socket_path();
    drop(UnixListener::bind(&path).unwrap());
    assert!(UnixStream::connect(&path).is_err());
    let _bound = listener_at(path.clone()).bind().unwrap();
    UnixStream::connect(&path).unwrap();
}

#[test]
fn bind_fails_when_another_process_listens_on_the_socket() {
    let (_directory, path) = temp_socket_path();
    let _first = listener_at(path.clone()).bind().unwrap();
    let error = listener_at(path.clone()).bind().unwrap_err();
    assert!(error.to_string().contains("another process is listening there"), "{error}");
    UnixStream::connect(&path).unwrap();
}

#[test]
fn bind_fails_when_path_is_not_a_socket() {
    let (directory, path) = temp_socket_path();
    fs::write(&path, "important").unwrap();
    let error = listener_at(path.clone()).bind().unwrap_err();
    assert!(error.to_string().contains("not a socket"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "important");
    fs::remove_file(&path).unwrap();
    symlink(directory.path().join("elsewhere"), &path).unwrap();
    assert!(
        listener_at(path).bind().unwrap_err().to_string().contains("not a socket"),
        "symbolic links are not followed"
    );
}

#[test]
fn bind_fails_when_directory_or_ancestor_is_writable_by_others() {
    for mode in [0o777, 0o775, 0o1777] {
        let (directory, path) = temp_socket_path();
        fs::set_permissions(directory.path(), Permissions::from_mode(mode)).unwrap();
        let error = listener_at(path).bind().unwrap_err();
        assert!(error.to_string().contains("is writable by others"), "{mode:o}: {error}");
    }
    let parent = tempfile::tempdir().unwrap();
    fs::create_dir(parent.path().join("inner")).unwrap();
    fs::set_permissions(parent.path(), Permissions::from_mode(0o777)).unwrap();
    let error = listener_at(parent.path().join("inner/snmp.sock")).bind().unwrap_err();
    assert!(error.to_string().contains("is writable by others"), "a writable ancestor: {error}");
}

#[test]
fn bind_fails_when_another_user_owns_the_directory() {
    if effective_uid() != 0 {
        println!("skipped: only root can change the owner of a directory");
        return;
    }
    let (directory, path) = temp_socket_path();
    std::os::unix::fs::chown(directory.path(), Some(12_345), None).unwrap();
    let error = listener_at(path).bind().unwrap_err();
    assert!(error.to_string().contains("is owned by another user"), "{error}");
}

#[test]
fn bind_fails_when_path_is_relative_too_long_or_has_no_directory() {
    let (directory, _) = temp_socket_path();
    let long = directory.path().join("x".repeat(200));
    for path in ["snmp.sock".into(), "/".into(), directory.path().join("no/such/snmp.sock"), long] {
        assert!(listener_at(path.clone()).bind().is_err(), "{}", path.display());
    }
    assert_eq!(file_names(directory.path()), [""; 0]);
}

#[test]
fn dropped_listener_removes_only_its_own_socket_file() {
    let (directory, path) = temp_socket_path();
    let (_listener, file, _) = listener_at(path.clone()).bind().unwrap();
    drop(file);
    assert_eq!(file_names(directory.path()), [""; 0]);
    let (listener, old, _) = listener_at(path.clone()).bind().unwrap();
    drop(listener);
    let _new = listener_at(path.clone()).bind().unwrap();
    drop(old);
    UnixStream::connect(&path).unwrap();
}

fn listener_at(path: PathBuf) -> RelayListener {
    RelayListener { path, group: None, accounts: AllowedAccounts::OwnAndRoot }
}

fn temp_socket_path() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("snmp.sock");
    (directory, path)
}

fn file_names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}
