//! Agents whose name has several addresses, the first of which does not work.

use std::net::{TcpListener, ToSocketAddrs, UdpSocket};

use portreeve_broker_protocol::Transport;

use super::fixture::{TestAgent, TestUser, echo};

#[test]
fn next_address_is_tried_when_first_refuses() {
    for transport in [Transport::Tls, Transport::Dtls] {
        let Some((user, agent)) = behind_ipv6(transport) else { return };
        let (_broker, mut connection) = user.start_broker_and_connect(&agent, 60);
        assert_eq!(echo(&mut connection, "x"), "x ops", "{transport:?}");
    }
}

#[test]
fn next_address_is_tried_when_first_is_silent() {
    let Some((user, agent)) = behind_ipv6(Transport::Dtls) else { return };
    // Receives datagrams and never responds.
    let _silent = UdpSocket::bind(("127.0.0.1", agent.address.port())).unwrap();
    let (_broker, mut connection) = user.start_broker_and_connect(&agent, 60);
    assert_eq!(echo(&mut connection, "x"), "x ops");
}

#[test]
fn error_contains_cause_and_hint_when_every_address_refuses() {
    for transport in [Transport::Tls, Transport::Dtls] {
        let user = TestUser::new();
        let mut agent = TestAgent::start_at(&user, transport, "127.0.0.1:0");
        agent.stop();
        let (_broker, socket) = user.start_broker();
        let error =
            user.connect_over(socket, &user.session_request(&agent, 0)).expect_err("no agent listens");
        assert!(error.to_string().contains("refused"), "{error}");
        assert!(error.hint.is_some(), "{error}");
    }
}

/// Starts an agent at the IPv6 address of `localhost`. Clients try the IPv4 address first, where
/// nothing listens on the agent's port. Returns `None` if `localhost` does not have both addresses.
fn behind_ipv6(transport: Transport) -> Option<(TestUser, TestAgent)> {
    let addresses: Vec<_> = ("localhost", 1).to_socket_addrs().unwrap().collect();
    if !addresses.iter().any(|address| address.is_ipv6())
        || !addresses.iter().any(|address| address.is_ipv4())
    {
        println!("skipped: localhost does not have two addresses");
        return None;
    }
    let user = TestUser::new();
    for _ in 0..20 {
        let agent = TestAgent::start_at(&user, transport, "[::1]:0");
        let port = agent.address.port();
        if TcpListener::bind(("127.0.0.1", port)).is_ok() && UdpSocket::bind(("127.0.0.1", port)).is_ok() {
            return Some((user, agent));
        }
    }
    panic!("no port is free in both families");
}
