//! Power cuts at every operation. After each, every combination of what was not synced is tried.

use super::{BATCHES, apply_batch, batch, commit_batches, commit_up_to, map, open, populated};
use crate::disk::memory::{Files, MemoryDisk};
use crate::record::{Batch, Record};
use crate::recovery::{LOG, Map, PREVIOUS_LOG, PREVIOUS_SNAPSHOT, SEALED_LOG, SNAPSHOT};

#[test]
fn acknowledged_batches_survive_power_cut_that_loses_unsynced_changes() {
    let whole = MemoryDisk::default();
    commit_batches(&whole);
    let mut images = 0;
    for cut in 0..=whole.operations() {
        let disk = MemoryDisk::default();
        disk.cut_power_at(cut);
        let states = commit_batches(&disk);
        images += check_images(&disk, &states, cut).unwrap();
    }
    assert!(images > 300, "only {images} disks were tried");
}

#[test]
fn acknowledged_batches_survive_second_power_cut_during_recovery() {
    let whole = MemoryDisk::default();
    commit_batches(&whole);
    for cut in (0..whole.operations()).step_by(3) {
        let disk = MemoryDisk::default();
        disk.cut_power_at(cut);
        let states = commit_batches(&disk);
        for files in disk.images(cut as u64).into_iter().step_by(5) {
            for second_cut in (0..40).step_by(4) {
                let disk = MemoryDisk::with(files.clone());
                disk.cut_power_at(second_cut);
                let (mut journal, _) = open(&disk);
                let _ = journal.prepare();
                check_images(&disk, &states, second_cut).unwrap();
            }
        }
    }
}

/// A crash came between the renaming of the old snapshot and that of the new one. If recovery did
/// not sync the name of the new one, a power cut during the next snapshot could lose it.
#[test]
fn acknowledged_batches_survive_power_cut_after_snapshot_was_named() {
    let is_unnamed = |files: &Files| !files.contains_key(SNAPSHOT) && files.contains_key(PREVIOUS_SNAPSHOT);
    let mut crashed = (0..).map(|cut| {
        let disk = MemoryDisk::default();
        disk.cut_power_at(cut);
        let states = commit_batches(&disk);
        (disk.files(), states)
    });
    let (files, states) = crashed.find(|(files, _)| is_unnamed(files)).unwrap();
    let run = |disk: &MemoryDisk| commit_up_to(states.len() + 4, disk, states.clone());
    let whole = MemoryDisk::with(files.clone());
    run(&whole);
    for cut in 0..=whole.operations() {
        let disk = MemoryDisk::with(files.clone());
        disk.cut_power_at(cut);
        let states = run(&disk);
        check_images(&disk, &states, cut).unwrap();
    }
}

#[test]
fn acknowledged_batches_survive_power_cut_during_repair() {
    let (disk, states) = populated();
    for name in [SNAPSHOT, PREVIOUS_SNAPSHOT, PREVIOUS_LOG] {
        let mut files = disk.files();
        files.get_mut(name).unwrap()[20] ^= 1;
        for cut in 0..40 {
            let disk = MemoryDisk::with(files.clone());
            disk.cut_power_at(cut);
            open(&disk);
            for image in disk.images(cut as u64) {
                let (journal, _) = open(&MemoryDisk::with(image));
                assert_eq!(map(&journal), states.last().unwrap(), "{name}, cut at {cut}");
            }
        }
    }
}

#[test]
fn failed_batch_is_not_found_after_power_cut() {
    for fail in [
        |disk: &MemoryDisk| disk.fail_syncs(1),
        |disk: &MemoryDisk| {
            let used: usize = disk.files().values().map(Vec::len).sum();
            disk.set_capacity(Some(used + 60));
        },
    ] {
        let disk = MemoryDisk::default();
        let (mut journal, _) = open(&disk);
        journal.commit(Batch::new(vec![Record::set("a", "1")])).unwrap();
        let before = map(&journal).clone();
        fail(&disk);
        // The first batch of the group fits on the full disk, the second one does not.
        let batches = [vec![Record::set("b", "2")], vec![Record::set("c", vec![3; 100])]];
        journal.append(&batches.map(Batch::new)).unwrap_err();
        for image in disk.images(1) {
            assert_eq!(*map(&open(&MemoryDisk::with(image)).0), before);
        }
    }
}

/// An interrupted rewriting leaves a snapshot whose number the log does not reach. Batches that
/// follow it must not depend on that snapshot alone.
#[test]
fn batches_after_interrupted_rewriting_survive_damage_to_snapshot() {
    for is_removed in [true, false] {
        for cut in 0..40 {
            let disk = MemoryDisk::default();
            let (mut journal, _) = open(&disk);
            journal.commit(Batch::new(vec![Record::set("a", "1")])).unwrap();
            disk.fail_syncs(1);
            disk.fail_truncations(usize::from(!is_removed));
            // If the batch cannot be removed, this rewrites the files; otherwise the next one does.
            disk.cut_power_at(disk.operations() + cut);
            let _ = journal.commit(Batch::new(vec![Record::set("failed", "1")]));
            let _ = journal.prepare();
            // The process was killed: the disk has everything that was written.
            let disk = MemoryDisk::with(disk.files());
            let (mut journal, _) = open(&disk);
            journal.commit(Batch::new(vec![Record::set("b", "2")])).unwrap();
            let expected = map(&journal).clone();
            let mut files = disk.files();
            files.remove(SNAPSHOT);
            let found = open(&MemoryDisk::with(files)).0;
            assert_eq!(*map(&found), expected, "removed: {is_removed}, cut at {cut}");
        }
    }
}

