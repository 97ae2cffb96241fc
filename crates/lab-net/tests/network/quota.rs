//! CPU quotas.

use std::process::{Child, Command};
use std::time::{Duration, Instant};
use std::{fs, thread};

use portreeve_lab_net::{CpuQuota, Topology};

use crate::support::{available, cleaner};

/// The CPU time of a process, in ticks of 10 ms.
fn ticks(process: &Child) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.id())).unwrap();
    // The name in parentheses may contain spaces.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

#[test]
fn process_with_quota_gets_its_part_of_a_core() {
    let cleaner = cleaner();
    let topology = Topology::loopback(&cleaner).unwrap();
    let Some(quota) = available(CpuQuota::new(&cleaner, 0.1)) else { return };
    let mut command = Command::new("sh");
    command.args(["-c", "while :; do :; done"]);
    let mut child = topology.agent().spawn(command).unwrap();
    quota.add(child.id()).unwrap();
    let (started, before) = (Instant::now(), ticks(&child));
    thread::sleep(Duration::from_secs(2));
    let (elapsed, used) = (started.elapsed().as_secs_f64(), (ticks(&child) - before) as f64 / 100.0);
    // Other programs can take time from the process, but it cannot get more than its part.
    assert!(used < 0.15 * elapsed + 0.05, "{used} s of {elapsed} s");
    let throttling = quota.throttling().unwrap();
    assert!(throttling.throttled > 0 && throttling.waited > Duration::ZERO, "{throttling:?}");
    assert!(quota.set(0.0).is_err() && quota.set(f64::NAN).is_err());
    quota.set(1.0).unwrap();
    assert!(quota.add(u32::MAX).is_err());
    println!("{}: {used} s of {elapsed} s", quota.method());
    drop(quota);
    assert!(child.try_wait().unwrap().is_none(), "the process continues without the quota");
    child.kill().unwrap();
    child.wait().unwrap();
}
