//! The real binary on a terminal: what it asks there, and what it never writes there.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod support;

use std::{thread, time::Duration};

use portreeve_smi::OwnedValue;

use support::{
    fake_agent::{FakeAgent, honest},
    portreeve, portreeve_octets,
    snmpd::Snmpd,
    terminal::Terminal,
};

const PRIVATE: &str = "-u sha256aes -l authPriv -a SHA-256 -x AES";

#[test]
fn pass_phrases_are_asked_for_and_not_shown() {
    let Some(snmpd) = Snmpd::start("prompt") else { return };
    let line = format!("get -Oqv {PRIVATE} {} .1.3.6.1.2.1.1.5.0", snmpd.address);
    let Some(mut terminal) = Terminal::run(&line, true) else { return };
    terminal.wait_for("authentication pass phrase of sha256aes: ");
    assert!(!terminal.echoes());
    // A line that was begun wrongly, and a character too many.
    terminal.types("oh no\u{15}authentic1é\u{7f}\n");
    terminal.wait_for("privacy pass phrase of sha256aes: ");
    terminal.types("private12\n");
    assert_eq!(terminal.ended().code(), Some(0));
    assert!(terminal.shown.ends_with("\r\nname\r\n"), "{:?}", terminal.shown);
    assert!(!terminal.shown.contains("authentic1") && !terminal.shown.contains("private12"));
    assert!(terminal.echoes());
}

#[test]
fn an_interrupted_prompt_gives_the_terminal_back() {
    let line = format!("get {PRIVATE} 127.0.0.1:9 .1.3.6.1.2.1.1.5.0");
    let Some(mut terminal) = Terminal::run(&line, true) else { return };
    terminal.wait_for("pass phrase of sha256aes: ");
    assert!(!terminal.echoes());
    terminal.types("half of i\u{3}");
    assert!(!terminal.ended().success());
    assert!(terminal.echoes());
}

#[test]
fn nothing_is_asked_where_net_snmp_would_not_ask() {
    let line = format!("get --compat net-snmp {PRIVATE} 127.0.0.1:9 .1.3.6.1.2.1.1.5.0");
    let Some(mut terminal) = Terminal::run(&line, true) else { return };
    assert_eq!(terminal.ended().code(), Some(1));
    assert!(terminal.shown.contains("USM authentication failure"), "{:?}", terminal.shown);
}

/// M12 of the list of attacks.
#[test]
fn m12_what_an_agent_sends_steers_no_terminal_and_comes_whole_where_there_is_none() {
    let hostile = b"\x1b]0;lie\x07 \x1b[2J \xff";
    let agent = FakeAgent::with(&[(&[1, 3, 6, 1, 2, 1, 1, 6, 0], OwnedValue::OctetString(hostile.to_vec()))]);
    let get = format!("get -Oqv -v2c -c public {} .1.3.6.1.2.1.1.6.0", agent.address);
    assert_eq!(portreeve_octets(&get), [hostile.as_slice(), b"\n"].concat());
    for letters in ["", "-Oa ", "-Oqv ", "-OQ ", "-OT ", "-Ox "] {
        let get = format!("get {letters}-v2c -c public {} .1.3.6.1.2.1.1.6.0", agent.address);
        let Some(mut terminal) = Terminal::run(&get, true) else { return };
        assert_eq!(terminal.ended().code(), Some(0));
        let line = terminal.shown.strip_suffix("\r\n").unwrap();
        assert!(!line.contains(char::is_control), "{letters}{line:?}");
    }
    let Some(mut terminal) = Terminal::run(&get.replace("get ", "get --compat net-snmp "), true) else {
        return;
    };
    assert_eq!(terminal.ended().code(), Some(0));
    assert!(terminal.shown.starts_with("\u{1b}]0;lie\u{7} \u{1b}[2J "), "{:?}", terminal.shown);
}

#[test]
fn a_table_comes_in_parts_that_fit_the_terminal_and_whole_where_there_is_none() {
    let cell = |column: u32, value| (vec![1, 3, 6, 1, 2, 1, 2, 2, 1, column, 7], value);
    let cells = [cell(1, OwnedValue::Integer(7)), cell(2, OwnedValue::OctetString(b"uplink".to_vec()))];
    let agent = FakeAgent::start(move |question| vec![honest(&cells, question)]);
    let line = format!("table -CB -v2c -c public {} .1.3.6.1.2.1.2.2", agent.address);
    let whole = portreeve(&line).stdout;
    assert!(!whole.contains("part 2") && whole.lines().any(|line| line.len() > 80), "{whole}");
    // A terminal that does not know its width has 80 columns.
    let Some(mut terminal) = Terminal::run(&line, true) else { return };
    assert_eq!(terminal.ended().code(), Some(0));
    assert!(
        terminal.shown.contains("SNMP table IF-MIB::ifTable, part 2\r\n\r\n index ifOperStatus"),
        "{}",
        terminal.shown
    );
    assert!(terminal.shown.contains("\r\n     7       7  uplink"), "{}", terminal.shown);
    assert!(terminal.shown.lines().all(|line| line.len() <= 80), "{}", terminal.shown);
    for asked in ["-Cw 300 ", "-Cf , "] {
        let Some(mut terminal) = Terminal::run(&line.replace("-CB ", &format!("-CB {asked}")), true) else {
            return;
        };
        assert_eq!(terminal.ended().code(), Some(0));
        assert!(!terminal.shown.contains("part 2"), "{asked}{}", terminal.shown);
    }
    let like = line.replace("table ", "table --compat net-snmp ");
    let Some(mut terminal) = Terminal::run(&like, true) else { return };
    assert_eq!(terminal.ended().code(), Some(0));
    assert!(!terminal.shown.contains("part 2"), "{}", terminal.shown);
}

#[test]
fn a_long_walk_tells_how_far_it_is_and_leaves_no_trace() {
    let agent = FakeAgent::start(|question| {
        thread::sleep(Duration::from_millis(350));
        let variables: Vec<_> = (1..9)
            .map(|number| (vec![1, 3, 6, 1, 2, 1, 1, 9, 1, 4, number], OwnedValue::TimeTicks(0)))
            .collect();
        vec![honest(&variables, question)]
    });
    let line = format!("walk --one-by-one -t 5 -r 0 -v2c -c public {} .1.3.6.1.2.1.1.9", agent.address);
    let Some(mut terminal) = Terminal::run(&line, false) else { return };
    terminal.wait_for(" per second, at SNMPv2-MIB::sysORUpTime.");
    assert_eq!(terminal.ended().code(), Some(0));
    assert!(terminal.shown.ends_with("\r\u{1b}[K"), "{:?}", terminal.shown);
    // Without a terminal nothing is told.
    assert_eq!(portreeve(&line).stderr, "");
}
