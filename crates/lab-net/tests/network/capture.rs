//! Frames as the observer records them.

use std::fs::File;
use std::io::Cursor;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use portreeve_lab_net::pcap::{PcapReader, PcapWriter};
use portreeve_lab_net::{
    Capture, Captured, Detail, Direction, Packet, ScratchDirectory, Topology, Transport,
};

use crate::support::{Echo, client, isolated, round_trip, transfer};

#[test]
fn datagrams_are_counted_in_both_directions_with_ethernet_headers() {
    let Some((topology, _cleaner)) = isolated() else { return };
    let echo = Echo::start(topology.agent(), topology.agent_v4());
    let other = Echo::start(topology.agent(), topology.agent_v4());
    let capture = Capture::start(&topology, Detail::Headers).unwrap();
    let socket = client(topology.manager(), echo.address);
    round_trip(&socket, &[7; 100]);
    round_trip(&socket, &[7; 50]);
    round_trip(&client(topology.manager(), other.address), &[7; 9]);
    let captured = capture.take().unwrap();
    assert!(captured.is_complete());
    let totals = captured.totals_of_port(echo.address.port());
    assert_eq!((totals.frames_to_agent, totals.frames_to_manager), (2, 2));
    let octets = 2 * (14 + 20 + 8) + 150;
    assert_eq!((totals.octets_to_agent, totals.octets_to_manager), (octets, octets));
    let directions: Vec<Direction> = captured.frames().iter().map(|frame| frame.direction).collect();
    let exchange = [Direction::ToAgent, Direction::ToManager];
    assert_eq!(directions, exchange.repeat(3));
    assert!(captured.frames().is_sorted_by_key(|frame| frame.at));
    assert!(capture.take().unwrap().is_empty(), "each frame is returned once");
    capture.stop().unwrap();
}

#[test]
fn frames_of_a_device_are_counted_at_the_interface_that_routes_to_it() {
    let Some((topology, cleaner)) = isolated() else { return };
    let echo = Echo::start(topology.agent(), topology.agent_v4());
    let manager = topology.manager();
    // In the manager's namespace, the agent is a device on the network.
    let capture = manager.run(|| {
        let device = Topology::to_device(&cleaner, topology.agent_v4()).unwrap();
        assert!(device.has_observer() && !device.is_isolated());
        Capture::start(&device, Detail::Headers).unwrap()
    });
    let capture = capture.unwrap();
    round_trip(&client(manager, echo.address), &[7; 100]);
    // Frames from and to another address are not recorded.
    if let Some(address) = topology.agent_v6() {
        let other = Echo::start(topology.agent(), address);
        round_trip(&client(manager, other.address), &[7; 100]);
    }
    let captured = capture.take().unwrap();
    let found: Vec<_> = captured.frames().iter().map(|frame| (frame.direction, frame.octets)).collect();
    let octets = 14 + 20 + 8 + 100;
    assert_eq!(found, [(Direction::ToAgent, octets), (Direction::ToManager, octets)]);
}

#[test]
fn frames_to_this_machine_are_not_counted_at_an_interface() {
    let Some((topology, cleaner)) = isolated() else { return };
    let own = topology.manager().addresses()[0];
    let result = topology.manager().run(|| Topology::to_device(&cleaner, own).map(drop)).unwrap();
    let error = result.unwrap_err();
    assert_eq!(error.reason(), format!("{own} is an address of this machine"));
}

#[test]
fn fragments_are_attributed_to_ports_of_their_datagram() {
    let Some((topology, _cleaner)) = isolated() else { return };
    for address in [Some(topology.agent_v4()), topology.agent_v6()].into_iter().flatten() {
        let echo = Echo::start(topology.agent(), address);
        let capture = Capture::start(&topology, Detail::Headers).unwrap();
        round_trip(&client(topology.manager(), echo.address), &[7; 4000]);
        let captured = capture.take().unwrap();
        let totals = captured.totals_of_port(echo.address.port());
        assert_eq!((totals.frames_to_agent, totals.frames_to_manager), (3, 3), "{address}");
        let packets: Vec<_> = captured.frames().iter().map(|frame| frame.packet.unwrap()).collect();
        let payload: usize = packets.iter().map(|packet| packet.payload_len).sum();
        assert_eq!(payload, 2 * 4000);
        let later =
            packets.iter().filter(|packet| matches!(packet.transport, Transport::LaterFragment { .. }));
        assert_eq!(later.count(), 4);
    }
}

