//! ClientHellos that arrive in fragments (RFC 6347 §4.2.3, RFC 9147 §5.5).

use std::time::Instant;

use portreeve_channel::{AcceptOutcome, DatagramAcceptor, SecureDatagrams};
use portreeve_channel_dtls::{ServerExpectation, Versions};

use super::fixture::{ChannelPair, SeenEvent, TestPki, peer};

#[test]
fn session_opens_when_client_hello_is_fragmented() {
    for (client, server, protocol) in [
        (Versions::Only12, Versions::Only12, "DTLSv1.2"),
        (Versions::Only12, Versions::From12, "DTLSv1.2"),
        (Versions::Only13, Versions::Only13, "DTLSv1.3"),
    ] {
        for divide in [in_datagrams, in_one_datagram] {
            let pki = TestPki::new();
            let (server, client) = (pki.server(server), pki.client(client));
            let mut pair = ChannelPair::new(&client, &server);
            pair.divide = divide;
            pair.exchange_all(false);
            assert_eq!(pair.server_events, [SeenEvent::Open], "{protocol}");
            assert_eq!(pair.client_events, [SeenEvent::Open], "{protocol}");
            assert_eq!(pair.client.protocol(), protocol);
            assert_eq!(pair.echo(b"hello"), b"hello");
        }
    }
}

#[test]
fn k_fragmented_client_hello_without_cookie_is_answered_without_state() {
    let pki = TestPki::new();
    let acceptor = pki.server(Versions::From12);
    let expected = ServerExpectation::named("agent.example").unwrap();
    let mut client = pki.client(Versions::Only12).connect(Instant::now(), &expected).unwrap();
    let hello = transmitted(&mut *client);
    let fragments = in_datagrams(&hello);
    assert!(fragments.len() > 1);
    for (index, mut fragment) in fragments.into_iter().enumerate() {
        let mut reply = [0; 200];
        let outcome = acceptor.accept(Instant::now(), peer(), &mut fragment, &mut reply);
        match outcome {
            AcceptOutcome::Reply(length) if index == 0 => {
                assert_eq!((reply[0], reply[13]), (HANDSHAKE, HELLO_VERIFY_REQUEST));
                assert!(length < fragment.len());
            }
            AcceptOutcome::Dropped if index > 0 => {}
            AcceptOutcome::Reply(_) | AcceptOutcome::Dropped | AcceptOutcome::Channel(_) => {
                panic!("fragment {index}: unexpected outcome")
            }
        }
    }
}

/// The list of versions is not in the first fragment, so the server requests the cookie of 1.2.
#[test]
fn version_1_2_is_used_when_first_fragment_does_not_show_another() {
    let pki = TestPki::new();
    let (server, client) = (pki.server(Versions::From12), pki.client(Versions::From12));
    let mut pair = ChannelPair::new(&client, &server);
    pair.divide = |datagram| divide(datagram, 48);
    pair.exchange_all(false);
    assert_eq!(pair.client_events, []);
    // The second hello contains a cookie, which must be in its first fragment.
    pair.divide = in_datagrams;
    pair.exchange_all(true);
    assert_eq!(pair.client_events, [SeenEvent::Open]);
    assert_eq!(pair.client.protocol(), "DTLSv1.2");
}

fn transmitted(channel: &mut dyn SecureDatagrams) -> Vec<u8> {
    let mut buffer = vec![0; 2000];
    let length = channel.poll_transmit(&mut buffer).unwrap();
    buffer.truncate(length);
    buffer
}

fn in_datagrams(datagram: &[u8]) -> Vec<Vec<u8>> {
    divide(datagram, 80)
}

fn in_one_datagram(datagram: &[u8]) -> Vec<Vec<u8>> {
    vec![in_datagrams(datagram).concat()]
}

/// Divides a ClientHello into records with fragments of at most `size` octets. The records of all
/// datagrams are numbered with gaps, so that the additional records have numbers of their own.
fn divide(datagram: &[u8], size: usize) -> Vec<Vec<u8>> {
    if datagram[0] != HANDSHAKE || datagram[RECORD_HEADER] != CLIENT_HELLO {
        return vec![renumbered(datagram)];
    }
    let body = &datagram[RECORD_HEADER + MESSAGE_HEADER..];
    let fragment = |(index, part): (usize, &[u8])| {
        let mut header = datagram[..RECORD_HEADER + MESSAGE_HEADER].to_vec();
        header[10] = header[10] * GAP + index as u8;
        header[11..13].copy_from_slice(&((MESSAGE_HEADER + part.len()) as u16).to_be_bytes());
        header[20..22].copy_from_slice(&((index * size) as u16).to_be_bytes());
        header[23..25].copy_from_slice(&(part.len() as u16).to_be_bytes());
        [&header, part].concat()
    };
    body.chunks(size).enumerate().map(fragment).collect()
}

/// Multiplies the numbers of the records in epoch 0.
fn renumbered(datagram: &[u8]) -> Vec<u8> {
    let mut octets = datagram.to_vec();
    let mut rest = &mut octets[..];
    while rest.len() > RECORD_HEADER && matches!(rest[0], 20..=22) {
        let length = usize::from(u16::from_be_bytes([rest[11], rest[12]]));
        if rest[3..5] == [0, 0] {
            rest[10] *= GAP;
        }
        rest = &mut rest[RECORD_HEADER + length..];
    }
    octets
}

const HANDSHAKE: u8 = 22;
const CLIENT_HELLO: u8 = 1;
const HELLO_VERIFY_REQUEST: u8 = 3;
const RECORD_HEADER: usize = 13;
const MESSAGE_HEADER: usize = 12;
/// The difference between the numbers of successive records: more than a hello has fragments.
const GAP: u8 = 8;
