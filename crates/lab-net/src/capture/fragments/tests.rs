use std::net::IpAddr;

use super::{FragmentPorts, MAX_PACKETS};
use crate::packet::{Fragment, Packet, Transport};

fn fragment(identification: u32, offset: u32) -> Packet {
    let transport = match offset {
        0 => Transport::Udp { ports: (161, identification as u16) },
        _ => Transport::LaterFragment { protocol: 17 },
    };
    Packet {
        source: IpAddr::from([192, 0, 2, 1]),
        destination: IpAddr::from([192, 0, 2, 2]),
        transport,
        fragment: Some(Fragment { identification, offset, more: true }),
        payload_len: 8,
        payload_start: 42,
    }
}

#[test]
fn later_fragments_have_ports_of_first_fragment_of_same_packet() {
    let mut ports = FragmentPorts::default();
    assert_eq!(ports.ports(&fragment(7, 0)), Some((161, 7)));
    assert_eq!(ports.ports(&fragment(8, 0)), Some((161, 8)));
    assert_eq!(ports.ports(&fragment(7, 1480)), Some((161, 7)));
    assert_eq!(ports.ports(&fragment(8, 1480)), Some((161, 8)));
    assert_eq!(ports.ports(&fragment(9, 1480)), None, "the first fragment is unknown");
    let mut reversed = fragment(7, 1480);
    std::mem::swap(&mut reversed.source, &mut reversed.destination);
    assert_eq!(ports.ports(&reversed), None, "another packet with the same number");
}

#[test]
fn number_of_remembered_packets_is_bounded() {
    let mut ports = FragmentPorts::default();
    for identification in 0..3 * MAX_PACKETS as u32 {
        ports.ports(&fragment(identification, 0));
        assert!(ports.0.len() <= MAX_PACKETS);
    }
}
