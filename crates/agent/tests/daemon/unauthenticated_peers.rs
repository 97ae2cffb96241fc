//! Unauthenticated peers, and authenticated peers that misbehave (attacks K and T).

use std::io::{ErrorKind, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream, UdpSocket};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use portreeve_broker_protocol::Transport;
use portreeve_channel::SecureDatagrams;
use portreeve_channel_dtls::{self as dtls, DtlsClient, Settings};
use portreeve_smi::SecurityLevel;
use rustix::process::Signal;

use crate::fixture::{
    ProcessUsage, ResponseKind, SecureAgent, TlsPeer, can_hold_many_connections, parse_response, tsm_get,
    wait_until,
};

const ALL_TRANSPORTS: [Transport; 3] = [Transport::Tls, Transport::Dtls, Transport::Ssh];
/// A number of connections that fits into the memory for unauthenticated sessions, also over SSH.
const IDLE_CONNECTIONS: u16 = 600;
const STREAMS: [Transport; 2] = [Transport::Tls, Transport::Ssh];

#[test]
fn k_dtls12_client_hellos_without_cookie_do_not_use_memory() {
    let agent_site = SecureAgent::new("k-hellos", "");
    let agent = agent_site.run();
    log_in(&agent_site, Transport::Dtls);
    let hello = first_hello(&agent_site, dtls::Versions::Only12);
    flood(&agent_site, &hello, 2_000);
    let (before, logged) = (ProcessUsage::of(&agent), agent.log().len());
    let (sent, answered) = flood(&agent_site, &hello, 100_000);
    assert!(answered < sent, "{answered} octets for {sent}");
    let after = ProcessUsage::of(&agent);
    println!("RSS {} KiB, before {} KiB", after.rss, before.rss);
    assert!(after.rss <= before.rss + 1024, "{after:?}, before {before:?}");
    assert_eq!(after.descriptors, before.descriptors);
    assert!(agent.log().len() < logged + 4096, "unauthenticated peers must not flood the log");
    log_in(&agent_site, Transport::Dtls);
}

#[test]
fn k_dtls13_client_hellos_use_bounded_memory() {
    let agent_site = SecureAgent::new("k-hellos-13", "");
    let agent = agent_site.run();
    log_in(&agent_site, Transport::Dtls);
    let hello = first_hello(&agent_site, dtls::Versions::Only13);
    // Sends more hellos than the table of half-open handshakes has entries, so that the table is
    // full.
    flood(&agent_site, &hello, 2_000);
    let (before, logged) = (ProcessUsage::of(&agent), agent.log().len());
    let (sent, answered) = flood(&agent_site, &hello, 10_000);
    assert!(answered < sent, "{answered} octets for {sent}");
    let after = ProcessUsage::of(&agent);
    println!("RSS {} KiB, before {} KiB", after.rss, before.rss);
    assert!(after.rss <= before.rss + 4096, "{after:?}, before {before:?}");
    assert!(agent.log().len() < logged + 4096, "unauthenticated peers must not flood the log");
    log_in(&agent_site, Transport::Dtls);
}

