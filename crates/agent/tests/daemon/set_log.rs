//! The log lines about SETs, if `[log] sets` is true.

use std::fs;
use std::thread;
use std::time::Duration;

use portreeve_mib::modules::{
    community_mib::{SNMP_COMMUNITY_NAME, SNMP_COMMUNITY_SECURITY_NAME, SNMP_COMMUNITY_STATUS},
    snmpv2_mib::SYS_CONTACT,
};
use portreeve_secret::Secret;
use portreeve_smi::Value;
use portreeve_snmp_manager::Credentials;

use crate::fixture::{Daemon, Manager, READ_COMMUNITY, TestHome, wait_until};

#[test]
fn review_l1_set_is_logged_without_values() {
    let home = TestHome::with("set-log", LOG_SETS);
    let agent = home.run();
    let row = b"row".map(u32::from);
    let community = [
        (&SNMP_COMMUNITY_NAME, &row[..], Value::OctetString(HIDDEN.as_bytes())),
        (&SNMP_COMMUNITY_SECURITY_NAME, &row, Value::OctetString(b"ops")),
        (&SNMP_COMMUNITY_STATUS, &row, Value::Integer(4)),
    ];
    home.ops().set(&community).unwrap();
    agent.await_log("SET accepted");
    home.reader().set_text(&SYS_CONTACT, HIDDEN).unwrap_err();
    agent.await_log("SET rejected");
    let lines = set_lines(&agent);
    let line = |words: &str| lines.iter().find(|line| line.contains(words)).unwrap();
    let (accepted, rejected) = (line("SET accepted"), line("SET rejected"));
    for part in [
        "SET accepted user=ops model=usm peer=127.0.0.1:",
        " transport=udp context=\"\" variables=3 ",
        // snmpCommunityName and snmpCommunitySecurityName of the row.
        " names=1.3.6.1.6.3.18.1.1.1.2.114.111.119,1.3.6.1.6.3.18.1.1.1.3.114.111.119,",
        " result=noError",
    ] {
        assert!(accepted.contains(part), "{part}: {accepted}");
    }
    for part in ["SET rejected user=community-1 model=v2c ", " names=1.3.6.1.2.1.1.4.0 ", " result=noAccess"]
    {
        assert!(rejected.contains(part), "{part}: {rejected}");
    }
    assert!(!agent.log().contains(HIDDEN), "{}", agent.log());

    let text = fs::read_to_string(home.config()).unwrap();
    home.write(&text.replace(LOG_SETS, ""));
    agent.reload_and_wait();
    home.ops().set_text(&SYS_CONTACT, "ops").unwrap();
    assert_eq!(set_lines(&agent).len(), lines.len(), "{}", agent.log());
}

#[test]
fn review_l1_accepted_set_is_logged_while_rejected_sets_are_suppressed() {
    let home = TestHome::with("set-log-limit", LOG_SETS);
    let agent = home.run();
    // One worker serves all messages of a connection.
    let mut reader = Manager::open(&home.tcp(), Credentials::V2c(Secret::from(READ_COMMUNITY)));
    let mut burst = || (0..200).for_each(|_| _ = reader.set_text(&SYS_CONTACT, HIDDEN).unwrap_err());
    burst();
    let mut writers: Vec<_> = (0..8).map(|_| home.writer()).collect();
    writers.iter_mut().for_each(|writer| writer.set_text(&SYS_CONTACT, "ops").unwrap());
    // The limit holds for each second, and the first line of the next second has the field
    // `suppressed`.
    thread::sleep(Duration::from_millis(1100));
    burst();
    agent.await_log("suppressed=");
    let lines = set_lines(&agent);
    let count = |words: &str| lines.iter().filter(|line| line.contains(words)).count();
    assert!(count("SET accepted") >= 8, "{lines:?}");
    assert!(count("SET rejected") < 200, "{} lines", count("SET rejected"));
}

/// The workers have a limit for each user.
#[test]
fn user_with_many_rejected_sets_does_not_suppress_log_lines_about_others() {
    let home = TestHome::with("set-log-users", LOG_SETS);
    let agent = home.run();
    let mut reader = home.reader();
    let rejected = |lines: &[String], user: &str| {
        let user = format!("SET rejected user={user} ");
        lines.iter().filter(|line| line.contains(&user)).count()
    };
    // Versions have users of their own. Both sockets may belong to the same worker.
    let mut others: Vec<_> =
        (0..8).map(|_| Manager::open(&home.udp(), Credentials::V1(Secret::from(READ_COMMUNITY)))).collect();
    for other in &mut others {
        (0..40).for_each(|_| _ = reader.set_text(&SYS_CONTACT, HIDDEN).unwrap_err());
        other.set_text(&SYS_CONTACT, HIDDEN).unwrap_err();
    }
    let is_logged = || rejected(&set_lines(&agent), "community-1 model=v1") == others.len();
    wait_until("a line about each SET of version 1", is_logged);
    let lines = set_lines(&agent);
    assert!(rejected(&lines, "community-1 model=v2c") < 8 * 40, "no line was suppressed");
}

fn set_lines(agent: &Daemon) -> Vec<String> {
    agent.log().lines().filter(|line| line.contains("SET ")).map(str::to_owned).collect()
}

const LOG_SETS: &str = "[log]\nsets = true\n";
const HIDDEN: &str = "not-for-the-log";
