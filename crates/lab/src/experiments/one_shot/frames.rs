//! The frames of each session in a capture of several.

use std::collections::BTreeMap;

use portreeve_lab_net::{Captured, Direction, Totals};

/// Counts the frames of each session: those of one port of the client. Other frames, such as those
/// that look up link-layer addresses, belong to no session.
pub(super) fn by_session(captured: &Captured) -> Vec<Totals> {
    let mut sessions: BTreeMap<u16, Totals> = BTreeMap::new();
    for frame in captured.frames() {
        let Some((source, destination)) = frame.ports else { continue };
        let client = if frame.direction == Direction::ToAgent { source } else { destination };
        sessions.entry(client).or_default().add(frame);
    }
    sessions.into_values().collect()
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::time::Duration;

    use portreeve_lab_net::Detail;
    use portreeve_lab_net::pcap::{PcapReader, PcapWriter};

    use super::*;
    use Direction::{ToAgent, ToManager};

    /// An Ethernet frame with IPv4 and UDP.
    fn datagram(ports: [u16; 2], octets: u16) -> Vec<u8> {
        let mut frame = vec![0; 12];
        frame.extend([8, 0, 0x45, 0]);
        frame.extend((28 + octets).to_be_bytes());
        frame.extend([0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]);
        frame.extend(ports.iter().flat_map(|port| port.to_be_bytes()));
        frame.extend((8 + octets).to_be_bytes());
        frame.resize(42 + usize::from(octets), 0);
        frame
    }

    #[test]
    fn frames_belong_to_the_session_of_the_client_port() {
        let mut file = Vec::new();
        let mut writer = PcapWriter::new(&mut file).unwrap();
        for (at, ports, octets) in
            [(1, [5001, 161], 40), (2, [161, 5001], 60), (3, [5002, 161], 40), (4, [161, 5001], 10)]
        {
            let frame = datagram(ports, octets);
            writer.write(Duration::from_millis(at), &frame, frame.len()).unwrap();
        }
        writer.finish().unwrap();
        let mut reader = PcapReader::new(Cursor::new(file)).unwrap();
        let direction = |ports: Option<(u16, u16)>| Some(if ports?.1 == 161 { ToAgent } else { ToManager });
        let captured = Captured::read(&mut reader, Detail::Headers, |_, ports| direction(ports)).unwrap();
        let sessions: Vec<_> =
            by_session(&captured).iter().map(|session| (session.frames(), session.octets())).collect();
        assert_eq!(sessions, [(3, 3 * 42 + 110), (1, 42 + 40)]);
    }
}
