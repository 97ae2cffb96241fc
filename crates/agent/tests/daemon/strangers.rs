//! Those at the gate who have not shown who they are, and those who have and behave badly (reliability lines K and T).

use std::io::{ErrorKind, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream, UdpSocket};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use portreeve_broker_protocol::Transport;
use portreeve_channel::SecureDatagrams;
use portreeve_channel_dtls::{self as dtls, DtlsClient, Settings};
use portreeve_smi::SecurityLevel;
use rustix::process::Signal;

use crate::fixture::{Gate, Heard, Levels, TlsPeer, can_hold_many_connections, heard, tsm_get, wait_until};

const EVERY: [Transport; 3] = [Transport::Tls, Transport::Dtls, Transport::Ssh];
const STREAMS: [Transport; 2] = [Transport::Tls, Transport::Ssh];

#[test]
fn k_a_hundred_thousand_hellos_without_a_cookie_leave_memory_flat() {
    let gate = Gate::new("k-hellos", "");
    let agent = gate.run();
    log_in(&gate, Transport::Dtls);
    let hello = first_hello(&gate, dtls::Versions::Only12);
    flood(&gate, &hello, 2_000);
    let (before, logged) = (Levels::of(&agent), agent.log().len());
    let (sent, answered) = flood(&gate, &hello, 100_000);
    assert!(answered < sent, "{answered} octets for {sent}");
    let after = Levels::of(&agent);
    println!("RSS {} KiB, before {} KiB", after.rss, before.rss);
    assert!(after.rss <= before.rss + 1024, "{after:?}, before {before:?}");
    assert_eq!(after.descriptors, before.descriptors);
    assert!(agent.log().len() < logged + 4096, "strangers fill the log");
    log_in(&gate, Transport::Dtls);
}

#[test]
fn k_hellos_of_dtls_1_3_hold_no_more_than_the_stated_half_open_handshakes() {
    let gate = Gate::new("k-hellos-13", "");
    let agent = gate.run();
    log_in(&gate, Transport::Dtls);
    let hello = first_hello(&gate, dtls::Versions::Only13);
    // More than there is room for, so that it is full.
    flood(&gate, &hello, 2_000);
    let (before, logged) = (Levels::of(&agent), agent.log().len());
    let (sent, answered) = flood(&gate, &hello, 10_000);
    assert!(answered < sent, "{answered} octets for {sent}");
    let after = Levels::of(&agent);
    println!("RSS {} KiB, before {} KiB", after.rss, before.rss);
    assert!(after.rss <= before.rss + 4096, "{after:?}, before {before:?}");
    assert!(agent.log().len() < logged + 4096, "strangers fill the log");
    log_in(&gate, Transport::Dtls);
}

