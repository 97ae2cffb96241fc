//! Arbitrary octets as a state log, and as a batch in a state log.

use portreeve_store::{LogContents, read_log};

/// Checks three properties. The valid part alone gives the same result. Truncation loses only
/// batches at the end. Octets with a valid checksum do not change the batch before them.
pub fn state_log(octets: &[u8]) {
    let whole = read_log(octets);
    assert!(whole.good_octets <= octets.len());
    let good = read_log(&octets[..whole.good_octets]);
    assert_eq!((&good.batches, good.good_octets), (&whole.batches, whole.good_octets));
    let cut = read_log(&octets[..whole.good_octets / 2]);
    assert!(whole.batches.starts_with(&cut.batches));

    // Computes a valid checksum, because the fuzzer cannot guess it.
    let mut log = header();
    push_frame(&mut log, 1, &[SET, 0, 0, 0, 1, b'k', 0, 0, 0, 1, b'v']);
    let before = read_log(&log);
    assert!(before.is_whole && before.batches.len() == 1);
    push_frame(&mut log, 2, octets);
    let after: LogContents = read_log(&log);
    assert_eq!(after.batches.first(), before.batches.first());
    assert!(after.batches.len() <= 2);
}

fn header() -> Vec<u8> {
    let mut header = b"portrvLG\0\0\0\x01".to_vec();
    header.extend(crc32fast::hash(&header).to_be_bytes());
    header
}

fn push_frame(log: &mut Vec<u8>, sequence: u64, payload: &[u8]) {
    let length = u32::try_from(payload.len()).expect("fuzzer inputs are short");
    let mut head = length.to_be_bytes().to_vec();
    head.extend(sequence.to_be_bytes());
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&head);
    checksum.update(payload);
    log.extend(head);
    log.extend(checksum.finalize().to_be_bytes());
    log.extend(payload);
}

/// The type of a record that sets a key.
const SET: u8 = 1;
