use super::*;

fn address(transport: Transport, host: &str, port: u16, family: Option<Family>) -> PeerAddress {
    PeerAddress { transport, host: host.to_owned(), port, family }
}

#[test]
fn every_documented_form_is_read() {
    use Family::{V4, V6};
    use Transport::{Tcp, Udp};
    let table = [
        ("router", address(Udp, "router", 161, None)),
        ("router:1161", address(Udp, "router", 1161, None)),
        ("127.0.0.1", address(Udp, "127.0.0.1", 161, Some(V4))),
        ("udp:127.0.0.1:1161", address(Udp, "127.0.0.1", 1161, Some(V4))),
        ("UDP:router", address(Udp, "router", 161, None)),
        ("tcp:router:1161", address(Tcp, "router", 1161, None)),
        ("udp6:router", address(Udp, "router", 161, Some(V6))),
        ("udp:[::1]:161", address(Udp, "::1", 161, Some(V6))),
        ("tcp6:[::1]:1161", address(Tcp, "::1", 1161, Some(V6))),
        ("udp6:::1", address(Udp, "::1", 161, Some(V6))),
        ("::1", address(Udp, "::1", 161, Some(V6))),
        ("[fe80::1%eth0]:99", address(Udp, "fe80::1%eth0", 99, None)),
        ("1161", address(Udp, "localhost", 1161, None)),
        ("udp:1161", address(Udp, "localhost", 1161, None)),
    ];
    for (text, expected) in table {
        assert_eq!(text.parse(), Ok(expected), "{text}");
    }
}

#[test]
fn what_is_no_address_says_why() {
    let table = [
        ("", AddressError::NoHost),
        ("udp:", AddressError::NoHost),
        (":161", AddressError::NoHost),
        ("router:0", AddressError::BadPort),
        ("router:99999", AddressError::BadPort),
        ("router:http", AddressError::BadPort),
        ("[::1]x", AddressError::BadPort),
        ("[::1", AddressError::NoHost),
        ("ssh:router", AddressError::UnsupportedTransport),
    ];
    for (text, expected) in table {
        assert_eq!(text.parse::<PeerAddress>(), Err(expected), "{text}");
    }
}
