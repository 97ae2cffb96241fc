//! Malformed frames, and too many connections.

use std::{
    io::{Read, Write},
    os::unix::net::UnixStream,
    time::Duration,
};

use portreeve_broker_protocol::{Frame, Transport};

use super::fixture::{TIMEOUT, TestAgent, TestUser, echo};

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

/// Reads until the end of the stream; fails if the stream does not end.
fn read_to_end(socket: &mut UnixStream) -> Vec<u8> {
    socket.set_read_timeout(Some(TIMEOUT + Duration::from_secs(1))).unwrap();
    let mut octets = Vec::new();
    match socket.read_to_end(&mut octets) {
        Err(error) if error.kind() != std::io::ErrorKind::ConnectionReset => panic!("{error}"),
        _ => octets,
    }
}