#[test]
fn k_endless_handshake_fragments_use_bounded_memory() {
    let agent_site = SecureAgent::new("k-fragments", "[limits]\ngrace = 3\n");
    let agent = agent_site.run();
    log_in(&agent_site, Transport::Dtls);
    let before = ProcessUsage::of(&agent);
    for versions in [dtls::Versions::Only12, dtls::Versions::Only13] {
        let mut max_rss = 0;
        for number in 0..100 {
            let socket = UdpSocket::bind((Ipv4Addr::new(127, 9, 9, 1 + number), 0)).unwrap();
            start_dtls_handshake(&agent_site, &socket, versions);
            // The first messages are far too long; the others have the maximum lengths that the
            // agent accepts.
            for whole in [100_000, 32_768, 4096] {
                for message in 1..12 {
                    for part in 0..(whole - 1) / 900 {
                        socket.send(&fragment(message, whole, part)).unwrap();
                    }
                    // Datagrams are sent no faster than the agent reads them.
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            if number % 25 == 24 {
                let took = log_in(&agent_site, Transport::Dtls);
                assert!(took < LOGIN_TIMEOUT, "{took:?}");
                max_rss = max_rss.max(agent.rss());
            }
        }
        println!("{versions:?}: RSS {max_rss} KiB, before {} KiB", before.rss);
        assert!(max_rss <= before.rss + 24 * 1024, "{versions:?}: {max_rss} KiB, before {before:?}");
    }
    // After the grace time, the agent has freed the memory of these handshakes.
    std::thread::sleep(Duration::from_secs(4));
    before.assert_restored(&agent);
    log_in(&agent_site, Transport::Dtls);
}

#[test]
fn k_first_handshake_message_that_never_ends_uses_bounded_memory() {
    if !can_hold_many_connections() {
        return;
    }
    let agent_site = SecureAgent::new("k-endless", "[limits]\ngrace = 3\n");
    let agent = agent_site.run();
    // A TLS hello in records of the maximum length, and an SSH key exchange message, without their
    // last octets.
    let records = |count| [&[22, 3, 1, 0x40, 0][..], &[0; 0x4000]].concat().repeat(count);
    let mut hello = records(5);
    hello[5..9].copy_from_slice(&[1, 0, 0xff, 0xff]);
    let offer = |length: u32| {
        let beginning = [&b"SSH-2.0-long\r\n"[..], &length.to_be_bytes(), &[4, 20]].concat();
        [beginning, vec![0; length as usize - 1000]].concat()
    };
    // Messages longer than allowed before login, and messages of the maximum length.
    let [greedy, modest] = [260_004, 34_996].map(offer);
    for (transport, octets) in [(Transport::Tls, hello), (Transport::Ssh, greedy), (Transport::Ssh, modest)] {
        log_in(&agent_site, transport);
        let before = ProcessUsage::of(&agent);
        let mut max_rss = 0;
        let streams: Vec<_> = (0..1000)
            .map(|number| {
                let mut stream = TcpStream::connect(("127.0.0.1", agent_site.port(transport))).unwrap();
                stream.set_nonblocking(true).unwrap();
                // Writes until the agent closes the connection or stops reading.
                let _ = stream.write_all(&octets);
                if number % 100 == 99 {
                    max_rss = max_rss.max(agent.rss());
                    let took = log_in(&agent_site, transport);
                    assert!(took < LOGIN_TIMEOUT, "{transport:?} took {took:?}");
                }
                stream
            })
            .collect();
        println!("{transport:?}: RSS {max_rss} KiB, before {} KiB", before.rss);
        assert!(max_rss <= before.rss + 32 * 1024, "{transport:?}: {max_rss} KiB, before {before:?}");
        // The clients keep their connections open, but the agent closes them after the grace time.
        wait_until("closed connections", || {
            agent.descriptors() <= before.descriptors && agent.rss() <= before.rss + 16 * 1024
        });
        drop(streams);
    }
}

#[test]
fn k_silent_connections_do_not_delay_logins() {
    let agent_site = SecureAgent::new("k-silent", "");
    let _agent = agent_site.run();
    let ports = STREAMS.map(|transport| agent_site.port(transport));
    let _silent: Vec<_> =
        ports.iter().map(|port| TcpStream::connect(("127.0.0.1", *port)).unwrap()).collect();
    for transport in ALL_TRANSPORTS {
        let took = log_in(&agent_site, transport);
        assert!(took < LOGIN_TIMEOUT, "{transport:?} took {took:?}");
    }
}

#[test]
fn k_idle_connections_of_one_address_do_not_delay_logins() {
    if !can_hold_many_connections() {
        return;
    }
    let agent_site = SecureAgent::new("k-idle-one", "");
    let _agent = agent_site.run();
    for transport in STREAMS {
        let idle: Vec<_> = (0..1000)
            .map(|_| TcpStream::connect(("127.0.0.1", agent_site.port(transport))).unwrap())
            .collect();
        let took = log_in(&agent_site, transport);
        assert!(took < LOGIN_TIMEOUT, "{transport:?} took {took:?}");
        drop(idle);
    }
}

#[test]
fn k_idle_connections_of_many_addresses_do_not_delay_logins() {
    if !can_hold_many_connections() {
        return;
    }
    let agent_site = SecureAgent::new("k-idle-many", "[limits]\nconnections = 4000\n");
    let agent = agent_site.run();
    for transport in STREAMS {
        log_in(&agent_site, transport);
        let before = ProcessUsage::of(&agent).descriptors;
        let idle: Vec<_> =
            (0..IDLE_CONNECTIONS).map(|number| connect_from(number, agent_site.port(transport))).collect();
        wait_until("all connections", || agent.descriptors() >= before + usize::from(IDLE_CONNECTIONS));
        let took = log_in(&agent_site, transport);
        assert!(took < LOGIN_TIMEOUT, "{transport:?} took {took:?}");
        drop(idle);
        wait_until("closed connections", || agent.descriptors() <= before);
    }
}

#[test]
fn k_slow_peers_are_disconnected_after_grace_time_without_delaying_logins() {
    let agent_site = SecureAgent::new("k-dribble", "[limits]\ngrace = 2\n");
    let agent = agent_site.run();
    log_in(&agent_site, Transport::Tls);
    let before = ProcessUsage::of(&agent).descriptors;
    // The start of a TLS record, and an SSH banner that does not end.
    let beginnings = [vec![22, 3, 1, 0x40, 0, 1, 0, 0x3f, 0xfc, 3, 3], b"SSH-2.0-slow".to_vec()];
    let mut slow: Vec<_> = STREAMS
        .iter()
        .zip(&beginnings)
        .flat_map(|(transport, beginning)| {
            (0..50).map(|_| {
                (TcpStream::connect(("127.0.0.1", agent_site.port(*transport))).unwrap(), beginning.iter())
            })
        })
        .collect();
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(1) {
        for (stream, octets) in &mut slow {
            let _ = stream.write_all(&[*octets.next().unwrap_or(&b'x')]);
        }
        for transport in STREAMS {
            let took = log_in(&agent_site, transport);
            assert!(took < LOGIN_TIMEOUT, "{transport:?} took {took:?}");
        }
    }
    wait_until("closed connections", || {
        for (stream, _) in &mut slow {
            let _ = stream.write_all(b"x");
        }
        agent.descriptors() <= before
    });
}

#[test]
fn k_peer_that_never_reads_is_disconnected_and_does_not_block_other_peers() {
    let agent_site = SecureAgent::new("k-greedy", "[limits]\nstall = 1\n");
    let agent = agent_site.run();
    log_in(&agent_site, Transport::Tls);
    let before = ProcessUsage::of(&agent);
    let mut greedy = TlsPeer::connect(&agent_site);
    let question = tsm_get(SecurityLevel::AuthPriv, 2000);
    greedy.socket.set_nonblocking(true).unwrap();
    let (start, mut asked) = (Instant::now(), 0);
    // Sends requests until the agent stops reading them and the stall timeout ends the session.
    loop {
        match greedy.try_send(&question) {
            Ok(()) => asked += question.len(),
            Err(ErrorKind::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
            Err(_) => break,
        }
        assert!(asked < 64 << 20, "the agent never stops reading requests");
        assert!(start.elapsed() < Duration::from_secs(20), "the agent never closes the session");
        if asked % 7 == 0 {
            let took = log_in(&agent_site, Transport::Tls);
            assert!(took < LOGIN_TIMEOUT, "{took:?}");
        }
    }
    drop(greedy);
    wait_until("the closed session", || agent.descriptors() <= before.descriptors);
    before.assert_restored(&agent);
}

#[test]
fn k_request_sent_together_with_last_handshake_message_is_answered() {
    let agent_site = SecureAgent::new("k-eager", "");
    let _agent = agent_site.run();
    for _ in 0..20 {
        let mut peer = TlsPeer::start_handshake(&agent_site);
        let request = tsm_get(SecurityLevel::AuthPriv, 1);
        // The client needs no further message from the agent, so it sends its last flight and the
        // request together.
        let mut segment = peer.transmitted();
        assert_eq!(peer.channel.write(&request), request.len());
        segment.extend(peer.transmitted());
        peer.socket.write_all(&segment).unwrap();
        assert_eq!(parse_response(&peer.receive()), ResponseKind::Values(1));
    }
}

#[test]
fn k_requests_split_or_joined_into_segments_of_any_size_are_answered() {
    let agent_site = SecureAgent::new("k-shapes", "");
    let _agent = agent_site.run();
    for transport in ALL_TRANSPORTS {
        let mut session = agent_site.open_session(transport, "ops").unwrap();
        // A DTLS record carries about sixteen thousand octets, which limits the size of a message.
        let max_rss = if transport == Transport::Dtls { 700 } else { 2500 };
        for variables in [0, 1, 60, max_rss] {
            let answer = session.ask(&tsm_get(SecurityLevel::AuthPriv, variables)).unwrap();
            assert_eq!(parse_response(&answer), ResponseKind::Values(variables), "{transport:?}");
        }
    }
    for transport in STREAMS {
        let mut session = agent_site.open_session(transport, "ops").unwrap();
        let glued: Vec<u8> = [1, 0, 40, 3].map(|count| tsm_get(SecurityLevel::AuthPriv, count)).concat();
        for piece in [1, 7, 100, glued.len()] {
            glued.chunks(piece).for_each(|octets| session.send(octets).unwrap());
            for variables in [1, 0, 40, 3] {
                assert_eq!(
                    parse_response(&session.receive().unwrap()),
                    ResponseKind::Values(variables),
                    "{transport:?} {piece}"
                );
            }
        }
        // An invalid message ends its own session, but no other session.
        let mut other = agent_site.open_session(transport, "ops").unwrap();
        session.send(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        assert_eq!(session.receive(), None, "{transport:?}");
        assert!(other.ask(&tsm_get(SecurityLevel::AuthPriv, 1)).is_some());
    }
}

#[test]
fn k_refused_connections_do_not_flood_log() {
    let agent_site = SecureAgent::new("k-log", "");
    let agent = agent_site.run();
    let before = agent.log().len();
    for transport in STREAMS {
        for _ in 0..500 {
            let mut stream = TcpStream::connect(("127.0.0.1", agent_site.port(transport))).unwrap();
            let _ = stream.write_all(b"GET / HTTP/1.1\r\n\r\n");
            let _ = std::io::copy(&mut stream, &mut std::io::sink());
        }
        log_in(&agent_site, transport);
    }
    let output = agent.log().split_off(before);
    assert!(output.contains("session refused"), "the first rejections must be logged: {output}");
    assert!(output.lines().count() < 400, "{} lines for a thousand rejected peers", output.lines().count());
}

#[test]
fn k_sessions_relayed_by_sshd_do_not_flood_log() {
    let agent_site =
        SecureAgent::new("k-relays", "[[listen]]\ntransport = \"behind-sshd\"\npath = \"snmp.sock\"\n");
    let agent = agent_site.run();
    let (usage, before) = (ProcessUsage::of(&agent), agent.log().len());
    for _ in 0..1000 {
        UnixStream::connect(agent_site.home.path.join("snmp.sock")).unwrap();
    }
    agent.await_log("session accepted through sshd");
    wait_until("closed connections", || agent.descriptors() <= usage.descriptors);
    let output = agent.log().split_off(before);
    assert!(output.lines().count() < 200, "{} lines for a thousand sessions", output.lines().count());
}

#[test]
fn k_log_summary_counts_every_refused_peer() {
    let agent_site = SecureAgent::new("k-tally", "");
    let agent = agent_site.run();
    log_in(&agent_site, Transport::Tls);
    let before = ProcessUsage::of(&agent).descriptors;
    for _ in 0..20 {
        let mut stream = TcpStream::connect(("127.0.0.1", agent_site.port(Transport::Tls))).unwrap();
        let _ = stream.write_all(b"GET / HTTP/1.1\r\n\r\n");
        let _ = std::io::copy(&mut stream, &mut std::io::sink());
    }
    for _ in 0..3 {
        assert!(agent_site.open_session(Transport::Ssh, "unlisted").is_err());
    }
    wait_until("closed connections", || agent.descriptors() <= before);
    // The agent logs the summary periodically and at shutdown.
    agent.signal(Signal::TERM);
    agent.await_log("closed_handshake_failed +23, ");
    agent.await_log("ssh_logins_refused{KeyNotListed} +3");
}

#[test]
fn z_memory_of_closed_connections_is_returned_to_system() {
    if !can_hold_many_connections() {
        return;
    }
    let agent_site = SecureAgent::new("z-memory", "[limits]\nconnections = 4000\n");
    let agent = agent_site.run();
    for transport in ALL_TRANSPORTS {
        log_in(&agent_site, transport);
    }
    let before = ProcessUsage::of(&agent);
    for _ in 0..2 {
        for transport in STREAMS {
            let idle: Vec<_> = (0..IDLE_CONNECTIONS)
                .map(|number| connect_from(number, agent_site.port(transport)))
                .collect();
            wait_until("all connections", || {
                agent.descriptors() >= before.descriptors + usize::from(IDLE_CONNECTIONS)
            });
            drop(idle);
            wait_until("closed connections", || agent.descriptors() <= before.descriptors);
        }
    }
    println!("RSS {} KiB, before {} KiB", agent.rss(), before.rss);
    // The agent returns memory every ten seconds.
    std::thread::sleep(Duration::from_secs(5));
    wait_until("less memory", || agent.rss() <= before.rss + 6 * 1024);
    for transport in ALL_TRANSPORTS {
        log_in(&agent_site, transport);
    }
}

/// Opens a session and returns the time until the first response.
fn log_in(agent_site: &SecureAgent, transport: Transport) -> Duration {
    let start = Instant::now();
    let mut session = agent_site.open_session(transport, "ops").unwrap();
    let answer = session.ask(&tsm_get(SecurityLevel::AuthPriv, 1)).expect("a response");
    assert_eq!(parse_response(&answer), ResponseKind::Values(1));
    start.elapsed()
}

/// Sends `count` hellos from many addresses, each with a different random value; returns the octets
/// sent and received.
fn flood(agent_site: &SecureAgent, hello: &[u8], count: usize) -> (usize, usize) {
    let (mut sent, mut answered) = (0, 0);
    let (mut hello, mut buffer) = (hello.to_vec(), [0; 4096]);
    for batch in 0..count / BATCH {
        let own = Ipv4Addr::new(127, 9, (batch / 250) as u8, 1 + (batch % 250) as u8);
        let socket = UdpSocket::bind((own, 0)).unwrap();
        socket.connect((Ipv4Addr::LOCALHOST, agent_site.port(Transport::Dtls))).unwrap();
        for number in 0..BATCH {
            hello[RANDOM_OFFSET..RANDOM_OFFSET + 8]
                .copy_from_slice(&((batch * BATCH + number) as u64).to_be_bytes());
            sent += socket.send(&hello).unwrap();
        }
        // Waits for the responses to a batch, so that no datagram is lost.
        socket.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        for _ in 0..BATCH {
            answered += socket.recv(&mut buffer).expect("a response to each hello");
        }
    }
    (sent, answered)
}

fn first_hello(agent_site: &SecureAgent, versions: dtls::Versions) -> Vec<u8> {
    let settings = Settings { versions, ..Settings::default() };
    let client = DtlsClient::new(&agent_site.credentials("ops"), agent_site.trust(), settings).unwrap();
    let expected = dtls::ServerExpectation::named("127.0.0.1").unwrap();
    let mut channel: Box<dyn SecureDatagrams> = client.connect(Instant::now(), &expected).unwrap();
    let mut buffer = vec![0; 4096];
    let length = channel.poll_transmit(&mut buffer).unwrap();
    buffer.truncate(length);
    buffer
}

/// Runs the handshake until the agent has sent its certificate and waits for the client's.
fn start_dtls_handshake(agent_site: &SecureAgent, socket: &UdpSocket, versions: dtls::Versions) {
    socket.connect((Ipv4Addr::LOCALHOST, agent_site.port(Transport::Dtls))).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let settings = Settings { versions, ..Settings::default() };
    let client = DtlsClient::new(&agent_site.credentials("ops"), agent_site.trust(), settings).unwrap();
    let expected = dtls::ServerExpectation::named("127.0.0.1").unwrap();
    let mut channel: Box<dyn SecureDatagrams> = client.connect(Instant::now(), &expected).unwrap();
    let mut buffer = vec![0; 4096];
    for _ in 0..2 {
        while let Some(length) = channel.poll_transmit(&mut buffer) {
            socket.send(&buffer[..length]).unwrap();
        }
        let length = socket.recv(&mut buffer).expect("the agent's next flight");
        channel.handle_datagram(Instant::now(), &mut buffer[..length]);
    }
}

/// Returns a record with one fragment of a certificate message of `whole` octets; the first
/// fragment is never sent.
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

/// Connects from one of 250 addresses.
fn connect_from(number: u16, port: u16) -> TcpStream {
    let own = Ipv4Addr::new(127, 8, 0, 1 + (number % 250) as u8);
    let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
    socket.bind(&SocketAddr::from((own, 0)).into()).unwrap();
    socket.connect(&SocketAddr::from((Ipv4Addr::LOCALHOST, port)).into()).unwrap();
    socket.into()
}

/// A login that waits for the end of a hostile connection takes at least the grace time of 3 s.
/// Half a second less leaves room for other load on this machine.
const LOGIN_TIMEOUT: Duration = Duration::from_millis(2500);
/// The number of hellos that are sent before the test waits for responses.
const BATCH: usize = 50;
/// Offset of the random value in a hello, after two headers and the version.
const RANDOM_OFFSET: usize = 13 + 12 + 2;
