//! Tests `kill -9` at any time while edits of 1 to 100 000 leafs are committed: after each kill,
//! the tree is that of one commit, and no acknowledged commit is lost.
//!
//! This program runs itself as the victim: a process that opens the state and commits numbered
//! trees, each of which replaces the one before. It prints the number of each commit before it
//! begins and when it is durable. `PORTREEVE_KILLS` sets the number of kills (default 50).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test, and a process whose output is read"
)]

mod support;

use std::{
    env,
    io::{BufRead, BufReader, Lines, Write},
    path::Path,
    process::{ChildStdout, Command, Stdio},
    time::Duration,
};

use portreeve_datastore::Tree;
use support::{LEAFS_OF_STEP, Stair, TempDir, VICTIM_ENV};

fn main() {
    support::run(run_victim, kill_many_times);
}

/// Runs the victim; never returns.
fn run_victim(directory: &Path) {
    let stair = Stair::new();
    let mut state = stair.open(directory);
    assert_eq!(state.set_aside, [""; 0]);
    let (mut number, _) = stair.numbers(&state.tree());
    loop {
        number += 1;
        let tree = tree_of(&stair, number);
        print_line(&format!("begins {number}"));
        state.commit(tree).unwrap();
        print_line(&format!("durable {number}"));
    }
}

/// Returns the tree of a commit, in which all leafs depend on its number.
fn tree_of(stair: &Stair, number: u32) -> Tree {
    stair.tree(number, steps_of(number), &format!("{number:40}"))
}

/// One commit in four has 100 000 leafs.
fn steps_of(number: u32) -> u32 {
    [0, 10, 1000, 100_000 / LEAFS_OF_STEP][number as usize % 4]
}

fn kill_many_times() {
    let rounds = env::var("PORTREEVE_KILLS").map_or(50, |text| text.parse().unwrap());
    let base = TempDir::new("kill");
    let directory = base.0.join("state");
    let stair = Stair::new();
    let mut durable = 0;
    let mut unfinished = 0;
    for round in 0..rounds {
        let mut victim = Command::new(env::current_exe().unwrap())
            .env(VICTIM_ENV, &directory)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(victim.stdout.take().unwrap()).lines();
        let (mut begun, mut acknowledged) = (durable, durable);
        // Kills the victim some time after the beginning of a commit of each size.
        for _ in 0..=2 * (round % 4) {
            note(lines.next().unwrap().unwrap(), &mut begun, &mut acknowledged);
        }
        std::thread::sleep(Duration::from_micros(u64::from(round) * 7919 % 60_000));
        victim.kill().unwrap();
        note_rest(lines, &mut begun, &mut acknowledged);
        // The victim was killed by a signal; it did not exit because of a panic.
        assert_eq!(victim.wait().unwrap().code(), None);
        let state = stair.open(&directory);
        let (found, steps) = stair.numbers(&state.tree());
        assert!(
            (acknowledged..=begun).contains(&found),
            "commit {acknowledged} was acknowledged, {begun} had begun, and {found} was found"
        );
        if found > 0 {
            assert_eq!(steps, steps_of(found));
            assert!(state.tree() == tree_of(&stair, found), "parts of commit {found} are missing");
        }
        unfinished += u32::from(begun > acknowledged);
        durable = found;
    }
    assert!(unfinished > rounds / 4 && durable > rounds / 2, "{unfinished} of {durable} commits: too few");
    println!("{rounds} kills: {durable} commits, {unfinished} were killed before they were acknowledged");
}

fn note(line: String, begun: &mut u32, acknowledged: &mut u32) {
    let (word, number) = line.split_once(' ').unwrap();
    match word {
        "begins" => *begun = number.parse().unwrap(),
        "durable" => *acknowledged = number.parse().unwrap(),
        _ => panic!("unexpected output of the victim: {line}"),
    }
}

fn note_rest(lines: Lines<BufReader<ChildStdout>>, begun: &mut u32, acknowledged: &mut u32) {
    lines.for_each(|line| note(line.unwrap(), begun, acknowledged));
}

fn print_line(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").unwrap();
    out.flush().unwrap();
}
