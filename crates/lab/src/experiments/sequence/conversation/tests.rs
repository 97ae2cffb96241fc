use std::io::Cursor;

use portreeve_lab_net::Detail;
use portreeve_lab_net::pcap::{PcapReader, PcapWriter};

use super::*;
use Direction::{ToAgent, ToManager};

/// The milliseconds, the direction, the port of the manager and the octets of each datagram.
fn captured(frames: &[(u64, Direction, u16, usize)]) -> Captured {
    let mut file = Vec::new();
    let mut writer = PcapWriter::new(&mut file).unwrap();
    for (at, direction, port, octets) in frames {
        let ports = if *direction == ToAgent { [*port, 161] } else { [161, *port] };
        let mut frame = vec![0; 12];
        frame.extend([8, 0, 0x45, 0]);
        frame.extend(((28 + octets) as u16).to_be_bytes());
        frame.extend([0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]);
        frame.extend(ports.iter().flat_map(|port| port.to_be_bytes()));
        frame.extend(((8 + octets) as u16).to_be_bytes());
        frame.resize(42 + octets, 0);
        writer.write(Duration::from_millis(*at), &frame, frame.len()).unwrap();
    }
    writer.finish().unwrap();
    let mut reader = PcapReader::new(Cursor::new(file)).unwrap();
    Captured::read(&mut reader, Detail::Octets, |_, ports| {
        Some(if ports?.1 == 161 { ToAgent } else { ToManager })
    })
    .unwrap()
}

#[test]
fn last_long_message_is_the_response_and_the_next_datagram_closes() {
    let session = captured(&[
        (10, ToAgent, 999, 40),
        (12, ToManager, 999, 300),
        (14, ToAgent, 999, 60),
        (17, ToManager, 999, MIN_RESPONSE),
        (18, ToManager, 999, 30),
        (19, ToAgent, 999, 30),
    ]);
    let conversation = Conversation::of(&session).unwrap();
    assert_eq!(conversation.response_time(), Duration::from_millis(7));
    assert_eq!(conversation.closer, Some(ToManager));
    let octets = (40 + 300 + 60 + MIN_RESPONSE + 60 + 6 * 42) as f64;
    let expected = [("frames", 6.0), ("octets", octets), ("response", 0.007), ("manager_closes", 0.0)];
    let expected = expected.into_iter().fold(Outcome::default(), |all, (name, value)| all.value(name, value));
    assert_eq!(conversation.outcome(), expected);
}

#[test]
fn frames_of_an_earlier_session_are_left_out() {
    let session = captured(&[
        (10, ToManager, 998, 0),
        (11, ToAgent, 999, 40),
        (12, ToManager, 999, 200),
        (13, ToAgent, 998, 0),
    ]);
    let conversation = Conversation::of(&session).unwrap();
    assert_eq!((conversation.response_time(), conversation.closer), (Duration::from_millis(1), None));
    assert_eq!(conversation.into_messages().len(), 2);
}

#[test]
fn session_without_a_response_is_an_error() {
    let session = captured(&[(1, ToAgent, 999, 300), (2, ToManager, 999, MIN_RESPONSE - 1)]);
    assert_eq!(Conversation::of(&session).err(), Some(NO_RESPONSE));
}