#[test]
fn k_fragments_of_messages_that_never_end_hold_no_more_than_half_open_handshakes_may() {
    let gate = Gate::new("k-fragments", "[limits]\ngrace = 3\n");
    let agent = gate.run();
    log_in(&gate, Transport::Dtls);
    let before = Levels::of(&agent);
    for versions in [dtls::Versions::Only12, dtls::Versions::Only13] {
        let mut most = 0;
        for number in 0..100 {
            let socket = UdpSocket::bind((Ipv4Addr::new(127, 9, 9, 1 + number), 0)).unwrap();
            begin_dtls(&gate, &socket, versions);
            // Far too long ones, and then as long ones as are believed.
            for whole in [100_000, 32_768, 4096] {
                for message in 1..12 {
                    for part in 0..(whole - 1) / 900 {
                        socket.send(&fragment(message, whole, part)).unwrap();
                    }
                    // Not faster than they are taken in.
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            if number % 25 == 24 {
                let took = log_in(&gate, Transport::Dtls);
                assert!(took < SOON, "{took:?}");
                most = most.max(agent.rss());
            }
        }
        println!("{versions:?}: RSS {most} KiB, before {} KiB", before.rss);
        assert!(most <= before.rss + 24 * 1024, "{versions:?}: {most} KiB, before {before:?}");
    }
    // Once the grace time is over nothing is left of them.
    std::thread::sleep(Duration::from_secs(4));
    Levels::of(&agent).assert_back_to(before);
    log_in(&gate, Transport::Dtls);
}

#[test]
fn k_first_messages_that_never_end_hold_no_more_than_one_source_may() {
    if !can_hold_many_connections() {
        return;
    }
    let gate = Gate::new("k-endless", "[limits]\ngrace = 3\n");
    let agent = gate.run();
    // A hello of TLS in records of the greatest length, and an offer of SSH's, which lack their last octets.
    let records = |count| [&[22, 3, 1, 0x40, 0][..], &[0; 0x4000]].concat().repeat(count);
    let mut hello = records(5);
    hello[5..9].copy_from_slice(&[1, 0, 0xff, 0xff]);
    let offer = |length: u32| {
        let beginning = [&b"SSH-2.0-long\r\n"[..], &length.to_be_bytes(), &[4, 20]].concat();
        [beginning, vec![0; length as usize - 1000]].concat()
    };
    // Longer than anybody may send before the login, and as long as that.
    let [greedy, modest] = [260_004, 34_996].map(offer);
    for (transport, octets) in [(Transport::Tls, hello), (Transport::Ssh, greedy), (Transport::Ssh, modest)] {
        log_in(&gate, transport);
        let before = Levels::of(&agent);
        let mut most = 0;
        let streams: Vec<_> = (0..1000)
            .map(|number| {
                let mut stream = TcpStream::connect(("127.0.0.1", gate.port(transport))).unwrap();
                stream.set_nonblocking(true).unwrap();
                // Until it is cut, or nobody reads any more.
                let _ = stream.write_all(&octets);
                if number % 100 == 99 {
                    most = most.max(agent.rss());
                    let took = log_in(&gate, transport);
                    assert!(took < SOON, "{transport:?} took {took:?}");
                }
                stream
            })
            .collect();
        println!("{transport:?}: RSS {most} KiB, before {} KiB", before.rss);
        assert!(most <= before.rss + 32 * 1024, "{transport:?}: {most} KiB, before {before:?}");
        // Nobody has hung up, and the grace time ends.
        wait_until("their end", || {
            agent.descriptors() <= before.descriptors && agent.rss() <= before.rss + 16 * 1024
        });
        drop(streams);
    }
}

#[test]
fn k_one_silent_connection_at_each_listener_holds_nobody_up() {
    let gate = Gate::new("k-silent", "");
    let _agent = gate.run();
    let ports = STREAMS.map(|transport| gate.port(transport));
    let _silent: Vec<_> =
        ports.iter().map(|port| TcpStream::connect(("127.0.0.1", *port)).unwrap()).collect();
    for transport in EVERY {
        let took = log_in(&gate, transport);
        assert!(took < SOON, "{transport:?} took {took:?}");
    }
}

#[test]
fn k_a_thousand_idle_connections_of_one_address_keep_no_good_login_waiting() {
    if !can_hold_many_connections() {
        return;
    }
    let gate = Gate::new("k-idle-one", "");
    let _agent = gate.run();
    for transport in STREAMS {
        let idle: Vec<_> =
            (0..1000).map(|_| TcpStream::connect(("127.0.0.1", gate.port(transport))).unwrap()).collect();
        let took = log_in(&gate, transport);
        assert!(took < SOON, "{transport:?} took {took:?}");
        drop(idle);
    }
}

#[test]
fn k_a_thousand_idle_connections_of_many_addresses_keep_no_good_login_waiting() {
    if !can_hold_many_connections() {
        return;
    }
    let gate = Gate::new("k-idle-many", "[limits]\nconnections = 4000\n");
    let agent = gate.run();
    for transport in STREAMS {
        log_in(&gate, transport);
        let before = Levels::of(&agent).descriptors;
        let idle: Vec<_> = (0..1000_u16).map(|number| connect_from(number, gate.port(transport))).collect();
        wait_until("all connections", || agent.descriptors() >= before + 1000);
        let took = log_in(&gate, transport);
        assert!(took < SOON, "{transport:?} took {took:?}");
        drop(idle);
        wait_until("their end", || agent.descriptors() <= before);
    }
}

#[test]
fn k_peers_that_dribble_hold_nobody_up_and_are_cut_after_their_grace_time() {
    let gate = Gate::new("k-dribble", "[limits]\ngrace = 2\n");
    let agent = gate.run();
    log_in(&gate, Transport::Tls);
    let before = Levels::of(&agent).descriptors;
    // The head of a TLS record, and an SSH banner that does not end.
    let beginnings = [vec![22, 3, 1, 0x40, 0, 1, 0, 0x3f, 0xfc, 3, 3], b"SSH-2.0-slow".to_vec()];
    let mut slow: Vec<_> = STREAMS
        .iter()
        .zip(&beginnings)
        .flat_map(|(transport, beginning)| {
            (0..50).map(|_| {
                (TcpStream::connect(("127.0.0.1", gate.port(*transport))).unwrap(), beginning.iter())
            })
        })
        .collect();
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(1) {
        for (stream, octets) in &mut slow {
            let _ = stream.write_all(&[*octets.next().unwrap_or(&b'x')]);
        }
        for transport in STREAMS {
            let took = log_in(&gate, transport);
            assert!(took < SOON, "{transport:?} took {took:?}");
        }
    }
    wait_until("their end", || {
        for (stream, _) in &mut slow {
            let _ = stream.write_all(b"x");
        }
        agent.descriptors() <= before
    });
}

#[test]
fn k_a_peer_that_never_reads_is_cut_and_blocks_itself_only() {
    let gate = Gate::new("k-greedy", "[limits]\nstall = 1\n");
    let agent = gate.run();
    log_in(&gate, Transport::Tls);
    let before = Levels::of(&agent);
    let mut greedy = TlsPeer::connect(&gate);
    let question = tsm_get(SecurityLevel::AuthPriv, 2000);
    greedy.socket.set_nonblocking(true).unwrap();
    let (start, mut asked) = (Instant::now(), 0);
    // Until nobody takes the questions any more, and the agent loses patience.
    loop {
        match greedy.try_send(&question) {
            Ok(()) => asked += question.len(),
            Err(ErrorKind::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
            Err(_) => break,
        }
        assert!(asked < 64 << 20, "questions are read for ever");
        assert!(start.elapsed() < Duration::from_secs(20), "it is never cut");
        if asked % 7 == 0 {
            let took = log_in(&gate, Transport::Tls);
            assert!(took < SOON, "{took:?}");
        }
    }
    drop(greedy);
    wait_until("its end", || agent.descriptors() <= before.descriptors);
    Levels::of(&agent).assert_back_to(before);
}

#[test]
fn k_a_request_in_the_segment_that_ends_the_handshake_is_answered() {
    let gate = Gate::new("k-eager", "");
    let _agent = gate.run();
    for _ in 0..20 {
        let mut peer = TlsPeer::begin(&gate);
        let request = tsm_get(SecurityLevel::AuthPriv, 1);
        // The client has all it needs: its last flight and the request leave at once.
        let mut segment = peer.transmitted();
        assert_eq!(peer.channel.write(&request), request.len());
        segment.extend(peer.transmitted());
        peer.socket.write_all(&segment).unwrap();
        assert_eq!(heard(&peer.receive()), Heard::Values(1));
    }
}

#[test]
fn k_messages_that_are_large_tiny_cut_or_glued_are_answered_as_if_they_were_not() {
    let gate = Gate::new("k-shapes", "");
    let _agent = gate.run();
    for transport in EVERY {
        let mut visitor = gate.visit(transport, "ops").unwrap();
        // The longest that a DTLS record carries is some sixteen thousand octets.
        let most = if transport == Transport::Dtls { 700 } else { 2500 };
        for variables in [0, 1, 60, most] {
            let answer = visitor.ask(&tsm_get(SecurityLevel::AuthPriv, variables)).unwrap();
            assert_eq!(heard(&answer), Heard::Values(variables), "{transport:?}");
        }
    }
    for transport in STREAMS {
        let mut visitor = gate.visit(transport, "ops").unwrap();
        let glued: Vec<u8> = [1, 0, 40, 3].map(|count| tsm_get(SecurityLevel::AuthPriv, count)).concat();
        for piece in [1, 7, 100, glued.len()] {
            glued.chunks(piece).for_each(|octets| visitor.send(octets).unwrap());
            for variables in [1, 0, 40, 3] {
                assert_eq!(
                    heard(&visitor.receive().unwrap()),
                    Heard::Values(variables),
                    "{transport:?} {piece}"
                );
            }
        }
        // What is no message ends the session, and that one only.
        let mut other = gate.visit(transport, "ops").unwrap();
        visitor.send(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        assert_eq!(visitor.receive(), None, "{transport:?}");
        assert!(other.ask(&tsm_get(SecurityLevel::AuthPriv, 1)).is_some());
    }
}

#[test]
fn k_refused_strangers_do_not_fill_the_log() {
    let gate = Gate::new("k-log", "");
    let agent = gate.run();
    let before = agent.log().len();
    for transport in STREAMS {
        for _ in 0..500 {
            let mut stream = TcpStream::connect(("127.0.0.1", gate.port(transport))).unwrap();
            let _ = stream.write_all(b"GET / HTTP/1.1\r\n\r\n");
            let _ = std::io::copy(&mut stream, &mut std::io::sink());
        }
        log_in(&gate, transport);
    }
    let said = agent.log().split_off(before);
    assert!(said.contains("session refused"), "the first ones are told: {said}");
    assert!(said.lines().count() < 400, "{} lines for a thousand strangers", said.lines().count());
}

#[test]
fn k_sessions_behind_sshd_do_not_fill_the_log() {
    let gate = Gate::new("k-relays", "[[listen]]\ntransport = \"behind-sshd\"\npath = \"snmp.sock\"\n");
    let agent = gate.run();
    let (levels, before) = (Levels::of(&agent), agent.log().len());
    for _ in 0..1000 {
        UnixStream::connect(gate.home.path.join("snmp.sock")).unwrap();
    }
    agent.await_log("session behind sshd");
    wait_until("their end", || agent.descriptors() <= levels.descriptors);
    let said = agent.log().split_off(before);
    assert!(said.lines().count() < 200, "{} lines for a thousand sessions", said.lines().count());
}

#[test]
fn k_every_stranger_is_in_the_numbers_that_the_log_is_told() {
    let gate = Gate::new("k-tally", "");
    let agent = gate.run();
    log_in(&gate, Transport::Tls);
    let before = Levels::of(&agent).descriptors;
    for _ in 0..20 {
        let mut stream = TcpStream::connect(("127.0.0.1", gate.port(Transport::Tls))).unwrap();
        let _ = stream.write_all(b"GET / HTTP/1.1\r\n\r\n");
        let _ = std::io::copy(&mut stream, &mut std::io::sink());
    }
    for _ in 0..3 {
        assert!(gate.visit(Transport::Ssh, "stranger").is_err());
    }
    wait_until("their end", || agent.descriptors() <= before);
    // It tells them from time to time, and at the end.
    agent.signal(Signal::TERM);
    agent.await_log("closed_handshake_failed +23, ");
    agent.await_log("ssh_logins_refused{KeyNotListed} +3");
}

#[test]
fn z_memory_that_thousands_of_strangers_needed_is_given_back() {
    if !can_hold_many_connections() {
        return;
    }
    let gate = Gate::new("z-memory", "[limits]\nconnections = 4000\n");
    let agent = gate.run();
    for transport in EVERY {
        log_in(&gate, transport);
    }
    let before = Levels::of(&agent);
    for _ in 0..2 {
        for transport in STREAMS {
            let idle: Vec<_> =
                (0..1500_u16).map(|number| connect_from(number, gate.port(transport))).collect();
            wait_until("all connections", || agent.descriptors() >= before.descriptors + 1500);
            drop(idle);
            wait_until("their end", || agent.descriptors() <= before.descriptors);
        }
    }
    println!("RSS {} KiB, before {} KiB", agent.rss(), before.rss);
    // Every ten seconds, and not at once.
    std::thread::sleep(Duration::from_secs(5));
    wait_until("less memory", || agent.rss() <= before.rss + 6 * 1024);
    for transport in EVERY {
        log_in(&gate, transport);
    }
}

/// How long a session and an answer take.
fn log_in(gate: &Gate, transport: Transport) -> Duration {
    let start = Instant::now();
    let mut visitor = gate.visit(transport, "ops").unwrap();
    let answer = visitor.ask(&tsm_get(SecurityLevel::AuthPriv, 1)).expect("an answer");
    assert_eq!(heard(&answer), Heard::Values(1));
    start.elapsed()
}

/// Sends a hello so many times from many addresses, each with another random; returns the octets sent and answered.
fn flood(gate: &Gate, hello: &[u8], count: usize) -> (usize, usize) {
    let (mut sent, mut answered) = (0, 0);
    let (mut hello, mut buffer) = (hello.to_vec(), [0; 4096]);
    for lot in 0..count / LOT {
        let own = Ipv4Addr::new(127, 9, (lot / 250) as u8, 1 + (lot % 250) as u8);
        let socket = UdpSocket::bind((own, 0)).unwrap();
        socket.connect((Ipv4Addr::LOCALHOST, gate.port(Transport::Dtls))).unwrap();
        for number in 0..LOT {
            hello[RANDOM..RANDOM + 8].copy_from_slice(&((lot * LOT + number) as u64).to_be_bytes());
            sent += socket.send(&hello).unwrap();
        }
        // So that none is lost on its way, the answers to a lot are waited for.
        socket.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        for _ in 0..LOT {
            answered += socket.recv(&mut buffer).expect("an answer to each hello");
        }
    }
    (sent, answered)
}

fn first_hello(gate: &Gate, versions: dtls::Versions) -> Vec<u8> {
    let settings = Settings { versions, ..Settings::default() };
    let client = DtlsClient::new(&gate.credentials("ops"), gate.trust(), settings).unwrap();
    let expected = dtls::ServerExpectation::named("127.0.0.1").unwrap();
    let mut channel: Box<dyn SecureDatagrams> = client.connect(Instant::now(), &expected).unwrap();
    let mut buffer = vec![0; 4096];
    let length = channel.poll_transmit(&mut buffer).unwrap();
    buffer.truncate(length);
    buffer
}

/// Up to where the agent has shown its certificate and waits for the client's.
fn begin_dtls(gate: &Gate, socket: &UdpSocket, versions: dtls::Versions) {
    socket.connect((Ipv4Addr::LOCALHOST, gate.port(Transport::Dtls))).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let settings = Settings { versions, ..Settings::default() };
    let client = DtlsClient::new(&gate.credentials("ops"), gate.trust(), settings).unwrap();
    let expected = dtls::ServerExpectation::named("127.0.0.1").unwrap();
    let mut channel: Box<dyn SecureDatagrams> = client.connect(Instant::now(), &expected).unwrap();
    let mut buffer = vec![0; 4096];
    for _ in 0..2 {
        while let Some(length) = channel.poll_transmit(&mut buffer) {
            socket.send(&buffer[..length]).unwrap();
        }
        let length = socket.recv(&mut buffer).expect("the agent goes on");
        channel.handle_datagram(Instant::now(), &mut buffer[..length]);
    }
}

/// In a record of its own, one of the parts of a certificate of so many octets, of which the first is never sent.
fn fragment(message: u8, whole: u32, part: u32) -> Vec<u8> {
    let content = [0x30; 900];
    let (offset, length) = (1 + part * 900, content.len() as u32);
    let number = u32::from(message) * 1000 + part;
    let mut record = vec![22, 0xfe, 0xfd, 0, 0, 0, 0];
    record.extend(number.to_be_bytes());
    record.extend((12 + length as u16).to_be_bytes());
    record.push(11);
    record.extend(&whole.to_be_bytes()[1..]);
    record.extend([0, message]);
    record.extend(&offset.to_be_bytes()[1..]);
    record.extend(&length.to_be_bytes()[1..]);
    record.extend(content);
    record
}

/// From one of 250 addresses.
fn connect_from(number: u16, port: u16) -> TcpStream {
    let own = Ipv4Addr::new(127, 8, 0, 1 + (number % 250) as u8);
    let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
    socket.bind(&SocketAddr::from((own, 0)).into()).unwrap();
    socket.connect(&SocketAddr::from((Ipv4Addr::LOCALHOST, port)).into()).unwrap();
    socket.into()
}

const SOON: Duration = Duration::from_secs(1);
/// Hellos at once.
const LOT: usize = 50;
/// Where a hello's random begins, behind two headers and the version.
const RANDOM: usize = 13 + 12 + 2;
