//! An agent whose name has several addresses, the first of which leads nowhere.

use std::net::{TcpListener, ToSocketAddrs, UdpSocket};

use portreeve_broker_protocol::Transport;

use super::fixture::{Agent, User, echo};

#[test]
fn where_the_first_address_refuses_the_next_is_asked() {
    for transport in [Transport::Tls, Transport::Dtls] {
        let Some((user, agent)) = behind_ipv6(transport) else { return };
        let (_broker, mut line) = user.keeping(&agent, 60);
        assert_eq!(echo(&mut line, "x"), "x ops", "{transport:?}");
    }
}

#[test]
fn where_the_first_address_is_silent_the_next_is_asked() {
    let Some((user, agent)) = behind_ipv6(Transport::Dtls) else { return };
    // Takes whatever comes, and says nothing.
    let _silent = UdpSocket::bind(("127.0.0.1", agent.address.port())).unwrap();
    let (_broker, mut line) = user.keeping(&agent, 60);
    assert_eq!(echo(&mut line, "x"), "x ops");
}

#[test]
fn where_every_address_refuses_the_cause_and_the_cure_are_told() {
    for transport in [Transport::Tls, Transport::Dtls] {
        let user = User::new();
        let mut agent = Agent::at(&user, transport, "127.0.0.1:0");
        agent.stop();
        let (_broker, socket) = user.broker();
        let error = user.ask_at(socket, &user.order(&agent, 0)).expect_err("nobody is there");
        assert!(error.to_string().contains("refused"), "{error}");
        assert!(error.cure.is_some(), "{error}");
    }
}

/// An agent at `localhost`'s IPv6 address, whose port is free at the IPv4 one, which is asked first.
fn behind_ipv6(transport: Transport) -> Option<(User, Agent)> {
    let addresses: Vec<_> = ("localhost", 1).to_socket_addrs().unwrap().collect();
    if !addresses.iter().any(|address| address.is_ipv6())
        || !addresses.iter().any(|address| address.is_ipv4())
    {
        println!("skipped: localhost has not two addresses here");
        return None;
    }
    let user = User::new();
    for _ in 0..20 {
        let agent = Agent::at(&user, transport, "[::1]:0");
        let port = agent.address.port();
        if TcpListener::bind(("127.0.0.1", port)).is_ok() && UdpSocket::bind(("127.0.0.1", port)).is_ok() {
            return Some((user, agent));
        }
    }
    panic!("no port is free in both families");
}
