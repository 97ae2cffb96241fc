use super::{
    FileKind, Frames, HEADER_LEN, HeaderStatus, VERSION, check_header, frame_len, header, push_frame,
    read_log,
};
use crate::record::Record;

#[test]
fn batches_in_log_are_read_back_unchanged() {
    let log = sample();
    let reading = read_log(&log);
    assert!(reading.is_whole);
    assert_eq!(reading.good_octets, log.len());
    assert_eq!(
        reading.batches,
        [
            (1, vec![Record::set("a", "1"), Record::set("b", "")]),
            (2, vec![]),
            (3, vec![Record::remove("a"), Record::set("", vec![0; 300])]),
        ]
    );
}

#[test]
fn truncated_log_returns_only_complete_batches_before_cut() {
    let log = sample();
    let whole = read_log(&log).batches;
    for cut in 0..log.len() {
        let reading = read_log(&log[..cut]);
        assert!(whole.starts_with(&reading.batches));
        assert!(reading.good_octets <= cut);
        assert_eq!(reading.is_whole, cut >= HEADER_LEN && reading.good_octets == cut, "cut at {cut}");
    }
}

#[test]
fn log_with_flipped_bit_never_returns_altered_batch() {
    let log = sample();
    let whole = read_log(&log).batches;
    for at in 0..log.len() * 8 {
        let mut flipped = log.clone();
        flipped[at / 8] ^= 1 << (at % 8);
        let reading = read_log(&flipped);
        assert!(!reading.is_whole);
        assert!(whole.starts_with(&reading.batches));
    }
}

#[test]
fn header_of_newer_format_version_is_distinguished_from_damage() {
    let mut newer = header(FileKind::Log);
    newer[8..12].copy_from_slice(&(VERSION + 1).to_be_bytes());
    assert_eq!(check_header(FileKind::Log, &newer), HeaderStatus::Damaged);
    let crc = crc32fast::hash(&newer[..12]);
    newer[12..].copy_from_slice(&crc.to_be_bytes());
    assert_eq!(check_header(FileKind::Log, &newer), HeaderStatus::Newer(VERSION + 1));
    assert_eq!(check_header(FileKind::Snapshot, &header(FileKind::Log)), HeaderStatus::Damaged);
    assert_eq!(check_header(FileKind::Engine, &header(FileKind::Engine)), HeaderStatus::Good);
    assert_eq!(header(FileKind::Log).len(), HEADER_LEN);
}

#[test]
fn frame_length_beyond_end_of_log_is_rejected() {
    let mut log = header(FileKind::Log);
    log.extend_from_slice(&[0xff; 40]);
    assert_eq!(Frames::new(&log).count(), 0);
}

/// A growing buffer would leave unwiped copies of keys in memory.
#[test]
fn review_l11_frame_fits_buffer_of_its_computed_length() {
    let records = [(&b"a"[..], Some(&[7; 300][..])), (b"b", None), (b"", Some(b""))];
    let mut file = Vec::with_capacity(frame_len(records));
    let allocated = file.as_ptr();
    push_frame(&mut file, 1, records).unwrap();
    assert_eq!(file.len(), frame_len(records));
    assert_eq!(file.as_ptr(), allocated);
}

fn sample() -> Vec<u8> {
    let mut log = header(FileKind::Log);
    push_frame(&mut log, 1, [(&b"a"[..], Some(&b"1"[..])), (b"b", Some(b""))]).unwrap();
    push_frame(&mut log, 2, []).unwrap();
    push_frame(&mut log, 3, [(&b"a"[..], None), (b"", Some(&[0; 300][..]))]).unwrap();
    log
}
