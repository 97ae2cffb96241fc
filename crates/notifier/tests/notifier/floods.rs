//! Receivers that send without end. They may delay only their own notifications. They get traps, so
//! that no timeout of an inform ends the flood.

use std::{
    io::{Read, Write},
    net::{TcpListener, UdpSocket},
    thread,
    time::Duration,
};

use crate::{receiver::Receiver, site::Site};

#[test]
fn receiver_that_floods_a_stream_does_not_stop_other_targets() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut site = Site::new();
    site.address("flood", "traps", true, listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 1]);
            // Empty messages, which the notifier drops. It may close the connection.
            while stream.write_all(&[0x30, 0x00].repeat(8192)).is_ok() {}
        }
    });
    check_others(&mut site);
}

#[test]
fn receiver_that_floods_with_datagrams_does_not_stop_other_targets() {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let mut site = Site::new();
    site.address("flood", "traps", false, socket.local_addr().unwrap());
    thread::spawn(move || {
        let (_, peer) = socket.recv_from(&mut [0; 65_535]).unwrap();
        for socket in [socket.try_clone().unwrap(), socket] {
            thread::spawn(move || {
                loop {
                    let _ = socket.send_to(&[0x30, 0x00], peer);
                }
            });
        }
    });
    check_others(&mut site);
}

/// Adds a target that works, and checks that it and the notifier answer during the flood.
fn check_others(site: &mut Site) {
    let working = Receiver::udp();
    site.informs("working", &working);
    let notifier = site.run();
    notifier.submit(1).unwrap();
    notifier.await_target("flood", "the flood", |target| !target.address.is_empty());
    for number in 2..=20 {
        notifier.submit(number).unwrap();
        thread::sleep(Duration::from_millis(10));
    }
    notifier.await_empty("working");
    assert_eq!(working.numbers(), Vec::from_iter(1..=20));
}
