//! Measures the commit of 100 000 leafs of 255 characters: its peak memory, which is limited, its
//! time beside that of the bare `fdatasync`, and the time after which it is freed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that prints its figures"
)]

mod support;

use std::{
    fs::{self, File},
    io::Write,
    time::{Duration, Instant},
};

use portreeve_datastore::Tree;
use support::{LEAFS_OF_STEP, Stair, TempDir};

fn main() {
    let base = TempDir::new("memory");
    let stair = Stair::new();
    let mut state = stair.open(&base.0.join("state"));
    let steps = 100_000 / LEAFS_OF_STEP;
    let before_all = memory("VmRSS");
    let first = stair.tree(1, steps, &"x".repeat(255));
    let text = first.size().octets as f64;
    let of_tree = memory("VmRSS") - before_all;
    reset_peak();
    let started = Instant::now();
    state.commit(first).unwrap();
    let first_time = started.elapsed();
    let first_peak = memory("VmHWM") - before_all;

    // The second edit changes all leafs, and a snapshot is written.
    let second = stair.tree(2, steps, &"y".repeat(255));
    reset_peak();
    let started = Instant::now();
    state.commit(second).unwrap();
    let second_time = started.elapsed();
    let second_peak = memory("VmHWM") - before_all;

    let edited = stair.with_text(&state.tree(), 7, 3, "changed");
    let started = Instant::now();
    state.commit(edited).unwrap();
    let leaf_time = started.elapsed();

    // A reader that is idle keeps the first tree; releasing it frees nothing.
    let started = Instant::now();
    let reader = state.datastore.state().reader();
    state.commit(Tree::new()).unwrap();
    let removal_time = started.elapsed();
    let started = Instant::now();
    drop(reader);
    let release_time = started.elapsed();
    let started = Instant::now();
    assert_eq!(state.datastore.state().free_replaced(), 0);
    let free_time = started.elapsed();

    let bare = bare_sync(&base, text as usize);
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    println!("text of the tree                      {:6.1} MB", text / 1e6);
    println!("memory of the tree / text             {:6.2}", of_tree / text);
    println!("peak of the first commit / text       {:6.2}", first_peak / text);
    println!("peak of the change of all leafs / text{:6.2} (two trees)", second_peak / text);
    println!("first commit                          {:6.1} ms", ms(first_time));
    println!("change of all leafs                   {:6.1} ms", ms(second_time));
    println!("change of one leaf                    {:6.1} ms", ms(leaf_time));
    println!("removal of all leafs                  {:6.1} ms", ms(removal_time));
    println!("release by a reader, freeing          {:6.3} ms, {:6.1} ms", ms(release_time), ms(free_time));
    println!("bare write and fdatasync              {:6.1} ms", ms(bare));
    assert!(first_peak <= 2.0 * text, "the first commit needs more than twice its text");
    assert!(second_peak <= 3.0 * text, "a change of all leafs needs more than three times its text");
}

/// Returns a field of this process's status, in bytes.
fn memory(field: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    let kibibytes: f64 = line.trim_start_matches(':').trim().trim_end_matches(" kB").parse().unwrap();
    kibibytes * 1024.0
}

/// Sets VmHWM to the current size.
fn reset_peak() {
    fs::write("/proc/self/clear_refs", "5").unwrap();
}

fn bare_sync(base: &TempDir, octets: usize) -> Duration {
    let mut file = File::create(base.0.join("bare")).unwrap();
    let piece = vec![1; 256 << 10];
    let started = Instant::now();
    for _ in 0..octets / piece.len() {
        file.write_all(&piece).unwrap();
    }
    file.sync_data().unwrap();
    started.elapsed()
}
