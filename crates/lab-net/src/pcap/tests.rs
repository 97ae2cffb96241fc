use std::io::{self, Read};
use std::time::Duration;

use super::*;
use crate::packet::LinkType;

/// Reads all frames: times, octets and lengths.
fn read(file: impl Read) -> Result<Vec<(Duration, Vec<u8>, usize)>, PcapError> {
    let mut reader = PcapReader::new(file)?;
    let mut frames = Vec::new();
    while let Some(frame) = reader.next_frame()? {
        frames.push((frame.at, frame.octets.to_vec(), frame.length));
    }
    Ok(frames)
}

/// A file with the given fields in big-endian or little-endian order, followed by `octets`.
fn file(fields: &[u32], big_endian: bool, octets: &[u8]) -> Vec<u8> {
    let order = |field: &u32| if big_endian { field.to_be_bytes() } else { field.to_le_bytes() };
    let mut file: Vec<u8> = fields.iter().flat_map(order).collect();
    file.extend_from_slice(octets);
    file
}

#[test]
fn both_byte_orders_and_both_units_of_time_are_read() {
    for big_endian in [false, true] {
        for (magic, fraction) in [(MICROSECONDS, 789), (NANOSECONDS, 789_000)] {
            let version = if big_endian { 0x0002_0004 } else { 0x0004_0002 };
            let fields = [magic, version, 0, 0, 65_535, 1, 1000, fraction, 3, 60];
            let frames = read(&*file(&fields, big_endian, b"abc")).unwrap();
            assert_eq!(frames, [(Duration::new(1000, 789_000), b"abc".to_vec(), 60)]);
        }
    }
}

#[test]
fn written_frames_are_read_back() {
    let mut writer = PcapWriter::new(Vec::new()).unwrap();
    let frames = [
        (Duration::new(1_700_000_000, 999_999_999), vec![7; 60], 1514),
        (Duration::new(1_700_000_001, 0), vec![], 0),
        (Duration::new(u32::MAX.into(), 1), vec![8; 1514], 1514),
    ];
    for (at, octets, length) in &frames {
        writer.write(*at, octets, *length).unwrap();
    }
    assert_eq!(read(&*writer.finish().unwrap()).unwrap(), frames);
}

#[test]
fn file_that_ends_within_header_or_frame_is_truncated() {
    let mut writer = PcapWriter::new(Vec::new()).unwrap();
    writer.write(Duration::ZERO, &[7; 10], 10).unwrap();
    let complete = writer.finish().unwrap();
    for length in 0..complete.len() {
        let result = read(&complete[..length]);
        match length {
            // The magic number is incomplete.
            0..4 => assert!(matches!(result, Err(PcapError::NotCapture)), "{length}"),
            4..FILE_HEADER_LEN => assert!(matches!(result, Err(PcapError::Truncated(0))), "{length}"),
            FILE_HEADER_LEN => assert_eq!(result.unwrap(), []),
            _ => assert!(matches!(result, Err(PcapError::Truncated(24))), "{length}"),
        }
    }
    // The position of the second frame.
    let two = [&complete[..], &complete[24..30]].concat();
    assert!(matches!(read(&*two), Err(PcapError::Truncated(50))));
}

#[test]
fn frames_with_invalid_length_or_time_are_malformed() {
    for (fraction, captured) in [(0, MAX_FRAME_LEN + 1), (0, u32::MAX), (1_000_000, 4), (u32::MAX, 4)] {
        let fields = [MICROSECONDS, 0x0004_0002, 0, 0, 0, 1, 0, fraction, captured, captured];
        let result = read(&*file(&fields, false, &[0; 4]));
        assert!(matches!(result, Err(PcapError::Malformed(24))), "{fraction} {captured}: {result:?}");
    }
    // The octets of the longest frame are only requested, not present.
    let fields = [MICROSECONDS, 0x0004_0002, 0, 0, 0, 1, 0, 0, MAX_FRAME_LEN, MAX_FRAME_LEN];
    assert!(matches!(read(&*file(&fields, false, &[0; 4])), Err(PcapError::Truncated(24))));
}

#[test]
fn frame_is_not_shorter_than_its_captured_part() {
    let fields = [MICROSECONDS, 0x0004_0002, 0, 0, 0, 1, 0, 0, 4, 2];
    assert_eq!(read(&*file(&fields, false, &[7; 4])).unwrap(), [(Duration::ZERO, vec![7; 4], 4)]);
}

#[test]
fn other_formats_are_rejected_with_explanation() {
    for (octets, text) in [
        (&b"\x0a\x0d\x0d\x0a\x1c\0\0\0\x4d\x3c\x2b\x1a"[..], "editcap -F pcap"),
        (b"\x1f\x8b\x08\0", "compressed"),
        (b"\x28\xb5\x2f\xfd", "compressed"),
        (b"text", "not a capture file"),
        (b"", "not a capture file"),
    ] {
        let error = PcapReader::new(octets).unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
    }
    let wireless = file(&[MICROSECONDS, 0x0004_0002, 0, 0, 0, 127], false, &[]);
    assert!(matches!(PcapReader::new(&*wireless), Err(PcapError::LinkType(127))));
    // The upper bits state the length of checksums.
    let with_checksum = file(&[MICROSECONDS, 0x0004_0002, 0, 0, 0, 0x4000_0001], false, &[]);
    assert_eq!(PcapReader::new(&*with_checksum).unwrap().link(), LinkType::Ethernet);
}

#[test]
fn file_that_arrives_in_pieces_is_read_and_errors_are_returned() {
    struct Pieces(Vec<u8>);
    impl Read for Pieces {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Err(io::Error::other("the disk failed"));
            }
            buffer[0] = self.0.remove(0);
            Ok(1)
        }
    }
    let mut writer = PcapWriter::new(Vec::new()).unwrap();
    writer.write(Duration::ZERO, &[7; 10], 10).unwrap();
    let mut reader = PcapReader::new(Pieces(writer.finish().unwrap())).unwrap();
    assert_eq!(reader.next_frame().unwrap().unwrap().octets, [7; 10]);
    assert!(matches!(reader.next_frame(), Err(PcapError::Io(_))));
}
