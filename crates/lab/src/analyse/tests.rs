use std::time::Duration;

use portreeve_lab_net::pcap::{PcapError, PcapWriter};

use super::{Analysis, MAX_CONVERSATIONS, print};

const MANAGER: u8 = 1;
const AGENT: u8 = 2;
const GET: u8 = 0xa0;
const RESPONSE: u8 = 0xa2;

/// Returns a message of SNMPv2c with `length` octets.
fn message(tag: u8, id: u8, length: usize) -> Vec<u8> {
    let mut octets = vec![0x30, 0x82];
    octets.extend(((length - 4) as u16).to_be_bytes());
    octets.extend(b"\x02\x01\x01\x04\x06public");
    octets.extend([tag, 0x82, 0, 0, 0x02, 0x04, 0, 0, 0, id]);
    octets.resize(length, 0);
    octets
}

/// Returns the fragments of a datagram between the manager's port 50 000 and the agent's port 161.
fn datagram(from: u8, identification: u8, payload: &[u8]) -> Vec<Vec<u8>> {
    let to = MANAGER + AGENT - from;
    let ports = if from == MANAGER { [0xc3, 0x50, 0, 0xa1] } else { [0, 0xa1, 0xc3, 0x50] };
    let udp = [&ports[..], &((payload.len() + 8) as u16).to_be_bytes(), &[0, 0], payload].concat();
    let fragment = |(number, part): (usize, &[u8])| {
        let more = if (number + 1) * 1480 < udp.len() { 0x2000 } else { 0 };
        let mut frame = vec![2; 12];
        frame.extend([0x08, 0x00, 0x45, 0x00]);
        frame.extend(((part.len() + 20) as u16).to_be_bytes());
        frame.extend([0, identification]);
        frame.extend(((number * 1480 / 8) as u16 | more).to_be_bytes());
        frame.extend([64, 17, 0, 0, 192, 0, 2, from, 192, 0, 2, to]);
        frame.extend(part);
        frame
    };
    udp.chunks(1480).enumerate().map(fragment).collect()
}

/// Writes frames a millisecond apart to a file.
fn file(frames: &[Vec<u8>]) -> Vec<u8> {
    let mut writer = PcapWriter::new(Vec::new()).unwrap();
    for (number, frame) in frames.iter().enumerate() {
        writer.write(Duration::from_millis(number as u64), frame, frame.len()).unwrap();
    }
    writer.finish().unwrap()
}

fn analyse(frames: &[Vec<u8>]) -> Analysis {
    Analysis::read(file(frames).as_slice()).unwrap()
}

#[test]
fn fragments_are_counted_with_their_conversation() {
    let (request, response) = (message(GET, 1, 9000), message(RESPONSE, 1, 100));
    let analysis = analyse(&[datagram(MANAGER, 1, &request), datagram(AGENT, 2, &response)].concat());
    let [conversation] = analysis.conversations.as_slice() else { panic!("not one conversation") };
    assert_eq!(conversation.endpoints.client.to_string(), "192.0.2.1:50000");
    assert_eq!(conversation.endpoints.server.to_string(), "192.0.2.2:161");
    let (to_server, to_client) = (conversation.to_server, conversation.to_client);
    assert_eq!((to_server.frames, to_server.frames_with_ports), (7, 1));
    assert_eq!((to_server.transport_octets, to_server.transport_octets_with_ports), (9008, 1480));
    assert_eq!((to_client.frames, to_client.octets), (1, 142));
    assert_eq!(conversation.duration(), Duration::from_millis(7));
    assert_eq!(analysis.other.frames, 0);
}

#[test]
fn transactions_are_requests_with_a_response() {
    let frames = [
        datagram(MANAGER, 1, &message(GET, 1, 100)),
        // A retransmission, which is answered twice.
        datagram(MANAGER, 2, &message(GET, 1, 100)),
        datagram(AGENT, 3, &message(RESPONSE, 1, 100)),
        datagram(AGENT, 4, &message(RESPONSE, 1, 100)),
        // A request without a response.
        datagram(MANAGER, 5, &message(GET, 2, 100)),
    ];
    let analysis = analyse(&frames.concat());
    let exchanges = &analysis.conversations[0].exchanges;
    assert_eq!((exchanges.requests, exchanges.responses, exchanges.transactions), (3, 2, 1));
}

#[test]
fn frames_of_no_conversation_are_counted_apart() {
    let mut arp = vec![2; 42];
    arp[12..14].copy_from_slice(&[0x08, 0x06]);
    // The first fragment of this datagram was not captured.
    let lonely = datagram(MANAGER, 1, &message(GET, 1, 2000)).split_off(1);
    let analysis = analyse(&[vec![arp], lonely].concat());
    assert!(analysis.conversations.is_empty());
    assert_eq!(analysis.other.frames, 2);
}

#[test]
fn number_of_conversations_is_limited() {
    let frames = datagram(MANAGER, 1, b"");
    let mut writer = PcapWriter::new(Vec::new()).unwrap();
    for number in 0..MAX_CONVERSATIONS + 3 {
        let mut frame = frames[0].clone();
        frame[26..30].copy_from_slice(&(number as u32).to_be_bytes());
        writer.write(Duration::ZERO, &frame, frame.len()).unwrap();
    }
    let octets = writer.finish().unwrap();
    let analysis = Analysis::read(octets.as_slice()).unwrap();
    assert_eq!(analysis.conversations.len(), MAX_CONVERSATIONS);
    assert_eq!(analysis.other.frames, 3);
}

#[test]
fn incomplete_files_are_rejected_and_no_octets_panic() {
    let octets = file(&datagram(MANAGER, 1, &message(GET, 1, 100)));
    for end in 0..octets.len() {
        let result = Analysis::read(&octets[..end]);
        // A file may end after its header.
        assert_eq!(result.is_ok(), end == 24, "{end}");
    }
    for position in 24..octets.len() {
        let mut octets = octets.clone();
        octets[position] ^= 0xff;
        let _ = Analysis::read(octets.as_slice());
    }
    assert!(matches!(Analysis::read(&b"text"[..]), Err(PcapError::NotCapture)));
}

#[test]
fn json_has_every_conversation() {
    let frames = [datagram(MANAGER, 1, &message(GET, 1, 3000)), datagram(AGENT, 2, b"no message")];
    let text = print::json(&analyse(&frames.concat())).unwrap_or_else(|error| panic!("{}", error.message()));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let conversation = &value["conversations"][0];
    assert_eq!(conversation["protocol"], "udp");
    assert_eq!(conversation["frames"], 4);
    assert_eq!(conversation["later_fragments"], 2);
    assert_eq!(conversation["snmp"]["requests"], 1);
    assert_eq!(value["other"]["frames"], 0);
    let table = print::text(&analyse(&frames.concat()));
    assert!(table.contains("udp 192.0.2.1:50000 > 192.0.2.2:161"), "{table}");
}
