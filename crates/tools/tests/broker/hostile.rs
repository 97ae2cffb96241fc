//! Malformed frames, too many connections, hostile files and SSH servers.

use std::{
    fs,
    io::{Read, Write},
    os::unix::net::UnixStream,
    path::Path,
    time::{Duration, Instant},
};

use portreeve_broker_protocol::{Frame, SessionOption, SessionRequest, Transport};
use rustix::{
    fs::{CWD, FileType, Mode, mknodat},
    process::{Pid, Signal, kill_process},
};

use super::{
    fixture::{TIMEOUT, TestAgent, TestUser, echo, message_of},
    flooding_agent::FloodingAgent,
    ssh_server::{SshBehavior, SshServer},
};

#[test]
fn malformed_request_closes_only_its_own_connection() {
    let user = TestUser::new();
    let agent = TestAgent::start(&user, Transport::Tls);
    let (mut broker, mut connection) = user.start_broker_and_connect(&agent, 60);
    let request = Frame::Request(user.session_request(&agent, 60)).encode().unwrap();
    let junk: [&[u8]; 7] = [
        b"GET / HTTP/1.1\r\n\r\n",
        &[0x60, 0x84, 0xff, 0xff, 0xff, 0xff],
        &[0x60, 0x80],
        // A message, a note or a response before the request.
        &[0x30, 1, 0],
        &[0x43, 1, 0],
        &[0x61, 2, 4, 0],
        &[0x60, 3, 2, 1, 9],
    ];
    for octets in junk {
        let mut socket = user.socket_path().connect().unwrap();
        socket.write_all(octets).unwrap();
        assert_eq!(read_to_end(&mut socket), [], "{octets:?}");
    }
    // A request with one changed octet is valid, fails, or closes its connection, but never affects
    // others.
    for place in (0..request.len()).step_by(7) {
        let mut changed = request.clone();
        changed[place] ^= 0x55;
        let mut socket = user.socket_path().connect().unwrap();
        socket.write_all(&changed).unwrap();
        drop(socket);
    }
    assert_eq!(echo(&mut connection, "on"), "on ops");
    assert!(broker.is_alive());
}

#[test]
fn malformed_frame_after_request_does_not_stop_the_broker() {
    let user = TestUser::new();
    let agent = TestAgent::start(&user, Transport::Tls);
    let (mut broker, mut connection) = user.start_broker_and_connect(&agent, 60);
    let (client, _) = user.connect(&user.session_request(&agent, 60)).unwrap();
    let mut socket = client.try_clone_stream().unwrap();
    socket.write_all(&[0xff; 1000]).unwrap();
    let _ = read_to_end(&mut socket);
    assert_eq!(echo(&mut connection, "on"), "on ops");
    assert!(broker.is_alive());
}

#[test]
fn silent_clients_do_not_block_other_clients() {
    let user = TestUser::new();
    let agent = TestAgent::start(&user, Transport::Tls);
    let (_broker, mut connection) = user.start_broker_and_connect(&agent, 60);
    let silent: Vec<_> = (0..100).map(|_| user.socket_path().connect().unwrap()).collect();
    assert_eq!(echo(&mut connection, "on"), "on ops");
    let (mut other, _) = user.connect(&user.session_request(&agent, 60)).unwrap();
    assert_eq!(echo(&mut other, "in"), "in ops");
    drop(silent);
}

/// A pipe without a writer would block each command whose session the broker opens later.
#[test]
fn named_pipes_as_configured_files_do_not_block_other_clients() {
    let user = TestUser::new();
    let agent = TestAgent::start(&user, Transport::Tls);
    let (_broker, mut connection) = user.start_broker_and_connect(&agent, 60);
    let pipe = user.file("pipe");
    create_pipe(&pipe);
    // Each SSH request has its own server and home directory: a server serves one connection, and a
    // pipe as ~/.ssh/config ends a request before the broker reads other files.
    let [for_identity, for_known_hosts, for_config]: [_; 3] =
        std::array::from_fn(|_| SshServer::start(SshBehavior::AcceptNoData));
    let config = for_config.file(".ssh/config");
    fs::create_dir(config.parent().unwrap()).unwrap();
    create_pipe(&config);
    let with_pipe = |mut request: SessionRequest, option| {
        request.options.retain(|(known, _)| *known != option);
        request.options.push((option, pipe.to_str().unwrap().to_owned()));
        (request, &pipe)
    };
    let over_tls = |option| with_pipe(user.session_request(&agent, 60), option);
    let over_ssh = |server: &SshServer, option| with_pipe(server.session_request(TIMEOUT), option);
    let requests = [
        over_tls(SessionOption::Certificate),
        over_tls(SessionOption::PrivateKey),
        over_tls(SessionOption::Authority),
        over_ssh(&for_identity, SessionOption::SshIdentity),
        over_ssh(&for_known_hosts, SessionOption::KnownHosts),
        (for_config.session_request(TIMEOUT), &config),
    ];
    let clients = requests.map(|(request, file)| (send_request(&user, &request), file));
    assert_eq!(echo(&mut connection, "on"), "on ops");
    for (mut client, file) in clients {
        let response = read_to_end(&mut client);
        let text = String::from_utf8_lossy(&response);
        assert!(text.contains(&format!("{}: not a regular file", file.display())), "{text}");
    }
}

