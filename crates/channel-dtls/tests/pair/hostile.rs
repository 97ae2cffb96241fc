//! Attacks by a malicious peer or an attacker on the path (section K of the attack list).

use std::{fs, net::SocketAddr, sync::Arc, time::Instant};

use dimpl::{Config, Dtls, DtlsCertificate, Output};
use portreeve_channel::{AcceptOutcome, ChannelError, ChannelEvent, DatagramAcceptor, SecureDatagrams};
use portreeve_channel_dtls::{ServerExpectation, Versions};
use portreeve_x509::Credentials;

use super::fixture::{ChannelPair, SeenEvent, TestPki, peer};

#[test]
fn k_100000_hellos_without_cookie_do_not_grow_memory() {
    let pki = TestPki::new();
    let server = pki.server(Versions::From12);
    let mut hello = first_hello(&pki, Versions::Only12);
    let mut flood = |count: u32| {
        for number in 0..count {
            let from = SocketAddr::from((number.to_be_bytes(), 1024));
            let mut reply = [0; 2000];
            match server.accept(Instant::now(), from, &mut hello, &mut reply) {
                AcceptOutcome::Reply(length) => assert!(length < hello.len()),
                _ => panic!("more than a reply"),
            }
        }
    };
    flood(1000);
    let before = resident_kilobytes();
    flood(100_000);
    assert!(resident_kilobytes() < before + 1024, "{before} → {} KB", resident_kilobytes());
}

#[test]
fn k_datagrams_that_are_not_a_hello_are_dropped() {
    let pki = TestPki::new();
    let server = pki.server(Versions::From12);
    let hello = first_hello(&pki, Versions::From12);
    let mut reply = [0; 2000];
    for length in 0..hello.len() {
        let outcome = server.accept(Instant::now(), peer(), &mut hello[..length].to_vec(), &mut reply);
        assert!(matches!(outcome, AcceptOutcome::Dropped), "{length}");
    }
    for junk in [&b""[..], b"GET / HTTP/1.1\r\n\r\n", &[0x30; 40], &[22; 2000]] {
        assert!(matches!(
            server.accept(Instant::now(), peer(), &mut junk.to_vec(), &mut reply),
            AcceptOutcome::Dropped
        ));
    }
}