/// The state is complete then: a second snapshot would only help if the first was damaged later.
#[test]
fn start_succeeds_after_interrupted_rewriting_if_no_snapshot_can_be_written() {
    let mut starts = 0;
    for cut in 0..40 {
        let disk = MemoryDisk::default();
        let (mut journal, _) = open(&disk);
        journal.commit(Batch::new(vec![Record::set("a", "1")])).unwrap();
        disk.fail_syncs(1);
        disk.fail_truncations(1);
        disk.cut_power_at(disk.operations() + cut);
        let _ = journal.commit(Batch::new(vec![Record::set("failed", "1")]));
        let files = disk.files();
        if !files.contains_key(SNAPSHOT) || files.contains_key(PREVIOUS_SNAPSHOT) {
            continue;
        }
        let disk = MemoryDisk::with(files);
        disk.fail_syncs(usize::MAX);
        let (mut journal, _) = open(&disk);
        journal.prepare().unwrap();
        disk.fail_syncs(0);
        journal.commit(Batch::new(vec![Record::set("b", "2")])).unwrap();
        let expected = map(&journal).clone();
        assert_eq!(*map(&open(&MemoryDisk::with(disk.files())).0), expected, "cut at {cut}");
        starts += 1;
    }
    assert!(starts > 0);
}

/// Without any of the syncs, there is a power cut after which a batch is missing, a file is
/// damaged, or a single damaged snapshot cannot be replaced by its predecessor.
#[test]
fn every_sync_of_normal_operation_is_necessary() {
    let (start, states) = populated();
    let disk = || MemoryDisk::with(start.files());
    let whole = disk();
    let formatting = whole.syncs().len();
    commit_up_to(2 * BATCHES, &whole, states.clone());
    let syncs = whole.syncs().len() - formatting;
    assert!(syncs > BATCHES + 3 * 6, "{syncs} syncs: the run includes three snapshots");
    // The last sync of a snapshot matters only when the log is sealed the next time.
    let run = |disk: &MemoryDisk| commit_up_to(2 * BATCHES + 6, disk, states.clone());
    assert_syncs_are_necessary(syncs, disk, run);
}

#[test]
fn every_sync_of_repair_is_necessary() {
    let (disk, states) = populated();
    let mut files = disk.files();
    files.get_mut(PREVIOUS_LOG).unwrap()[20] ^= 1;
    assert_syncs_are_necessary(
        6,
        || MemoryDisk::with(files.clone()),
        |disk| {
            let (mut journal, _) = open(disk);
            let mut states = states.clone();
            if journal.commit(Batch::new(batch(BATCHES))).is_ok() {
                let mut state = states[BATCHES].clone();
                apply_batch(&mut state, BATCHES);
                states.push(state);
            }
            states
        },
    );
}

/// Leaves out each of the first `count` syncs, and cuts the power at every operation after it.
fn assert_syncs_are_necessary(
    count: usize,
    disk: impl Fn() -> MemoryDisk,
    run: impl Fn(&MemoryDisk) -> Vec<Map>,
) {
    let whole = disk();
    run(&whole);
    let syncs = whole.syncs();
    for ignored in &syncs[..count] {
        let is_noticed = (*ignored..=whole.operations()).any(|cut| {
            let disk = disk();
            disk.ignore_sync(*ignored);
            disk.cut_power_at(cut);
            let states = run(&disk);
            check_images(&disk, &states, cut).is_err()
        });
        assert!(is_noticed, "operation {ignored} is a sync that is not necessary; all: {syncs:?}");
    }
}

/// Checks all disks that may be found now. On each, every acknowledged batch is found, the batch
/// that was being written is found completely or not at all, and so it is after damage to a
/// snapshot. Returns the number of disks.
fn check_images(disk: &MemoryDisk, states: &[Map], seed: usize) -> Result<usize, String> {
    let images = disk.images(seed as u64);
    for image in &images {
        check_state(image, states, true)?;
        for name in [SNAPSHOT, PREVIOUS_SNAPSHOT] {
            let mut damaged = image.clone();
            if let Some(file) = damaged.get_mut(name) {
                file.truncate(file.len() / 2);
                check_state(&damaged, states, false)?;
            }
        }
    }
    Ok(images.len())
}

fn check_state(files: &Files, states: &[Map], is_undamaged: bool) -> Result<(), String> {
    let acknowledged = states.len() - 1;
    let mut next = states[acknowledged].clone();
    apply_batch(&mut next, acknowledged);
    let (journal, recovery) = open(&MemoryDisk::with(files.clone()));
    let found = map(&journal);
    let names = || {
        [LOG, SEALED_LOG, PREVIOUS_LOG, SNAPSHOT, PREVIOUS_SNAPSHOT].map(|n| (n, files.get(n).map(Vec::len)))
    };
    if *found != states[acknowledged] && *found != next {
        return Err(format!("{acknowledged} batches, found {found:?}; {:?}; {recovery}", names()));
    }
    let is_expected = |note: &String| note.contains("is valid up to offset");
    if is_undamaged && !recovery.notes.iter().all(is_expected) {
        return Err(format!("{recovery}; {:?}", names()));
    }
    Ok(())
}