#[test]
fn broker_exits_when_command_ends_while_server_accepts_no_data() {
    let (user, server) = (TestUser::new(), SshServer::start(SshBehavior::AcceptNoData));
    let (mut broker, socket) = user.start_broker();
    let (mut connection, _) = user.connect_over(socket, &server.session_request(TIMEOUT)).unwrap();
    connection.send(&message_of(b"1")).unwrap();
    connection.send(&message_of(b"2")).unwrap();
    assert!(connection.receive(Duration::from_millis(200)).unwrap().is_none());
    assert!(broker.is_alive());
    drop(connection);
    broker.wait_for_exit();
}

#[test]
fn notices_of_ssh_server_do_not_extend_the_timeout() {
    let (user, server) = (TestUser::new(), SshServer::start(SshBehavior::SendNotices));
    let (_broker, socket) = user.start_broker();
    let start = Instant::now();
    let error = user.connect_over(socket, &server.session_request(TIMEOUT / 8)).unwrap_err();
    assert!(error.cause.contains("within 2.5s"), "{error}");
    // The server sends notices for more than 20 seconds.
    assert!(start.elapsed() < TIMEOUT, "{:?}", start.elapsed());
}

#[test]
fn kept_session_is_closed_when_the_agent_floods_it() {
    let user = TestUser::new();
    let agent = FloodingAgent::start(&user);
    let (mut broker, socket) = user.start_broker();
    let (mut connection, _) = user.connect_over(socket, &agent.session_request(&user, 3600)).unwrap();
    connection.send(&message_of(b"1")).unwrap();
    assert!(connection.receive(TIMEOUT).unwrap().is_some());
    drop(connection);
    broker.wait_for_exit();
}

#[test]
fn stopped_broker_is_reported_with_its_process_id() {
    let user = TestUser::new();
    let agent = TestAgent::start(&user, Transport::Tls);
    let (broker, mut connection) = user.start_broker_and_connect(&agent, 60);
    let process = Pid::from_raw(broker.id().cast_signed()).unwrap();
    kill_process(process, Signal::STOP).unwrap();
    let mut request = user.session_request(&agent, 60);
    request.timeout = Duration::from_millis(100);
    let error = user.connect(&request).unwrap_err();
    assert!(error.cause.contains("does not respond"), "{error}");
    assert!(error.hint.unwrap().contains(&format!("kill -9 {}", broker.id())));
    kill_process(process, Signal::CONT).unwrap();
    assert_eq!(echo(&mut connection, "on"), "on ops");
}

#[test]
fn named_pipe_as_lock_file_does_not_block_the_broker() {
    let user = TestUser::new();
    let agent = TestAgent::start(&user, Transport::Tls);
    user.socket_path().prepare().unwrap();
    create_pipe(&user.socket_path().lock());
    let (_broker, mut connection) = user.start_broker_and_connect(&agent, 60);
    assert_eq!(echo(&mut connection, "on"), "on ops");
}

fn create_pipe(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}

/// Sends a session request from another command, without waiting for the response.
fn send_request(user: &TestUser, request: &SessionRequest) -> UnixStream {
    let mut socket = user.socket_path().connect().unwrap();
    socket.write_all(&Frame::Request(request.clone()).encode().unwrap()).unwrap();
    socket
}

/// Reads until the end of the stream; fails if the stream does not end.
fn read_to_end(socket: &mut UnixStream) -> Vec<u8> {
    socket.set_read_timeout(Some(TIMEOUT + Duration::from_secs(1))).unwrap();
    let mut octets = Vec::new();
    match socket.read_to_end(&mut octets) {
        Err(error) if error.kind() != std::io::ErrorKind::ConnectionReset => {
            panic!("{error} after {:?}", String::from_utf8_lossy(&octets))
        }
        _ => octets,
    }
}
