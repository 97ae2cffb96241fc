//! A storm of informs and traps.

use std::{
    collections::HashSet,
    net::UdpSocket,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use portreeve_smi::{MessageProcessingModel, OidRef, Value, ber::ForwardWriter, ber::ReverseWriter};
use portreeve_snmp_message::{PduType, prepend_community_message, prepend_pdu};

use crate::site::{Site, TRAP_OID, UP_TIME};

const RATE: u32 = 10_000;
const SOURCES: u32 = 4;
/// The growth of the memory of the process, for a queue of 1 MiB.
const MAX_GROWTH: u64 = 64 << 20;

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
                let (number, status) = request_id_and_status(&response[..length]);
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
        socket.send(&message(source * RATE + number)).unwrap();
    }
    Sent { sent: total as usize, acknowledged: reader.join().unwrap() }
}

/// Returns a notification with this number as its request-id and in a variable.
fn message(number: u32) -> Vec<u8> {
    let mut variables = vec![0; 200];
    let mut writer = ForwardWriter::new(&mut variables);
    let kind = OidRef::Arcs(&[1, 3, 6, 1, 6, 3, 1, 1, 5, 1]);
    writer.var_bind(UP_TIME, &Value::TimeTicks(1)).unwrap();
    writer.var_bind(TRAP_OID, &Value::ObjectId(kind)).unwrap();
    let name = format!("number {number}.");
    writer.var_bind(&[1, 3, 6, 1, 2, 1, 1, 5, 0], &Value::OctetString(name.as_bytes())).unwrap();
    let mut octets = vec![0; 300];
    let pdu_type = if number % 4 == 3 { PduType::TrapV2 } else { PduType::InformRequest };
    let length = writer.len();
    let mut writer = ReverseWriter::new(&mut octets);
    writer.raw(&variables[..length]).unwrap();
    prepend_pdu(&mut writer, pdu_type, i32::try_from(FIRST_ID + number).unwrap(), 0, 0).unwrap();
    prepend_community_message(&mut writer, MessageProcessingModel::V2c, b"public").unwrap();
    writer.written().to_vec()
}

/// Returns the number and the error-status of a response, whose lengths are all below 128 or have
/// one octet more.
fn request_id_and_status(response: &[u8]) -> (u32, u8) {
    let position = response.windows(2).position(|octets| octets == [2, 4]).unwrap();
    let id = u32::from_be_bytes(response[position + 2..position + 6].try_into().unwrap());
    (id - FIRST_ID, response[position + 8])
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

/// The first request-id, whose encoding has four octets.
const FIRST_ID: u32 = 0x4000_0000;
