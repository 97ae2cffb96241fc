use portreeve_lab_net::{LinkType, Packet};
use portreeve_lab_report::papers::paper_003::{self, fragments};

use super::FrameCounts;

/// Returns the fragments of a UDP datagram over IPv4 as Ethernet frames.
fn datagram(payload: usize) -> Vec<Vec<u8>> {
    let total = payload + 8;
    let fragment = |offset: usize| {
        let length = (total - offset).min(1480);
        let mut frame = vec![2; 12];
        frame.extend([0x08, 0x00, 0x45, 0x00]);
        frame.extend(((length + 20) as u16).to_be_bytes());
        let more = if offset + length < total { 0x2000 } else { 0 };
        frame.extend([0x12, 0x34]);
        frame.extend(((offset / 8) as u16 | more).to_be_bytes());
        frame.extend([64, 17, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2]);
        frame.extend([0xc3, 0x50, 0x00, 0xa1].into_iter().chain(std::iter::repeat(0)).take(length));
        frame
    };
    (0..total).step_by(1480).map(fragment).collect()
}

/// Returns a TCP segment with 12 octets of options.
fn segment(payload: usize) -> Vec<u8> {
    let mut frame = vec![2; 12];
    frame.extend([0x08, 0x00, 0x45, 0x00]);
    frame.extend(((20 + 32 + payload) as u16).to_be_bytes());
    frame.extend([0, 0, 0x40, 0x00, 64, 6, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2]);
    frame.extend([0xc3, 0x50, 0x00, 0x16, 0, 0, 0, 1, 0, 0, 0, 1, 0x80, 0x10, 1, 0, 0, 0, 0, 0]);
    frame.extend(vec![1; 12 + payload]);
    frame
}

fn count(frames: impl IntoIterator<Item = Vec<u8>>) -> FrameCounts {
    let mut counts = FrameCounts::default();
    for frame in frames {
        let packet = Packet::decode(LinkType::Ethernet, &frame, frame.len()).unwrap();
        counts.add(Some(&packet), frame.len());
    }
    counts
}

#[test]
fn frames_of_sets_are_those_of_the_paper_without_later_fragments() {
    // A SET of ten objects has two fragments, and its response as well.
    let counts = count([datagram(2874), datagram(2874)].concat());
    assert_eq!(counts.frames_with_ports as f64, paper_003::TABLE_1[1].snmp.mean.value());
    assert_eq!(counts.transport_octets_with_ports as f64, paper_003::TABLE_2[1].snmp.mean.value());
    assert_eq!((counts.frames, counts.transport_octets), (4, 2 * (2874 + 8)));
    assert_eq!(counts.octets, 2 * (2874 + 8) + 4 * 34);
}

#[test]
fn every_fragment_is_counted() {
    for payload in [0, 1472, 1473, 9000] {
        let counts = count(datagram(payload));
        assert_eq!(counts.frames as usize, fragments(payload), "{payload}");
        assert_eq!(counts.frames_with_ports, 1, "{payload}");
    }
}

#[test]
fn octets_of_tcp_contain_its_options() {
    let counts = count([segment(100)]);
    assert_eq!((counts.frames, counts.frames_with_ports), (1, 1));
    assert_eq!((counts.transport_octets, counts.octets), (132, 166));
}

#[test]
fn frames_without_ip_have_no_octets_of_transport() {
    let mut counts = FrameCounts::default();
    counts.add(None, 42);
    assert_eq!(counts, FrameCounts { frames: 1, octets: 42, ..FrameCounts::default() });
}
