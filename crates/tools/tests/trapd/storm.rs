//! A storm of informs and traps.

use std::{
    collections::HashSet,
    net::UdpSocket,
    ops::Range,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use portreeve_snmp_message::PduType;

use crate::{
    full_pipe::FullPipe,
    site::Site,
    wire::{DISCOVERY, long_trap_v1, notification, number_and_status},
};

const QUEUE_SIZE: usize = 8 << 20;
/// The number of traps that are sent before the receiver must have handled them.
const BATCH: u32 = 100;
const RATE: u32 = 10_000;
const SOURCES: u32 = 4;
/// The growth of the memory of the process, for a queue of 1 MiB.
const MAX_GROWTH: u64 = 16 << 20;

#[test]
fn storm_is_acknowledged_only_as_written_and_the_rest_is_counted() {
    let site = Site::new("storm", "");
    site.replace("[receive]\n", "[receive]\nqueue-size = 1048576\n");
    let receiver = site.run();
    let before = resident(receiver.id());
    let threads: Vec<_> = (0..SOURCES)
        .map(|source| {
            let port = site.port;
            thread::spawn(move || send(source, port))
        })
        .collect();
    let results: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    let growth = resident(receiver.id()).saturating_sub(before);
    assert!(growth < MAX_GROWTH, "the memory grows by {growth} octets");
    let log = receiver.end();
    let text = site.text_of("traps.log");
    let written: HashSet<u32> = text
        .lines()
        .map(|line| line.split_once("number ").unwrap().1.split_once('.').unwrap().0.parse().unwrap())
        .collect();
    assert_eq!(text.lines().count(), written.len(), "nothing is written twice");
    let mut discarded = 0;
    for (source, result) in (0..).zip(&results) {
        assert!(result.acknowledged.is_subset(&written), "acknowledged before it is written");
        let of_source = |number: &&u32| **number / RATE == source;
        let lost = result.sent - written.iter().filter(of_source).count();
        let counted = count(
            &log,
            &format!("notifications discarded: the queue is full source=127.0.0.{} ", 2 + source),
        );
        assert!(counted <= lost, "{log}");
        discarded += counted;
    }
    let by_kernel = count(&log, "datagrams dropped by the kernel: the receive buffer was full ");
    let sent: usize = results.iter().map(|result| result.sent).sum();
    assert_eq!(written.len() + discarded + by_kernel, sent, "{log}");
    assert!(results.iter().any(|result| !result.acknowledged.is_empty()));
}

/// The largest notifications for their length on the wire are those with long identifiers.
#[test]
fn memory_of_waiting_notifications_is_bounded_by_the_queue_size() {
    let site = Site::new("memory", "");
    site.replace("[receive]\n", &format!("[receive]\nqueue-size = {QUEUE_SIZE}\n"));
    let _log = FullPipe::replace_log(&site);
    let receiver = site.run();
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.connect(("127.0.0.1", site.port)).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    // A few at a time, so that the socket does not overflow.
    let send = |numbers: Range<u32>| {
        numbers.for_each(|number| assert!(socket.send(&long_trap_v1(number)).is_ok()));
        socket.send(DISCOVERY).unwrap();
        socket.recv(&mut [0; 1000]).unwrap();
    };
    send(0..BATCH);
    let before = resident(receiver.id());
    // Their messages have as many octets as the queue; in memory, they are longer.
    let octets = long_trap_v1(0).len();
    let batches = u32::try_from(QUEUE_SIZE / octets).unwrap() / BATCH;
    (1..=batches).for_each(|batch| send(batch * BATCH..(batch + 1) * BATCH));
    let growth = resident(receiver.id()).saturating_sub(before);
    receiver.await_log(&["notifications discarded: the queue is full source=127.0.0.1"]);
    assert!(growth < QUEUE_SIZE as u64 * 5 / 4, "the memory grows by {growth} octets");
    assert!(growth > QUEUE_SIZE as u64 / 2, "the queue has only {growth} octets");
}

/// The notifications of one source.
struct Sent {
    sent: usize,
    /// The numbers of the informs that were acknowledged.
    acknowledged: HashSet<u32>,
}

/// Sends the share of one source in a second: informs, and every fourth time a trap.
fn send(source: u32, port: u16) -> Sent {
    let socket = UdpSocket::bind(format!("127.0.0.{}:0", 2 + source)).unwrap();
    socket.connect(("127.0.0.1", port)).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
    let socket = Arc::new(socket);
    let reader = {
        let socket = Arc::clone(&socket);
        thread::spawn(move || {
            let (mut acknowledged, mut response) = (HashSet::new(), [0; 1500]);
            while let Ok(length) = socket.recv(&mut response) {
                let (number, status) = number_and_status(&response[..length]);
                assert_eq!(status, 0);
                acknowledged.insert(number);
            }
            acknowledged
        })
    };
    let start = Instant::now();
    let total = RATE / SOURCES;
    for number in 0..total {
        let due = start + Duration::from_secs(1) * number / total;
        thread::sleep(due.saturating_duration_since(Instant::now()));
        let number = source * RATE + number;
        let message = match number % 4 {
            3 => long_trap_v1(number),
            _ => notification(PduType::InformRequest, number),
        };
        socket.send(&message).unwrap();
    }
    Sent { sent: total as usize, acknowledged: reader.join().unwrap() }
}

/// Adds the counts of the log lines of an event.
fn count(log: &str, event: &str) -> usize {
    let counts = log
        .lines()
        .filter_map(|line| line.split_once(event)?.1.split_once("count=")?.1.parse::<usize>().ok());
    counts.sum()
}

/// Returns the maximum resident memory of a process so far, in octets.
fn resident(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}
