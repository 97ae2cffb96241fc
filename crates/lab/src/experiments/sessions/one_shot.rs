//! One GET from connect to close, in one process: milliseconds, packets and octets.

use std::path::Path;

use super::agent_setup::{AgentSetup, PINNED};
use super::{Carrier, ProtocolStack, min_figure, peers};
use crate::client::value;
use crate::error::Result;
use crate::experiments::Effort;
use crate::table::{Figure, Table, goal_cells};

/// Measures every protocol stack, and OpenSSH and OpenSSL for comparison.
pub(super) fn run(setup: &AgentSetup<'_>, scratch: &Path, effort: Effort) -> Result<Vec<Figure>> {
    let server = setup.start(PINNED, |same| same)?;
    let mut client = setup.client(PINNED)?;
    let mut seconds = vec![Vec::new(); WORKS.len()];
    for work in &WORKS {
        // The first one-shot of each stack is not measured: it runs with cold caches, and it
        // fetches the TLS ticket.
        client.one_shots(work.stack, 1)?;
    }
    for _ in 0..effort.rounds {
        for (work, seconds) in WORKS.iter().zip(&mut seconds) {
            seconds.extend(client.one_shots(work.stack, PER_ROUND)?);
        }
    }
    println!(
        "One GET from connect to close: best and median of {} interleaved runs, processes pinned to cores; \
         packets and octets are those of whole Ethernet frames",
        effort.rounds * PER_ROUND
    );
    let head = [
        "client",
        "best ms",
        "median ms",
        "n",
        "required",
        "target",
        "packets",
        "required",
        "target",
        "octets",
        "required",
    ];
    let mut table = Table::new(1, &head);
    let mut figures = Vec::new();
    for (work, seconds) in WORKS.iter().zip(&seconds) {
        let (mut packets, mut octets) = (Vec::new(), Vec::new());
        for _ in 0..effort.rounds {
            let output = client.send_command(&format!("frames {}", work.stack.id()))?;
            packets.push(value(&output, "packets")?);
            octets.push(value(&output, "octets")?);
        }
        let milliseconds: Vec<f64> = seconds.iter().map(|seconds| seconds * 1e3).collect();
        let figure = |unit, samples: &[f64], goal| Figure {
            goal,
            ..min_figure("one-shot", PINNED.name, work.stack.label(), unit, samples)
        };
        let row = [
            figure("ms", &milliseconds, work.milliseconds),
            figure("packets", &packets, work.packets),
            figure("octets", &octets, work.octets),
        ];
        let [time, packets, octets] = &row;
        let mut cells = vec![
            time.subject.clone(),
            format!("{:.3}", time.best),
            format!("{:.3}", time.median),
            time.n.to_string(),
        ];
        cells.extend(goal_cells(time.goal, 2));
        cells.push(format!("{:.0}", packets.best));
        cells.extend(goal_cells(packets.goal, 0));
        cells.push(format!("{:.0}", octets.best));
        cells.extend(goal_cells(octets.goal, 0).into_iter().take(1));
        table.add_row(cells);
        figures.extend(row);
    }
    drop(client);
    for figure in peers::run(setup, scratch, effort)? {
        table.add_row(vec![
            figure.subject.clone(),
            format!("{:.3}", figure.best),
            format!("{:.3}", figure.median),
            figure.n.to_string(),
        ]);
        figures.push(figure);
    }
    server.stop()?;
    println!("{}", table.unwrapped());
    Ok(figures)
}

/// A protocol stack, with its required and target maximum costs.
struct Work {
    stack: ProtocolStack,
    milliseconds: Option<(f64, f64)>,
    packets: Option<(f64, f64)>,
    octets: Option<(f64, f64)>,
}

const fn report(stack: ProtocolStack) -> Work {
    Work { stack, milliseconds: None, packets: None, octets: None }
}

const WORKS: [Work; 9] = [
    Work {
        milliseconds: Some((1.1, 0.8)),
        packets: Some((32.0, 24.0)),
        octets: Some((5400.0, f64::NAN)),
        ..report(ProtocolStack::v2c(Carrier::Ssh))
    },
    report(ProtocolStack::tsm(Carrier::Ssh)),
    report(ProtocolStack::v2c(Carrier::SshMlKem)),
    report(ProtocolStack::tsm(Carrier::SshMlKem)),
    Work { milliseconds: Some((0.6, 0.45)), ..report(ProtocolStack::tsm(Carrier::Tls)) },
    Work { milliseconds: Some((0.45, 0.35)), ..report(ProtocolStack::tsm(Carrier::TlsResumed)) },
    report(ProtocolStack::tsm(Carrier::Dtls12)),
    report(ProtocolStack::tsm(Carrier::Dtls13)),
    report(ProtocolStack::v2c(Carrier::Tcp)),
];

const PER_ROUND: usize = 40;
