//! Ten thousand sessions over SSH and as many over TLS, open at the same time: idle, then one more
//! request in each.
//!
//! With the default limits of open files, one process can have little more than ten thousand
//! sessions, so each transport has its own agent and client. Both agents share core 1, both clients
//! core 0.

use std::thread;
use std::time::Duration;

use super::agent_setup::{AgentSetup, PINNED};
use super::{Carrier, ProtocolStack};
use crate::client::value;
use crate::error::Result;
use crate::experiments::Effort;
use crate::experiments::usage::memory;
use crate::table::{Figure, Table, grouped};

/// Opens the sessions, pauses, and sends a request in each. The pause is shorter if rounds take
/// less than a second.
pub(super) fn run(ssh: &AgentSetup<'_>, tls: &AgentSetup<'_>, effort: Effort) -> Result<Vec<Figure>> {
    let idle = IDLE.mul_f64(effort.seconds.min(1.0));
    println!(
        "{} sessions over SSH and as many over TLS at the same time: idle for {} s, then one GET in each, processes pinned to cores",
        grouped(SESSIONS as f64),
        idle.as_secs()
    );
    let mut ends = Vec::new();
    for (setup, stack) in
        [(ssh, ProtocolStack::v2c(Carrier::SshMlKem)), (tls, ProtocolStack::v2c(Carrier::Tls))]
    {
        let server = setup.start(PINNED, |same| same)?;
        let mut client = setup.client(PINNED)?;
        let opening = client.number(&format!("open {} {SESSIONS}", stack.id()), "seconds")?;
        ends.push((stack, server, client, opening));
    }
    thread::sleep(idle);
    let mut table = Table::new(1, &["session", "opened in s", "answered", "required", "in s", "agent MB"]);
    let mut figures = Vec::new();
    for (stack, server, client, opening) in &mut ends {
        let output = client.send_command("ask")?;
        let answered = value(&output, "answered")?;
        table.add_row(vec![
            stack.label(),
            format!("{opening:.1}"),
            grouped(answered),
            grouped(SESSIONS as f64),
            format!("{:.2}", value(&output, "seconds")?),
            grouped(memory(server.id())? / 1e6),
        ]);
        figures.push(Figure {
            experiment: "sessions",
            work: format!("{SESSIONS} sessions, then one GET in each"),
            setting: PINNED.name,
            subject: stack.label(),
            unit: "answered",
            best: answered,
            median: answered,
            n: SESSIONS,
            ratios: Vec::new(),
            goal: Some((SESSIONS as f64, SESSIONS as f64)),
        });
    }
    println!("{}", table.unwrapped());
    Ok(figures)
}

const SESSIONS: usize = 10_000;
const IDLE: Duration = Duration::from_secs(60);
