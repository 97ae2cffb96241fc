use std::io::Cursor;
use std::time::Duration;

use portreeve_lab_net::pcap::{PcapReader, PcapWriter};
use portreeve_lab_net::{Captured, Detail, Direction};

use super::{NOT_FOUND, Observed, of_last_session};

/// A session over UDP datagrams: milliseconds, direction and octets of each frame.
fn captured(frames: &[(u64, Direction, usize)]) -> Captured {
    let mut file = Vec::new();
    let mut writer = PcapWriter::new(&mut file).unwrap();
    for (at, direction, octets) in frames {
        let frame = datagram(*direction, *octets);
        writer.write(Duration::from_millis(*at), &frame, frame.len()).unwrap();
    }
    writer.finish().unwrap();
    let mut reader = PcapReader::new(Cursor::new(file)).unwrap();
    Captured::read(&mut reader, Detail::Headers, |_, ports| {
        Some(if ports?.1 == 161 { ToAgent } else { ToManager })
    })
    .unwrap()
}

/// An Ethernet frame with IPv4 and UDP.
fn datagram(direction: Direction, octets: usize) -> Vec<u8> {
    let ports: [u16; 2] = if direction == ToAgent { [999, 161] } else { [161, 999] };
    let mut frame = vec![0; 12];
    frame.extend([8, 0, 0x45, 0]);
    frame.extend(((28 + octets) as u16).to_be_bytes());
    frame.extend([0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]);
    frame.extend(ports.iter().flat_map(|port| port.to_be_bytes()));
    frame.extend(((8 + octets) as u16).to_be_bytes());
    frame.extend([0, 0]);
    frame.resize(42 + octets, 0);
    frame
}

fn milliseconds(seconds: &[f64]) -> Vec<f64> {
    seconds.iter().map(|time| (time * 1000.0).round()).collect()
}

#[test]
fn set_up_messages_and_close_are_distinguished() {
    let session = captured(&[
        (0, ToAgent, 200),
        (5, ToManager, 900),
        (9, ToAgent, 60),
        (10, ToAgent, 80),
        (11, ToManager, 300),
        (12, ToManager, 90),
        (14, ToAgent, 81),
        (17, ToManager, 91),
        (20, ToAgent, 80),
        (25, ToManager, 90),
        (26, ToAgent, 30),
        (30, ToManager, 30),
    ]);
    let observed = Observed::of(session.frames(), 3).unwrap();
    assert_eq!(observed.transport_setup, Some(0.009));
    assert_eq!(milliseconds(&[observed.snmp_setup.unwrap()]), [1.0]);
    assert_eq!(milliseconds(&observed.messages), [4.0, 6.0, 5.0]);
    assert_eq!(milliseconds(&observed.responses), [2.0, 3.0, 5.0]);
    assert_eq!(milliseconds(&[observed.close.unwrap(), observed.total]), [5.0, 30.0]);
}

#[test]
fn first_messages_can_share_frames_with_the_set_up() {
    let session = captured(&[
        (0, ToAgent, 200),
        (3, ToManager, 90),
        (5, ToManager, 900),
        (9, ToAgent, 640),
        (12, ToManager, 700),
        (14, ToAgent, 80),
        (17, ToManager, 90),
        (20, ToAgent, 80),
        (25, ToManager, 90),
    ]);
    let observed = Observed::of(session.frames(), 3).unwrap();
    assert_eq!((observed.transport_setup, observed.snmp_setup), (Some(0.009), None));
    assert_eq!(milliseconds(&observed.messages), [5.0, 6.0, 5.0]);
    assert_eq!(milliseconds(&observed.responses), [3.0, 3.0, 5.0]);
}

#[test]
fn session_over_udp_has_neither_set_up_nor_close() {
    let session = captured(&[(0, ToAgent, 40), (2, ToManager, 45), (3, ToAgent, 40), (4, ToManager, 45)]);
    let observed = Observed::of(session.frames(), 2).unwrap();
    assert_eq!((observed.transport_setup, observed.snmp_setup, observed.close), (None, None, None));
    assert_eq!(milliseconds(&observed.messages), [3.0, 1.0]);
}

#[test]
fn sessions_with_missing_or_doubled_messages_are_rejected() {
    let missing = [(0, ToAgent, 40), (2, ToManager, 45), (3, ToAgent, 40)];
    assert_eq!(Observed::of(captured(&missing).frames(), 2), Err(NOT_FOUND));
    let repeated = [(0, ToAgent, 40), (1, ToAgent, 40), (2, ToManager, 45), (3, ToManager, 45)];
    assert_eq!(Observed::of(captured(&repeated).frames(), 2), Err(NOT_FOUND));
    assert_eq!(Observed::of(&[], 2), Err(NOT_FOUND));
}

use Direction::{ToAgent, ToManager};

#[test]
fn frames_of_earlier_sessions_are_left_out() {
    let session = captured(&[(0, ToAgent, 80), (1, ToManager, 90), (2, ToAgent, 81), (3, ToManager, 91)]);
    let mut frames = session.frames().to_vec();
    frames[0].ports = Some((998, 161));
    frames[1].ports = Some((161, 998));
    // A late frame of the first session, without a payload.
    let mut late = frames[1];
    late.at = Duration::from_millis(4);
    frames.push(late);
    assert_eq!(of_last_session(&frames), session.frames()[2..]);
    assert_eq!(of_last_session(&frames[1..2]), []);
}
