use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use super::CookieJar;
use crate::hello::{ClientHello, Offer};

#[test]
fn a_cookie_is_good_for_its_hello_and_its_address_only() {
    let now = Instant::now();
    let jar = CookieJar::new(now).unwrap();
    let cookie = cookie(&jar, now, peer(), &hello(b""));
    assert!(jar.confirms(now, peer(), &hello(&cookie)));
    assert!(!jar.confirms(now, "192.0.2.2:1000".parse().unwrap(), &hello(&cookie)));
    assert!(!jar.confirms(now, "192.0.2.1:1001".parse().unwrap(), &hello(&cookie)));
    assert!(!jar.confirms(now, peer(), &ClientHello { before_session: &[4; 34], ..hello(&cookie) }));
    assert!(!jar.confirms(now, peer(), &ClientHello { session: &[0], ..hello(&cookie) }));
    assert!(!jar.confirms(now, peer(), &ClientHello { algorithms: &[0, 0, 0], ..hello(&cookie) }));
    assert!(!jar.confirms(now, peer(), &hello(&cookie[..31])));
    assert!(!jar.confirms(now, peer(), &hello(b"")));
    // Another server's cookie.
    assert!(!CookieJar::new(now).unwrap().confirms(now, peer(), &hello(&cookie)));
}

#[test]
fn a_cookie_lives_between_one_and_two_minutes() {
    let begin = Instant::now();
    let jar = CookieJar::new(begin).unwrap();
    let made = begin + Duration::from_secs(59);
    let cookie = cookie(&jar, made, peer(), &hello(b""));
    assert!(jar.confirms(begin + Duration::from_secs(61), peer(), &hello(&cookie)));
    assert!(jar.confirms(begin + Duration::from_secs(120), peer(), &hello(&cookie)));
    assert!(!jar.confirms(begin + Duration::from_secs(122), peer(), &hello(&cookie)));
}

#[test]
fn a_pause_makes_no_cookie_live_longer() {
    let begin = Instant::now();
    let jar = CookieJar::new(begin).unwrap();
    let cookie = cookie(&jar, begin, peer(), &hello(b""));
    assert!(!jar.confirms(begin + Duration::from_secs(1000), peer(), &hello(&cookie)));
}

#[test]
fn the_challenge_is_no_longer_than_the_shortest_hello_and_has_its_record_number() {
    let now = Instant::now();
    let jar = CookieJar::new(now).unwrap();
    let mut answer = [0; 100];
    let length = jar.challenge(now, peer(), &hello(b""), &mut answer).unwrap();
    assert_eq!(length, 60);
    assert_eq!(answer[..13], [22, 0xfe, 0xff, 0, 0, 0, 0, 0, 0, 0, 9, 0, 47]);
    assert_eq!(jar.challenge(now, peer(), &hello(b""), &mut [0; 59]), None);
}

fn cookie(jar: &CookieJar, now: Instant, peer: SocketAddr, hello: &ClientHello<'_>) -> Vec<u8> {
    let mut answer = [0; 100];
    let length = jar.challenge(now, peer, hello, &mut answer).unwrap();
    answer[length - 32..length].to_vec()
}

fn peer() -> SocketAddr {
    "192.0.2.1:1000".parse().unwrap()
}

fn hello(cookie: &[u8]) -> ClientHello<'_> {
    ClientHello {
        sequence: [0, 0, 0, 0, 0, 9],
        before_session: &[3; 34],
        session: &[],
        cookie,
        algorithms: &[0, 2, 0xc0, 0x2b, 1, 0],
        versions: Offer { dtls12: true, dtls13: false },
    }
}
