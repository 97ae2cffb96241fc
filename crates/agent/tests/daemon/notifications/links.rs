//! Changes of interfaces, in a network namespace of their own.

use std::{
    env,
    process::{Command, Stdio},
    time::Instant,
};

use portreeve_smi::TransportDomain;

use crate::fixture::{NotificationReceiver, NotificationSite, wait_until};

#[test]
fn link_changes_are_sent_once_to_each_target_with_several_workers() {
    let test = "link_changes_are_sent_once_to_each_target_with_several_workers";
    if !enter_namespace(test) {
        return;
    }
    for arguments in [
        "link set lo up",
        "link add changing type veth peer other",
        "link set other up",
        "link set changing up",
    ] {
        ip(arguments);
    }
    let site = NotificationSite::new("notify-links");
    let config = std::fs::read_to_string(site.agent.home.config()).unwrap();
    site.agent.home.write(&config.replace("workers = 2", "workers = 4"));
    let receiver = site.receiver();
    let targets = site.target("ssh", &receiver, TransportDomain::Ssh, "")
        + &site.target("tls", &receiver, TransportDomain::Tls, "kind = \"trap\"\n")
        + &site.target("udp", &receiver, TransportDomain::Udp, "user = \"traps\"\n");
    let _agent = site.run(&targets);
    receiver.await_count(3);
    for (arguments, name) in [
        ("link set changing down", LINK_DOWN),
        ("link set changing up", LINK_UP),
        ("link set changing down", LINK_DOWN),
    ] {
        let before = receiver.arrivals().len();
        let start = Instant::now();
        ip(arguments);
        receiver.await_count(before + 3);
        // A goal on an idle machine is 100 ms; the lab measures it.
        println!("{arguments}: at all targets after {:?}", start.elapsed());
        let arrivals = receiver.arrivals().split_off(before);
        for arrival in &arrivals {
            let [_, admin, oper] = arrival.integers[..] else { panic!("{arrival:?}") };
            // The interface that comes up waits for its peer at first.
            let is_expected =
                if name == LINK_DOWN { (admin, oper) == (2, 2) } else { admin == 1 && oper != 2 };
            assert!(arrival.name == name && is_expected, "{arrivals:?}");
        }
    }
    wait_until("acknowledgements", || site.status().matches(r#""acknowledged":4,"#).count() == 2);
    assert_eq!(count(&receiver, LINK_DOWN), 6, "two changes, three targets");
    assert_eq!(count(&receiver, LINK_UP), 3);
}

fn count(receiver: &NotificationReceiver, name: &str) -> usize {
    receiver.arrivals().iter().filter(|arrival| arrival.name == name).count()
}

/// Runs the test with this name again in a network namespace of its own. Returns true if this
/// process is that run.
fn enter_namespace(test: &str) -> bool {
    if env::var_os(NAMESPACE).is_some() {
        return true;
    }
    let is_possible = Command::new("unshare")
        .args(["--net", "ip", "link", "add", "changing", "type", "veth", "peer", "other"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !is_possible {
        println!("skipped: {test} needs unshare, ip and the right to create a network namespace");
        return false;
    }
    let name = format!("{}::{test}", module_path!().split_once("::").unwrap().1);
    let mut again = Command::new("unshare");
    again.arg("--net").arg(env::current_exe().unwrap()).args(["--exact", &name, "--nocapture"]);
    assert!(again.env(NAMESPACE, "1").status().unwrap().success(), "{test} failed in its namespace");
    false
}

fn ip(arguments: &str) {
    let status = Command::new("ip").args(arguments.split(' ')).status().unwrap();
    assert!(status.success(), "ip {arguments}");
}

const NAMESPACE: &str = "PORTREEVE_TEST_NAMESPACE";
const LINK_DOWN: &str = "1.5.3";
const LINK_UP: &str = "1.5.4";
