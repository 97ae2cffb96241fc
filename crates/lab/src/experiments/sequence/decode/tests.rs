use std::net::{IpAddr, Ipv4Addr};

use portreeve_lab_net::{Packet, Tcp, TcpFlags, Transport};

use super::*;

fn packet(transport: Transport) -> Packet {
    let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
    Packet {
        source: address,
        destination: address,
        transport,
        fragment: None,
        payload_len: 0,
        payload_start: 0,
    }
}

fn datagram(payload: &[u8]) -> String {
    let udp = packet(Transport::Udp { ports: (999, 161) });
    Decoder::default().label(Direction::ToAgent, &udp, payload)
}

/// A connection of TCP whose segments follow each other without a gap.
#[derive(Default)]
struct Connection {
    decoder: Decoder,
    sent: [u32; 2],
}

impl Connection {
    fn segment(&mut self, direction: Direction, flags: u8, payload: &[u8]) -> String {
        let sent = &mut self.sent[usize::from(direction == Direction::ToAgent)];
        let sequence = *sent;
        *sent += payload.len() as u32;
        self.segment_at(direction, flags, payload, sequence)
    }

    fn segment_at(&mut self, direction: Direction, flags: u8, payload: &[u8], sequence: u32) -> String {
        let tcp = Tcp {
            ports: (999, 161),
            sequence,
            acknowledgment: 0,
            flags: TcpFlags(flags),
            window: 0,
            header_len: 20,
        };
        self.decoder.label(direction, &packet(Transport::Tcp(tcp)), payload)
    }
}

const SYN: u8 = 2;
const DATA: u8 = 0x18;
const ACK: u8 = 0x10;
const FIN_ACK: u8 = 0x11;

/// A GET of SNMPv2c without variables.
const GET: &[u8] = b"\x30\x18\x02\x01\x01\x04\x06public\xa0\x0b\x02\x01\x01\x02\x01\x00\x02\x01\x00\x30\x00";

#[test]
fn version_and_pdu_of_cleartext_messages_are_named() {
    let mut response = GET.to_vec();
    response[13] = 0xa2;
    assert_eq!(datagram(GET), "v2c get-request");
    assert_eq!(datagram(&response), "v2c response");
    response[4] = 0;
    assert_eq!(datagram(&response), "v1 response");
    assert_eq!(datagram(&GET[..10]), "unknown message");
}

#[test]
fn flags_of_tcp_stand_alone_or_after_the_message() {
    let mut connection = Connection::default();
    assert_eq!(connection.segment(Direction::ToAgent, SYN, &[]), "SYN");
    assert_eq!(connection.segment(Direction::ToManager, SYN | ACK, &[]), "SYN ACK");
    assert_eq!(connection.segment(Direction::ToAgent, DATA, GET), "v2c get-request");
    assert_eq!(connection.segment(Direction::ToAgent, FIN_ACK, GET), "v2c get-request, FIN ACK");
}

#[test]
fn divided_message_is_named_where_it_ends() {
    let mut connection = Connection::default();
    assert_eq!(connection.segment(Direction::ToAgent, DATA, &GET[..9]), "begin of a message");
    assert_eq!(connection.segment(Direction::ToAgent, DATA, &GET[9..12]), "continuation");
    assert_eq!(connection.segment_at(Direction::ToAgent, DATA, &GET[9..12], 9), "retransmission");
    assert_eq!(connection.segment(Direction::ToAgent, DATA, &GET[12..]), "v2c get-request");
}

