//! Arbitrary octets as a state log of either format, and as a batch in a state log.

use portreeve_store::{LogContents, read_log};

/// Checks these properties. The valid part alone gives the same result. Truncation loses only
/// batches at the end. Octets with a valid checksum do not change the batch before them. A batch
/// without its last frame has no effect.
pub fn state_log(octets: &[u8]) {
    let whole = read_log(octets);
    assert!(whole.good_octets <= octets.len());
    let good = read_log(&octets[..whole.good_octets]);
    assert_eq!((&good.batches, good.good_octets), (&whole.batches, whole.good_octets));
    let cut = read_log(&octets[..whole.good_octets / 2]);
    assert!(whole.batches.starts_with(&cut.batches));

    let mut log = TestLog::new(1);
    log.push_old_frame(1, RECORD);
    check_second_batch(&log.octets, |log| log.push_old_frame(2, octets));

    // The first octet decides the sizes of the frames.
    let (size, payload) = octets.split_first().map_or((1, octets), |(first, rest)| (*first, rest));
    let mut log = TestLog::new(2);
    log.push_frame(1, LAST_PART, RECORD);
    let parts: Vec<&[u8]> = payload.chunks(usize::from(size).max(1)).collect();
    check_second_batch(&log.octets, |log| {
        for (part, payload) in (0..).zip(&parts) {
            let is_last = part as usize + 1 == parts.len();
            log.push_frame(2, if is_last { part | LAST_PART } else { part }, payload);
        }
    });
    let mut unfinished = TestLog { octets: log.octets.clone(), checksum: log.checksum };
    for (part, payload) in (0..).zip(&parts) {
        unfinished.push_frame(2, part, payload);
    }
    assert_eq!(read_log(&unfinished.octets).batches.len(), 1);
}

/// Appends frames to a log of one batch. Checks that this batch is still the first one.
fn check_second_batch(log: &[u8], push: impl FnOnce(&mut TestLog)) {
    let before = read_log(log);
    assert!(before.is_whole && before.batches.len() == 1);
    let checksum = u32::from_be_bytes(log[HEADER_LEN + 16..HEADER_LEN + 20].try_into().expect("four octets"));
    let mut longer = TestLog { octets: log.to_vec(), checksum };
    push(&mut longer);
    let after: LogContents = read_log(&longer.octets);
    assert_eq!(after.batches.first(), before.batches.first());
    assert!(after.batches.len() <= 2);
}

/// A log with valid checksums, which the fuzzer cannot guess.
struct TestLog {
    octets: Vec<u8>,
    /// The checksum of the last frame of format 2.
    checksum: u32,
}

impl TestLog {
    fn new(version: u32) -> Self {
        let mut octets = [&b"portrvLG"[..], &version.to_be_bytes()].concat();
        octets.extend(crc32fast::hash(&octets).to_be_bytes());
        Self { octets, checksum: 0 }
    }

    fn push_frame(&mut self, sequence: u64, part: u32, payload: &[u8]) {
        let mut head = length(payload).to_vec();
        head.extend(sequence.to_be_bytes());
        head.extend(part.to_be_bytes());
        self.checksum = crc32fast::hash(&[&self.checksum.to_be_bytes()[..], &head, payload].concat());
        head.extend(self.checksum.to_be_bytes());
        self.octets.extend([&head, payload].concat());
    }

    /// Appends a frame of format 1.
    fn push_old_frame(&mut self, sequence: u64, payload: &[u8]) {
        let head = [&length(payload)[..], &sequence.to_be_bytes()].concat();
        let checksum = crc32fast::hash(&[&head, payload].concat());
        self.octets.extend([&head, &checksum.to_be_bytes()[..], payload].concat());
    }
}

fn length(payload: &[u8]) -> [u8; 4] {
    u32::try_from(payload.len()).expect("fuzzer inputs are short").to_be_bytes()
}

/// A record that sets the key `k` to `v`.
const RECORD: &[u8] = &[1, 0, 0, 0, 1, b'k', 0, 0, 0, 1, b'v'];

/// The bit of `part` that marks the last frame of a batch.
const LAST_PART: u32 = 1 << 31;

const HEADER_LEN: usize = 16;
