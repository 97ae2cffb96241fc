use portreeve_smi::EngineId;

use super::{BOOTS, ENGINE_FILE, ENGINE_ID, EngineCopy};
use crate::Store;
use crate::disk::Input;
use crate::disk::memory::MemoryDisk;
use crate::format::{FileKind, FrameWriter, Frames, RecordRef, create_file};

#[test]
fn engine_id_of_copy_with_more_boots_is_used() {
    let disk = MemoryDisk::default();
    start(&disk, id(1));
    let older = disk.files();
    start(&disk, id(2));
    let newer = disk.files();
    for (log, file) in [(&older, &newer), (&newer, &older)] {
        let mut files = log.clone();
        files.insert(ENGINE_FILE.into(), file[ENGINE_FILE].clone());
        assert_eq!(start(&MemoryDisk::with(files), id(3)), (Some(id(2)), 3));
    }
}

/// The program writes the file as one frame: a frame that is not the last one shows that the rest
/// of the file is missing.
#[test]
fn engine_file_without_last_frame_is_damaged() {
    let disk = MemoryDisk::default();
    let mut file = create_file(&disk, ENGINE_FILE, FileKind::Engine).unwrap();
    let mut frames = FrameWriter::first(&mut *file, None);
    let (id, large) = (id(1), vec![0; 1 << 20]);
    let records = [(ENGINE_ID, id.as_bytes()), (BOOTS, &[0, 0, 0, 1]), ("large", &large)];
    let records = records.map(|(key, value)| RecordRef::Set { key: key.as_bytes(), value });
    frames.batch(0, records).unwrap();
    frames.finish().unwrap();
    let mut octets = disk.files().remove(ENGINE_FILE).unwrap();
    let mut frames = Frames::new(Input::from_octets(octets.clone()), FileKind::Engine).unwrap();
    assert!(!frames.next().unwrap().unwrap().is_last);
    octets.truncate(frames.position().0 as usize);
    let mut frames = Frames::new(Input::from_octets(octets), FileKind::Engine).unwrap();
    assert_eq!(EngineCopy::from_file(&mut frames).unwrap(), None);
    assert!(frames.is_whole());
}

/// Starts an engine. Returns the engine ID that was found, and the boots.
fn start(disk: &MemoryDisk, engine_id: EngineId) -> (Option<EngineId>, u32) {
    let (mut store, _) = Store::from_disk(disk.shared(), 1000).unwrap();
    let mut found = None;
    let start = store.start_engine(|old| {
        found = old;
        engine_id
    });
    (found, start.unwrap().boots.get())
}

fn id(n: u8) -> EngineId {
    EngineId::new(&[0x80, 0, 0, 0, 5, n]).unwrap()
}
