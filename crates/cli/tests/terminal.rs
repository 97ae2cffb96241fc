//! Tests of prompts and output on a terminal, with the real binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod support;

use std::{os::unix::process::CommandExt, process::Command, thread, time::Duration};

use portreeve_smi::OwnedValue;

use support::{
    fake_agent::{FakeAgent, honest_response},
    portreeve, portreeve_raw_stdout,
    snmpd::Snmpd,
    terminal::TestTerminal,
};

const PRIVATE: &str = "-u sha256aes -l authPriv -a SHA-256 -x AES";

#[test]
fn pass_phrase_prompt_does_not_echo() {
    let Some(snmpd) = Snmpd::start("prompt") else { return };
    let line = format!("get -Oqv {PRIVATE} {} .1.3.6.1.2.1.1.5.0", snmpd.address);
    let Some(mut terminal) = TestTerminal::run(&line, true) else { return };
    terminal.wait_for("authentication pass phrase of sha256aes: ");
    assert!(!terminal.is_echo_on());
    // Ctrl-U erases the whole line typed so far; U+007F deletes one character.
    terminal.send_keys("oh no\u{15}authentic1é\u{7f}\n");
    terminal.wait_for("privacy pass phrase of sha256aes: ");
    terminal.send_keys("private12\n");
    assert_eq!(terminal.wait().code(), Some(0));
    assert!(terminal.screen.ends_with("\r\nname\r\n"), "{:?}", terminal.screen);
    assert!(!terminal.screen.contains("authentic1") && !terminal.screen.contains("private12"));
    assert!(terminal.is_echo_on());
}

#[test]
fn terminal_echo_is_restored_after_interrupted_prompt() {
    let line = format!("get {PRIVATE} 127.0.0.1:9 .1.3.6.1.2.1.1.5.0");
    let Some(mut terminal) = TestTerminal::run(&line, true) else { return };
    terminal.wait_for("pass phrase of sha256aes: ");
    assert!(!terminal.is_echo_on());
    terminal.send_keys("half of i\u{3}");
    assert!(!terminal.wait().success());
    assert!(terminal.is_echo_on());
}

#[test]
fn compat_mode_does_not_prompt_for_missing_pass_phrases() {
    let line = format!("get --compat net-snmp {PRIVATE} 127.0.0.1:9 .1.3.6.1.2.1.1.5.0");
    let Some(mut terminal) = TestTerminal::run(&line, true) else { return };
    assert_eq!(terminal.wait().code(), Some(1));
    assert!(terminal.screen.contains("USM authentication failure"), "{:?}", terminal.screen);
}

/// Checks attack M12 of `docs/attacks.md`.
#[test]
fn m12_review_l4_control_characters_are_escaped_on_terminals_and_in_pipes() {
    let hostile = b"\x1b]0;lie\x07 \x1b[2J \xff";
    let agent = FakeAgent::with(&[(&[1, 3, 6, 1, 2, 1, 1, 6, 0], OwnedValue::OctetString(hostile.to_vec()))]);
    let get = format!("get -Oqv -v2c -c public {} .1.3.6.1.2.1.1.6.0", agent.address);
    assert_eq!(portreeve_raw_stdout(&get), b".]0;lie. .[2J .\n");
    for raw in ["get --raw ", "get --compat net-snmp "] {
        let stdout = portreeve_raw_stdout(&get.replace("get ", raw));
        assert_eq!(stdout, [hostile.as_slice(), b"\n"].concat(), "{raw}");
    }
    for letters in ["", "-Oa ", "-Oqv ", "-OQ ", "-OT ", "-Ox "] {
        let get = format!("get {letters}-v2c -c public {} .1.3.6.1.2.1.1.6.0", agent.address);
        let Some(mut terminal) = TestTerminal::run(&get, true) else { return };
        assert_eq!(terminal.wait().code(), Some(0));
        let line = terminal.screen.strip_suffix("\r\n").unwrap();
        assert!(!line.contains(char::is_control), "{letters}{line:?}");
    }
    let Some(mut terminal) = TestTerminal::run(&get.replace("get ", "get --compat net-snmp "), true) else {
        return;
    };
    assert_eq!(terminal.wait().code(), Some(0));
    assert!(terminal.screen.starts_with("\u{1b}]0;lie\u{7} \u{1b}[2J "), "{:?}", terminal.screen);
}

