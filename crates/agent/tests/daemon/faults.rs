//! Failing system calls, injected by strace: SETs that the agent has confirmed survive. SETs that
//! it has rejected have no effect, neither at once nor after a crash; only one that is rejected
//! with undoFailed may be in effect after a crash. `PORTREEVE_FAULTS` sets the number of rounds;
//! the default runs each fault twice.

use std::env;
use std::process::Command;

use portreeve_mib::modules::snmpv2_mib::SYS_CONTACT;
use portreeve_smi::ErrorStatus;

use crate::fixture::TestHome;

#[test]
fn rejected_sets_have_no_effect_and_confirmed_sets_survive_when_disk_fails() {
    if !can_trace() {
        return println!("skipped: strace cannot trace a process");
    }
    let home = TestHome::new("faults");
    home.write(&home.base());
    home.run().end();
    let rounds = env::var("PORTREEVE_FAULTS").map_or(2 * FAULTS.len(), |text| text.parse().unwrap());
    let (mut confirmed, mut rejected, mut not_undone) = (0, 0, 0);
    let mut contact = String::new();
    for round in 0..rounds {
        // The first calls belong to the start of the agent.
        let (first, step) = (8 + round % 7, 2 + round % 4);
        let when = format!("{first}+{step}");
        let faults = FAULTS[round % FAULTS.len()].map(|fault| fault.replace("WHEN", &when));
        let faults: Vec<&str> = faults.iter().map(String::as_str).filter(|fault| !fault.is_empty()).collect();
        let agent = home.run_with_faults(&faults);
        let mut writer = home.writer();
        assert_eq!(writer.text(&SYS_CONTACT), contact, "round {round}: {faults:?}");
        let rejected_before = rejected;
        // The last value that could not be undone. It is removed before another SET is written.
        let mut may_reappear = None;
        for number in 0..SETS_PER_ROUND {
            let text = format!("round {round} number {number}");
            match writer.set_text(&SYS_CONTACT, &text) {
                Ok(()) => {
                    confirmed += 1;
                    contact = text;
                    may_reappear = None;
                }
                Err((ErrorStatus::UndoFailed, 0)) => {
                    rejected += 1;
                    not_undone += 1;
                    may_reappear = Some(text);
                }
                Err(error) => {
                    rejected += 1;
                    assert_eq!(error, (ErrorStatus::CommitFailed, 0), "{faults:?}");
                }
            }
            assert_eq!(writer.text(&SYS_CONTACT), contact, "round {round}: {faults:?}");
        }
        assert!(rejected > rejected_before, "round {round}: no call failed: {faults:?}");
        agent.kill();
        let agent = home.run();
        let found = home.reader().text(&SYS_CONTACT);
        let is_expected = found == contact || may_reappear.as_ref() == Some(&found);
        assert!(is_expected, "round {round}: {faults:?}: found {found:?} instead of {contact:?}");
        contact = found;
        agent.end();
    }
    assert!(confirmed > rounds, "{confirmed} SETs were confirmed");
    assert!(not_undone > 0 || rounds < FAULTS.len(), "every rejected SET was undone");
    println!(
        "{rounds} rounds: {confirmed} SETs were confirmed, {rejected} rejected, {not_undone} of them not undone"
    );
}

/// Returns whether strace is installed and may trace a process.
fn can_trace() -> bool {
    Command::new("strace").args(["-o", "/dev/null", "true"]).status().is_ok_and(|status| status.success())
}

/// Calls that fail together. Only the store uses these system calls.
const FAULTS: [[&str; 2]; 7] = [
    ["inject=fdatasync:error=EIO:when=WHEN", ""],
    ["inject=pwrite64:error=ENOSPC:when=WHEN", ""],
    ["inject=pwrite64:error=EIO:when=WHEN", ""],
    // All syncs fail, also those that would undo a failed write.
    ["inject=fdatasync:error=EIO:when=12+1", ""],
    // A failed write cannot be undone, so that all files are written anew.
    ["inject=pwrite64:error=ENOSPC:when=WHEN", "inject=ftruncate:error=EIO:when=2+1"],
    // A failed write cannot be undone, and the files cannot be written anew either.
    ["inject=fdatasync:error=EIO:when=12+1", "inject=ftruncate:error=EIO:when=2+1"],
    // The files that are written anew cannot get their names at first.
    ["inject=fdatasync:error=EIO:when=WHEN", "inject=fsync:error=EIO:when=3+2"],
];

const SETS_PER_ROUND: usize = 30;