#[test]
fn tcp_connection_is_recorded_from_syn_to_last_acknowledgment() {
    let Some((topology, _cleaner)) = isolated() else { return };
    let capture = Capture::start(&topology, Detail::Headers).unwrap();
    let (port, _) = transfer(&topology, 10);
    let captured = capture.take_when_quiet(Duration::from_millis(200), Duration::from_secs(10)).unwrap();
    let segments: Vec<_> = captured
        .frames()
        .iter()
        .filter(|frame| frame.has_port(port))
        .map(|frame| match frame.packet.unwrap().transport {
            Transport::Tcp(tcp) => {
                (frame.direction, tcp.flags.to_string(), frame.packet.unwrap().payload_len)
            }
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(segments[0], (Direction::ToAgent, "SYN".to_owned(), 0));
    assert_eq!(segments[1], (Direction::ToManager, "SYN ACK".to_owned(), 0));
    assert_eq!(segments[2], (Direction::ToAgent, "ACK".to_owned(), 0));
    assert_eq!(segments.last(), Some(&(Direction::ToAgent, "ACK".to_owned(), 0)));
    assert_eq!(segments.iter().filter(|segment| segment.1.contains("FIN")).count(), 2);
    assert_eq!(segments.iter().map(|segment| segment.2).sum::<usize>(), 10);
}

#[test]
fn capture_that_does_not_become_quiet_is_an_error() {
    let Some((topology, _cleaner)) = isolated() else { return };
    let echo = Echo::start(topology.agent(), topology.agent_v4());
    let socket = client(topology.manager(), echo.address);
    let capture = Capture::start(&topology, Detail::Headers).unwrap();
    let is_done = AtomicBool::new(false);
    let result = thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Relaxed) {
                round_trip(&socket, b"again");
                thread::sleep(Duration::from_millis(5));
            }
        });
        let result = capture.take_when_quiet(Duration::from_millis(100), Duration::from_millis(500));
        is_done.store(true, Relaxed);
        result.map(drop)
    });
    assert_eq!(result.unwrap_err().to_string(), "frames still arrive after 0.5 s");
}

#[test]
fn recorded_octets_are_written_to_file_and_read_back() {
    let Some((topology, _cleaner)) = isolated() else { return };
    let echo = Echo::start(topology.agent(), topology.agent_v4());
    let capture = Capture::start(&topology, Detail::Octets).unwrap();
    round_trip(&client(topology.manager(), echo.address), b"contents of the datagram");
    let captured = capture.take().unwrap();
    let mut file = PcapWriter::new(Vec::new()).unwrap();
    captured.write(&mut file).unwrap();
    let file = file.finish().unwrap();
    let mut reader = PcapReader::new(Cursor::new(&file)).unwrap();
    for expected in captured.frames() {
        let frame = reader.next_frame().unwrap().unwrap();
        assert_eq!((frame.at, frame.length), (expected.at, expected.octets));
        let packet = frame.decode().unwrap();
        assert_eq!(Some(packet), expected.packet);
        assert_eq!(packet.payload(frame.octets), b"contents of the datagram");
    }
    assert!(reader.next_frame().unwrap().is_none());
    // The same records are read from the file.
    let mut reader = PcapReader::new(Cursor::new(&file)).unwrap();
    let direction = |_: &Packet, ports: Option<(u16, u16)>| {
        let to_agent = ports?.1 == echo.address.port();
        Some(if to_agent { Direction::ToAgent } else { Direction::ToManager })
    };
    let read = Captured::read(&mut reader, Detail::Octets, direction).unwrap();
    assert!(read.with_octets().eq(captured.with_octets()));
}

#[test]
fn written_file_is_read_by_tcpdump() {
    if Command::new("tcpdump").arg("--version").output().is_err() {
        println!("skipped: tcpdump is not installed");
        return;
    }
    let Some((topology, cleaner)) = isolated() else { return };
    let echo = Echo::start(topology.agent(), topology.agent_v4());
    let capture = Capture::start(&topology, Detail::Octets).unwrap();
    round_trip(&client(topology.manager(), echo.address), &[7; 33]);
    let scratch = ScratchDirectory::new(&cleaner).unwrap();
    let path = scratch.path().join("frames.pcap");
    let mut file = PcapWriter::new(File::create(&path).unwrap()).unwrap();
    capture.take().unwrap().write(&mut file).unwrap();
    file.finish().unwrap();
    let output =
        Command::new("tcpdump").args(["-nn", "-tt", "--nano", "-v", "-r"]).arg(&path).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let port = echo.address.port();
    assert!(text.contains(&format!(" > 10.101.0.2.{port}: UDP, length 33")), "{text}");
    assert!(text.contains(&format!(" 10.101.0.2.{port} > 10.101.0.1.")), "{text}");
}

#[test]
fn hundred_thousand_frames_are_recorded_without_loss() {
    let Some((topology, _cleaner)) = isolated() else { return };
    let echo = Echo::start(topology.agent(), topology.agent_v4());
    let capture = Capture::start(&topology, Detail::Headers).unwrap();
    let manager = topology.manager();
    let exchange = || {
        let socket = client(manager, echo.address);
        for _ in 0..25_000 {
            round_trip(&socket, &[7; 40]);
        }
    };
    thread::scope(|scope| {
        scope.spawn(exchange);
        scope.spawn(exchange);
    });
    let captured = capture.take().unwrap();
    assert!(captured.is_complete(), "{} dropped", captured.dropped);
    assert_eq!(captured.totals_of_port(echo.address.port()).frames(), 100_000);
}
