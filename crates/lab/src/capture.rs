//! `capture --to ADDRESS --out FILE -- PROGRAM …`: records the last request that a client sends,
//! for replay.
//!
//! A relay on loopback forwards between the client and the agent; it replaces `@ADDRESS@` in the
//! client's arguments by its address. Thus the load generator needs no keys: a real client does
//! discovery and cryptography once, and the agent accepts the same authentic request repeatedly
//! while its clock is within the time window (150 s).

use std::fs;
use std::net::{SocketAddr, UdpSocket};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::error::{Context, Result};
use crate::options::Options;

/// Runs the client until it exits and writes its last request.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let options = Options::parse(arguments, &["to", "out"])?;
    let agent: SocketAddr = options.required("to")?;
    let front = UdpSocket::bind("127.0.0.1:0")?;
    let address = front.local_addr()?.to_string();
    let [program, client @ ..] = options.plain.as_slice() else {
        return Err(crate::commands::usage_error("capture"));
    };
    let mut command = Command::new(program);
    command.args(client.iter().map(|argument| argument.replace("@ADDRESS@", &address)));
    command.stdin(Stdio::null()).stdout(Stdio::null());

    let ended = AtomicBool::new(false);
    let last = thread::scope(|scope| -> Result<Vec<u8>> {
        let relay = scope.spawn(|| relay(&front, agent, &ended));
        let status = command.status().context(program);
        ended.store(true, Ordering::Relaxed);
        let last = relay.join().map_err(|_| "the relay has panicked")??;
        match status? {
            status if status.success() => Ok(last),
            status => Err(format!("{program} failed to query {agent}: {status}").into()),
        }
    })?;
    let out: String = options.required("out")?;
    fs::write(&out, last).context(&out)
}

fn relay(front: &UdpSocket, agent: SocketAddr, ended: &AtomicBool) -> Result<Vec<u8>> {
    let any: SocketAddr = if agent.is_ipv4() { ([0; 4], 0).into() } else { ([0u16; 8], 0).into() };
    let back = UdpSocket::bind(any)?;
    back.connect(agent)?;
    back.set_read_timeout(Some(REPLY_TIMEOUT))?;
    front.set_read_timeout(Some(POLL))?;
    let mut last = Vec::new();
    let mut buffer = [0; 65536];
    while !ended.load(Ordering::Relaxed) {
        let Ok((length, client)) = front.recv_from(&mut buffer) else { continue };
        last = buffer[..length].to_vec();
        back.send(&last)?;
        if let Ok(length) = back.recv(&mut buffer) {
            front.send_to(&buffer[..length], client)?;
        }
    }
    Ok(last)
}

/// Timeout for the agent's response, after which the relay reads from the client again.
const REPLY_TIMEOUT: Duration = Duration::from_secs(1);

/// Interval at which the relay checks if the client has exited.
const POLL: Duration = Duration::from_millis(10);
