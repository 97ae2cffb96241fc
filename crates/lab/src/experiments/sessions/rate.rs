//! The number of sessions that the agent opens, answers once and closes, per second of its CPU
//! time.

use super::agent_setup::{AgentSetup, PINNED};
use super::{Carrier, ProtocolStack};
use crate::error::Result;
use crate::experiments::Effort;
use crate::experiments::usage::cpu;
use crate::table::{Figure, Table, best_and_median, grouped};

/// Measures each protocol stack in turn, with several handshakes in parallel.
pub(super) fn run(setup: &AgentSetup<'_>, effort: Effort) -> Result<Vec<Figure>> {
    let count = (effort.seconds * PER_SECOND) as usize;
    println!(
        "New sessions, several in parallel, each with one GET from open to close: best and median of {} rounds of {count} sessions, processes pinned to cores",
        effort.rounds
    );
    let head = ["session", "best per CPU second of the agent", "median", "n", "best per second"];
    let mut table = Table::new(1, &head);
    let server = setup.start(PINNED, |same| same)?;
    let mut client = setup.client(PINNED)?;
    for stack in STACKS {
        client.send_command(&format!("churn {} 10", stack.id()))?;
    }
    let (mut by_cpu, mut by_clock) = (vec![Vec::new(); STACKS.len()], vec![Vec::new(); STACKS.len()]);
    for _ in 0..effort.rounds {
        for ((stack, by_cpu), by_clock) in STACKS.iter().zip(&mut by_cpu).zip(&mut by_clock) {
            let before = cpu(server.id())?;
            let seconds = client.number(&format!("churn {} {count}", stack.id()), "seconds")?;
            by_cpu.push(count as f64 / (cpu(server.id())? - before));
            by_clock.push(count as f64 / seconds);
        }
    }
    drop(client);
    server.stop()?;
    let mut figures = Vec::new();
    for ((stack, by_cpu), by_clock) in STACKS.iter().zip(&by_cpu).zip(&by_clock) {
        let (best, median) = best_and_median(by_cpu);
        table.add_row(vec![
            stack.label(),
            grouped(best),
            grouped(median),
            by_cpu.len().to_string(),
            grouped(best_and_median(by_clock).0),
        ]);
        figures.push(Figure {
            experiment: "sessions",
            work: "new sessions".into(),
            setting: PINNED.name,
            subject: stack.label(),
            unit: "sessions per CPU second of the agent",
            best,
            median,
            n: by_cpu.len(),
            ratios: Vec::new(),
            goal: None,
        });
    }
    println!("{}", table.unwrapped());
    Ok(figures)
}

const STACKS: [ProtocolStack; 7] = [
    ProtocolStack::v2c(Carrier::Ssh),
    ProtocolStack::v2c(Carrier::SshMlKem),
    ProtocolStack::v2c(Carrier::Tls),
    ProtocolStack::v2c(Carrier::TlsResumed),
    ProtocolStack::v2c(Carrier::Dtls12),
    ProtocolStack::v2c(Carrier::Dtls13),
    ProtocolStack::v2c(Carrier::Tcp),
];

/// Number of sessions in a round for each second of its nominal duration.
const PER_SECOND: f64 = 300.0;
