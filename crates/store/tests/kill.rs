//! Tests `kill -9` at any time, including startup: boots strictly increases, and no acknowledged
//! batch is lost.
//!
//! This program runs itself as the victim: a process that opens the store, starts the engine and
//! commits numbered batches. It prints each durable batch to its standard output. `PORTREEVE_KILLS`
//! sets the number of kills (default 50).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test, and a process whose output is read"
)]

#[path = "../src/disk/memory/random.rs"]
mod random;
mod support;

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use portreeve_smi::EngineId;
use portreeve_store::{Batch, Record, Store};
use random::Random;
use support::{TempDir, VICTIM_ENV};

fn main() {
    support::run(run_victim, kill_many_times);
}

/// Runs the victim; never returns.
fn run_victim(directory: &Path) {
    let (mut store, recovery) = Store::open(directory).unwrap();
    // The parent has repaired everything but the boot counter.
    assert!(recovery.notes.iter().all(|note| note.contains("the file `engine`")), "{recovery}");
    let start =
        store.start_engine(|old| old.unwrap_or(EngineId::new(b"\x80\0\0\0\x05kill").unwrap())).unwrap();
    print_line(&format!("boots {}", start.boots.get()));
    let mut next = store.get(b"count").map_or(0, number) + 1;
    // The values are so large that snapshots are written from time to time, and that some batches
    // have several frames.
    let filler = |n: u64| Record::set(format!("filler/{}", n % 10), vec![0; 100_000]);
    let writer = store.into_writer().unwrap();
    loop {
        let group = (next..next + 1 + next % 3).map(|n| {
            let fillers = if n % 7 == 0 { 12 } else { 1 };
            let mut batch = vec![Record::set("count", n.to_be_bytes())];
            batch.extend((n..n + fillers).map(filler));
            batch.push(Record::set("end", n.to_be_bytes()));
            Batch::new(batch)
        });
        let group: Vec<_> = group.collect();
        next += group.len() as u64;
        writer.commit_group(group).unwrap();
        print_line(&format!("durable {}", next - 1));
    }
}

fn kill_many_times() {
    let rounds = env::var("PORTREEVE_KILLS").map_or(50, |text| text.parse().unwrap());
    let base = TempDir::new("kill");
    let directory = base.0.join("state");
    let (mut boots, mut durable, mut started) = (0, 0, 0);
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    for round in 0..rounds {
        let mut victim = Command::new(env::current_exe().unwrap())
            .env(VICTIM_ENV, &directory)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(victim.stdout.take().unwrap()).lines();
        let mut last_durable = durable;
        // A third of the kills happen during startup, the others after some lines of output.
        let lines_before = if round % 3 == 0 { 0 } else { 1 + random.below(25) };
        let mut check = |line: std::io::Result<String>| {
            let line = line.unwrap();
            match line.split_once(' ').map(|(word, number)| (word, number.parse::<u64>().unwrap())) {
                Some(("boots", number)) => {
                    assert!(number > boots, "boots {number} after {boots}");
                    boots = number;
                    started += 1;
                }
                Some(("durable", number)) => last_durable = number,
                _ => panic!("unexpected output of the victim: {line:?}"),
            }
        };
        lines.by_ref().take(lines_before as usize).for_each(&mut check);
        std::thread::sleep(Duration::from_micros(random.below(3_000)));
        victim.kill().unwrap();
        lines.for_each(&mut check);
        // The victim was killed by a signal; it did not exit because of a panic.
        assert_eq!(victim.wait().unwrap().code(), None);
        let (store, _) = Store::open(&directory).unwrap();
        let found = store.get(b"count").map_or(0, number);
        assert_eq!(store.get(b"end").map_or(0, number), found, "half of a batch was found");
        assert!(
            (last_durable..=last_durable + LARGEST_GROUP).contains(&found),
            "batch {last_durable} was acknowledged last, and batch {found} was found"
        );
        durable = found;
    }
    assert!(durable > rounds && started > rounds / 2, "{durable} batches, {started} starts: too few");
    println!("{rounds} kills: boots {boots} after {started} reported starts, {durable} batches");
}

fn number(value: &[u8]) -> u64 {
    u64::from_be_bytes(value.try_into().unwrap())
}

fn print_line(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").unwrap();
    out.flush().unwrap();
}

/// The largest number of batches that the victim commits together.
const LARGEST_GROUP: u64 = 3;
