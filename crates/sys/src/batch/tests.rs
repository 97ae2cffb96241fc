use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use super::{BATCH_SIZE, DatagramBatch, SMALL_BATCH};
use crate::{Endpoint, LocalAddress, enable_local_address, send_to};

#[test]
fn batch_sends_replies_in_order_over_ipv4_and_ipv6() {
    for address in ["127.0.0.1:0", "[::1]:0"] {
        let server = server(address);
        let client = client(address);
        client.connect(server.local_addr().unwrap()).unwrap();
        let mut batch = DatagramBatch::new(2048);
        for round in 0..3_u8 {
            for n in 0..BATCH_SIZE as u8 {
                client.send(&[round, n]).unwrap();
            }
            let mut replied = 0;
            while replied < BATCH_SIZE {
                replied += echo(&mut batch, &server);
            }
            for n in 0..BATCH_SIZE as u8 {
                assert_eq!(receive(&client), [round, n]);
            }
        }
    }
}

#[test]
fn receive_small_limits_batch_and_next_call_returns_the_rest() {
    let server = server("127.0.0.1:0");
    let client = client("127.0.0.1:0");
    client.connect(server.local_addr().unwrap()).unwrap();
    let mut batch = DatagramBatch::new(2048);
    for n in 0..SMALL_BATCH as u8 + 2 {
        client.send(&[n]).unwrap();
    }
    assert_eq!(retry_until_some(|| batch.receive_small(server.as_fd()).ok()), SMALL_BATCH);
    assert_eq!(batch.slot(SMALL_BATCH - 1).unwrap().message, [SMALL_BATCH as u8 - 1]);
    assert!(batch.slot(SMALL_BATCH).is_none());
    assert_eq!(retry_until_some(|| batch.receive_small(server.as_fd()).ok()), 2);
    assert_eq!(batch.slot(0).unwrap().message, [SMALL_BATCH as u8]);
    assert_eq!(batch.receive_small(server.as_fd()).unwrap_err().kind(), ErrorKind::WouldBlock);
}

#[test]
fn reply_is_sent_from_local_address_that_received_request() {
    let server = server("0.0.0.0:0");
    let port = server.local_addr().unwrap().port();
    let mut batch = DatagramBatch::new(2048);
    for target in ["127.0.0.1", "127.0.0.2", "127.9.8.7"] {
        let client = client("127.0.0.1:0");
        let target = SocketAddr::new(target.parse().unwrap(), port);
        client.send_to(b"who?", target).unwrap();
        echo(&mut batch, &server);
        let mut buffer = [0; 16];
        let (_, from) = client.recv_from(&mut buffer).unwrap();
        assert_eq!(from, target);
    }
}

#[test]
fn reply_is_sent_from_non_loopback_address_that_received_request() {
    // Connecting sends no packet: the kernel only chooses a source address.
    for (any, target) in [("0.0.0.0:0", "192.0.2.77:9"), ("[::]:0", "[2001:db8::77]:9")] {
        let probe = match UdpSocket::bind(any) {
            Ok(probe) if probe.connect(target).is_ok() => probe,
            _ => {
                println!("skipped: no route for {target}");
                continue;
            }
        };
        let local: IpAddr = probe.local_addr().unwrap().ip();
        let server = server(any);
        let client = client(any);
        let target = SocketAddr::new(local, server.local_addr().unwrap().port());
        client.send_to(b"who?", target).unwrap();
        echo(&mut DatagramBatch::new(2048), &server);
        let mut buffer = [0; 16];
        let (_, from) = client.recv_from(&mut buffer).unwrap();
        assert_eq!(from, target);
    }
}

#[test]
fn local_address_and_interface_of_received_datagram_are_reported() {
    for (bound, target) in [("0.0.0.0:0", "127.0.0.3"), ("[::]:0", "::1")] {
        let server = server(bound);
        let target: IpAddr = target.parse().unwrap();
        let client = client(&SocketAddr::new(target, 0).to_string());
        client.send_to(b"x", SocketAddr::new(target, server.local_addr().unwrap().port())).unwrap();
        let mut batch = DatagramBatch::new(2048);
        retry_until_some(|| batch.receive(server.as_fd()).ok());
        let endpoint = batch.slot(0).unwrap().endpoint.unwrap();
        assert_eq!(endpoint.peer, client.local_addr().unwrap());
        let local = endpoint.local.unwrap();
        assert_eq!(local.address, target);
        assert_ne!(local.interface, 0);
    }
}

#[test]
fn oversized_datagram_is_marked_truncated() {
    let server = server("127.0.0.1:0");
    let client = client("127.0.0.1:0");
    client.connect(server.local_addr().unwrap()).unwrap();
    for length in [100, 101, 60_000, 0, 99] {
        client.send(&vec![7; length]).unwrap();
    }
    let mut batch = DatagramBatch::new(100);
    let mut received = Vec::new();
    while received.len() < 5 {
        for index in 0..retry_until_some(|| batch.receive(server.as_fd()).ok()) {
            let slot = batch.slot(index).unwrap();
            received.push((slot.message.len(), slot.truncated));
        }
    }
    assert_eq!(received, [(100, false), (100, true), (100, true), (0, false), (99, false)]);
    assert!(batch.slot(BATCH_SIZE).is_none());
}

