//! Loss, rate and delay.

use std::time::Duration;

use portreeve_lab_net::{Capture, Detail, Link, LinkMethods, Loss, LostFrames, Method};

use crate::support::{Echo, available, client, count_echoes, isolated, round_trip, transfer};

#[test]
fn frames_are_lost_with_stated_probability_in_stated_direction() {
    let Some((mut topology, _cleaner)) = isolated() else { return };
    let number = 4000;
    for (loss, expected) in [
        (Loss { to_agent: 0.05, to_manager: 0.0 }, [200, 0]),
        (Loss { to_agent: 0.0, to_manager: 0.05 }, [0, 200]),
        (Loss::both(0.5), [2000, 1000]),
        (Loss::both(0.0), [0, 0]),
    ] {
        let Some(methods) = available(topology.set_link(&Link { loss, ..Link::default() })) else { return };
        assert_eq!(methods.loss.is_some(), loss != Loss::both(0.0));
        let echo = Echo::start(topology.agent(), topology.agent_v4());
        let capture = Capture::start(&topology, Detail::Headers).unwrap();
        let received = count_echoes(&client(topology.manager(), echo.address), number);
        let totals = capture.take().unwrap().totals_of_port(echo.address.port());
        let arrived = echo.stop();
        let lost = [number - arrived, arrived - received];
        for (lost, expected) in lost.into_iter().zip(expected) {
            // Six standard deviations, which are below 32.
            assert!(lost.abs_diff(expected) <= if expected == 0 { 0 } else { 192 }, "{loss:?}: {lost}");
        }
        let counted = topology.lost_frames().unwrap();
        let [to_agent, to_manager] = lost.map(|lost| lost as u64);
        assert_eq!(counted, LostFrames { to_agent, to_manager });
        // The observer counts lost frames as well.
        assert_eq!((totals.frames_to_agent, totals.frames_to_manager), (number as u64, arrived as u64));
    }
}

#[test]
fn delay_is_added_in_each_direction_and_removed_again() {
    let Some((mut topology, _cleaner)) = isolated() else { return };
    let echo = Echo::start(topology.agent(), topology.agent_v4());
    let socket = client(topology.manager(), echo.address);
    let fastest = || (0..20).map(|_| round_trip(&socket, b"request")).min().unwrap();
    for milliseconds in [0, 1, 10] {
        let delay = Duration::from_millis(milliseconds);
        let link = Link { delay: Some(delay), ..Link::default() };
        let Some(methods) = available(topology.set_link(&link)) else { return };
        let time = fastest();
        println!("delay of {milliseconds} ms by {}: {time:?}", methods.delay.unwrap());
        // The upper bound is not tight, because the machine may be busy.
        assert!(time >= 2 * delay && time < 2 * delay + Duration::from_millis(10), "{time:?}");
    }
    topology.set_link(&Link::default()).unwrap();
    assert!(fastest() < Duration::from_millis(10));
}

#[test]
fn delayed_frames_keep_their_order() {
    let Some((mut topology, _cleaner)) = isolated() else { return };
    let link = Link { delay: Some(Duration::from_millis(20)), ..Link::default() };
    if available(topology.set_link(&link)).is_none() {
        return;
    }
    let echo = Echo::start(topology.agent(), topology.agent_v4());
    let socket = client(topology.manager(), echo.address);
    for number in 0..100u16 {
        socket.send(&number.to_be_bytes()).unwrap();
    }
    let mut buffer = [0; 16];
    for number in 0..100u16 {
        let length = socket.recv(&mut buffer).unwrap();
        assert_eq!(buffer[..length], number.to_be_bytes());
    }
}

#[test]
fn frames_above_bound_of_delayed_frames_are_lost_and_counted() {
    let Some((mut topology, _cleaner)) = isolated() else { return };
    let link = Link { delay: Some(Duration::from_secs(8)), ..Link::default() };
    if available(topology.set_link(&link)).is_none() {
        return;
    }
    let echo = Echo::start(topology.agent(), topology.agent_v4());
    let socket = client(topology.manager(), echo.address);
    let sent = std::time::Instant::now();
    let mut number = 0;
    while number < 30_000 {
        // In bursts that fit the queue of the TAP interface.
        for _ in 0..100 {
            socket.send(&[7]).unwrap();
            number += 1;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    if sent.elapsed() > Duration::from_secs(6) {
        println!("skipped: the machine is too busy to fill the queue");
        return;
    }
    let lost = topology.lost_frames().unwrap();
    assert_eq!((lost.to_agent, lost.to_manager), (10_000, 0));
}

#[test]
fn rate_limits_large_transfers() {
    let Some((mut topology, _cleaner)) = isolated() else { return };
    let link = Link { rate: Some(8_000_000), ..Link::default() };
    let Some(methods) = available(topology.set_link(&link)) else { return };
    assert_eq!(methods, LinkMethods { rate: Some(Method::TokenBucket), ..LinkMethods::default() });
    let (_, time) = transfer(&topology, 1_000_000);
    // One megaoctet at one megaoctet per second, with the headers.
    assert!(time > Duration::from_millis(950) && time < Duration::from_secs(20), "{time:?}");
    // Bursts that exceed the queue. Each socket sends only what fits its own buffer.
    let before = topology.lost_frames().unwrap().to_agent;
    let echo = Echo::start(topology.agent(), topology.agent_v4());
    let sockets: Vec<_> = (0..40).map(|_| client(topology.manager(), echo.address)).collect();
    let send_all = |socket: &std::net::UdpSocket| {
        socket.set_nonblocking(true).unwrap();
        (0..100).filter(|_| socket.send(&[7; 1000]).is_ok()).count() as u64
    };
    let sent: u64 = sockets.iter().map(send_all).sum();
    // The rest leaves the queue within its maximum time.
    std::thread::sleep(Duration::from_secs(1));
    let lost = topology.lost_frames().unwrap().to_agent - before;
    assert!(lost > 0, "{sent} sent");
    assert_eq!(lost + echo.stop() as u64, sent);
    topology.set_link(&Link::default()).unwrap();
    let (_, time) = transfer(&topology, 1_000_000);
    assert!(time < Duration::from_millis(900), "{time:?}");
}

#[test]
fn loss_rate_and_delay_apply_together() {
    let Some((mut topology, _cleaner)) = isolated() else { return };
    let link = Link {
        loss: Loss { to_agent: 0.0, to_manager: 1.0 },
        rate: Some(50_000_000),
        delay: Some(Duration::from_millis(5)),
    };
    let Some(methods) = available(topology.set_link(&link)) else { return };
    assert!(methods.loss.is_some() && methods.rate.is_some() && methods.delay.is_some());
    let echo = Echo::start(topology.agent(), topology.agent_v4());
    let socket = client(topology.manager(), echo.address);
    assert_eq!(count_echoes(&socket, 10), 0);
    assert_eq!(echo.stop(), 10, "only answers are lost");
}

#[test]
fn link_that_is_rejected_leaves_link_without_properties() {
    let Some((mut topology, _cleaner)) = isolated() else { return };
    let lossy = Link { loss: Loss::both(1.0), ..Link::default() };
    if available(topology.set_link(&lossy)).is_none() {
        return;
    }
    assert!(topology.set_link(&Link { rate: Some(1), ..Link::default() }).is_err());
    topology.set_link(&Link::default()).unwrap();
    let echo = Echo::start(topology.agent(), topology.agent_v4());
    round_trip(&client(topology.manager(), echo.address), b"request");
}
