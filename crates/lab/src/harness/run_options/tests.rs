use std::time::Duration;

use super::RunOptions;
use crate::harness::budget::Budget;
use crate::harness::{Effort, Peer, fake};

fn parse(line: &str) -> crate::error::Result<RunOptions> {
    let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    RunOptions::parse(&arguments, fake::ALL)
}

#[test]
fn budget_is_five_minutes_for_each_experiment_by_default() {
    assert_eq!(parse("first").ok().unwrap().budget, Budget::Time(Duration::from_secs(300)));
    assert_eq!(parse("first second").ok().unwrap().budget, Budget::Time(Duration::from_secs(600)));
}

#[test]
fn quick_run_has_two_rounds_unless_another_number_is_given() {
    assert_eq!(parse("first --quick").ok().unwrap().budget, Budget::Rounds(2));
    let run = parse("first --quick --repeat 5").ok().unwrap();
    assert_eq!((run.budget, run.effort), (Budget::Rounds(5), Effort::Quick));
}

#[test]
fn canonical_arguments_give_the_same_run_again() {
    let line = "second --out /tmp/x --peer net-snmp --peer net-snmp first --budget 1h --keep-pcap --against 192.0.2.1 --credentials f";
    let run = parse(line).ok().unwrap();
    assert_eq!(run.peers, [Peer::NetSnmp]);
    let canonical = run.canonical(7);
    assert_eq!(
        canonical.join(" "),
        "run first second --peer net-snmp --budget 3600s --seed 7 --keep-pcap --against 192.0.2.1"
    );
    let again = parse(&format!("{} --credentials f", canonical[1..].join(" "))).ok().unwrap();
    assert_eq!(again.canonical(7), canonical);
    assert_eq!(again.seed, Some(7));
}

#[test]
fn invalid_command_lines_are_rejected() {
    for line in [
        "",
        "first --repeat 3 --budget 1h",
        "first --repeat 0",
        "first --repeat many",
        "first --budget soon",
        "first --peer other",
        "first --against 192.0.2.1",
        "first --credentials file",
        "first --unknown",
        "first --out",
    ] {
        assert!(parse(line).is_err(), "{line}");
    }
}
