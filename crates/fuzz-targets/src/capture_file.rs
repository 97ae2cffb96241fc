//! Arbitrary octets as a capture file, and as a frame of each link layer.

use portreeve_lab_net::pcap::{MAX_FRAME_LEN, PcapReader, PcapWriter};
use portreeve_lab_net::{FragmentPorts, LinkType, Packet};

/// Checks that payloads lie within their frames, that a file contains no more octets in frames than
/// it has, and that frames survive being written and read back.
pub fn capture_file(octets: &[u8]) {
    for link in
        [LinkType::Ethernet, LinkType::Raw, LinkType::Loopback, LinkType::LinuxCooked, LinkType::LinuxCooked2]
    {
        check_frame(link, octets, octets.len());
    }
    let Ok(mut reader) = PcapReader::new(octets) else { return };
    let (mut frames, mut total) = (Vec::new(), 0);
    let mut ports = FragmentPorts::default();
    while let Ok(Some(frame)) = reader.next_frame() {
        assert!(frame.octets.len() <= frame.length && frame.octets.len() <= MAX_FRAME_LEN as usize);
        total += frame.octets.len();
        if let Some(packet) = check_frame(frame.link, frame.octets, frame.length) {
            let known = ports.ports(&packet);
            assert!(packet.ports().is_none_or(|ports| known == Some(ports)));
        }
        frames.push((frame.at, frame.octets.to_vec(), frame.length));
    }
    assert!(total < octets.len(), "{total} octets in frames");
    write_and_read(&frames);
}

fn check_frame(link: LinkType, octets: &[u8], length: usize) -> Option<Packet> {
    let packet = Packet::decode(link, octets, length).ok()?;
    assert!(packet.payload_start + packet.payload_len <= length, "{packet:?}");
    let captured = octets.len().saturating_sub(packet.payload_start);
    assert_eq!(packet.payload(octets).len(), packet.payload_len.min(captured));
    Some(packet)
}

fn write_and_read(frames: &[(std::time::Duration, Vec<u8>, usize)]) {
    let mut writer = PcapWriter::new(Vec::new()).unwrap();
    for (at, octets, length) in frames {
        writer.write(*at, octets, *length).unwrap();
    }
    let file = writer.finish().unwrap();
    let mut reader = PcapReader::new(&*file).unwrap();
    for (at, octets, length) in frames {
        let frame = reader.next_frame().unwrap().unwrap();
        assert_eq!((frame.at, frame.octets, frame.length), (*at, &**octets, *length));
    }
    assert!(reader.next_frame().unwrap().is_none());
}
