use std::net::IpAddr;

use super::*;
use crate::packet::Transport;

fn frame(seconds: u64, direction: Direction, octets: usize, ports: Option<(u16, u16)>) -> FrameRecord {
    let packet = ports.map(|ports| Packet {
        source: IpAddr::from([192, 0, 2, 1]),
        destination: IpAddr::from([192, 0, 2, 2]),
        transport: Transport::Udp { ports },
        fragment: None,
        payload_len: octets,
        payload_start: 0,
    });
    FrameRecord::new(Duration::from_secs(seconds), direction, octets, packet, ports)
}

#[test]
fn totals_count_both_directions_of_a_port() {
    let mut captured = Captured::default();
    for frame in [
        frame(1, Direction::ToAgent, 100, Some((50_000, 161))),
        frame(2, Direction::ToManager, 200, Some((161, 50_000))),
        frame(3, Direction::ToAgent, 70, Some((50_000, 162))),
        frame(4, Direction::ToAgent, 60, None),
    ] {
        captured.push(frame, Detail::Headers, &[]);
    }
    let totals = captured.totals_of_port(161);
    assert_eq!(
        totals,
        Totals { frames_to_agent: 1, octets_to_agent: 100, frames_to_manager: 1, octets_to_manager: 200 }
    );
    assert_eq!((totals.frames(), totals.octets()), (2, 300));
    assert_eq!(captured.totals(|_| true).octets(), 430);
}

#[test]
fn frames_keep_their_octets_when_they_are_sorted() {
    let mut captured = Captured::default();
    for (seconds, octets) in [(2, &b"second"[..]), (1, b"first"), (3, b"")] {
        captured.push(frame(seconds, Direction::ToAgent, 6, None), Detail::Octets, octets);
    }
    captured.sort();
    let octets: Vec<&[u8]> = captured.with_octets().map(|(_, octets)| octets).collect();
    assert_eq!(octets, [&b"first"[..], b"second", b""]);
    let mut headers = Captured::default();
    headers.push(frame(1, Direction::ToAgent, 6, None), Detail::Headers, b"octets");
    assert_eq!(headers.octets(&headers.frames()[0]), b"");
}

#[test]
fn frames_above_maximum_are_counted_but_not_recorded() {
    let mut captured = Captured::default();
    for _ in 0..MAX_RECORDS + 3 {
        captured.push(frame(1, Direction::ToAgent, 6, None), Detail::Headers, b"octets");
    }
    assert_eq!((captured.len(), captured.not_recorded), (MAX_RECORDS, 3));
    assert!(!captured.is_complete() && !captured.is_empty());
}
