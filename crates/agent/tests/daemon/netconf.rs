//! NETCONF over SSH against the running agent.

use std::fs;
use std::time::Duration;

use portreeve_mib::modules::snmpv2_mib::SYS_CONTACT;

use crate::fixture::{NetconfClient, SecureAgent, run_with_netconf, wait_until};

#[test]
fn change_is_visible_over_both_protocols_and_survives_kill_9() {
    let agent_site = SecureAgent::new("netconf-both", NETCONF);
    let agent = run_with_netconf(&agent_site);
    let mut client = NetconfClient::open(&agent_site);
    client.set_contact("by NETCONF");
    client.succeed(&edit(&entry(7, "first")));
    agent.kill();
    let agent = run_with_netconf(&agent_site);
    assert_eq!(agent_site.home.reader().text(&SYS_CONTACT), "by NETCONF");
    agent_site.home.writer().set_text(&SYS_CONTACT, "by SNMP").unwrap();
    agent.kill();
    let _agent = run_with_netconf(&agent_site);
    let running = NetconfClient::open(&agent_site).running();
    assert!(running.contains("<contact>by SNMP</contact>"), "{running}");
    assert!(running.contains("<number>7</number><text>first</text>"), "{running}");
}

#[test]
fn log_names_the_session_and_the_change() {
    let agent_site = SecureAgent::new("netconf-log", NETCONF);
    let agent = run_with_netconf(&agent_site);
    let mut client = NetconfClient::open(&agent_site);
    client.succeed(&edit(&entry(7, "secret text")));
    agent.await_log("NETCONF change accepted user=ops session=1 peer=127.0.0.1:");
    let log = agent.log();
    let line = log.lines().find(|line| line.contains("NETCONF change accepted")).unwrap();
    assert!(line.contains("operation=edit-config datastore=running changes=1 paths="), "{line}");
    assert!(line.contains("entry[number='7']") || line.contains("entry[number=\\'7\\']"), "{line}");
    assert!(!log.contains("secret text"), "{log}");
    client.succeed("<close-session/>");
    assert!(client.is_closed());
    agent.await_log("NETCONF session closed session=1 user=ops");
}

#[test]
fn status_shows_sessions_and_locks_and_kill_session_releases_them() {
    let agent_site = SecureAgent::new("netconf-kill", NETCONF);
    let agent = run_with_netconf(&agent_site);
    let mut holder = NetconfClient::open(&agent_site);
    holder.succeed("<lock><target><running/></target></lock>");
    let mut other = NetconfClient::open(&agent_site);
    let denied = other.ask("<lock><target><running/></target></lock>");
    assert!(denied.contains("lock-denied"), "{denied}");
    let status = command(&agent_site, &["status"]);
    assert!(status.contains("running locked by session 1 since "), "{status}");
    // A SET of data that is locked is refused; one that does not change the tree is not.
    agent_site.home.writer().set_text(&SYS_CONTACT, "no").unwrap_err();
    let missing = command(&agent_site, &["kill-session", "99"]);
    assert!(missing.contains("NETCONF session 99 does not exist"), "{missing}");
    assert_eq!(command(&agent_site, &["kill-session", "1"]), "");
    assert!(holder.is_closed());
    other.succeed("<lock><target><running/></target></lock>");
    agent.await_log("NETCONF session killed session=1");
}

#[test]
fn reload_waits_for_the_lock_and_changes_nothing_if_it_is_held() {
    let agent_site = SecureAgent::new("netconf-reload", NETCONF);
    let _agent = run_with_netconf(&agent_site);
    let mut holder = NetconfClient::open(&agent_site);
    holder.succeed("<lock><target><running/></target></lock>");
    let refused = command(&agent_site, &["reload"]);
    assert!(refused.contains("locked by NETCONF session 1 of ops at 127.0.0.1:"), "{refused}");
    holder.succeed("<unlock><target><running/></target></unlock>");
    let reloaded = command(&agent_site, &["reload"]);
    assert!(reloaded.contains("in effect"), "{reloaded}");
}

#[test]
fn reload_closes_sessions_of_a_revoked_key_and_changes_recovery_users() {
    let agent_site = SecureAgent::new("netconf-revoked", NETCONF);
    let key = fs::read_to_string(agent_site.home.path.join("keys_of_ops")).unwrap();
    let agent = run_with_netconf(&agent_site);
    let mut client = NetconfClient::open(&agent_site);
    client.set_contact("may write");
    let text = fs::read_to_string(agent_site.home.config()).unwrap();
    agent_site.home.write(&text.replace("recovery = [\"ops\"]", "recovery = []"));
    agent.reload_and_wait();
    let denied = client.ask(&edit(&entry(1, "a")));
    assert!(denied.contains("access-denied"), "{denied}");
    fs::write(agent_site.home.path.join("revoked_keys"), key).unwrap();
    let text = fs::read_to_string(agent_site.home.config()).unwrap();
    agent_site.home.write(&text.replace("[ssh]\n", "[ssh]\nrevoked = \"revoked_keys\"\n"));
    agent.reload_and_wait();
    assert!(client.is_closed());
}

#[test]
fn silent_session_and_idle_lock_holder_are_closed_and_others_are_not() {
    let more = format!("{NETCONF}lock-idle = 1\n[limits]\ngrace = 2\nidle = 1\n");
    let agent_site = SecureAgent::new("netconf-idle", &more);
    let agent = run_with_netconf(&agent_site);
    let mut idle = NetconfClient::open(&agent_site);
    idle.running();
    let mut silent = NetconfClient::connect(&agent_site);
    assert!(silent.receive().is_some());
    let mut holder = NetconfClient::open(&agent_site);
    holder.succeed("<lock><target><running/></target></lock>");
    assert!(holder.is_closed() && silent.is_closed());
    assert!(idle.running().contains("<data"), "the session is not closed");
    idle.succeed("<lock><target><running/></target></lock>");
    drop(agent);
}

