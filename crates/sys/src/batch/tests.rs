use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use super::{BATCH, Batch, FEW};
use crate::{Endpoint, LocalAddress, enable_local_address, send_to};

#[test]
fn datagrams_are_answered_in_order_over_both_families() {
    for address in ["127.0.0.1:0", "[::1]:0"] {
        let server = server(address);
        let client = client(address);
        client.connect(server.local_addr().unwrap()).unwrap();
        let mut batch = Batch::new(2048);
        for round in 0..3_u8 {
            for n in 0..BATCH as u8 {
                client.send(&[round, n]).unwrap();
            }
            let mut answered = 0;
            while answered < BATCH {
                answered += echo(&mut batch, &server);
            }
            for n in 0..BATCH as u8 {
                assert_eq!(receive(&client), [round, n]);
            }
        }
    }
}

#[test]
fn a_few_are_received_and_the_others_stay() {
    let server = server("127.0.0.1:0");
    let client = client("127.0.0.1:0");
    client.connect(server.local_addr().unwrap()).unwrap();
    let mut batch = Batch::new(2048);
    for n in 0..FEW as u8 + 2 {
        client.send(&[n]).unwrap();
    }
    assert_eq!(wait(|| batch.receive_few(server.as_fd()).ok()), FEW);
    assert_eq!(batch.slot(FEW - 1).unwrap().message, [FEW as u8 - 1]);
    assert!(batch.slot(FEW).is_none());
    assert_eq!(wait(|| batch.receive_few(server.as_fd()).ok()), 2);
    assert_eq!(batch.slot(0).unwrap().message, [FEW as u8]);
    assert_eq!(batch.receive_few(server.as_fd()).unwrap_err().kind(), ErrorKind::WouldBlock);
}

#[test]
fn the_answer_leaves_from_the_address_that_was_asked() {
    let server = server("0.0.0.0:0");
    let port = server.local_addr().unwrap().port();
    let mut batch = Batch::new(2048);
    for asked in ["127.0.0.1", "127.0.0.2", "127.9.8.7"] {
        let client = client("127.0.0.1:0");
        let asked = SocketAddr::new(asked.parse().unwrap(), port);
        client.send_to(b"who?", asked).unwrap();
        echo(&mut batch, &server);
        let mut buffer = [0; 16];
        let (_, from) = client.recv_from(&mut buffer).unwrap();
        assert_eq!(from, asked);
    }
}

#[test]
fn a_host_can_ask_itself_by_its_outer_address() {
    // No packet is sent by connecting: the kernel only chooses a source address.
    for (any, target) in [("0.0.0.0:0", "192.0.2.77:9"), ("[::]:0", "[2001:db8::77]:9")] {
        let probe = match UdpSocket::bind(any) {
            Ok(probe) if probe.connect(target).is_ok() => probe,
            _ => {
                println!("skipped: no route for {target}");
                continue;
            }
        };
        let own: IpAddr = probe.local_addr().unwrap().ip();
        let server = server(any);
        let client = client(any);
        let asked = SocketAddr::new(own, server.local_addr().unwrap().port());
        client.send_to(b"who?", asked).unwrap();
        echo(&mut Batch::new(2048), &server);
        let mut buffer = [0; 16];
        let (_, from) = client.recv_from(&mut buffer).unwrap();
        assert_eq!(from, asked);
    }
}

#[test]
fn local_address_and_interface_are_told() {
    for (bound, asked) in [("0.0.0.0:0", "127.0.0.3"), ("[::]:0", "::1")] {
        let server = server(bound);
        let asked: IpAddr = asked.parse().unwrap();
        let client = client(&SocketAddr::new(asked, 0).to_string());
        client.send_to(b"x", SocketAddr::new(asked, server.local_addr().unwrap().port())).unwrap();
        let mut batch = Batch::new(2048);
        wait(|| batch.receive(server.as_fd()).ok());
        let endpoint = batch.slot(0).unwrap().endpoint.unwrap();
        assert_eq!(endpoint.peer, client.local_addr().unwrap());
        let local = endpoint.local.unwrap();
        assert_eq!(local.address, asked);
        assert_ne!(local.interface, 0);
    }
}

