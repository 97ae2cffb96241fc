use std::{
    net::UdpSocket,
    os::unix::net::UnixStream,
    time::{Duration, Instant},
};

use super::{COUNT, Places, Sockets};

const PATIENCE: Duration = Duration::from_secs(5);

/// What has come, after waiting for it.
fn received(sockets: &mut Sockets, gathering: Duration) -> Vec<Vec<u8>> {
    let (_waker, woken) = UnixStream::pair().unwrap();
    sockets.wait(&woken, gathering, PATIENCE).unwrap();
    let mut all = Vec::new();
    sockets.receive(|_, message| all.push(message.to_vec()));
    all
}

/// Agents of both families, each with several targets at one address.
#[test]
fn every_place_is_asked_and_answers_by_its_own_socket() {
    for address in ["127.0.0.1:0", "[::1]:0"] {
        let Ok(agent) = UdpSocket::bind(address) else {
            println!("skipped: no {address}");
            continue;
        };
        let (mut sockets, mut places) = (Sockets::open().unwrap(), Places::default());
        let address = agent.local_addr().unwrap();
        let all: Vec<_> = (0..COUNT).map(|_| places.at(address).unwrap()).collect();
        assert_eq!(places.at(address), None);
        for (number, place) in (0..).zip(&all) {
            sockets.send(*place, &[number]);
        }
        sockets.flush();
        let mut buffer = [0; 16];
        for _ in &all {
            let (length, from) = agent.recv_from(&mut buffer).unwrap();
            agent.send_to(&buffer[..length], from).unwrap();
        }
        let (_waker, woken) = UnixStream::pair().unwrap();
        let mut answered = Vec::new();
        while answered.len() < all.len() {
            sockets.wait(&woken, Duration::ZERO, PATIENCE).unwrap();
            sockets.receive(|from, message| answered.push((from, message.to_vec())));
        }
        answered.sort_by_key(|(_, message)| message.clone());
        let expected: Vec<_> = (0..).zip(all).map(|(number, place)| (place, vec![number])).collect();
        assert_eq!(answered, expected);
    }
}

#[test]
fn targets_at_different_addresses_share_the_first_socket() {
    let mut places = Places::default();
    let socket = |text: &str, places: &mut Places| places.at(text.parse().unwrap()).unwrap().socket;
    assert_eq!(socket("192.0.2.1:161", &mut places), 0);
    assert_eq!(socket("192.0.2.2:161", &mut places), 0);
    assert_eq!(socket("192.0.2.1:161", &mut places), 1);
}

#[test]
fn gathering_is_over_in_time_and_ends_at_once_for_the_other() {
    let agent = UdpSocket::bind("127.0.0.1:0").unwrap();
    let (mut sockets, mut places) = (Sockets::open().unwrap(), Places::default());
    sockets.send(places.at(agent.local_addr().unwrap()).unwrap(), b"?");
    sockets.flush();
    let (_, from) = agent.recv_from(&mut [0; 16]).unwrap();
    agent.send_to(b"!", from).unwrap();
    let gathering = Duration::from_millis(20);
    let begun = Instant::now();
    assert_eq!(received(&mut sockets, gathering), [b"!"]);
    assert!(begun.elapsed() >= gathering);

    let (mut waker, woken) = UnixStream::pair().unwrap();
    std::io::Write::write_all(&mut waker, b"x").unwrap();
    let begun = Instant::now();
    sockets.wait(&woken, PATIENCE, PATIENCE).unwrap();
    assert!(begun.elapsed() < PATIENCE);
}