#[test]
fn hundred_sessions_with_requests_do_not_delay_snmp() {
    let agent_site = SecureAgent::new("netconf-many", NETCONF);
    let _agent = run_with_netconf(&agent_site);
    let mut clients: Vec<_> = (0..100).map(|_| NetconfClient::connect(&agent_site)).collect();
    for client in &mut clients {
        assert!(client.receive().is_some());
        client.send(HELLO);
        client.request("<lock><target><candidate/></target></lock>");
        (0..5).for_each(|_| client.request("<get-config><source><running/></source></get-config>"));
    }
    for _ in 0..50 {
        agent_site.home.reader().text(&SYS_CONTACT);
    }
    let replies: Vec<_> = clients.iter_mut().map(|client| client.receive().unwrap()).collect();
    assert_eq!(replies.iter().filter(|reply| reply.contains("<ok/>")).count(), 1);
    assert_eq!(replies.iter().filter(|reply| reply.contains("lock-denied")).count(), 99);
    drop(clients);
    wait_until("the end of all sessions", || {
        command(&agent_site, &["status"]).contains("NETCONF\n  no sessions\n")
    });
}

/// The request is longer than all buffers and windows together.
#[test]
fn request_of_three_megabytes_is_executed_and_read_back() {
    let agent_site = SecureAgent::new("netconf-large", NETCONF);
    let _agent = run_with_netconf(&agent_site);
    let mut client = NetconfClient::open(&agent_site);
    let entries: String = (0..10_000)
        .map(|number| format!("<entry><number>{number}</number><text>{}</text></entry>", "x".repeat(250)))
        .collect();
    client.succeed(&edit(&format!("<texts xmlns=\"urn:example:texts\">{entries}</texts>")));
    let running = client.running();
    assert_eq!(running.matches("<entry>").count(), 10_000);
    assert!(running.contains(&entries), "the entries are in their order");
}

/// As in `ssh -s host netconf < requests`.
#[test]
fn client_that_sends_its_requests_and_closes_its_output_gets_all_replies() {
    let agent_site = SecureAgent::new("netconf-eof", NETCONF);
    let _agent = run_with_netconf(&agent_site);
    for round in 0..20 {
        let mut client = NetconfClient::connect(&agent_site);
        client.send(HELLO);
        client.request(&edit(&entry(round, "one")));
        client.request("<get-config><source><running/></source></get-config>");
        client.close_output();
        assert!(client.receive().is_some_and(|hello| hello.contains("<session-id>")), "round {round}");
        assert!(client.receive().is_some_and(|reply| reply.contains("<ok/>")), "round {round}");
        assert!(client.receive().is_some_and(|reply| reply.contains("<text>one</text>")), "round {round}");
        assert!(client.is_closed());
    }
}

#[test]
fn snmp_works_and_netconf_is_refused_without_the_schema_file() {
    let agent_site = SecureAgent::new("netconf-missing", NETCONF);
    drop(run_with_netconf(&agent_site));
    fs::remove_file(agent_site.home.path.join("bin/shipped.schema")).unwrap();
    let agent = run_with_netconf(&agent_site);
    let log = agent.log();
    assert!(log.contains("NETCONF is not available") && log.contains("`make build`"), "{log}");
    agent_site.home.writer().set_text(&SYS_CONTACT, "works").unwrap();
    let mut client = NetconfClient::connect(&agent_site);
    assert_eq!(client.receive(), None);
}

#[test]
fn request_that_is_being_executed_is_answered_at_shutdown() {
    let agent_site = SecureAgent::new("netconf-stop", NETCONF);
    let agent = run_with_netconf(&agent_site);
    let mut client = NetconfClient::open(&agent_site);
    client.running();
    client.request(&edit(&entry(7, "last")));
    agent.await_log("NETCONF change accepted");
    let (status, time) = agent.end();
    assert_eq!(status.code(), Some(0));
    assert!(time < Duration::from_secs(3), "{time:?}");
    assert!(client.receive().is_some_and(|reply| reply.contains("<ok/>")));
    let _agent = run_with_netconf(&agent_site);
    let running = NetconfClient::open(&agent_site).running();
    assert!(running.contains("<text>last</text>"), "{running}");
}

/// Runs a command with the configuration of the agent, and returns its output.
fn command(agent_site: &SecureAgent, words: &[&str]) -> String {
    let config = agent_site.home.config();
    let [name, operands @ ..] = words else { panic!("no command") };
    let mut arguments = vec![(*name).as_ref(), "--config".as_ref(), config.as_os_str()];
    arguments.extend(operands.iter().map(|word| std::ffi::OsStr::new(*word)));
    let output = crate::fixture::portreeved(&arguments);
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

fn edit(config: &str) -> String {
    format!("<edit-config><target><running/></target><config>{config}</config></edit-config>")
}

fn entry(number: u32, text: &str) -> String {
    format!(
        "<texts xmlns=\"urn:example:texts\"><entry><number>{number}</number><text>{text}</text></entry></texts>"
    )
}

/// The sections that the tests add.
const NETCONF: &str = "[netconf]\nrecovery = [\"ops\"]\n";
const HELLO: &str = "<hello xmlns=\"urn:ietf:params:xml:ns:netconf:base:1.0\"><capabilities>\
    <capability>urn:ietf:params:netconf:base:1.0</capability></capabilities></hello>";
