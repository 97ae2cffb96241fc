use std::os::unix::{
    fs::{PermissionsExt, symlink},
    net::UnixListener,
};

use super::*;

fn directory(mode: u32) -> (tempfile::TempDir, SocketPath) {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("portreeve");
    fs::create_dir(&directory).unwrap();
    fs::set_permissions(&directory, fs::Permissions::from_mode(mode)).unwrap();
    (parent, SocketPath::at(directory))
}

#[test]
fn socket_directory_is_created_accessible_to_the_user_only() {
    let parent = tempfile::tempdir().unwrap();
    let socket_path = SocketPath::at(parent.path().join("portreeve"));
    socket_path.prepare().unwrap();
    assert_eq!(fs::metadata(socket_path.directory()).unwrap().permissions().mode() & 0o777, 0o700);
    socket_path.prepare().unwrap();
}

#[test]
fn directory_with_wrong_mode_is_rejected() {
    for mode in [0o755, 0o770, 0o701] {
        let (_parent, socket_path) = directory(mode);
        let error = socket_path.prepare().unwrap_err();
        assert!(error.cause.contains("other users have access"), "{error}");
        assert!(error.hint.is_some());
        let _listener = UnixListener::bind(socket_path.socket()).unwrap();
        assert_eq!(socket_path.connect().unwrap_err().kind(), io::ErrorKind::PermissionDenied);
    }
}

#[test]
fn symlink_to_a_directory_is_rejected() {
    let (parent, socket_path) = directory(0o700);
    let link = parent.path().join("link");
    symlink(socket_path.directory(), &link).unwrap();
    assert!(SocketPath::at(link).prepare().unwrap_err().cause.contains("not a directory"));
}

#[test]
fn directory_of_another_user_is_rejected() {
    let (_parent, socket_path) = directory(0o700);
    if !geteuid().is_root() {
        println!("skipped: only root can give a directory away");
        return;
    }
    std::os::unix::fs::chown(socket_path.directory(), Some(65534), None).unwrap();
    assert!(socket_path.prepare().unwrap_err().cause.contains("belongs to"));
}

#[test]
fn connect_fails_with_not_found_or_connection_refused_without_broker() {
    let (_parent, socket_path) = directory(0o700);
    assert_eq!(socket_path.connect().unwrap_err().kind(), io::ErrorKind::NotFound);
    drop(UnixListener::bind(socket_path.socket()).unwrap());
    assert_eq!(socket_path.connect().unwrap_err().kind(), io::ErrorKind::ConnectionRefused);
}

#[test]
fn process_of_the_same_user_is_accepted() {
    let (local, remote) = UnixStream::pair().unwrap();
    check_peer(&local).unwrap();
    check_peer(&remote).unwrap();
}

/// A broker that is stopped accepts no connections.
#[test]
fn connecting_fails_while_too_many_commands_wait_for_a_stopped_broker() {
    let (_parent, socket_path) = directory(0o700);
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None).unwrap();
    rustix::net::bind(&socket, &SocketAddrUnix::new(socket_path.socket()).unwrap()).unwrap();
    rustix::net::listen(&socket, 0).unwrap();
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut waiting = Vec::new();
        let error = loop {
            match socket_path.connect() {
                Ok(stream) => waiting.push(stream),
                Err(error) => break error,
            }
        };
        sender.send(error.kind())
    });
    assert_eq!(receiver.recv_timeout(Duration::from_secs(20)), Ok(io::ErrorKind::WouldBlock));
}
