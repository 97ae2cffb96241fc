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

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs};

use portreeve_smi::EngineId;
use portreeve_store::{Record, Store};

fn main() {
    match env::var_os(VICTIM_ENV) {
        Some(directory) => run_victim(Path::new(&directory)),
        None => kill_many_times(),
    }
}

/// Runs the victim; never returns.
fn run_victim(directory: &Path) {
    let (mut store, recovery) = Store::open(directory).unwrap();
    assert!(recovery.notes.iter().all(|note| note.contains("missing") || note.contains("valid up to")));
    let start =
        store.start_engine(|old| old.unwrap_or(EngineId::new(b"\x80\0\0\0\x05kill").unwrap())).unwrap();
    print_line(&format!("boots {}", start.boots.get()));
    let mut next = store.get(b"count").map_or(0, number) + 1;
    // The values are so large that a new generation begins from time to time.
    let writer = store.into_writer().unwrap();
    loop {
        let batch = vec![
            Record::set("count", next.to_be_bytes()),
            Record::set(format!("filler/{}", next % 10), vec![0; 100_000]),
        ];
        writer.commit(batch).unwrap();
        print_line(&format!("durable {next}"));
        next += 1;
    }
}

fn kill_many_times() {
    let rounds = env::var("PORTREEVE_KILLS").map_or(50, |text| text.parse().unwrap());
    let directory = env::temp_dir().join(format!("portreeve-store-kill-{}", std::process::id()));
    let _ = fs::remove_dir_all(&directory);
    let directory = TempDir(directory);
    let (mut boots, mut durable, mut started) = (0, 0, 0);
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for round in 0..rounds {
        let mut victim = Command::new(env::current_exe().unwrap())
            .env(VICTIM_ENV, &directory.0)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        // Half of the kills happen in the first two milliseconds, during startup.
        let microseconds = if round % 2 == 0 { random % 2_000 } else { random % 60_000 };
        std::thread::sleep(Duration::from_micros(microseconds));
        victim.kill().unwrap();
        let mut last_durable = durable;
        for line in BufReader::new(victim.stdout.take().unwrap()).lines() {
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
        }
        // The victim was killed by a signal; it did not exit because of a panic.
        assert_eq!(victim.wait().unwrap().code(), None);
        let (store, _) = Store::open(&directory.0).unwrap();
        let found = store.get(b"count").map_or(0, number);
        assert!(
            found >= last_durable,
            "batch {last_durable} was acknowledged, but the last batch found is {found}"
        );
        assert!(
            found <= last_durable + 1,
            "batch {found} was found, but only {last_durable} was acknowledged"
        );
        durable = found;
    }
    assert!(durable > 0 && started > 0, "no victim lived long enough to be a test");
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

struct TempDir(PathBuf);

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The environment variable with the victim's directory.
const VICTIM_ENV: &str = "PORTREEVE_KILL_VICTIM";