#[test]
fn receive_returns_would_block_on_empty_socket() {
    let server = server("127.0.0.1:0");
    let mut batch = DatagramBatch::new(100);
    assert_eq!(batch.receive(server.as_fd()).unwrap_err().kind(), ErrorKind::WouldBlock);
    assert!(batch.slot(0).is_none());
    assert!(!batch.queue_reply(0, 0..1));
}

#[test]
fn reply_with_invalid_range_or_slot_is_rejected() {
    let server = server("127.0.0.1:0");
    let client = client("127.0.0.1:0");
    client.send_to(b"x", server.local_addr().unwrap()).unwrap();
    let mut batch = DatagramBatch::new(100);
    retry_until_some(|| batch.receive(server.as_fd()).ok());
    assert!(!batch.queue_reply(0, 50..101));
    #[expect(clippy::reversed_empty_ranges, reason = "the test passes a reversed range")]
    let reversed = 9..3;
    assert!(!batch.queue_reply(0, reversed));
    assert!(!batch.queue_reply(1, 0..1));
    assert!(batch.queue_reply(0, 0..100));
    assert_eq!(batch.flush(server.as_fd()).unwrap().sent, 1);
}

#[test]
fn failed_reply_does_not_prevent_other_replies() {
    let server = server("127.0.0.1:0");
    let client = client("127.0.0.1:0");
    client.connect(server.local_addr().unwrap()).unwrap();
    // An IPv4 datagram holds at most 65 507 octets, so the middle reply cannot be sent.
    let mut batch = DatagramBatch::new(65_535);
    // Retry until all three datagrams arrive in one batch, because a loaded machine may deliver
    // them separately.
    retry_until_some(|| {
        for n in 0..3_u8 {
            client.send(&[n]).unwrap();
        }
        batch.receive(server.as_fd()).ok().filter(|&count| count == 3)
    });
    for index in 0..3 {
        let slot = batch.slot(index).unwrap();
        slot.reply[0] = slot.message[0];
    }
    assert!(batch.queue_reply(0, 0..1) && batch.queue_reply(1, 0..65_535) && batch.queue_reply(2, 0..1));
    let flushed = batch.flush(server.as_fd()).unwrap();
    assert_eq!((flushed.sent, flushed.failed), (2, 1));
    assert_eq!(receive(&client), [0]);
    assert_eq!(receive(&client), [2]);
}

#[test]
fn send_to_uses_given_local_address() {
    let server = server("0.0.0.0:0");
    let client = client("127.0.0.1:0");
    let local = LocalAddress { address: "127.0.0.5".parse().unwrap(), interface: 0 };
    let to = Endpoint { peer: client.local_addr().unwrap(), local: Some(local) };
    send_to(server.as_fd(), &to, b"late").unwrap();
    let mut buffer = [0; 16];
    let (length, from) = client.recv_from(&mut buffer).unwrap();
    assert_eq!(&buffer[..length], b"late");
    assert_eq!(from, SocketAddr::new(local.address, server.local_addr().unwrap().port()));
}

#[test]
fn datagram_batch_can_be_sent_to_another_thread() {
    fn needs_send<T: Send>(_: T) {}
    needs_send(DatagramBatch::new(100));
}

/// Returns a non-blocking socket that reports local addresses.
fn server(address: &str) -> UdpSocket {
    let server = UdpSocket::bind(address).unwrap();
    server.set_nonblocking(true).unwrap();
    enable_local_address(server.as_fd(), server.local_addr().unwrap()).unwrap();
    server
}

fn client(address: &str) -> UdpSocket {
    let client = UdpSocket::bind(address).unwrap();
    client.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    client
}

/// Echoes the available datagrams and returns their number.
fn echo(batch: &mut DatagramBatch, server: &UdpSocket) -> usize {
    let count = retry_until_some(|| batch.receive(server.as_fd()).ok());
    for index in 0..count {
        let slot = batch.slot(index).unwrap();
        let length = slot.message.len();
        slot.reply[..length].copy_from_slice(slot.message);
        assert!(batch.queue_reply(index, 0..length));
    }
    assert_eq!(batch.flush(server.as_fd()).unwrap().failed, 0);
    count
}

fn receive(client: &UdpSocket) -> Vec<u8> {
    let mut buffer = [0; 2048];
    let length = client.recv(&mut buffer).unwrap();
    buffer[..length].to_vec()
}

/// Retries until `attempt` succeeds. Loopback usually delivers within the send call, but not
/// always.
fn retry_until_some<T>(mut attempt: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(value) = attempt() {
            return value;
        }
        assert!(start.elapsed() < Duration::from_secs(5), "nothing arrived");
        std::thread::yield_now();
    }
}
