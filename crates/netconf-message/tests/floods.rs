//! Requests without end: the memory of the reader stays the same, however long they are.
//!
//! Each flood has 2 MB by default, and `PORTREEVE_FLOOD` megabytes in the long tests. The test is
//! alone in its process, so that the memory of the process is that of the reader.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

#[path = "edit/device.rs"]
#[expect(dead_code, reason = "the tests of edits use the rest")]
mod device;

use std::time::Duration;

use device::Device;
use portreeve_netconf_message::names::NETCONF;
use portreeve_netconf_message::rpc::RpcReader;

/// A request that consists of a start, and of a part that is repeated for ever.
struct Flood {
    name: &'static str,
    start: String,
    part: String,
    /// Number of megabytes after which the memory stays the same.
    settled: usize,
    is_refused: bool,
}

const MEGABYTE: usize = 1 << 20;

/// Number of floods with the whole length.
const LONG_FLOODS: usize = 2;

/// Growth that is not that of the reader: the allocator keeps some pages.
const MAX_GROWTH: usize = MEGABYTE;

fn floods() -> Vec<Flood> {
    let element = "<a b='c'>text &amp; more</a>";
    let text = "text ".repeat(100);
    let flood = |name, start: &str, part: &str, is_refused| Flood {
        name,
        start: start.to_owned(),
        part: part.to_owned(),
        settled: 1,
        is_refused,
    };
    let config = |name, start: &str, part: &str, is_refused| {
        let start = format!(
            "<edit-config><target><running/></target><config xmlns:h='urn:harbor' xmlns:l='urn:lights'>{start}"
        );
        flood(name, &start, part, is_refused)
    };
    let removed = "<h:berth operation='remove'><h:name>b</h:name></h:berth>";
    let entry = "<h:berth><h:name>a</h:name></h:berth>";
    vec![
        config("unknown subtree", "<h:nothing>", element, true),
        Flood { settled: 24, ..config("leaf without a length", "<h:harbor><l:color>", &text, true) },
        flood("unknown operation", "<nothing>", element, true),
        flood("unknown parameter", "<get><nothing>", element, true),
        flood("elements of a filter", "<get><filter>", element, true),
        flood("text in a filter", "<get><filter><a>", &text, true),
        flood("text in a parameter", "<edit-config><default-operation>", &text, true),
        flood("white space in a parameter", "<edit-config><default-operation>", " \n", false),
        flood("white space between elements", "<edit-config>", " \n", false),
        flood("comments", "<get>", "<!-- nothing -->", false),
        config("unknown namespace", "<nothing xmlns='urn:x'>", element, true),
        config("leaf with a length", "<h:harbor><h:berth><h:name>", &text, true),
        config("white space in a number", "<h:harbor><h:berth><h:name>a</h:name><h:depth>", " ", true),
        config("one leaf again and again", "<h:harbor>", "<l:color>x</l:color>", true),
        config("entries in a container that is removed", "<h:harbor operation='remove'>", entry, false),
        config("an entry that is removed again and again", "<h:harbor>", removed, true),
    ]
}

/// Returns the memory of the process in bytes.
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap();
    status.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

fn run(flood: &Flood, megabytes: usize) {
    let mut device = Device::new("<harbor><berth><name>a</name></berth></harbor>");
    let mut reader = RpcReader::default();
    let start = format!("<rpc xmlns='{NETCONF}' message-id='1'>{}", flood.start);
    reader.push(start.as_bytes(), &mut device).unwrap();
    let part = flood.part.repeat((64 << 10) / flood.part.len());
    let mut settled = None;
    for megabyte in 0..flood.settled + megabytes {
        if megabyte == flood.settled {
            settled = Some(memory());
        }
        for _ in 0..MEGABYTE / part.len() {
            reader.push(part.as_bytes(), &mut device).unwrap();
            if reader.is_refused() {
                device.pending = None;
            }
        }
        if let Some(settled) = settled {
            let growth = memory().saturating_sub(settled);
            assert!(growth < MAX_GROWTH, "{}: {growth} bytes more after {megabyte} MB", flood.name);
        }
    }
    assert_eq!(reader.is_refused(), flood.is_refused, "{}", flood.name);
}

#[test]
fn memory_does_not_grow_with_a_request() {
    let megabytes = std::env::var("PORTREEVE_FLOOD").map_or(2, |text| text.parse().unwrap());
    let start = std::time::Instant::now();
    for (index, flood) in floods().into_iter().enumerate() {
        let before = start.elapsed();
        let megabytes = if index < LONG_FLOODS { megabytes } else { (megabytes / 16).max(2) };
        run(&flood, megabytes);
        let time: Duration = start.elapsed() - before;
        println!("{}: {megabytes} MB in {time:.1?}, {} MB of memory", flood.name, memory() / MEGABYTE);
    }
}
