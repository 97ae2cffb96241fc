//! Queries many agents at once from one thread, over one socket, without an async runtime: `cargo
//! run -p portreeve-snmp-manager --example poll_many [ADDRESS...]`.
//!
//! [`Session`] has neither a socket nor a clock, so the program decides how messages are sent.

mod support;

use std::{
    collections::HashMap,
    error::Error,
    net::{SocketAddr, ToSocketAddrs, UdpSocket},
    time::{Duration, Instant},
};

use portreeve_snmp_manager::{
    Credentials, Operation, PeerAddress, Request, Secret, Session, SessionOptions, Timestamp,
};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let answered = run(&words.iter().map(String::as_str).collect::<Vec<_>>())?;
    println!("{answered} agents responded");
    Ok(())
}

/// Queries the agents and returns the number of those that responded. Without addresses, the
/// example starts eight agents and queries these.
pub fn run(addresses: &[&str]) -> Result<usize, Box<dyn Error>> {
    let given = addresses.iter().copied().map(Some);
    let all: Vec<Option<&str>> = if addresses.is_empty() { vec![None; 8] } else { given.collect() };

    let request = Request::read(Operation::Get, [SYS_UP_TIME]);
    let mut sessions = HashMap::new();
    for (seed, address) in (1..).zip(all) {
        let community = Credentials::V2c(Secret::from("public"));
        // Request-ids must be hard to guess: in a real program, take the seed from the system's
        // random number generator.
        let mut session = Session::new(community, &SessionOptions::default(), seed);
        session.request(&request);
        sessions.insert(resolve(&support::address(address)?)?, session);
    }

    let socket = UdpSocket::bind("0.0.0.0:0")?;
    let (started, mut buffer, mut answered) = (Instant::now(), vec![0; 65_535], 0);
    while !sessions.is_empty() {
        let now = Timestamp::ZERO + started.elapsed();
        let mut wake = None;
        for (peer, session) in &mut sessions {
            session.handle_timeout(now);
            while let Some(message) = session.poll_output(now) {
                socket.send_to(message, peer)?;
            }
            while let Some(event) = session.poll_event() {
                answered += usize::from(event.result.is_ok());
                println!("{peer}: {:?}", event.result.map(|response| response.var_binds().len()));
            }
            wake = [wake, session.next_timeout()].into_iter().flatten().min();
        }
        // A session without a timer has no request in flight, so it is finished.
        sessions.retain(|_, session| session.next_timeout().is_some());
        let Some(wake) = wake else { break };
        socket.set_read_timeout(Some(wake.since(now).max(Duration::from_millis(1))))?;
        if let Ok((length, peer)) = socket.recv_from(&mut buffer)
            && let (Some(session), Some(message)) = (sessions.get_mut(&peer), buffer.get_mut(..length))
        {
            // A session must receive only datagrams from the address of its own agent.
            session.handle_input(Timestamp::ZERO + started.elapsed(), message);
        }
    }
    Ok(answered)
}

fn resolve(address: &PeerAddress) -> Result<SocketAddr, Box<dyn Error>> {
    let found = (address.host.as_str(), address.port).to_socket_addrs()?.find(SocketAddr::is_ipv4);
    found.ok_or_else(|| format!("{} has no IPv4 address", address.host).into())
}

const SYS_UP_TIME: [u32; 9] = [1, 3, 6, 1, 2, 1, 1, 3, 0];