#[test]
fn k_spoofed_datagrams_do_not_disturb_an_open_channel() {
    for versions in [Versions::Only12, Versions::Only13] {
        let pki = TestPki::new();
        let (server, client) = (pki.server(versions), pki.client(versions));
        let mut pair = ChannelPair::new(&client, &server);
        pair.exchange_all(false);
        let now = Instant::now();
        for epoch in [0, 1, 3] {
            for (kind, content) in
                [(21, &[1, 0][..]), (21, &[2, 40]), (20, &[1]), (22, &[0; 30]), (23, &[7; 60])]
            {
                let mut spoofed = vec![kind, 0xfe, 0xfd, 0, epoch, 0, 0, 0, 0, 0, 9, 0, content.len() as u8];
                spoofed.extend(content);
                pair.server.as_mut().unwrap().handle_datagram(now, &mut spoofed.clone());
                pair.client.handle_datagram(now, &mut spoofed);
                pair.exchange_all(false);
            }
        }
        assert_eq!(pair.server_events, [SeenEvent::Open], "{versions:?}");
        assert_eq!(pair.client_events, [SeenEvent::Open], "{versions:?}");
        // Well-formed unencrypted handshake messages, which any attacker can send.
        let (hello, reply) = (first_hello(&pki, versions), first_reply(&pki, versions));
        let hello_request =
            [22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 3, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        for junk in [&b""[..], &[0x2f; 60], &[0xff; 60], &hello, &reply, &hello_request] {
            pair.server.as_mut().unwrap().handle_datagram(now, &mut junk.to_vec());
            pair.client.handle_datagram(now, &mut junk.to_vec());
            pair.exchange_all(false);
        }
        assert_eq!(pair.echo(b"still here"), b"still here", "{versions:?}");
        assert_eq!(pair.client_events, [SeenEvent::Open]);
        assert_eq!(pair.server_events, [SeenEvent::Open]);
    }
}

#[test]
fn k_replayed_record_is_delivered_once() {
    for versions in [Versions::Only12, Versions::Only13] {
        let pki = TestPki::new();
        let (server, client) = (pki.server(versions), pki.client(versions));
        let mut pair = ChannelPair::new(&client, &server);
        pair.exchange_all(false);
        let mut buffer = [0; 2000];
        pair.client.send(Instant::now(), b"once").unwrap();
        let length = pair.client.poll_transmit(&mut buffer).unwrap();
        for _ in 0..3 {
            pair.server.as_mut().unwrap().handle_datagram(Instant::now(), &mut buffer[..length].to_vec());
            pair.exchange_all(false);
        }
        // The same record with one octet changed.
        buffer[length - 1] ^= 1;
        pair.server.as_mut().unwrap().handle_datagram(Instant::now(), &mut buffer[..length].to_vec());
        pair.exchange_all(false);
        assert_eq!(
            pair.server_events,
            [SeenEvent::Open, SeenEvent::Message(b"once".to_vec())],
            "{versions:?}"
        );
    }
}

#[test]
fn k_dtls13_client_address_is_unverified_until_it_returns_the_cookie() {
    let pki = TestPki::new();
    let server = pki.server(Versions::From12);
    let mut hello = first_hello(&pki, Versions::Only13);
    let mut reply = [0; 2000];
    let AcceptOutcome::Channel(mut channel) = server.accept(Instant::now(), peer(), &mut hello, &mut reply)
    else {
        panic!("no channel")
    };
    assert!(!channel.is_reachable());
    assert_eq!(channel.next_timeout(), None);
    // The response to the hello is less than three times as long as the hello. The same is true for
    // the response to a repeated hello.
    let transmitted_len = transmitted(&mut *channel);
    assert!(transmitted_len > 0 && transmitted_len < 3 * hello.len(), "{transmitted_len}");
    channel.handle_datagram(Instant::now(), &mut hello);
    assert!(transmitted(&mut *channel) < 3 * hello.len());
    assert!(!channel.is_reachable());

    let client = pki.client(Versions::Only13);
    let mut pair = ChannelPair::new(&client, &server);
    pair.exchange_all(false);
    assert!(pair.server.unwrap().is_reachable());
}

#[test]
fn k_versions_before_1_2_are_rejected_with_an_alert() {
    let pki = TestPki::new();
    let server = pki.server(Versions::From12);
    let mut hello = first_hello(&pki, Versions::Only12);
    // Without supported_versions, this field is the newest version that the client offers: here
    // DTLS 1.0.
    hello[25..27].copy_from_slice(&[0xfe, 0xff]);
    let mut reply = [0; 2000];
    let AcceptOutcome::Reply(length) = server.accept(Instant::now(), peer(), &mut hello, &mut reply) else {
        panic!("no reply")
    };
    assert!(reply[0] == ALERT && length < hello.len(), "{:?}", &reply[..length]);
}

#[test]
fn k_endless_handshake_fragments_do_not_exhaust_memory() {
    for versions in [Versions::Only12, Versions::Only13] {
        let pki = TestPki::new();
        let (server, client) = (pki.server(versions), pki.client(versions));
        let mut pair = ChannelPair::new(&client, &server);
        // Deliver datagrams until the server has a channel and waits for the client's certificate.
        let mut seen = 0;
        pair.network = Box::new(move |_, to_server| {
            seen += usize::from(!to_server);
            seen < 2
        });
        pair.exchange_all(false);
        let channel = pair.server.as_mut().unwrap();
        let before = resident_kilobytes();
        for number in 0..20_000_u32 {
            let mut datagram = fragment(number);
            channel.handle_datagram(Instant::now(), &mut datagram);
            let mut buffer = [0; 2000];
            while channel.poll_transmit(&mut buffer).is_some() {}
            while channel.poll_event(&mut buffer).is_some() {}
        }
        let after = resident_kilobytes();
        assert!(after < before + 4096, "{versions:?}: {before} → {after} KB");
        // The next client is accepted as usual.
        let mut next = ChannelPair::new(&client, &server);
        next.exchange_all(false);
        assert_eq!(next.echo(b"hello"), b"hello", "{versions:?}");
    }
}

#[test]
fn k_client_rejects_dtls13_server_that_does_not_request_certificate() {
    let pki = TestPki::new();
    for asks in [true, false] {
        let config = Config::builder().require_client_certificate(asks).build().unwrap();
        let mut server = machine(config, &pki.server);
        let expected = ServerExpectation::named("agent.example").unwrap();
        let mut channel = pki.client(Versions::Only13).connect(Instant::now(), &expected).unwrap();
        let mut buffer = [0; 4000];
        let event = loop {
            while let Some(length) = channel.poll_transmit(&mut buffer) {
                server.handle_packet(&buffer[..length]).unwrap();
            }
            if let Some(event) = channel.poll_event(&mut buffer) {
                break event;
            }
            server.handle_timeout(Instant::now()).unwrap();
            while let Output::Packet(packet) = server.poll_output(&mut buffer) {
                channel.handle_datagram(Instant::now(), &mut packet.to_vec());
            }
        };
        assert_eq!(channel.handshake().requests_client_certificate, Some(asks));
        if asks {
            assert_eq!(event, ChannelEvent::Open);
        } else {
            assert_eq!(event, ChannelEvent::Failed(ChannelError::no_certificate_requested()));
            assert!(channel.send(Instant::now(), b"data too early").is_err());
            assert_eq!(channel.poll_transmit(&mut buffer), None);
        }
    }
}

#[test]
fn k_endless_key_updates_do_not_exhaust_memory() {
    let pki = TestPki::new();
    let server = pki.server(Versions::Only13);
    // The client changes its keys after about every message.
    let config = Config::builder().aead_encryption_limit(1).build().unwrap();
    let mut client = machine(config, &pki.client);
    client.set_active(true);
    let mut channel: Option<Box<dyn SecureDatagrams>> = None;
    let (mut buffer, mut reply) = ([0; 4000], [0; 4000]);
    let (mut before, mut sent, mut delivered) = (None, 0, 0);
    for _ in 0..40_000 {
        client.handle_timeout(Instant::now()).unwrap();
        loop {
            let mut datagram = match client.poll_output(&mut buffer) {
                Output::Packet(packet) => packet.to_vec(),
                Output::Connected => {
                    before = Some(resident_kilobytes());
                    continue;
                }
                Output::Timeout(_) => break,
                _ => continue,
            };
            match &mut channel {
                Some(channel) => channel.handle_datagram(Instant::now(), &mut datagram),
                None => match server.accept(Instant::now(), peer(), &mut datagram, &mut reply) {
                    AcceptOutcome::Channel(accepted) => channel = Some(accepted),
                    _ => panic!("no channel"),
                },
            }
        }
        let Some(channel) = &mut channel else { continue };
        while let Some(event) = channel.poll_event(&mut buffer) {
            delivered += u32::from(matches!(event, ChannelEvent::Message(_)));
        }
        while let Some(length) = channel.poll_transmit(&mut buffer) {
            client.handle_packet(&buffer[..length]).unwrap();
        }
        if before.is_some() {
            client.send_application_data(b"another").unwrap();
            sent += 1;
        }
    }
    let (before, after) = (before.expect("a session"), resident_kilobytes());
    assert!(after < before + 4096, "{before} → {after} KB");
    assert!(delivered > sent / 2, "{delivered} of {sent} messages");
}

/// Creates the library's state machine for a client, with settings that Portreeve never uses.
fn machine(config: Config, credentials: &Credentials) -> Dtls {
    let certificate = DtlsCertificate {
        certificate: credentials.chain()[0].to_vec(),
        private_key: credentials.key().secret_der().to_vec(),
    };
    Dtls::new_13(Arc::new(config), certificate, Instant::now())
}

/// Returns a fragment of a message of up to a hundred kilobytes. Each fragment is part of another
/// message, at another offset.
fn fragment(number: u32) -> Vec<u8> {
    let (length, content) = (1000 + number % 100_000, [0x30; 900]);
    let offset = number.wrapping_mul(7919) % (length - 900 + 1).max(1);
    let mut record = vec![HANDSHAKE, 0xfe, 0xfd, 0, 0, 0, 0];
    record.extend((number + 100).to_be_bytes());
    record.extend((12 + content.len() as u16).to_be_bytes());
    record.push(CERTIFICATE);
    record.extend(&length.to_be_bytes()[1..]);
    record.extend((1 + (number % 12) as u16).to_be_bytes());
    record.extend(&offset.to_be_bytes()[1..]);
    record.extend(&(content.len() as u32).to_be_bytes()[1..]);
    record.extend(content);
    record
}

fn transmitted(channel: &mut dyn SecureDatagrams) -> usize {
    let mut buffer = [0; 2000];
    std::iter::from_fn(|| channel.poll_transmit(&mut buffer)).sum()
}

/// Returns the server's response to a hello without a cookie.
fn first_reply(pki: &TestPki, versions: Versions) -> Vec<u8> {
    let mut reply = vec![0; 2000];
    let mut hello = first_hello(pki, versions);
    let length = match pki.server(versions).accept(Instant::now(), peer(), &mut hello, &mut reply) {
        AcceptOutcome::Reply(length) => length,
        AcceptOutcome::Channel(mut channel) => channel.poll_transmit(&mut reply).unwrap(),
        AcceptOutcome::Dropped => panic!("the hello was dropped"),
    };
    reply.truncate(length);
    reply
}

fn first_hello(pki: &TestPki, versions: Versions) -> Vec<u8> {
    let expected = ServerExpectation::named("agent.example").unwrap();
    let mut channel = pki.client(versions).connect(Instant::now(), &expected).unwrap();
    let mut buffer = vec![0; 2000];
    let length = channel.poll_transmit(&mut buffer).unwrap();
    buffer.truncate(length);
    buffer
}

fn resident_kilobytes() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

const ALERT: u8 = 21;
const HANDSHAKE: u8 = 22;
const CERTIFICATE: u8 = 11;
