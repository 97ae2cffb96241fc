use std::net::UdpSocket;
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{io, thread};

use super::*;
use crate::create_network_namespace;

/// Runs `test` on a thread in a new network namespace with an active loopback interface.
fn in_namespace(test: impl FnOnce() + Send + 'static) {
    let run = move || {
        let _namespace = create_network_namespace()?;
        let status = Command::new("ip").args(["link", "set", "lo", "up"]).status()?;
        assert!(status.success());
        test();
        Ok::<_, io::Error>(())
    };
    if let Err(error) = thread::spawn(run).join().unwrap() {
        println!("skipped: no network namespace can be created: {error}");
    }
}

#[test]
fn frames_are_received_once_with_length_time_and_first_octets() {
    in_namespace(|| {
        let mut capture = PacketSocket::open(1 << 20, 60).unwrap();
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        let before = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        socket.send_to(&[7; 100], socket.local_addr().unwrap()).unwrap();
        socket.send_to(&[8; 10], socket.local_addr().unwrap()).unwrap();
        // The loopback interface delivers before send_to returns.
        let mut frames = Vec::new();
        let mut handle = |frame: ReceivedFrame<'_>| {
            frames.push((frame.interface, frame.at, frame.length, frame.octets.to_vec()))
        };
        assert_eq!(capture.receive(&mut handle).unwrap(), 2);
        assert_eq!(capture.receive(&mut handle).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        let headers = 14 + 20 + 8;
        assert_eq!(frames[0].2, headers + 100);
        assert_eq!(frames[0].3.len(), 60, "only the first octets");
        assert_eq!(frames[1].2, headers + 10);
        assert_eq!(frames[1].3[headers..], [8; 10]);
        for (interface, at, ..) in frames {
            assert_eq!(interface, 1, "the loopback interface");
            let after = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
            assert!(at + Duration::from_secs(1) >= before && at <= after + Duration::from_secs(1), "{at:?}");
        }
        assert_eq!(capture.statistics().unwrap(), PacketStatistics { received: 2, dropped: 0 });
        assert_eq!(capture.statistics().unwrap(), PacketStatistics::default(), "counted once");
    });
}

#[test]
fn frames_that_do_not_fit_receive_buffer_are_counted_as_dropped() {
    in_namespace(|| {
        let mut capture = PacketSocket::open(4096, 60).unwrap();
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        for _ in 0..200 {
            socket.send_to(&[7; 1000], socket.local_addr().unwrap()).unwrap();
        }
        let mut kept = 0;
        while let Ok(number) = capture.receive(|_| {}) {
            kept += number;
        }
        let statistics = capture.statistics().unwrap();
        assert_eq!(statistics.received, 200);
        assert!(statistics.dropped > 0 && kept > 0, "{statistics:?}");
        assert_eq!(kept + statistics.dropped as usize, 200);
    });
}

#[test]
fn more_frames_than_one_call_receives_are_received_by_following_calls() {
    in_namespace(|| {
        let mut capture = PacketSocket::open(1 << 24, 60).unwrap();
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        for number in 0..=PacketSocket::MAX_FRAMES {
            socket.send_to(&[number as u8; 10], socket.local_addr().unwrap()).unwrap();
        }
        let mut last = Vec::new();
        assert_eq!(capture.receive(|_| {}).unwrap(), PacketSocket::MAX_FRAMES);
        assert_eq!(capture.receive(|frame| last = frame.octets[42..].to_vec()).unwrap(), 1);
        assert_eq!(last, [PacketSocket::MAX_FRAMES as u8; 10]);
    });
}
