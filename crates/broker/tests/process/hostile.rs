//! What is no frame, or too many of them.

use std::{
    io::{Read, Write},
    os::unix::net::UnixStream,
    time::Duration,
};

use portreeve_broker_protocol::{Frame, Transport};

use super::fixture::{Agent, PATIENCE, User, echo};

#[test]
fn what_is_no_order_ends_its_own_conversation_only() {
    let user = User::new();
    let agent = Agent::start(&user, Transport::Tls);
    let (mut broker, mut line) = user.keeping(&agent, 60);
    let order = Frame::Order(user.order(&agent, 60)).encode().unwrap();
    let junk: [&[u8]; 7] = [
        b"GET / HTTP/1.1\r\n\r\n",
        &[0x60, 0x84, 0xff, 0xff, 0xff, 0xff],
        &[0x60, 0x80],
        // A message, a note or an answer before any order.
        &[0x30, 1, 0],
        &[0x43, 1, 0],
        &[0x61, 2, 4, 0],
        &[0x60, 3, 2, 1, 9],
    ];
    for octets in junk {
        let mut socket = user.rendezvous().connect().unwrap();
        socket.write_all(octets).unwrap();
        assert_eq!(rest(&mut socket), [], "{octets:?}");
    }
    // An order with any one octet changed is an order, a failure, or the end; never the end of the others.
    for place in (0..order.len()).step_by(7) {
        let mut changed = order.clone();
        changed[place] ^= 0x55;
        let mut socket = user.rendezvous().connect().unwrap();
        socket.write_all(&changed).unwrap();
        drop(socket);
    }
    assert_eq!(echo(&mut line, "on"), "on ops");
    assert!(broker.is_alive());
}

#[test]
fn garbage_after_the_order_ends_the_command_and_not_the_broker() {
    let user = User::new();
    let agent = Agent::start(&user, Transport::Tls);
    let (mut broker, mut line) = user.keeping(&agent, 60);
    let (wild, _) = user.ask(&user.order(&agent, 60)).unwrap();
    let mut socket = wild.duplicate().unwrap();
    socket.write_all(&[0xff; 1000]).unwrap();
    let _ = rest(&mut socket);
    assert_eq!(echo(&mut line, "on"), "on ops");
    assert!(broker.is_alive());
}

#[test]
fn silent_commands_hold_up_nobody() {
    let user = User::new();
    let agent = Agent::start(&user, Transport::Tls);
    let (_broker, mut line) = user.keeping(&agent, 60);
    let silent: Vec<_> = (0..100).map(|_| user.rendezvous().connect().unwrap()).collect();
    assert_eq!(echo(&mut line, "on"), "on ops");
    let (mut other, _) = user.ask(&user.order(&agent, 60)).unwrap();
    assert_eq!(echo(&mut other, "in"), "in ops");
    drop(silent);
}

/// Everything until the end, which has to come.
fn rest(socket: &mut UnixStream) -> Vec<u8> {
    socket.set_read_timeout(Some(PATIENCE + Duration::from_secs(1))).unwrap();
    let mut octets = Vec::new();
    match socket.read_to_end(&mut octets) {
        Err(error) if error.kind() != std::io::ErrorKind::ConnectionReset => panic!("{error}"),
        _ => octets,
    }
}
