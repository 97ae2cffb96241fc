use portreeve_smi::EngineBoots;

use super::*;

const LATCHED: u32 = 0x7fff_ffff;

fn reading(boots: u32, time: u32) -> ClockReading {
    ClockReading { boots: EngineBoots::new(boots).unwrap(), time }
}

//= rfc3414#3.2-7a
//= type=test
#[test]
fn c9_request_is_timely_within_150_seconds() {
    let local = reading(5, 1000);
    let table = [
        (849, false),
        (850, true),
        (851, true),
        (999, true),
        (1000, true),
        (1001, true),
        (1149, true),
        (1150, true),
        (1151, false),
        (0, false),
        (0x7fff_ffff, false),
    ];
    for (time, timely) in table {
        assert_eq!(check_as_authoritative(local, reading(5, time)).is_ok(), timely, "{time}");
    }
    assert!(check_as_authoritative(reading(5, 10), reading(5, 0)).is_ok());
}

//= rfc3414#3.2-7a
//= type=test
#[test]
fn c10_request_with_other_or_latched_engine_boots_is_not_timely() {
    for boots in [0, 4, 6, LATCHED] {
        let result = check_as_authoritative(reading(5, 1000), reading(boots, 1000));
        assert_eq!(result, Err(UsmRejectReason::NotInTimeWindow), "{boots}");
    }
    let result = check_as_authoritative(reading(LATCHED, 1000), reading(LATCHED, 1000));
    assert_eq!(result, Err(UsmRejectReason::NotInTimeWindow));
}

/// A peer whose clock read `boots` and `time` at second 500.
fn peer(boots: u32, time: u32) -> PeerClock {
    let mut peer = PeerClock::default();
    peer.synchronize(reading(boots, time), Timestamp::from_secs(500));
    peer
}

//= rfc3414#3.2-7b2
//= type=test
#[test]
fn response_is_timely_up_to_150_seconds_behind_peer_clock() {
    // The peer's clock showed 1000 when its reading was received. Each row contains the seconds
    // since then, the time in the message, and the expected result.
    let table = [
        (0, 850, true),
        (0, 849, false),
        (149, 999, true),
        (150, 1000, true),
        (150, 999, false),
        (151, 1000, false),
        // The time is newer than the newest reading: the peer's clock is slow, and the estimate is
        // corrected.
        (151, 1001, true),
        (9999, 1001, true),
        (0, 9999, true),
    ];
    for (passed, time, timely) in table {
        let now = Timestamp::from_secs(500 + passed);
        let result = check_as_non_authoritative(&mut peer(5, 1000), reading(5, time), now);
        assert_eq!(result.is_ok(), timely, "{passed} {time}");
    }
    for (boots, timely) in [(0, false), (4, false), (6, true), (LATCHED, false)] {
        let now = Timestamp::from_secs(500);
        let result = check_as_non_authoritative(&mut peer(5, 1000), reading(boots, 1000), now);
        assert_eq!(result.is_ok(), timely, "{boots}");
    }
}

//= rfc3414#3.2-7b1
//= type=test
#[test]
fn peer_clock_is_updated_only_by_a_newer_boots_or_time_value() {
    let now = Timestamp::from_secs(510);
    let table = [
        // Each row contains the received boots and time, and the expected estimate afterwards.
        (5, 999, (5, 1010)),
        (5, 1000, (5, 1010)),
        (5, 1001, (5, 1001)),
        (5, 1200, (5, 1200)),
        (4, 9999, (5, 1010)),
        (6, 0, (6, 0)),
        (LATCHED, 7, (LATCHED, 7)),
    ];
    for (boots, time, (boots_after, time_after)) in table {
        let mut peer = peer(5, 1000);
        let _ = check_as_non_authoritative(&mut peer, reading(boots, time), now);
        assert_eq!(peer.reading(now), reading(boots_after, time_after), "{boots} {time}");
    }
}

#[test]
fn first_authentic_message_sets_peer_clock() {
    let now = Timestamp::from_secs(1_000_000);
    for (boots, time) in [(0, 0), (0, 1), (1, 0), (17, 86_400)] {
        let mut peer = PeerClock::default();
        assert_eq!(peer.reading(now), reading(0, 0));
        assert_eq!(check_as_non_authoritative(&mut peer, reading(boots, time), now), Ok(()));
        assert_eq!(peer.reading(now), reading(boots, time));
        assert_eq!(peer.is_synchronized(), (boots, time) != (0, 0));
    }
}

#[test]
fn peer_clock_advances_until_the_maximum_engine_time() {
    let peer = peer(5, 0x7fff_fff0);
    assert_eq!(peer.reading(Timestamp::from_secs(515)).time, 0x7fff_ffff);
    assert_eq!(peer.reading(Timestamp::from_secs(u64::from(u32::MAX) * 4)).time, 0x7fff_ffff);
}
