use super::*;

/// Concatenates the octets of headers, written in hexadecimal with spaces.
fn frame(parts: &[&str]) -> Vec<u8> {
    let digits: String = parts.concat().split_whitespace().collect();
    let octet = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.as_bytes().chunks(2).map(octet).collect()
}

const ETHERNET_V4: &str = "020000000002 020000000001 0800";
const ETHERNET_V6: &str = "020000000002 020000000001 86dd";
/// 192.0.2.1 to 192.0.2.2, UDP, 8 + 4 octets.
const V4_UDP: &str = "45 00 0020 1234 0000 40 11 0000 c0000201 c0000202";
/// 2001:db8::1 to 2001:db8::2, without the length and the next header.
const V6_ADDRESSES: &str = "20010db8000000000000000000000001 20010db8000000000000000000000002";
const UDP: &str = "c350 00a1 000c 0000 01020304";

fn decode(octets: &[u8]) -> Result<Packet, DecodeError> {
    Packet::decode(LinkType::Ethernet, octets, octets.len())
}

#[test]
fn udp_over_ipv4_is_decoded_without_padding() {
    let mut octets = frame(&[ETHERNET_V4, V4_UDP, UDP]);
    // The minimum length of an Ethernet frame.
    octets.resize(60, 0);
    let packet = decode(&octets).unwrap();
    assert_eq!(packet.source.to_string(), "192.0.2.1");
    assert_eq!(packet.destination.to_string(), "192.0.2.2");
    assert_eq!(packet.transport, Transport::Udp { ports: (50_000, 161) });
    assert_eq!(packet.ports(), Some((50_000, 161)));
    assert_eq!((packet.fragment, packet.payload_len), (None, 4));
    assert_eq!(packet.payload(&octets), [1, 2, 3, 4]);
}

#[test]
fn tcp_over_ipv4_with_options_is_decoded() {
    let v4 = "46 00 0039 0000 4000 40 06 0000 c0000201 c0000202 01010100";
    let tcp = "c350 00a1 00000011 00000022 80 12 ffff 0000 0000 0101080a0000000100000002 07";
    let octets = frame(&[ETHERNET_V4, v4, tcp]);
    let packet = decode(&octets).unwrap();
    let Transport::Tcp(tcp) = packet.transport else { panic!("{packet:?}") };
    assert_eq!((tcp.ports, tcp.sequence, tcp.acknowledgment, tcp.window), ((50_000, 161), 17, 34, 65_535));
    assert!(tcp.flags.syn() && tcp.flags.ack() && !tcp.flags.fin() && !tcp.flags.rst());
    assert_eq!(tcp.flags.to_string(), "SYN ACK");
    assert_eq!(packet.payload(&octets), [7]);
    // Don't Fragment is not a fragment.
    assert_eq!(packet.fragment, None);
}

#[test]
fn udp_over_ipv6_with_extension_headers_is_decoded() {
    let v6 = "6000 0000 001c 00 40";
    let hop_by_hop = "3c 00 050200000000";
    let destination = "11 00 000000000000";
    let octets = frame(&[ETHERNET_V6, v6, V6_ADDRESSES, hop_by_hop, destination, UDP]);
    let packet = decode(&octets).unwrap();
    assert_eq!(packet.source.to_string(), "2001:db8::1");
    assert_eq!(packet.destination.to_string(), "2001:db8::2");
    assert_eq!(packet.ports(), Some((50_000, 161)));
    assert_eq!(packet.payload(&octets), [1, 2, 3, 4]);
}

#[test]
fn fragments_have_identification_and_offset() {
    let first = frame(&[ETHERNET_V4, "45 00 0020 1234 2000 40 11 0000 c0000201 c0000202", UDP]);
    let packet = decode(&first).unwrap();
    assert_eq!(packet.fragment, Some(Fragment { identification: 0x1234, offset: 0, more: true }));
    assert_eq!((packet.ports(), packet.payload_len), (Some((50_000, 161)), 4));
    let last = frame(&[ETHERNET_V4, "45 00 0020 1234 00b9 40 11 0000 c0000201 c0000202", UDP]);
    let packet = decode(&last).unwrap();
    assert_eq!(packet.fragment, Some(Fragment { identification: 0x1234, offset: 1480, more: false }));
    assert_eq!(packet.transport, Transport::LaterFragment { protocol: 17 });
    // All octets of a later fragment are payload.
    assert_eq!((packet.ports(), packet.payload_len), (None, 12));
    let v6 = "6000 0000 0014 2c 40";
    let octets = frame(&[ETHERNET_V6, v6, V6_ADDRESSES, "11 00 05a9 89abcdef", UDP]);
    let packet = decode(&octets).unwrap();
    assert_eq!(packet.fragment, Some(Fragment { identification: 0x89ab_cdef, offset: 1448, more: true }));
    assert_eq!(packet.transport, Transport::LaterFragment { protocol: 17 });
}

