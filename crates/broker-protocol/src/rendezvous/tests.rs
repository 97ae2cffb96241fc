use std::os::unix::{
    fs::{PermissionsExt, symlink},
    net::UnixListener,
};

use super::*;

fn folder(mode: u32) -> (tempfile::TempDir, Rendezvous) {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("portreeve");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
    (parent, Rendezvous::at(folder))
}

#[test]
fn a_directory_is_made_for_its_user_alone() {
    let parent = tempfile::tempdir().unwrap();
    let rendezvous = Rendezvous::at(parent.path().join("portreeve"));
    rendezvous.prepare().unwrap();
    assert_eq!(fs::metadata(rendezvous.folder()).unwrap().permissions().mode() & 0o777, 0o700);
    rendezvous.prepare().unwrap();
}

#[test]
fn a_directory_of_the_wrong_mode_is_refused() {
    for mode in [0o755, 0o770, 0o701] {
        let (_parent, rendezvous) = folder(mode);
        let error = rendezvous.prepare().unwrap_err();
        assert!(error.cause.contains("others may use it"), "{error}");
        assert!(error.cure.is_some());
        let _listener = UnixListener::bind(rendezvous.socket()).unwrap();
        assert_eq!(rendezvous.connect().unwrap_err().kind(), io::ErrorKind::PermissionDenied);
    }
}

#[test]
fn a_link_to_a_directory_is_refused() {
    let (parent, rendezvous) = folder(0o700);
    let link = parent.path().join("link");
    symlink(rendezvous.folder(), &link).unwrap();
    assert!(Rendezvous::at(link).prepare().unwrap_err().cause.contains("no directory"));
}

#[test]
fn a_directory_of_another_user_is_refused() {
    let (_parent, rendezvous) = folder(0o700);
    if !geteuid().is_root() {
        println!("skipped: only root can give a directory away");
        return;
    }
    std::os::unix::fs::chown(rendezvous.folder(), Some(65534), None).unwrap();
    assert!(rendezvous.prepare().unwrap_err().cause.contains("belongs to"));
}

#[test]
fn where_no_broker_listens_nothing_is_wrong() {
    let (_parent, rendezvous) = folder(0o700);
    assert_eq!(rendezvous.connect().unwrap_err().kind(), io::ErrorKind::NotFound);
    drop(UnixListener::bind(rendezvous.socket()).unwrap());
    assert_eq!(rendezvous.connect().unwrap_err().kind(), io::ErrorKind::ConnectionRefused);
}

#[test]
fn a_process_of_this_user_is_believed() {
    let (ours, theirs) = UnixStream::pair().unwrap();
    check_peer(&ours).unwrap();
    check_peer(&theirs).unwrap();
}
