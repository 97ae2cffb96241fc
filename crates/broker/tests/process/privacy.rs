//! One user's broker is nobody else's.

use std::{
    fs,
    os::unix::{
        fs::{MetadataExt, PermissionsExt},
        process::CommandExt,
    },
    process::Command,
};

use portreeve_broker_protocol::Transport;

use super::fixture::{Agent, User, echo};

#[test]
fn the_socket_is_its_users_alone_in_a_directory_that_is_too() {
    let user = User::new();
    let agent = Agent::start(&user, Transport::Tls);
    let (_broker, _line) = user.keeping(&agent, 60);
    let rendezvous = user.rendezvous();
    let mode = |path| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!(mode(rendezvous.folder().to_owned()), 0o700);
    assert_eq!(mode(rendezvous.socket()), 0o600);
    assert_eq!(mode(rendezvous.lock()), 0o600);
}

#[test]
fn where_the_directory_is_open_to_others_nothing_is_shared() {
    let user = User::new();
    let agent = Agent::start(&user, Transport::Tls);
    let folder = user.rendezvous().folder().to_owned();
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    let (_broker, mut line) = user.keeping(&agent, 60);
    assert_eq!(echo(&mut line, "x"), "x ops", "the command itself is served");
    assert!(!user.rendezvous().socket().exists());
}

#[test]
fn a_process_of_another_user_gets_no_word_even_where_modes_would_let_it() {
    if fs::metadata("/proc/self").unwrap().uid() != 0 {
        println!("skipped: only root acts as another user");
        return;
    }
    let user = User::new();
    let agent = Agent::start(&user, Transport::Tls);
    let (mut broker, mut line) = user.keeping(&agent, 60);
    let socket = user.rendezvous().socket();
    for folder in socket.ancestors().skip(1).take(2) {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    }
    fs::set_permissions(&socket, fs::Permissions::from_mode(0o666)).unwrap();
    let ask = "import socket, sys\n\
               s = socket.socket(socket.AF_UNIX); s.settimeout(10); s.connect(sys.argv[1])\n\
               try:\n    s.sendall(b'0'); print(s.recv(1))\n\
               except (BrokenPipeError, ConnectionResetError): print(b'')";
    let mut other = Command::new("/usr/bin/python3");
    other.args(["-c", ask]).arg(&socket).uid(1).gid(1);
    match other.output() {
        Ok(done) => assert_eq!(String::from_utf8_lossy(&done.stdout).trim(), "b''", "{done:?}"),
        Err(error) => return println!("skipped: python3 cannot be run as another user: {error}"),
    }
    assert!(broker.is_alive());
    assert_eq!(echo(&mut line, "x"), "x ops");
}

#[test]
fn two_users_have_a_broker_each_and_never_share_a_session() {
    let (first, second) = (User::new(), User::new());
    // The same order in another runtime directory is another user's.
    let agent = Agent::start(&first, Transport::Tls);
    let (_one, mut line) = first.keeping(&agent, 60);
    assert_eq!(echo(&mut line, "1"), "1 ops");
    drop(line);
    let (_two, socket) = second.broker();
    let (mut line, _) = second.ask_at(socket, &first.order(&agent, 60)).unwrap();
    assert_eq!(echo(&mut line, "2"), "2 ops");
    assert_eq!(agent.sessions(), 2);
    assert!(second.rendezvous().socket().exists() && first.rendezvous().socket().exists());
}