#[test]
fn other_link_layers_are_decoded() {
    let ip = frame(&[V4_UDP, UDP]);
    let cooked = frame(&["0000 0001 0006 020000000001 0000 0800"]);
    let cooked2 = frame(&["0800 0000 00000002 0001 00 06 0200000000010000"]);
    let vlan = frame(&["020000000002 020000000001 88a8 0005 8100 0007 0800"]);
    for (number, header) in [
        (101, vec![]),
        (0, vec![2, 0, 0, 0]),
        (108, vec![0, 0, 0, 2]),
        (113, cooked),
        (276, cooked2),
        (1, vlan),
    ] {
        let octets = [header, ip.clone()].concat();
        let link = LinkType::from_number(number).unwrap();
        let packet = Packet::decode(link, &octets, octets.len()).unwrap();
        assert_eq!(packet.payload(&octets), [1, 2, 3, 4], "{number}");
    }
    assert_eq!(LinkType::from_number(127), None, "IEEE 802.11");
}

#[test]
fn frames_without_ip_packet_are_not_ip() {
    for text in [
        "ffffffffffff 020000000001 0806 0001080006040001",
        "ffffffffffff 020000000001 8100 0005 0806 00010800",
        // The third VLAN tag is not read.
        "ffffffffffff 020000000001 8100 0005 8100 0005 8100 0005 0800 4500",
        "ffffffffffff 020000000001 0800 15",
    ] {
        assert_eq!(decode(&frame(&[text])), Err(DecodeError::NotIp), "{text}");
    }
}

#[test]
fn headers_that_were_not_captured_completely_are_truncated() {
    let tcp = "c350 00a1 00000011 00000022 50 10 ffff 0000 0000";
    let v4 = "45 00 0028 0000 0000 40 06 0000 c0000201 c0000202";
    let v6 = frame(&[ETHERNET_V6, "6000 0000 0014 2c 40", V6_ADDRESSES, "11 00 0001 89abcdef", UDP]);
    for octets in [frame(&[ETHERNET_V4, v4, tcp]), v6] {
        let length = octets.len();
        let headers = Packet::decode(LinkType::Ethernet, &octets, length).unwrap().payload_start;
        for captured in 0..headers {
            let result = Packet::decode(LinkType::Ethernet, &octets[..captured], length);
            assert_eq!(result, Err(DecodeError::Truncated), "{captured} octets");
        }
        for captured in headers..length {
            let packet = Packet::decode(LinkType::Ethernet, &octets[..captured], length).unwrap();
            assert_eq!(packet.payload_len, length - headers, "the length on the wire");
            assert_eq!(packet.payload(&octets[..captured]).len(), captured - headers);
        }
    }
}

#[test]
fn headers_with_invalid_lengths_are_malformed() {
    for text in [
        // Header length of 16.
        "44 00 0020 1234 0000 40 11 0000 c0000201 c0000202",
        // Longer than the frame.
        "45 00 0021 1234 0000 40 11 0000 c0000201 c0000202",
        // Ends within the UDP header.
        "45 00 001b 1234 0000 40 11 0000 c0000201 c0000202",
    ] {
        assert_eq!(decode(&frame(&[ETHERNET_V4, text, UDP])), Err(DecodeError::Malformed), "{text}");
    }
    let v4 = "45 00 0028 0000 0000 40 06 0000 c0000201 c0000202";
    for offset in ["40", "f0"] {
        let tcp = format!("c350 00a1 00000011 00000022 {offset} 10 ffff 0000 0000");
        let expected = Err(DecodeError::Malformed);
        assert_eq!(decode(&frame(&[ETHERNET_V4, v4, &tcp])), expected, "TCP header length {offset}");
    }
}

#[test]
fn segment_captured_before_division_into_frames_ends_with_frame() {
    let v4 = "45 00 0000 0000 0000 40 11 0000 c0000201 c0000202";
    assert_eq!(decode(&frame(&[ETHERNET_V4, v4, UDP])).unwrap().payload_len, 4);
}

#[test]
fn number_of_ipv6_extension_headers_is_bounded() {
    let extensions = |number: usize| {
        let mut text: Vec<String> = vec!["00 00 000000000000".to_owned(); number];
        let length = number * 8 + 12;
        text[number - 1].replace_range(0..2, "11");
        let v6 = format!("6000 0000 {length:04x} 00 40");
        decode(&frame(&[ETHERNET_V6, &v6, V6_ADDRESSES, &text.concat(), UDP])).unwrap().transport
    };
    assert_eq!(extensions(MAX_EXTENSIONS), Transport::Udp { ports: (50_000, 161) });
    assert!(matches!(extensions(MAX_EXTENSIONS + 1), Transport::Other { .. }));
}
