use std::net::{SocketAddr, UdpSocket};
use std::os::fd::AsFd;
use std::time::Duration;

use super::{BATCH_SIZE, Endpoint, LocalAddress, SendBatch};

fn to(peer: SocketAddr) -> Endpoint {
    Endpoint { peer, local: None }
}

fn receiver(address: &str) -> UdpSocket {
    let socket = UdpSocket::bind(address).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    socket
}

#[test]
fn datagrams_reach_their_peers_in_order() {
    let peers = [receiver("127.0.0.1:0"), receiver("127.0.0.2:0")];
    let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
    let mut departures = SendBatch::default();
    for round in 0..2_u8 {
        for n in 0..BATCH_SIZE as u8 {
            let peer = peers[usize::from(n) % 2].local_addr().unwrap();
            // The datagrams have different lengths, including zero.
            assert!(departures.push(to(peer), &vec![n; usize::from(n) + usize::from(round)]));
        }
        assert!(departures.is_full());
        assert!(!departures.push(to(peers[0].local_addr().unwrap()), b"one too many"));
        let flushed = departures.flush(socket.as_fd());
        assert_eq!((flushed.sent, flushed.failed), (BATCH_SIZE, 0));
        let mut buffer = [0; 64];
        for n in 0..BATCH_SIZE as u8 {
            let length = peers[usize::from(n) % 2].recv(&mut buffer).unwrap();
            assert_eq!(buffer[..length], vec![n; usize::from(n) + usize::from(round)]);
        }
    }
}

#[test]
fn failed_datagram_does_not_prevent_sending_of_others() {
    let peer = receiver("127.0.0.1:0");
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let mut departures = SendBatch::default();
    let too_long = vec![0; 70_000];
    let elsewhere: SocketAddr = "[::1]:9".parse().unwrap();
    assert!(departures.push(to(peer.local_addr().unwrap()), &too_long));
    assert!(departures.push(to(peer.local_addr().unwrap()), b"first"));
    assert!(departures.push(to(elsewhere), b"another family"));
    assert!(departures.push(to(peer.local_addr().unwrap()), b"second"));
    let flushed = departures.flush(socket.as_fd());
    assert_eq!((flushed.sent, flushed.failed), (2, 2));
    let mut buffer = [0; 64];
    for expected in [&b"first"[..], b"second"] {
        let length = peer.recv(&mut buffer).unwrap();
        assert_eq!(&buffer[..length], expected);
    }
    let nothing = departures.flush(socket.as_fd());
    assert_eq!((nothing.sent, nothing.failed), (0, 0));
}

#[test]
fn each_datagram_is_sent_from_its_local_address() {
    let peer = receiver("127.0.0.1:0");
    let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
    let mut departures = SendBatch::default();
    assert!(departures.is_empty());
    for last in [2, 1, 3] {
        let local = LocalAddress { address: [127, 0, 0, last].into(), interface: 0 };
        let to = Endpoint { peer: peer.local_addr().unwrap(), local: Some(local) };
        assert!(departures.push(to, &[last]));
    }
    assert!(!departures.is_empty());
    assert_eq!(departures.flush(socket.as_fd()).sent, 3);
    for last in [2, 1, 3] {
        let mut buffer = [0; 4];
        let (length, from) = peer.recv_from(&mut buffer).unwrap();
        assert_eq!((&buffer[..length], from.ip()), (&[last][..], [127, 0, 0, last].into()));
    }
}
