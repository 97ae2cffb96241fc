//! After each kind of work, memory and descriptors are where they were (reliability line Z, and T1 of streams).

use std::net::TcpStream;
use std::time::{Duration, Instant};

use portreeve_mib::modules::{snmpv2_mib::*, snmpv2_smi::MIB_2};
use portreeve_snmp_manager::{Operation, Progress, Request, Walk, WalkOptions};

use crate::fixture::{Home, Levels, Manager, can_hold_many_connections, ops, wait_until};

#[test]
fn z_a_thousand_idle_connections_keep_nobody_out_and_leave_nothing_behind() {
    if !can_hold_many_connections() {
        return;
    }
    let home = Home::with("z-idle", "[limits]\nconnections-per-source = 2000\n");
    let agent = home.run();
    Manager::open(&home.tcp(), ops()).text(&SYS_NAME);
    let before = Levels::of(&agent);
    let idle = connect(&home, 1000);
    wait_until("all connections", || agent.descriptors() >= before.descriptors + 1000);
    let start = Instant::now();
    Manager::open(&home.tcp(), ops()).text(&SYS_NAME);
    let login = start.elapsed();
    assert!(login < Duration::from_secs(1), "the login took {login:?}");
    drop(idle);
    wait_until("their end", || agent.descriptors() <= before.descriptors);
    Levels::of(&agent).assert_back_to(before);
}

#[test]
fn z_at_the_bound_of_one_source_its_oldest_idle_connection_goes() {
    if !can_hold_many_connections() {
        return;
    }
    let home = Home::with("z-bound", "[limits]\nconnections-per-source = 50\n");
    let agent = home.run();
    let before = Levels::of(&agent).descriptors;
    let mut old = Manager::open(&home.tcp(), ops());
    old.text(&SYS_NAME);
    let _idle = connect(&home, 1000);
    // One that has shown who it is stays.
    old.text(&SYS_NAME);
    wait_until("the bound", || agent.descriptors() <= before + 50);
    let start = Instant::now();
    Manager::open(&home.tcp(), ops()).text(&SYS_NAME);
    assert!(start.elapsed() < Duration::from_secs(1));
}

#[test]
fn z_a_silent_connection_is_closed_after_its_grace_time() {
    let home = Home::with("z-grace", "[limits]\ngrace = 1\n");
    let agent = home.run();
    let before = agent.descriptors();
    let idle = connect(&home, 20);
    wait_until("all connections", || agent.descriptors() >= before + 20);
    wait_until("the end of their grace", || agent.descriptors() == before);
    drop(idle);
}

#[test]
fn z_walks_and_sets_leave_nothing_behind() {
    let home = Home::with("z-work", "");
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
    let before = Levels::of(&agent);
    work(30);
    Levels::of(&agent).assert_back_to(before);
}

#[test]
fn z_reloads_leave_nothing_behind() {
    let home = Home::with("z-reload", "");
    let agent = home.run();
    (0..5).for_each(|_| agent.hang_up());
    let before = Levels::of(&agent);
    for _ in 0..50 {
        agent.hang_up();
        home.ops().text(&SYS_NAME);
    }
    Levels::of(&agent).assert_back_to(before);
}

/// All there is to see.
fn walk(manager: &mut Manager) {
    let options = WalkOptions { max_repetitions: Some(20), ..WalkOptions::default() };
    let mut walk = Walk::new(&MIB_2.oid(), options);
    let mut request = Request::new(Operation::Get);
    loop {
        walk.next_request(&mut request);
        let response = manager.client.request(&request).unwrap();
        if let Progress::Done(_) = walk.accept(&response, |_| {}).unwrap() {
            break;
        }
    }
    assert!(walk.found() > 50, "only {} variables", walk.found());
}

fn connect(home: &Home, count: usize) -> Vec<TcpStream> {
    (0..count).map(|_| TcpStream::connect(("127.0.0.1", home.port)).unwrap()).collect()
}
