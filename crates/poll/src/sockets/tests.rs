use std::{
    net::UdpSocket,
    os::unix::net::UnixStream,
    time::{Duration, Instant},
};

use super::{EndpointAllocator, SOCKETS_PER_FAMILY, SocketPool};

const TIMEOUT: Duration = Duration::from_secs(5);

/// Returns the datagrams received after one wait.
fn received(sockets: &mut SocketPool, gather_time: Duration) -> Vec<Vec<u8>> {
    let (_waker, woken) = UnixStream::pair().unwrap();
    sockets.wait(&woken, gather_time, TIMEOUT).unwrap();
    let mut all = Vec::new();
    sockets.receive(|_, message| all.push(message.to_vec()));
    all
}

/// Tests agents of both families, each with several targets at one address.
#[test]
fn targets_at_one_address_use_different_sockets() {
    for address in ["127.0.0.1:0", "[::1]:0"] {
        let Ok(agent) = UdpSocket::bind(address) else {
            println!("skipped: no {address}");
            continue;
        };
        let (mut sockets, mut allocator) = (SocketPool::open().unwrap(), EndpointAllocator::default());
        let address = agent.local_addr().unwrap();
        let all: Vec<_> = (0..SOCKETS_PER_FAMILY).map(|_| allocator.allocate(address).unwrap()).collect();
        assert_eq!(allocator.allocate(address), None);
        for (number, endpoint) in (0..).zip(&all) {
            sockets.send(*endpoint, &[number]);
        }
        sockets.flush();
        let mut buffer = [0; 16];
        for _ in &all {
            let (length, from) = agent.recv_from(&mut buffer).unwrap();
            agent.send_to(&buffer[..length], from).unwrap();
        }
        let (_waker, woken) = UnixStream::pair().unwrap();
        let mut received_messages = Vec::new();
        while received_messages.len() < all.len() {
            sockets.wait(&woken, Duration::ZERO, TIMEOUT).unwrap();
            sockets.receive(|from, message| received_messages.push((from, message.to_vec())));
        }
        received_messages.sort_by_key(|(_, message)| message.clone());
        let expected: Vec<_> = (0..).zip(all).map(|(number, endpoint)| (endpoint, vec![number])).collect();
        assert_eq!(received_messages, expected);
    }
}

#[test]
fn targets_at_different_addresses_share_first_socket() {
    let mut allocator = EndpointAllocator::default();
    let socket = |text: &str, allocator: &mut EndpointAllocator| {
        allocator.allocate(text.parse().unwrap()).unwrap().socket
    };
    assert_eq!(socket("192.0.2.1:161", &mut allocator), 0);
    assert_eq!(socket("192.0.2.2:161", &mut allocator), 0);
    assert_eq!(socket("192.0.2.1:161", &mut allocator), 1);
}

#[test]
fn socket_pool_waits_for_gather_time_unless_woken() {
    let agent = UdpSocket::bind("127.0.0.1:0").unwrap();
    let (mut sockets, mut allocator) = (SocketPool::open().unwrap(), EndpointAllocator::default());
    sockets.send(allocator.allocate(agent.local_addr().unwrap()).unwrap(), b"?");
    sockets.flush();
    let (_, from) = agent.recv_from(&mut [0; 16]).unwrap();
    agent.send_to(b"!", from).unwrap();
    let gather_time = Duration::from_millis(20);
    let started = Instant::now();
    assert_eq!(received(&mut sockets, gather_time), [b"!"]);
    assert!(started.elapsed() >= gather_time);

    let (mut waker, woken) = UnixStream::pair().unwrap();
    std::io::Write::write_all(&mut waker, b"x").unwrap();
    let started = Instant::now();
    sockets.wait(&woken, TIMEOUT, TIMEOUT).unwrap();
    assert!(started.elapsed() < TIMEOUT);
}
