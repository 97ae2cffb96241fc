//! The stored clocks of the senders of SNMPv3 traps.

use std::{net::UdpSocket, time::Duration};

use crate::{
    site::{Site, community, run_once, sender, user},
    small_disk::SmallDisk,
    wire::DISCOVERY,
};

/// Sends a trap of this sender, and returns whether it is written.
fn is_accepted(site: &Site, number: u8, boots: u32, time: u32) -> bool {
    let before = site.lines();
    site.trap_at(user(), sender(number), boots, time);
    // The receiver handles one message after the other.
    site.inform(community(true)).unwrap();
    site.lines() == before + 2
}

#[test]
fn genuine_traps_are_accepted_after_any_number_of_restarts() {
    let site = Site::new("restarts", "");
    for restart in 0..6 {
        let receiver = site.run();
        assert!(is_accepted(&site, 4, 7, 1000 + restart), "after {restart} restarts");
        receiver.kill();
    }
    let _receiver = site.run();
    assert!(!is_accepted(&site, 4, 7, 854), "older than the time window before the latest trap");
}

#[test]
fn clock_is_stored_as_it_is_when_the_program_ends() {
    let site = Site::new("exact", "");
    let receiver = site.run();
    assert!(is_accepted(&site, 4, 7, 1000));
    receiver.end();
    let receiver = site.run();
    // The limit is 850, and increases by one each second; 60 seconds ahead, it would be 910.
    assert!(is_accepted(&site, 4, 7, 900) && !is_accepted(&site, 4, 7, 849));
    receiver.end();
}

#[test]
fn clock_that_could_not_be_stored_is_logged_and_stored_later() {
    let site = Site::new("clock-disk", "");
    let Some(disk) = SmallDisk::mount(&site) else { return };
    site.replace("state-dir = \"state\"", "state-dir = \"disk/state\"");
    let receiver = site.run();
    disk.fill();
    let event =
        "cannot store the clocks of senders: after a restart, recorded traps of theirs are accepted again";
    // The last block of the file has room for some records.
    let number = (0..=u8::MAX).find(|number| {
        assert!(is_accepted(&site, *number, 7, 1000));
        receiver.log().contains(event)
    });
    let number = number.expect("the disk is full");
    disk.empty();
    assert!(is_accepted(&site, number.wrapping_add(1), 7, 1000));
    receiver.kill();
    let receiver = site.run();
    assert!(!is_accepted(&site, number, 7, 700), "its clock was stored with that of the other sender");
    assert!(!receiver.log().contains(event));
    receiver.kill();
}

#[test]
fn forgotten_senders_are_unknown_and_the_engine_of_the_receiver_stays() {
    let site = Site::new("forget", "");
    let receiver = site.run();
    assert!(is_accepted(&site, 4, 7, 1000) && is_accepted(&site, 5, 7, 1000));
    let engine_id = engine_id(&site);
    let forget = || run_once(&["--forget-senders", "--config"], &site.config());
    let (success, _, text) = forget();
    assert!(!success && text.contains("is in use by process"), "{text}");
    receiver.end();
    for expected in ["forgotten senders: 2\n", "forgotten senders: 0\n"] {
        assert_eq!(forget(), (true, expected.to_owned(), String::new()));
    }
    let _receiver = site.run();
    assert!(is_accepted(&site, 4, 6, 1000) && is_accepted(&site, 5, 7, 800));
    assert_eq!(self::engine_id(&site), engine_id);
}

/// Returns the engine ID of the receiver.
fn engine_id(site: &Site) -> Vec<u8> {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    socket.send_to(DISCOVERY, ("127.0.0.1", site.port)).unwrap();
    let mut report = [0; 1000];
    let length = socket.recv(&mut report).unwrap();
    let position = report[..length].windows(2).position(|octets| octets == [4, 13]).unwrap();
    report[position + 2..position + 15].to_vec()
}