/// When called by a name such as `snmpget`, the command preserves octets in other character sets
/// than UTF-8 in pipes, because scripts may depend on them. `snmpget | head` must not control the
/// terminal.
#[test]
fn review_l4_net_snmp_names_print_no_control_characters_to_pipes() {
    let hostile = b"\x1b]0;lie\x07 caf\xe9 \x9b31m";
    let agent = FakeAgent::with(&[(&[1, 3, 6, 1, 2, 1, 1, 6, 0], OwnedValue::OctetString(hostile.to_vec()))]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_portreeve"));
    command.arg0("snmpget").env("SNMPCONFPATH", "/nonexistent").env("MIBS", "");
    let words = ["-Oqv", "-v2c", "-c", "public", &agent.address, ".1.3.6.1.2.1.1.6.0"];
    assert_eq!(command.args(words).output().unwrap().stdout, b".]0;lie. caf\xe9 .31m\n");
}

#[test]
fn wide_table_is_split_on_terminals_but_not_in_pipes() {
    let cell = |column: u32, value| (vec![1, 3, 6, 1, 2, 1, 2, 2, 1, column, 7], value);
    let cells = [cell(1, OwnedValue::Integer(7)), cell(2, OwnedValue::OctetString(b"uplink".to_vec()))];
    let agent = FakeAgent::start(move |request| vec![honest_response(&cells, request)]);
    let line = format!("table -CB -v2c -c public {} .1.3.6.1.2.1.2.2", agent.address);
    let whole = portreeve(&line).stdout;
    assert!(!whole.contains("part 2") && whole.lines().any(|line| line.len() > 80), "{whole}");
    // A terminal that reports no width counts as 80 columns wide.
    let Some(mut terminal) = TestTerminal::run(&line, true) else { return };
    assert_eq!(terminal.wait().code(), Some(0));
    assert!(
        terminal.screen.contains("SNMP table IF-MIB::ifTable, part 2\r\n\r\n index ifOperStatus"),
        "{}",
        terminal.screen
    );
    assert!(terminal.screen.contains("\r\n     7       7  uplink"), "{}", terminal.screen);
    assert!(terminal.screen.lines().all(|line| line.len() <= 80), "{}", terminal.screen);
    for option in ["-Cw 300 ", "-Cf , "] {
        let Some(mut terminal) = TestTerminal::run(&line.replace("-CB ", &format!("-CB {option}")), true)
        else {
            return;
        };
        assert_eq!(terminal.wait().code(), Some(0));
        assert!(!terminal.screen.contains("part 2"), "{option}{}", terminal.screen);
    }
    let compat = line.replace("table ", "table --compat net-snmp ");
    let Some(mut terminal) = TestTerminal::run(&compat, true) else { return };
    assert_eq!(terminal.wait().code(), Some(0));
    assert!(!terminal.screen.contains("part 2"), "{}", terminal.screen);
}

#[test]
fn long_walk_on_terminal_shows_and_erases_progress_line() {
    let agent = FakeAgent::start(|request| {
        thread::sleep(Duration::from_millis(350));
        let variables: Vec<_> = (1..9)
            .map(|number| (vec![1, 3, 6, 1, 2, 1, 1, 9, 1, 4, number], OwnedValue::TimeTicks(0)))
            .collect();
        vec![honest_response(&variables, request)]
    });
    let line = format!("walk --one-by-one -t 5 -r 0 -v2c -c public {} .1.3.6.1.2.1.1.9", agent.address);
    let Some(mut terminal) = TestTerminal::run(&line, false) else { return };
    terminal.wait_for(" per second, at SNMPv2-MIB::sysORUpTime.");
    assert_eq!(terminal.wait().code(), Some(0));
    assert!(terminal.screen.ends_with("\r\u{1b}[K"), "{:?}", terminal.screen);
    // No progress is printed if standard error is not a terminal.
    assert_eq!(portreeve(&line).stderr, "");
}
