use std::{
    collections::BTreeSet,
    env, fs,
    io::Write,
    net::UdpSocket,
    path::PathBuf,
    process::{Command, Stdio},
    sync::{Mutex, mpsc},
    thread,
    time::{Duration, Instant},
};

use super::*;
use crate::interfaces::{IfSnapshot, Interface, LinkChange, LinkEvents, OperStatus};

#[test]
fn kernel_lists_loopback_as_interface_1() {
    let snapshot = read();
    let loopback = snapshot.interface(1).unwrap();
    assert_eq!(loopback.link.name, b"lo");
    assert_eq!(loopback.if_type, 24);
    assert_eq!(loopback.physical_address(), b"");
    assert!(snapshot.interfaces.is_sorted_by_key(|row| row.index));
}

#[test]
fn loopback_counters_increase_after_traffic() {
    if !enter_test_namespace("loopback_counters_increase_after_traffic") {
        return;
    }
    ip("link set lo up");
    let before = read().interface(1).unwrap().link.counters;
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    for _ in 0..10 {
        socket.send_to(&[0; 100], socket.local_addr().unwrap()).unwrap();
    }
    let after = read().interface(1).unwrap().link.counters;
    assert!(after.in_octets >= before.in_octets + 10 * 128, "{before:?} {after:?}");
    assert!(after.out_packets >= before.out_packets + 10, "{before:?} {after:?}");
}

#[test]
fn interface_stack_of_bridge_veth_and_macvlan_is_read_from_kernel() {
    if !enter_test_namespace("interface_stack_of_bridge_veth_and_macvlan_is_read_from_kernel") {
        return;
    }
    for command in [
        "link add left type veth peer name right",
        "link add bridge type bridge",
        "link set left master bridge",
        "link add mac link right type macvlan",
        "link set left alias roof",
        "link set left up",
        "link set right up",
        "link set right promisc on",
    ] {
        ip(command);
    }
    let snapshot = read_until(|snapshot| find_interface(snapshot, "left").link.status == OperStatus::Up);
    let index = |name: &str| if name.is_empty() { 0 } else { find_interface(&snapshot, name).link.index };
    let pairs = [
        ("", "lo"),
        ("lo", ""),
        ("", "bridge"),
        ("bridge", "left"),
        ("left", ""),
        ("", "mac"),
        ("mac", "right"),
        ("right", ""),
    ];
    let mut expected = pairs.map(|(higher, lower)| [index(higher), index(lower)]);
    expected.sort_unstable();
    assert_eq!(snapshot.stack.iter().map(|entry| entry.index).collect::<Vec<_>>(), expected);

    assert_eq!(find_interface(&snapshot, "bridge").if_type, 209);
    let left = find_interface(&snapshot, "left");
    assert_eq!(left.alias(), b"roof");
    assert_eq!(left.if_type, 6);
    assert_eq!(left.physical_address().len(), 6);
    assert_eq!(left.link.speed, 10_000_000_000);
    assert!(left.link.admin_up && !left.link.device);
    assert!(find_interface(&snapshot, "right").link.promiscuous);
    assert!(!find_interface(&snapshot, "mac").link.admin_up);
}

#[test]
fn hundred_interfaces_are_read_from_several_datagrams() {
    if !enter_test_namespace("hundred_interfaces_are_read_from_several_datagrams") {
        return;
    }
    for number in 0..50 {
        ip(&format!("link add l{number} type veth peer name r{number}"));
    }
    let mut kernel = KernelLinkSource::open().unwrap();
    let started = Instant::now();
    let snapshot = collect(&mut kernel);
    println!("101 interfaces read in {:?}", started.elapsed());
    assert_eq!(snapshot.interfaces.len(), 101);
}

