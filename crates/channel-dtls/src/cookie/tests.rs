use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use super::CookieIssuer;
use crate::hello::{ClientHello, OfferedVersions};

#[test]
fn cookie_is_valid_only_for_its_client_hello_address_and_server() {
    let now = Instant::now();
    let issuer = CookieIssuer::new(now).unwrap();
    let cookie = cookie(&issuer, now, peer(), &hello(b""));
    assert!(issuer.verify(now, peer(), &hello(&cookie)));
    assert!(!issuer.verify(now, "192.0.2.2:1000".parse().unwrap(), &hello(&cookie)));
    assert!(!issuer.verify(now, "192.0.2.1:1001".parse().unwrap(), &hello(&cookie)));
    assert!(!issuer.verify(now, peer(), &ClientHello { version_and_random: &[4; 34], ..hello(&cookie) }));
    assert!(!issuer.verify(now, peer(), &ClientHello { session_id: &[0], ..hello(&cookie) }));
    assert!(!issuer.verify(now, peer(), &hello(&cookie[..31])));
    assert!(!issuer.verify(now, peer(), &hello(b"")));
    // A server does not accept the cookie of another server.
    assert!(!CookieIssuer::new(now).unwrap().verify(now, peer(), &hello(&cookie)));
}

#[test]
fn cookie_expires_after_one_to_two_minutes() {
    let begin = Instant::now();
    let issuer = CookieIssuer::new(begin).unwrap();
    let made = begin + Duration::from_secs(59);
    let cookie = cookie(&issuer, made, peer(), &hello(b""));
    assert!(issuer.verify(begin + Duration::from_secs(61), peer(), &hello(&cookie)));
    assert!(issuer.verify(begin + Duration::from_secs(120), peer(), &hello(&cookie)));
    assert!(!issuer.verify(begin + Duration::from_secs(122), peer(), &hello(&cookie)));
}

#[test]
fn cookie_expires_even_if_the_server_receives_no_client_hello() {
    let begin = Instant::now();
    let issuer = CookieIssuer::new(begin).unwrap();
    let cookie = cookie(&issuer, begin, peer(), &hello(b""));
    assert!(!issuer.verify(begin + Duration::from_secs(1000), peer(), &hello(&cookie)));
}

#[test]
fn hello_verify_request_copies_the_record_number_and_has_60_octets() {
    let now = Instant::now();
    let issuer = CookieIssuer::new(now).unwrap();
    let mut reply = [0; 100];
    let length = issuer.write_challenge(now, peer(), &hello(b""), &mut reply).unwrap();
    assert_eq!(length, 60);
    assert_eq!(reply[..13], [22, 0xfe, 0xff, 0, 0, 0, 0, 0, 0, 0, 9, 0, 47]);
    assert_eq!(issuer.write_challenge(now, peer(), &hello(b""), &mut [0; 59]), None);
}

fn cookie(issuer: &CookieIssuer, now: Instant, peer: SocketAddr, hello: &ClientHello<'_>) -> Vec<u8> {
    let mut reply = [0; 100];
    let length = issuer.write_challenge(now, peer, hello, &mut reply).unwrap();
    reply[length - 32..length].to_vec()
}

fn peer() -> SocketAddr {
    "192.0.2.1:1000".parse().unwrap()
}

fn hello(cookie: &[u8]) -> ClientHello<'_> {
    ClientHello {
        sequence: [0, 0, 0, 0, 0, 9],
        version_and_random: &[3; 34],
        session_id: &[],
        cookie,
        versions: Some(OfferedVersions { dtls12: true, dtls13: false }),
        record_len: 100,
    }
}