#[test]
fn a_datagram_longer_than_its_slot_is_flagged_and_its_neighbours_are_whole() {
    let server = server("127.0.0.1:0");
    let client = client("127.0.0.1:0");
    client.connect(server.local_addr().unwrap()).unwrap();
    for length in [100, 101, 60_000, 0, 99] {
        client.send(&vec![7; length]).unwrap();
    }
    let mut batch = Batch::new(100);
    let mut seen = Vec::new();
    while seen.len() < 5 {
        for index in 0..wait(|| batch.receive(server.as_fd()).ok()) {
            let slot = batch.slot(index).unwrap();
            seen.push((slot.message.len(), slot.truncated));
        }
    }
    assert_eq!(seen, [(100, false), (100, true), (100, true), (0, false), (99, false)]);
    assert!(batch.slot(BATCH).is_none());
}

#[test]
fn an_empty_socket_would_block() {
    let server = server("127.0.0.1:0");
    let mut batch = Batch::new(100);
    assert_eq!(batch.receive(server.as_fd()).unwrap_err().kind(), ErrorKind::WouldBlock);
    assert!(batch.slot(0).is_none());
    assert!(!batch.answer(0, 0..1));
}

#[test]
fn answers_outside_the_buffer_are_not_queued() {
    let server = server("127.0.0.1:0");
    let client = client("127.0.0.1:0");
    client.send_to(b"x", server.local_addr().unwrap()).unwrap();
    let mut batch = Batch::new(100);
    wait(|| batch.receive(server.as_fd()).ok());
    assert!(!batch.answer(0, 50..101));
    #[expect(clippy::reversed_empty_ranges, reason = "a range the wrong way round is what is tried")]
    let reversed = 9..3;
    assert!(!batch.answer(0, reversed));
    assert!(!batch.answer(1, 0..1));
    assert!(batch.answer(0, 0..100));
    assert_eq!(batch.flush(server.as_fd()).unwrap().sent, 1);
}

#[test]
fn an_answer_the_kernel_refuses_does_not_stop_the_others() {
    let server = server("127.0.0.1:0");
    let client = client("127.0.0.1:0");
    client.connect(server.local_addr().unwrap()).unwrap();
    // An IPv4 datagram holds at most 65 507 octets, so the middle answer cannot be sent.
    let mut batch = Batch::new(65_535);
    // The three must come in one batch; a loaded machine may deliver them apart.
    wait(|| {
        for n in 0..3_u8 {
            client.send(&[n]).unwrap();
        }
        batch.receive(server.as_fd()).ok().filter(|&count| count == 3)
    });
    for index in 0..3 {
        let slot = batch.slot(index).unwrap();
        slot.answer[0] = slot.message[0];
    }
    assert!(batch.answer(0, 0..1) && batch.answer(1, 0..65_535) && batch.answer(2, 0..1));
    let flushed = batch.flush(server.as_fd()).unwrap();
    assert_eq!((flushed.sent, flushed.refused), (2, 1));
    assert_eq!(receive(&client), [0]);
    assert_eq!(receive(&client), [2]);
}

#[test]
fn a_single_datagram_leaves_from_the_address_given() {
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
fn a_batch_may_move_between_threads() {
    fn needs_send<T: Send>(_: T) {}
    needs_send(Batch::new(100));
}

/// A non-blocking socket that tells local addresses.
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

/// Sends back what is there; returns how many.
fn echo(batch: &mut Batch, server: &UdpSocket) -> usize {
    let count = wait(|| batch.receive(server.as_fd()).ok());
    for index in 0..count {
        let slot = batch.slot(index).unwrap();
        let length = slot.message.len();
        slot.answer[..length].copy_from_slice(slot.message);
        assert!(batch.answer(index, 0..length));
    }
    assert_eq!(batch.flush(server.as_fd()).unwrap().refused, 0);
    count
}

fn receive(client: &UdpSocket) -> Vec<u8> {
    let mut buffer = [0; 2048];
    let length = client.recv(&mut buffer).unwrap();
    buffer[..length].to_vec()
}

/// Loopback delivers within the send call, as a rule; where it does not, this waits a little.
fn wait<T>(mut attempt: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(value) = attempt() {
            return value;
        }
        assert!(start.elapsed() < Duration::from_secs(5), "nothing arrived");
        std::thread::yield_now();
    }
}
