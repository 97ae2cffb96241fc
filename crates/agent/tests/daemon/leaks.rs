//! After each kind of work, memory use and the number of descriptors return to their previous level
//! (attack Z, and T1 for streams).

use std::net::TcpStream;
use std::time::{Duration, Instant};

use portreeve_mib::modules::{snmpv2_mib::*, snmpv2_smi::MIB_2};
use portreeve_snmp_manager::{Operation, Request, Walk, WalkOptions, WalkProgress};

use crate::fixture::{Manager, ProcessUsage, TestHome, can_hold_many_connections, ops, wait_until};

#[test]
fn z_thousand_idle_connections_do_not_block_logins_or_leak_memory() {
    if !can_hold_many_connections() {
        return;
    }
    let home = TestHome::with("z-idle", "[limits]\nconnections-per-source = 2000\n");
    let agent = home.run();
    Manager::open(&home.tcp(), ops()).text(&SYS_NAME);
    let before = ProcessUsage::of(&agent);
    let idle = connect(&home, 1000);
    wait_until("all connections", || agent.descriptors() >= before.descriptors + 1000);
    let start = Instant::now();
    Manager::open(&home.tcp(), ops()).text(&SYS_NAME);
    let login = start.elapsed();
    assert!(login < MAX_LOGIN_TIME, "the login took {login:?}");
    drop(idle);
    wait_until("closed connections", || agent.descriptors() <= before.descriptors);
    before.assert_restored(&agent);
}

#[test]
fn z_limit_per_source_address_evicts_only_unauthenticated_connections() {
    if !can_hold_many_connections() {
        return;
    }
    let home = TestHome::with("z-bound", "[limits]\nconnections-per-source = 50\n");
    let agent = home.run();
    let before = ProcessUsage::of(&agent).descriptors;
    let mut old = Manager::open(&home.tcp(), ops());
    old.text(&SYS_NAME);
    let _idle = connect(&home, 1000);
    // An authenticated connection is not evicted.
    old.text(&SYS_NAME);
    wait_until("the limit", || agent.descriptors() <= before + 50);
    let start = Instant::now();
    Manager::open(&home.tcp(), ops()).text(&SYS_NAME);
    let login = start.elapsed();
    assert!(login < MAX_LOGIN_TIME, "the login took {login:?}");
}

#[test]
fn z_silent_connection_is_closed_after_grace_time() {
    let home = TestHome::with("z-grace", "[limits]\ngrace = 1\n");
    let agent = home.run();
    let before = agent.descriptors();
    let idle = connect(&home, 20);
    wait_until("all connections", || agent.descriptors() >= before + 20);
    wait_until("the end of the grace time", || agent.descriptors() == before);
    drop(idle);
}

#[test]
fn z_walks_and_sets_do_not_leak_memory_or_descriptors() {
    let home = TestHome::with("z-work", "");
    let agent = home.run();
    let work = |rounds: usize| {
        for round in 0..rounds {
            for address in [home.udp(), home.tcp()] {
                let mut manager = Manager::open(&address, ops());
                walk(&mut manager);
                manager.set_text(&SYS_CONTACT, &format!("round {round}")).unwrap();
            }
        }
    };
    work(3);
    let before = ProcessUsage::of(&agent);
    work(30);
    before.assert_restored(&agent);
}

#[test]
fn z_reloads_do_not_leak_memory_or_descriptors() {
    let home = TestHome::with("z-reload", "");
    let agent = home.run();
    (0..5).for_each(|_| agent.reload_and_wait());
    let before = ProcessUsage::of(&agent);
    for _ in 0..50 {
        agent.reload_and_wait();
        home.ops().text(&SYS_NAME);
    }
    before.assert_restored(&agent);
}

/// Walks all objects of the agent.
fn walk(manager: &mut Manager) {
    let options = WalkOptions { max_repetitions: Some(20), ..WalkOptions::default() };
    let mut walk = Walk::new(&MIB_2.oid(), options);
    let mut request = Request::new(Operation::Get);
    loop {
        walk.next_request(&mut request);
        let response = manager.client.request(&request).unwrap();
        if let WalkProgress::Done(_) = walk.accept(&response, |_| {}).unwrap() {
            break;
        }
    }
    assert!(walk.found() > 50, "only {} variables", walk.found());
}

fn connect(home: &TestHome, count: usize) -> Vec<TcpStream> {
    (0..count).map(|_| TcpStream::connect(("127.0.0.1", home.port)).unwrap()).collect()
}

/// More than a login needs on a loaded machine, and less than one that waits until idle connections
/// time out (`[limits] grace`).
const MAX_LOGIN_TIME: Duration = Duration::from_secs(10);
