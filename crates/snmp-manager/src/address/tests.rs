use super::*;

fn address(transport: Transport, host: &str, port: u16, family: Option<Family>) -> PeerAddress {
    PeerAddress { transport, user: None, host: host.to_owned(), port, has_explicit_port: false, family }
}

#[test]
fn all_documented_address_forms_are_parsed() {
    use Family::{V4, V6};
    use Transport::{Dtls, Ssh, Tcp, Tls, Udp, Unix};
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
        ("udp://router", address(Udp, "router", 161, None)),
        ("tls:router", address(Tls, "router", 10161, None)),
        ("tlstcp:127.0.0.1:1", address(Tls, "127.0.0.1", 1, Some(V4))),
        ("tls://[::1]:10162", address(Tls, "::1", 10162, Some(V6))),
        ("TLS6:::1", address(Tls, "::1", 10161, Some(V6))),
        ("dtlsudp:router", address(Dtls, "router", 10161, None)),
        ("ssh:router:22", address(Ssh, "router", 22, None)),
        ("ssh://router", address(Ssh, "router", 5161, None)),
        ("unix:/run/agent.socket", address(Unix, "/run/agent.socket", 0, None)),
        ("UNIX:agent.socket", address(Unix, "agent.socket", 0, None)),
        ("unix:///run/a:1@b", address(Unix, "/run/a:1@b", 0, None)),
        ("/run/udp:161", address(Unix, "/run/udp:161", 0, None)),
    ];
    for (text, expected) in table {
        let found =
            text.parse::<PeerAddress>().map(|found| PeerAddress { has_explicit_port: false, ..found });
        assert_eq!(found, Ok(expected), "{text}");
    }
}

#[test]
fn explicit_port_is_distinguished_from_default_port() {
    for (text, explicit) in
        [("ssh:router", false), ("ssh://[::1]", false), ("ssh:router:5161", true), ("1161", true)]
    {
        assert_eq!(text.parse::<PeerAddress>().unwrap().has_explicit_port, explicit, "{text}");
    }
}

#[test]
fn user_name_before_host_is_parsed() {
    let found: PeerAddress = "ssh://ops@router:22".parse().unwrap();
    assert_eq!((found.user.as_deref(), found.host.as_str(), found.port), (Some("ops"), "router", 22));
    let found: PeerAddress = "ssh:ops@example@[::1]".parse().unwrap();
    assert_eq!((found.user.as_deref(), found.host.as_str()), (Some("ops@example"), "::1"));
}

#[test]
fn invalid_address_is_rejected_with_reason() {
    let table = [
        ("", AddressError::MissingHost),
        ("udp:", AddressError::MissingHost),
        (":161", AddressError::MissingHost),
        ("router:0", AddressError::InvalidPort),
        ("router:99999", AddressError::InvalidPort),
        ("router:http", AddressError::InvalidPort),
        ("[::1]x", AddressError::InvalidPort),
        ("[::1", AddressError::MissingHost),
        ("ssh://::1:16163", AddressError::MissingBrackets),
        ("2001:db8::1:99999", AddressError::MissingBrackets),
        ("router:161:162", AddressError::MissingBrackets),
        ("sshh://router", AddressError::UnknownTransport),
        ("http://router:161", AddressError::UnknownTransport),
        ("unix:", AddressError::MissingPath),
        ("alias:router", AddressError::Alias),
        ("tls://ops@router", AddressError::UnexpectedUser),
        ("ssh://@router", AddressError::UnexpectedUser),
        ("ssh:", AddressError::MissingHost),
    ];
    for (text, expected) in table {
        assert_eq!(text.parse::<PeerAddress>(), Err(expected), "{text}");
    }
}
