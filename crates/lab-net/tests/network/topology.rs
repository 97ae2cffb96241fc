//! Namespaces, addresses, offloads, and programs in namespaces.

use std::fs;
use std::net::UdpSocket;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use portreeve_lab_net::{Capture, Detail, Pair, Place, Topology};

use crate::support::{Echo, client, isolated, pair, round_trip, transfer};

#[test]
fn first_datagram_is_answered_over_ipv4_and_ipv6() {
    // The first datagram would be lost if an address or a port were not ready.
    for _ in 0..5 {
        let Some((topology, _cleaner)) = isolated() else { return };
        let addresses = [Some(topology.agent_v4()), topology.agent_v6()];
        for address in addresses.into_iter().flatten() {
            let echo = Echo::start(topology.agent(), address);
            round_trip(&client(topology.manager(), echo.address), b"request");
        }
    }
}

#[test]
fn programs_and_threads_run_in_their_namespace() {
    let Some((topology, _cleaner)) = isolated() else { return };
    let own = fs::read_link("/proc/thread-self/ns/net").unwrap();
    let link = || fs::read_link("/proc/thread-self/ns/net").unwrap();
    let manager = topology.manager().run(link).unwrap();
    let agent = topology.agent().spawn_thread(link).unwrap().join().unwrap().unwrap();
    assert!(own != manager && manager != agent && agent != own);
    assert_eq!(link(), own, "the calling thread stays");
    let mut command = Command::new("readlink");
    command.arg("/proc/self/ns/net").stdout(Stdio::piped());
    let output = topology.agent().spawn(command).unwrap().wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), agent.to_str().unwrap());
    assert!(topology.agent().spawn(Command::new("/nonexistent")).is_err());
    let path = fs::read_link(topology.agent().namespace_path()).unwrap();
    assert_eq!(path, agent);
}

#[test]
fn frames_of_large_transfer_are_not_larger_than_mtu() {
    let Some((topology, _cleaner)) = isolated() else { return };
    let capture = Capture::start(&topology, Detail::Headers).unwrap();
    let (port, _) = transfer(&topology, 1_000_000);
    let captured = capture.take().unwrap();
    assert!(captured.is_complete());
    let largest = captured.frames().iter().map(|frame| frame.octets).max();
    assert_eq!(largest, Some(1514));
    let payload: usize = captured.frames().iter().filter_map(|frame| Some(frame.packet?.payload_len)).sum();
    assert!(captured.totals_of_port(port).frames_to_agent >= 1_000_000 / 1448 && payload >= 1_000_000);
}

#[test]
fn idle_network_carries_no_frames() {
    let Some((topology, _cleaner)) = isolated() else { return };
    let capture = Capture::start(&topology, Detail::Headers).unwrap();
    let echo = Echo::start(topology.agent(), topology.agent_v4());
    let socket = client(topology.manager(), echo.address);
    for _ in 0..10 {
        round_trip(&socket, b"request");
    }
    // The kernel sends announcements during the first seconds after an interface is active.
    thread::sleep(Duration::from_secs(3));
    let captured = capture.take().unwrap();
    let strange: Vec<_> =
        captured.frames().iter().filter(|frame| !frame.has_port(echo.address.port())).collect();
    assert_eq!(captured.totals_of_port(echo.address.port()).frames(), 20);
    assert!(strange.is_empty(), "for example ARP: {strange:?}");
}

#[test]
fn topologies_at_the_same_time_do_not_conflict() {
    let Some((first, _cleaner)) = isolated() else { return };
    let Some((second, _cleaner)) = isolated() else { return };
    let exchange = |topology: &Topology| {
        let echo = Echo::start(topology.agent(), topology.agent_v4());
        round_trip(&client(topology.manager(), echo.address), b"request");
        assert_eq!(echo.stop(), 1);
    };
    exchange(&first);
    exchange(&second);
}

#[test]
fn processes_and_namespaces_end_when_topology_is_dropped() {
    let Some((topology, _cleaner)) = isolated() else { return };
    let mut command = Command::new("sh");
    command.args(["-c", "setsid sleep 1000 & echo started; wait"]).stdout(Stdio::piped());
    let mut child = topology.agent().spawn(command).unwrap();
    let mut line = String::new();
    use std::io::BufRead;
    std::io::BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let namespace = fs::read_link(topology.agent().namespace_path()).unwrap();
    assert!(!crate::clean_up::processes_in(&namespace).is_empty());
    drop(topology);
    assert_eq!(crate::clean_up::processes_in(&namespace), Vec::<u32>::new());
    assert!(!child.wait().unwrap().success());
}

#[test]
fn pair_connects_client_and_server_without_named_namespaces() {
    let Some((pair, _cleaner)) = pair() else { return };
    let named = || fs::read_dir("/run/netns").map_or(0, Iterator::count);
    let before = named();
    let echo = Echo::start(pair.server(), Pair::SERVER.into());
    let socket = pair.client().run(|| UdpSocket::bind((Pair::CLIENT, 0)).unwrap()).unwrap();
    socket.connect(echo.address).unwrap();
    round_trip(&socket, b"request");
    assert_eq!(named(), before);
}

#[test]
fn command_of_place_shows_interfaces_of_its_namespace_below_sys() {
    let Some((pair, _cleaner)) = pair() else { return };
    pair.set_interfaces(5).unwrap();
    let list = |place: &Place| {
        let output = place.command("ls").arg("/sys/class/net").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let server = list(pair.server());
    assert!(server.contains(&Pair::INTERFACE.to_owned()) && server.contains(&"odd".to_owned()), "{server:?}");
    assert_eq!(server.iter().filter(|name| name.starts_with("idle")).count(), 2, "{server:?}");
    assert!(list(pair.client()).contains(&"odd".to_owned()), "the odd interface has its peer there");
}