/// Reruns the test with this name in a separate network namespace. Returns true if the current
/// process is the rerun.
fn enter_test_namespace(test: &str) -> bool {
    if env::var_os(NAMESPACE_ENV).is_some() {
        return true;
    }
    let test = format!("{}::{test}", module_path!().split_once("::").unwrap().1);
    let isolated = ["--user", "--map-root-user", "--net"];
    let succeeds = |command: &mut Command| {
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    if !succeeds(Command::new("unshare").args(isolated).args(["ip", "link", "set", "lo", "up"])) {
        println!("skipped: {test} needs unshare, ip and the right to create a network namespace");
        return false;
    }
    let status = Command::new("unshare")
        .args(isolated)
        .arg(env::current_exe().unwrap())
        .args(["--exact", &test, "--nocapture"])
        .env(NAMESPACE_ENV, "1")
        .status()
        .unwrap();
    assert!(status.success(), "{test} failed in its namespace");
    false
}

fn ip(arguments: &str) {
    let status = Command::new("ip").args(arguments.split(' ')).status().unwrap();
    assert!(status.success(), "ip {arguments}");
}

fn read() -> IfSnapshot {
    collect(&mut KernelLinkSource::open().unwrap())
}

/// Reads until `done` returns true, because a carrier comes up a moment after the command.
fn read_until(done: impl Fn(&IfSnapshot) -> bool) -> IfSnapshot {
    for _ in 0..200 {
        let snapshot = read();
        if done(&snapshot) {
            return snapshot;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("condition not met within two seconds")
}

fn find_interface<'a>(snapshot: &'a IfSnapshot, name: &str) -> &'a Interface {
    snapshot.interfaces.iter().find(|row| row.link.name == name.as_bytes()).unwrap()
}

fn collect(kernel: &mut KernelLinkSource) -> IfSnapshot {
    let mut snapshot = IfSnapshot::default();
    snapshot.refill(|links| kernel.read(links)).unwrap();
    snapshot
}

const NAMESPACE_ENV: &str = "PORTREEVE_TEST_NAMESPACE";

#[test]
fn link_events_report_down_and_up_of_veth() {
    if !enter_test_namespace("link_events_report_down_and_up_of_veth") {
        return;
    }
    for command in ["link add left type veth peer name right", "link set left up", "link set right up"] {
        ip(command);
    }
    let (sender, changes) = mpsc::channel();
    let report = move |change| sender.send((change, Instant::now())).unwrap();
    let events =
        LinkEvents::start(report, |error| panic!("{error}"), portreeve_smi::Timestamp::default).unwrap();
    for (command, name) in [("link set left down", "linkDown"), ("link set left up", "linkUp")] {
        let start = Instant::now();
        ip(command);
        let received = loop {
            let (change, received) = changes.recv_timeout(Duration::from_secs(20)).unwrap();
            if change.name == b"left" && change.notification().is_some_and(|object| object.name == name) {
                break received;
            }
        };
        println!("{name} after {:?}, including the start of ip", received - start);
    }
    drop(events);
    while changes.try_recv().is_ok() {}
    assert_eq!(changes.try_recv(), Err(mpsc::TryRecvError::Disconnected));
}

#[test]
fn link_events_sleep_while_nothing_changes() {
    if !enter_test_namespace("link_events_sleep_while_nothing_changes") {
        return;
    }
    let _events =
        LinkEvents::start(|_| (), |error| panic!("{error}"), portreeve_smi::Timestamp::default).unwrap();
    let start = wakeups_of("link-events");
    thread::sleep(Duration::from_millis(1500));
    let wakeups = wakeups_of("link-events") - start;
    assert!(wakeups < 4, "{wakeups}");
}

/// Returns how often the thread of this name has waited for something. A thread that has just been
/// started may not have its name yet.
fn wakeups_of(thread: &str) -> u64 {
    let is_named =
        |task: &PathBuf| fs::read_to_string(task.join("comm")).is_ok_and(|comm| comm.trim() == thread);
    for _ in 0..2000 {
        let mut tasks = fs::read_dir("/proc/self/task").unwrap().map(|task| task.unwrap().path());
        if let Some(task) = tasks.find(is_named) {
            let status = fs::read_to_string(task.join("status")).unwrap();
            let line = status.lines().find(|line| line.starts_with("voluntary_ctxt_switches")).unwrap();
            return line.split_whitespace().nth(1).unwrap().parse().unwrap();
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("no thread {thread}")
}

#[test]
fn link_events_report_burst_of_1000_interfaces() {
    if !enter_test_namespace("link_events_report_burst_of_1000_interfaces") {
        return;
    }
    let batch = |line: fn(u32) -> String| {
        let commands: String = (0..500).map(line).collect();
        let mut child = Command::new("ip").args(["-batch", "-"]).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(commands.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
    };
    batch(|nth| {
        format!("link add l{nth} type veth peer name r{nth}\nlink set l{nth} up\nlink set r{nth} up\n")
    });
    read_until(|all| all.interfaces.iter().filter(|row| row.link.status == OperStatus::Up).count() == 1000);
    let (sender, changes) = mpsc::channel();
    let (block, blocked) = mpsc::channel::<()>();
    let blocked = Mutex::new(blocked);
    // The first report waits until all interfaces are down, so that the socket overruns.
    let report = move |change: LinkChange| {
        let _ = blocked.lock().unwrap().recv();
        sender.send(change).unwrap();
    };
    let _events =
        LinkEvents::start(report, |error| panic!("{error}"), portreeve_smi::Timestamp::default).unwrap();
    let started = Instant::now();
    batch(|nth| format!("link set l{nth} down\nlink set r{nth} down\n"));
    println!("ip took {:?}", started.elapsed());
    drop(block);
    let mut down = BTreeSet::new();
    while down.len() < 1000 {
        let change = changes.recv_timeout(Duration::from_secs(60)).unwrap();
        if change.notification().is_some_and(|object| object.name == "linkDown") {
            assert!(down.insert(change.if_index), "{change:?}");
        }
    }
    println!("1000 changes reported in {:?}", started.elapsed());
}
