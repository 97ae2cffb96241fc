//! `delta` as people see it: lines come until somebody stops it, or something stops it early.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod support;

use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};

use portreeve_smi::OwnedValue::{Counter32, Counter64, TimeTicks};
use support::{fake_agent::FakeAgent, portreeve};

const UP_TIME: [u32; 9] = [1, 3, 6, 1, 2, 1, 1, 3, 0];
const IN_OCTETS: [u32; 11] = [1, 3, 6, 1, 2, 1, 2, 2, 1, 10, 1];
const OUT_OCTETS: [u32; 11] = [1, 3, 6, 1, 2, 1, 2, 2, 1, 16, 1];

/// An agent on whose every answer two seconds have passed.
fn busy_agent() -> FakeAgent {
    let count = AtomicU32::new(0);
    FakeAgent::start(move |question| {
        let round = count.fetch_add(1, Ordering::Relaxed);
        let values = question.names.iter().map(|name| {
            let value = match name.as_slice() {
                name if name == UP_TIME => TimeTicks(1000 + 200 * round),
                name if name == IN_OCTETS => Counter32((u32::MAX - 5).wrapping_add(10 * round)),
                name if name == OUT_OCTETS => Counter32(7 * round),
                _ => Counter64(u64::from(round) << 33),
            };
            (name.clone(), value)
        });
        vec![question.answer(values.collect())]
    })
}

/// The first lines of what goes on for ever.
fn first_lines(line: &str, count: usize) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portreeve"));
    command.env("SNMPCONFPATH", "/nonexistent").env("TZ", "UTC");
    let mut child = command.args(line.split(' ')).stdout(Stdio::piped()).spawn().unwrap();
    let lines =
        BufReader::new(child.stdout.take().unwrap()).lines().take(count).map(Result::unwrap).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    lines
}

#[test]
fn rises_are_told_period_by_period() {
    let agent = busy_agent();
    let line = format!("delta -v2c -c public {} ifInOctets.1 ifOutOctets.1 ifHCInOctets.1", agent.address);
    let expected = [
        "IF-MIB::ifInOctets.1 /1 sec: 10",
        "IF-MIB::ifOutOctets.1 /1 sec: 7",
        "IF-MIB::ifHCInOctets.1 /1 sec: 8589934592",
        "IF-MIB::ifInOctets.1 /1 sec: 10",
    ];
    assert_eq!(first_lines(&line, 4), expected);
}

#[test]
fn rates_and_sums_follow_the_agents_time() {
    let agent = busy_agent();
    let line = format!("delta -v2c -c public -CtSm -Cv 60 {} ifInOctets.1 ifOutOctets.1", agent.address);
    let expected = [
        "IF-MIB::ifInOctets.1 /sec: 5.00\t(Max: 5.00)",
        "IF-MIB::ifOutOctets.1 /sec: 3.50\t(Max: 3.50)",
        "Sum /sec: 8.50\t(Max: 8.50)",
    ];
    assert_eq!(first_lines(&line, 3), expected);
}

#[test]
fn a_table_has_a_line_for_each_period() {
    let agent = busy_agent();
    let line = format!("delta -v2c -c public -Of -CTs {} ifInOctets.1 ifOutOctets.1", agent.address);
    let lines = first_lines(&line, 3);
    assert_eq!(lines[0], format!("{}\tifInOctets.1\tifOutOctets.1", agent.address));
    let (time, rest) = lines[1].split_once(']').unwrap();
    let digits: String = time.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert!(digits.starts_with("[00:00:00 "), "{time}");
    assert_eq!(rest, "\t10.00\t7.00");
    assert!(lines[2].ends_with("]\t10.00\t7.00"));
}

#[test]
fn what_cannot_be_told_is_said() {
    let agent = busy_agent();
    let address = &agent.address;
    portreeve(&format!("delta -v2c -c public -Ct {address} ifHCInOctets.1")).expect(
        1,
        "",
        "time delta and table form not supported for counter64s\n",
    );
    portreeve(&format!("delta -v2c -c public -C5 {address} x")).expect(1, "", "Bad -C options: 5\n");
    portreeve(&format!("delta -v2c -c public -Cp 0 {address} x")).expect(
        1,
        "",
        "-Cp needs a number above 0, not \"0\"\n",
    );
    let said = portreeve(&format!("delta -v2c -c public {address}"));
    assert!(said.code == Some(1) && said.stderr.starts_with("USAGE: "), "{said:?}");
    let said = portreeve(&format!("delta -v2c -c none -r0 -t0.2 {address}1 ifInOctets.1"));
    assert_eq!((said.code, &*said.stdout), (Some(1), ""));
}

#[test]
fn what_an_old_agent_does_not_have_is_left_out() {
    let agent = FakeAgent::with(&[(&IN_OCTETS, Counter32(1))]);
    let line = format!("delta -v1 -c public {} ifOutOctets.1 ifInOctets.1", agent.address);
    assert_eq!(first_lines(&line, 1), ["IF-MIB::ifInOctets.1 /1 sec: 0"]);
}

#[test]
fn names_come_from_a_file_and_lines_go_into_files() {
    let agent = busy_agent();
    let folder = std::env::temp_dir().join(format!("portreeve-rises-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("names"), "# a comment\n\nifInOctets.1\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_portreeve"));
    let arguments =
        ["delta", "-v2c", "-c", "public", "-Os", "-ClF", "names", &agent.address, "ifOutOctets.1"];
    let mut child = command.args(arguments).current_dir(&folder).spawn().unwrap();
    let file = folder.join(format!("{}-ifOutOctets.1", agent.address));
    for _ in 0..100 {
        if file.exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let read = |name: &str| fs::read_to_string(folder.join(format!("{}-{name}", agent.address))).unwrap();
    assert!(read("ifInOctets.1").starts_with("ifInOctets.1 /1 sec: 10\n"));
    assert!(
        read("ifOutOctets.1").starts_with("ifOutOctets.1 /1 sec: 7\n") || read("ifOutOctets.1").is_empty()
    );
    fs::remove_dir_all(&folder).unwrap();
}
