//! Separation of the brokers of different users.

use std::{
    fs,
    io::Write,
    os::unix::{
        fs::{MetadataExt, PermissionsExt},
        process::CommandExt,
    },
    process::Command,
};

use portreeve_broker_protocol::Transport;

use super::fixture::{PROGRAM, TestAgent, TestUser, echo, wait_until};

#[test]
fn socket_and_directory_are_private_to_the_user() {
    let user = TestUser::new();
    let agent = TestAgent::start(&user, Transport::Tls);
    let (_broker, _connection) = user.start_broker_and_connect(&agent, 60);
    let socket_path = user.socket_path();
    let mode = |path| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!(mode(socket_path.directory().to_owned()), 0o700);
    assert_eq!(mode(socket_path.socket()), 0o600);
    assert_eq!(mode(socket_path.lock()), 0o600);
}

#[test]
fn sessions_are_not_shared_when_other_users_can_access_the_directory() {
    let user = TestUser::new();
    let agent = TestAgent::start(&user, Transport::Tls);
    let folder = user.socket_path().directory().to_owned();
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    let (_broker, mut connection) = user.start_broker_and_connect(&agent, 60);
    assert_eq!(echo(&mut connection, "x"), "x ops", "the command itself is served");
    assert!(!user.socket_path().socket().exists());
}

#[test]
fn process_of_another_user_is_disconnected() {
    if fs::metadata("/proc/self").unwrap().uid() != 0 {
        println!("skipped: only root acts as another user");
        return;
    }
    let user = TestUser::new();
    let agent = TestAgent::start(&user, Transport::Tls);
    let (mut broker, mut connection) = user.start_broker_and_connect(&agent, 60);
    let socket = user.socket_path().socket();
    for folder in socket.ancestors().skip(1).take(2) {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    }
    fs::set_permissions(&socket, fs::Permissions::from_mode(0o666)).unwrap();
    let script = "import socket, sys\n\
               s = socket.socket(socket.AF_UNIX); s.settimeout(10); s.connect(sys.argv[1])\n\
               try:\n    s.sendall(b'0'); print(s.recv(1))\n\
               except (BrokenPipeError, ConnectionResetError): print(b'')";
    let mut other = Command::new("/usr/bin/python3");
    other.args(["-c", script]).arg(&socket).uid(1).gid(1);
    match other.output() {
        Ok(done) => assert_eq!(String::from_utf8_lossy(&done.stdout).trim(), "b''", "{done:?}"),
        Err(error) => return println!("skipped: python3 cannot be run as another user: {error}"),
    }
    assert!(broker.is_alive());
    assert_eq!(echo(&mut connection, "x"), "x ops");
}

/// A script's lock must not stay locked while the broker keeps sessions.
#[test]
fn broker_closes_inherited_descriptors_and_writes_no_core_files() {
    let user = TestUser::new();
    let agent = TestAgent::start(&user, Transport::Tls);
    let lock = user.file("lock");
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "exec 9>\"$0\"; exec \"$1\" broker"]).arg(&lock).arg(PROGRAM);
    let (broker, socket) = user.start_broker_with(shell);
    let (mut connection, _) = user.connect_over(socket, &user.session_request(&agent, 60)).unwrap();
    assert_eq!(echo(&mut connection, "x"), "x ops");
    let process = format!("/proc/{}", broker.id());
    let descriptors = fs::read_dir(format!("{process}/fd")).unwrap().flatten();
    let targets: Vec<_> = descriptors.filter_map(|entry| fs::read_link(entry.path()).ok()).collect();
    assert!(lock.exists() && targets.len() > 3);
    assert!(!targets.contains(&lock), "{targets:?}");
    let limits = fs::read_to_string(format!("{process}/limits")).unwrap();
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    assert_eq!(core.split_whitespace().skip(4).take(2).collect::<Vec<_>>(), ["0", "0"], "{core}");
}

/// The kernel gives the files of such a process in /proc to root.
#[test]
fn other_processes_of_the_user_cannot_read_the_brokers_memory() {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: only root starts a broker as another user");
        return;
    }
    let user = TestUser::new();
    // Other users may not be able to reach the directory with the build's programs.
    let program = user.file("portreeve-broker");
    // Another process copies the program: if this process did, a program that another test is
    // starting could have a copy of the descriptor, and a file that is open for writing cannot be
    // executed.
    assert!(Command::new("cp").args([PROGRAM.as_ref(), program.as_os_str()]).status().unwrap().success());
    fs::set_permissions(program.parent().unwrap(), fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new(&program);
    command.uid(1).gid(1);
    let (broker, mut socket) = user.start_broker_with(command);
    let owner = || fs::metadata(format!("/proc/{}/mem", broker.id())).unwrap().uid();
    wait_until("the process to be protected", || owner() == 0);
    // The broker waits for the request in this state.
    socket.write_all(&[0x60]).unwrap();
}

#[test]
fn two_users_never_share_a_session() {
    let (first, second) = (TestUser::new(), TestUser::new());
    // A broker with another runtime directory simulates the broker of another user.
    let agent = TestAgent::start(&first, Transport::Tls);
    let (_one, mut connection) = first.start_broker_and_connect(&agent, 60);
    assert_eq!(echo(&mut connection, "1"), "1 ops");
    drop(connection);
    let (_two, socket) = second.start_broker();
    let (mut connection, _) = second.connect_over(socket, &first.session_request(&agent, 60)).unwrap();
    assert_eq!(echo(&mut connection, "2"), "2 ops");
    assert_eq!(agent.sessions(), 2);
    assert!(second.socket_path().socket().exists() && first.socket_path().socket().exists());
}
