use portreeve_lab_net::{Tcp, TcpFlags};

use super::Stream;

/// Returns a GET with this request-id. It has 40 octets.
fn get(id: u8) -> Vec<u8> {
    let mut octets = b"\x30\x26\x02\x01\x01\x04\x06public\xa0\x19\x02\x04\x00\x00\x00".to_vec();
    octets.push(id);
    octets.resize(40, 0);
    octets
}

fn segment(sequence: u32) -> Tcp {
    let flags = TcpFlags(0x10);
    Tcp { ports: (50_000, 161), sequence, acknowledgment: 0, flags, window: 1, header_len: 20 }
}

/// Returns the identifiers in segments: the number of the first octet, the captured octets, and
/// the length on the wire.
fn identifiers(segments: &[(u32, &[u8], usize)]) -> Vec<i64> {
    let (mut stream, mut found) = (Stream::default(), Vec::new());
    for (sequence, octets, length) in segments {
        stream.add(&segment(*sequence), octets, *length, |header| found.push(header.id));
    }
    found
}

#[test]
fn messages_are_found_wherever_segments_divide_them() {
    let octets = [get(1), get(2), get(3)].concat();
    for first in 0..octets.len() {
        for second in first..octets.len() {
            let parts = [&octets[..first], &octets[first..second], &octets[second..]];
            // The sequence numbers pass the end of their range.
            let mut sequence = u32::MAX - 50;
            let segments = parts.map(|part| {
                let start = sequence;
                sequence = sequence.wrapping_add(part.len() as u32);
                (start, part, part.len())
            });
            assert_eq!(identifiers(&segments), [1, 2, 3], "{first} {second}");
        }
    }
}

#[test]
fn retransmitted_octets_are_not_counted_again() {
    let octets = [get(1), get(2)].concat();
    let segments = [(100, &octets[..40], 40), (100, &octets[..40], 40), (120, &octets[20..], 60)];
    assert_eq!(identifiers(&segments), [1, 2]);
}

#[test]
fn octets_that_were_not_captured_are_skipped() {
    // Only 30 octets of each segment were captured.
    let (one, two) = (get(1), get(2));
    assert_eq!(identifiers(&[(100, &one[..30], 40), (140, &two[..30], 40)]), [1, 2]);
    // A message may end in them, and the next one begin.
    let both = [get(1), get(2)].concat();
    assert_eq!(identifiers(&[(100, &both[..30], 80), (180, &get(3), 40)]), [1, 3]);
}

#[test]
fn messages_are_found_again_after_a_gap() {
    assert_eq!(identifiers(&[(100, &get(1)[..30], 30), (180, &get(3), 40)]), [1, 3]);
}

#[test]
fn capture_that_begins_within_a_message_is_read_from_the_next_message_on() {
    let cases: [&[(u32, &[u8], usize)]; 3] = [
        // The end of a message, long and short, and one that looks like the begin of a header.
        &[(100, &[7; 200], 200), (300, &get(2), 40), (340, &get(3), 40)],
        &[(100, &[7; 3], 3), (103, &get(2), 40), (143, &get(3), 40)],
        &[(100, b"\x30\x26", 2), (102, &get(2), 40), (142, &get(3), 40)],
    ];
    for segments in cases {
        assert_eq!(identifiers(segments), [2, 3], "{segments:?}");
    }
    // After a gap, too.
    let segments = [(100, &get(1)[..], 40), (180, &[7; 50], 50), (230, &get(3), 40)];
    assert_eq!(identifiers(&segments), [1, 3]);
}

#[test]
fn streams_of_other_protocols_are_not_read() {
    let (mut stream, mut found) = (Stream::default(), 0);
    let mut syn = segment(99);
    syn.flags = TcpFlags(0x02);
    stream.add(&syn, &[], 0, |_| found += 1);
    stream.add(&segment(100), b"SSH-2.0-x\r\n", 11, |_| found += 1);
    stream.add(&segment(111), &get(1), 40, |_| found += 1);
    assert_eq!(found, 0);
    assert_eq!(identifiers(&[(100, &get(1), 40), (140, b"SSH-2.0-x\r\n", 11), (151, &get(2), 40)]), [1]);
}
