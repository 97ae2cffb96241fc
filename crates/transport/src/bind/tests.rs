use std::io;
use std::net::TcpStream;
use std::num::NonZeroUsize;

use socket2::SockRef;

use super::{Listener, Protocol, bind};
use crate::limits::Limits;
use crate::relay::{AllowedAccounts, RelayListener};

#[test]
fn port_zero_selects_one_port_for_all_workers() {
    let bound = bind(&[udp("127.0.0.1:0"), tcp("[::1]:0")], workers(3), &Limits::default()).unwrap();
    let [udp, tcp] = bound.local_addrs() else { panic!("expected two listeners") };
    assert_ne!(udp.address.port(), 0);
    assert_ne!(tcp.address.port(), 0);
    for share in &bound.worker_sockets {
        let [(0, socket)] = &share.udp[..] else { panic!("expected one UDP socket of listener 0") };
        assert_eq!(socket.local_addr().unwrap(), udp.address);
        let [(1, _, socket)] = &share.tcp[..] else { panic!("expected one TCP socket of listener 1") };
        assert_eq!(socket.local_addr().unwrap(), tcp.address);
    }
}

/// The kernel closes the connection of an SSH peer that has vanished.
#[test]
fn accepted_ssh_socket_has_keepalive() {
    let listeners = [Listener::new(Protocol::Ssh, "127.0.0.1:0".parse().unwrap()), tcp("127.0.0.1:0")];
    let bound = bind(&listeners, workers(1), &Limits::default()).unwrap();
    let has_keepalive = |index: usize| {
        let (_, _, listener) = &bound.worker_sockets[0].tcp[index];
        listener.set_nonblocking(false).unwrap();
        let _peer = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (accepted, _) = listener.accept().unwrap();
        SockRef::from(&accepted).keepalive().unwrap()
    };
    assert_eq!([has_keepalive(0), has_keepalive(1)], [true, false]);
}

#[test]
fn bind_fails_when_port_in_use() {
    for make in [udp, tcp] {
        let first = bind(&[make("127.0.0.1:0")], workers(2), &Limits::default()).unwrap();
        let taken = first.local_addrs()[0];
        let error = bind(&[taken], workers(2), &Limits::default()).unwrap_err();
        let text = error.to_string();
        assert!(text.contains(&taken.to_string()), "{text}");
        assert!(text.contains("to see which process uses it"), "{text}");
    }
}

#[test]
fn ipv4_and_ipv6_listeners_can_use_the_same_port() {
    let limits = Limits::default();
    for make in [udp, tcp] {
        let v4 = bind(&[make("0.0.0.0:0")], workers(1), &limits).unwrap();
        let port = v4.local_addrs()[0].address.port();
        bind(&[make(&format!("[::]:{port}"))], workers(1), &limits).unwrap();
    }
}

#[test]
fn bind_fails_with_hint_when_address_not_local() {
    let error = bind(&[udp("198.51.100.1:0")], workers(1), &Limits::default()).unwrap_err();
    assert!(error.to_string().contains("no interface of this host"), "{error}");
}

#[test]
fn no_worker_has_a_relay_whose_socket_cannot_be_cloned_for_all() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("snmp.sock");
    let relay = RelayListener { path, group: None, accounts: AllowedAccounts::OwnAndRoot };
    let (listener, _file, policy) = relay.bind().unwrap();
    let mut bound = bind(&[udp("127.0.0.1:0")], workers(3), &Limits::default()).unwrap();
    let mut clones_left = 2;
    let refused = bound.add_relay(policy, || {
        if clones_left == 0 {
            return Err(io::Error::other("no file descriptor left"));
        }
        clones_left -= 1;
        listener.try_clone()
    });
    assert_eq!(refused.unwrap_err().to_string(), "no file descriptor left");
    assert!(bound.worker_sockets.iter().all(|sockets| sockets.relays.is_empty()));
}

fn udp(address: &str) -> Listener {
    Listener::new(Protocol::Udp, address.parse().unwrap())
}

/// Otherwise datagrams wait while their worker serves sessions.
#[test]
fn separated_udp_sockets_have_as_many_workers_as_sessions() {
    let listeners = [udp("127.0.0.1:0"), tcp("127.0.0.1:0"), udp("127.0.0.1:0")];
    let mut bound = bind(&listeners, workers(2), &Limits::default()).unwrap();
    bound.separate_udp();
    assert_eq!(bound.worker_count(), 4);
    let sockets = bound.worker_sockets.iter().map(|share| (share.udp.len(), share.tcp.len()));
    assert_eq!(sockets.collect::<Vec<_>>(), [(0, 1), (0, 1), (2, 0), (2, 0)]);
    for listeners in [[udp("127.0.0.1:0"), udp("127.0.0.1:0")], [tcp("127.0.0.1:0"), tcp("127.0.0.1:0")]] {
        let mut bound = bind(&listeners, workers(2), &Limits::default()).unwrap();
        bound.separate_udp();
        assert_eq!(bound.worker_count(), 2);
    }
}

fn tcp(address: &str) -> Listener {
    Listener::new(Protocol::Tcp, address.parse().unwrap())
}

fn workers(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).unwrap()
}