#[test]
fn packets_of_ssh_are_named_until_the_keys_are_used() {
    let packet = |message: u8| [&[0, 0, 0, 12, 10, message][..], &[0; 10]].concat();
    let mut connection = Connection::default();
    let first = [b"SSH-2.0-x\r\n", &packet(20)[..]].concat();
    assert_eq!(connection.segment(Direction::ToAgent, DATA, &first), "version, KEXINIT");
    assert_eq!(connection.segment(Direction::ToManager, DATA, &first), "version, KEXINIT");
    assert_eq!(connection.segment(Direction::ToAgent, DATA, &packet(30)), "key exchange init");
    let last = [&packet(31)[..], &packet(21), &[7; 40]].concat();
    assert_eq!(
        connection.segment(Direction::ToManager, DATA, &last),
        "key exchange reply, NEWKEYS, encrypted"
    );
    // The other direction still uses no keys.
    assert_eq!(connection.segment(Direction::ToAgent, DATA, &packet(21)), "NEWKEYS");
    assert_eq!(connection.segment(Direction::ToAgent, DATA, &packet(21)), "encrypted");
}

#[test]
fn encrypted_records_belong_to_the_handshake_until_the_manager_encrypts() {
    let record = |kind: u8, content: &[u8]| [&[kind, 3, 3, 0, content.len() as u8], content].concat();
    let mut connection = Connection::default();
    let hello = record(22, &[1, 0, 0, 2, 3, 3]);
    assert_eq!(connection.segment(Direction::ToAgent, DATA, &hello), "ClientHello");
    let flight =
        [record(22, &[2, 0, 0, 0]), record(20, &[1]), record(23, &[9; 30]), record(23, &[9; 20])].concat();
    assert_eq!(
        connection.segment(Direction::ToManager, DATA, &flight),
        "ServerHello, ChangeCipherSpec, 2 × encrypted handshake"
    );
    assert_eq!(connection.segment(Direction::ToAgent, DATA, &record(23, &[9; 30])), "encrypted");
    assert_eq!(connection.segment(Direction::ToManager, DATA, &record(23, &[9; 30])), "encrypted");
}

#[test]
fn data_of_tls_1_2_is_that_of_the_application() {
    let record = |kind: u8| [kind, 3, 3, 0, 2, 9, 9];
    let mut connection = Connection::default();
    let hello = [22, 3, 3, 0, 4, 1, 0, 0, 0];
    let end = [record(20), record(22)].concat();
    assert_eq!(connection.segment(Direction::ToAgent, DATA, &hello), "ClientHello");
    assert_eq!(connection.segment(Direction::ToManager, DATA, &end), "ChangeCipherSpec, encrypted handshake");
    assert_eq!(connection.segment(Direction::ToManager, DATA, &record(23)), "application data");
    assert_eq!(connection.segment(Direction::ToManager, DATA, &record(21)), "encrypted alert");
}

#[test]
fn several_messages_in_a_record_are_named() {
    let certificate = [&[22, 3, 3, 0, 12, 11, 0, 0, 4][..], &[0; 4], &[14, 0, 0, 0]].concat();
    let mut connection = Connection::default();
    assert_eq!(connection.segment(Direction::ToManager, DATA, &certificate), "Certificate, ServerHelloDone");
}

#[test]
fn records_of_dtls_are_named_by_epoch_and_part() {
    let record = |kind: u8, epoch: u8, content: &[u8]| {
        [&[kind, 254, 253, 0, epoch, 0, 0, 0, 0, 0, 1, 0, content.len() as u8], content].concat()
    };
    // A message of 300 octets, of which a record contains 4.
    let part = [11, 0, 1, 44, 0, 0, 0, 0, 0, 0, 0, 4, 1, 2, 3, 4];
    let whole = [3, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 4, 1, 2, 3, 4];
    assert_eq!(datagram(&record(22, 0, &whole)), "HelloVerifyRequest");
    let end = [record(22, 0, &part), record(20, 0, &[1]), record(22, 1, &[9; 40])].concat();
    assert_eq!(datagram(&end), "Certificate (part), ChangeCipherSpec, encrypted handshake");
    assert_eq!(datagram(&record(21, 1, &[9; 20])), "encrypted alert");
    // The unified header of DTLS 1.3 with and without a length.
    let unified = [&[0x2e, 0, 1, 0, 3, 7, 7, 7][..], &[0x2a, 0, 2, 7, 7, 7]].concat();
    assert_eq!(datagram(&unified), "2 × encrypted");
}
