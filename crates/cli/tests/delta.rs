//! Tests of `delta`, with the real binary.

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

/// An agent whose uptime advances by two seconds, and whose counters increase, with each response.
fn counting_agent() -> FakeAgent {
    let count = AtomicU32::new(0);
    FakeAgent::start(move |request| {
        let round = count.fetch_add(1, Ordering::Relaxed);
        let values = request.names.iter().map(|name| {
            let value = match name.as_slice() {
                name if name == UP_TIME => TimeTicks(1000 + 200 * round),
                name if name == IN_OCTETS => Counter32((u32::MAX - 5).wrapping_add(10 * round)),
                name if name == OUT_OCTETS => Counter32(7 * round),
                _ => Counter64(u64::from(round) << 33),
            };
            (name.clone(), value)
        });
        vec![request.response(values.collect())]
    })
}

/// Runs a command that never exits by itself, and returns the first `count` lines of its output.
fn read_first_lines(line: &str, count: usize) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portreeve"));
    command.env("SNMPCONFPATH", "/nonexistent").env("MIBS", "").env("TZ", "UTC");
    let mut child = command.args(line.split(' ')).stdout(Stdio::piped()).spawn().unwrap();
    let lines =
        BufReader::new(child.stdout.take().unwrap()).lines().take(count).map(Result::unwrap).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    lines
}

#[test]
fn delta_prints_counter_increases_of_each_period() {
    let agent = counting_agent();
    let line = format!("delta -v2c -c public {} ifInOctets.1 ifOutOctets.1 ifHCInOctets.1", agent.address);
    let expected = [
        "IF-MIB::ifInOctets.1 /1 sec: 10",
        "IF-MIB::ifOutOctets.1 /1 sec: 7",
        "IF-MIB::ifHCInOctets.1 /1 sec: 8589934592",
        "IF-MIB::ifInOctets.1 /1 sec: 10",
    ];
    assert_eq!(read_first_lines(&line, 4), expected);
}

#[test]
fn delta_rates_and_sums_use_agent_uptime() {
    let agent = counting_agent();
    let line = format!("delta -v2c -c public -CtSm -Cv 60 {} ifInOctets.1 ifOutOctets.1", agent.address);
    let expected = [
        "IF-MIB::ifInOctets.1 /sec: 5.00\t(Max: 5.00)",
        "IF-MIB::ifOutOctets.1 /sec: 3.50\t(Max: 3.50)",
        "Sum /sec: 8.50\t(Max: 8.50)",
    ];
    assert_eq!(read_first_lines(&line, 3), expected);
}

#[test]
fn delta_table_has_one_line_per_period() {
    let agent = counting_agent();
    let line = format!("delta -v2c -c public -Of -CTs {} ifInOctets.1 ifOutOctets.1", agent.address);
    let lines = read_first_lines(&line, 3);
    assert_eq!(lines[0], format!("{}\tifInOctets.1\tifOutOctets.1", agent.address));
    let (time, rest) = lines[1].split_once(']').unwrap();
    let digits: String = time.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert!(digits.starts_with("[00:00:00 "), "{time}");
    assert_eq!(rest, "\t10.00\t7.00");
    assert!(lines[2].ends_with("]\t10.00\t7.00"));
}

#[test]
fn delta_exits_with_1_on_invalid_or_unsupported_arguments() {
    let agent = counting_agent();
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
        "-Cp expects a number greater than 0, not \"0\"\n",
    );
    let output = portreeve(&format!("delta -v2c -c public {address}"));
    assert!(output.code == Some(1) && output.stderr.starts_with("USAGE: "), "{output:?}");
    let output = portreeve(&format!("delta -v2c -c none -r0 -t0.2 {address}1 ifInOctets.1"));
    assert_eq!((output.code, &*output.stdout), (Some(1), ""));
}

#[test]
fn delta_skips_variables_that_an_snmpv1_agent_does_not_have() {
    let agent = FakeAgent::with(&[(&IN_OCTETS, Counter32(1))]);
    let line = format!("delta -v1 -c public {} ifOutOctets.1 ifInOctets.1", agent.address);
    assert_eq!(read_first_lines(&line, 1), ["IF-MIB::ifInOctets.1 /1 sec: 0"]);
}

#[test]
fn delta_reads_names_from_file_and_writes_one_log_file_per_name() {
    let agent = counting_agent();
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
