use std::collections::VecDeque;
use std::io::{self, Read};

use super::read::{check_header, read_log};
use super::{
    FileKind, FrameWriter, Frames, HEADER_LEN, HeaderStatus, LAST_PART, LogReader, VERSION, encoded_len,
    header,
};
use crate::disk::memory::MemoryDisk;
use crate::disk::{Disk, Input};
use crate::record::Record;

#[test]
fn batches_in_log_are_read_back_unchanged() {
    let log = sample();
    let reading = read_log(&log);
    assert!(reading.is_whole);
    assert_eq!(reading.good_octets, log.len());
    let expected: Vec<_> = (1..).zip(batches()).collect();
    assert_eq!(reading.batches, expected);
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

/// A header that is read in part must not be completed with zeros.
#[test]
fn truncated_frame_is_rejected_if_its_missing_octet_is_zero() {
    let logs = (1..10_000).map(|count| log_of(&vec![vec![]; count]));
    let (log, count) = logs.zip(1..).find(|(log, _)| log.ends_with(&[0])).unwrap();
    assert_eq!(read_log(&log).batches.len(), count);
    assert_eq!(read_log(&log[..log.len() - 1]).batches.len(), count - 1);
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
fn large_batch_consists_of_bounded_frames_and_is_read_back_unchanged() {
    let batch: Vec<_> = (0..3000_u32).map(|n| Record::set(n.to_be_bytes(), vec![n as u8; 255])).collect();
    let log = log_of(&[vec![], batch.clone(), vec![Record::remove("k")]]);
    let lengths = frame_lengths(&log);
    assert!(lengths.len() > 4 && lengths.iter().all(|length| *length <= 256 << 10), "{lengths:?}");
    assert_eq!(read_log(&log).batches[1], (2, batch));
    assert!(read_log(&log).is_whole);
}

#[test]
fn record_larger_than_buffer_is_in_frame_of_its_own() {
    let large = Record::set("large", vec![7; 1 << 20]);
    let batch = vec![Record::set("a", "1"), large, Record::set("b", "2")];
    let log = log_of(std::slice::from_ref(&batch));
    assert_eq!(frame_lengths(&log).len(), 3);
    assert_eq!(read_log(&log).batches, [(1, batch)]);
}

#[test]
fn batch_that_begins_with_large_record_has_no_empty_frame() {
    let batch = vec![Record::set("large", vec![7; 1 << 20]), Record::set("b", "2")];
    let log = log_of(std::slice::from_ref(&batch));
    assert_eq!(frame_lengths(&log).len(), 2);
    assert_eq!(read_log(&log).batches, [(1, batch)]);
}

#[test]
fn log_is_read_completely_when_reads_are_short_and_interrupted() {
    let log = sample();
    let length = log.len() as u64;
    let content = Box::new(SlowFile { octets: log.clone().into(), is_interrupted: false });
    let mut log_reader = LogReader::new(Frames::new(Input { length, content }, FileKind::Log).unwrap());
    for expected in read_log(&log).batches {
        assert_eq!(log_reader.next().unwrap(), Some(expected));
    }
    assert!(log_reader.next().unwrap().is_none() && log_reader.is_whole());
}

#[test]
fn error_of_disk_is_not_mistaken_for_end_of_log() {
    let log = sample();
    for good in [0, HEADER_LEN, HEADER_LEN + 10, log.len() - 1] {
        let content = Box::new(io::Cursor::new(log[..good].to_vec()).chain(BrokenFile));
        let input = Input { length: log.len() as u64, content };
        let read = Frames::new(input, FileKind::Log).and_then(|mut frames| {
            while frames.next()?.is_some() {}
            Ok(())
        });
        assert_eq!(read.unwrap_err().kind(), io::ErrorKind::Other, "after {good} octets");
    }
}

#[test]
fn unfinished_batch_is_dropped_at_end_of_log() {
    let log = large_log();
    let ends = frame_ends(&log);
    for end in &ends[1..ends.len() - 1] {
        let reading = read_log(&log[..*end]);
        assert_eq!(reading.batches.len(), 1, "only the batch before is complete");
        assert_eq!((reading.good_octets, reading.is_whole), (ends[0], false));
    }
    assert_eq!(read_log(&log).batches.len(), 2);
}

#[test]
fn unfinished_batch_is_dropped_when_valid_frame_follows() {
    let log = large_log();
    let ends = frame_ends(&log);
    for end in &ends[1..ends.len() - 1] {
        let mut longer = log[..*end].to_vec();
        let last = Frames::new(Input::from_octets(longer.clone()), FileKind::Log).unwrap();
        append_to(&mut longer, last, 2, &[Record::set("after", "1")]);
        let reading = read_log(&longer);
        assert_eq!(reading.batches[1..], [(2, vec![Record::set("after", "1")])]);
        assert!(reading.is_whole);
    }
}

#[test]
fn frames_of_overwritten_batch_never_complete_another_batch() {
    // Both batches have frames of the same lengths, so that each frame of one can follow the
    // frames of the other.
    let batch = |octet: u8| -> Vec<_> {
        (0..3000_u32).map(|n| Record::set(n.to_be_bytes(), vec![octet; 255])).collect()
    };
    let (old, new) = (log_of(&[batch(1)]), log_of(&[batch(2)]));
    let ends = frame_ends(&new);
    assert_eq!(ends, frame_ends(&old));
    for end in &ends[..ends.len() - 1] {
        let mixed = [&new[..*end], &old[*end..]].concat();
        assert!(read_log(&mixed).batches.is_empty(), "mixed at {end}");
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
    assert_eq!(check_header(FileKind::Engine, &header(FileKind::Engine)), HeaderStatus::Good(VERSION));
    assert_eq!(header(FileKind::Log).len(), HEADER_LEN);
}

#[test]
fn frame_length_beyond_end_of_log_is_rejected_before_memory_is_allocated() {
    let mut log = header(FileKind::Log);
    log.extend_from_slice(&[0xff; 40]);
    assert!(read_log(&log).batches.is_empty());
}

/// A growing buffer would leave unwiped copies of keys in memory.
#[test]
fn review_l11_frame_fits_buffer_of_its_computed_length() {
    let disk = MemoryDisk::default();
    let mut file = disk.create("log").unwrap();
    let before = disk.operations();
    let batches = [batches(), vec![vec![]]].concat();
    let length = batches.iter().map(|batch| encoded_len(batch.iter().map(Into::into))).sum();
    let mut frames = FrameWriter::new(&mut *file, 0, 0, Some(length));
    for batch in batches {
        frames.batch(1, batch.iter().map(Into::into)).unwrap();
    }
    assert_eq!(frames.finish().unwrap().0, length as u64);
    assert_eq!(disk.operations() - before, 1);
}

fn batches() -> Vec<Vec<Record>> {
    vec![
        vec![Record::set("a", "1"), Record::set("b", "")],
        vec![],
        vec![Record::remove("a"), Record::set("", vec![0; 300])],
        vec![Record::remove_prefix("b"), Record::remove_prefix("")],
    ]
}

fn sample() -> Vec<u8> {
    log_of(&batches())
}

/// Returns a log with a small batch and one of several frames.
fn large_log() -> Vec<u8> {
    let batch = (0..3000_u32).map(|n| Record::set(n.to_be_bytes(), vec![n as u8; 255])).collect();
    log_of(&[vec![Record::set("before", "1")], batch])
}

/// Returns a log with these batches, numbered from 1.
fn log_of(batches: &[Vec<Record>]) -> Vec<u8> {
    let disk = MemoryDisk::default();
    let mut file = disk.create("log").unwrap();
    file.write_at(0, &header(FileKind::Log)).unwrap();
    let mut frames = FrameWriter::first(&mut *file, None);
    for (batch, sequence) in batches.iter().zip(1..) {
        frames.batch(sequence, batch.iter().map(Into::into)).unwrap();
    }
    frames.finish().unwrap();
    disk.files().remove("log").unwrap()
}

/// Appends a batch after the last frame of a log.
fn append_to(log: &mut Vec<u8>, mut frames: Frames, sequence: u64, batch: &[Record]) {
    while frames.next().unwrap().is_some() {}
    let (end, checksum) = frames.position();
    let disk = MemoryDisk::default();
    let mut file = disk.create("log").unwrap();
    file.write_at(0, log).unwrap();
    let mut writer = FrameWriter::new(&mut *file, end, checksum, None);
    writer.batch(sequence, batch.iter().map(Into::into)).unwrap();
    writer.finish().unwrap();
    *log = disk.files().remove("log").unwrap();
}

fn frame_ends(log: &[u8]) -> Vec<usize> {
    let mut frames = Frames::new(Input::from_octets(log.to_vec()), FileKind::Log).unwrap();
    let mut ends = Vec::new();
    while let Some(frame) = frames.next().unwrap() {
        assert!(frame.part < LAST_PART);
        ends.push(frames.position().0 as usize);
    }
    ends
}

fn frame_lengths(log: &[u8]) -> Vec<usize> {
    let ends = frame_ends(log);
    let starts = std::iter::once(HEADER_LEN).chain(ends.iter().copied());
    starts.zip(&ends).map(|(start, end)| end - start).collect()
}

/// Returns one octet with each read, after an interruption.
struct SlowFile {
    octets: VecDeque<u8>,
    is_interrupted: bool,
}

impl Read for SlowFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.is_interrupted = !self.is_interrupted;
        if self.is_interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let Some(octet) = self.octets.pop_front() else { return Ok(0) };
        buffer[0] = octet;
        Ok(1)
    }
}

/// A file whose reads fail.
struct BrokenFile;

impl Read for BrokenFile {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("broken disk"))
    }
}
