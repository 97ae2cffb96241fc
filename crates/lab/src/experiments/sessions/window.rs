//! The cost of Nagle's algorithm, and of a window adjustment after every message, over SSH.

use portreeve_channel_ssh::{TrafficSettings, WindowPolicy};

use super::agent_setup::{AgentSetup, PINNED};
use super::{Carrier, ProtocolStack, min_figure};
use crate::client::value;
use crate::error::Result;
use crate::experiments::Effort;
use crate::peers::with_ssh_traffic;
use crate::table::{Figure, Table};

/// Measures one session for each policy of both peers.
pub(super) fn run(setup: &AgentSetup<'_>, effort: Effort) -> Result<Vec<Figure>> {
    println!(
        "Nagle's algorithm and window adjustments over SSH: {EXCHANGES} GETs in an open session, and {ONE_SHOTS} sessions \
         with one GET each; minimum of {} rounds, processes pinned to cores; packets and octets are those of whole \
         Ethernet frames",
        effort.rounds
    );
    let head = [
        "both peers",
        "µs each",
        "packets each",
        "octets each",
        "packets relative to row 1",
        "required",
        "one-shot ms",
    ];
    let mut table = Table::new(1, &head);
    let mut figures: Vec<Figure> = Vec::new();
    for policy in &POLICIES {
        let server = setup.start(PINNED, |text| with_ssh_traffic(&text, policy.agent))?;
        let mut client = setup.client(PINNED)?;
        let stack = ProtocolStack::v2c(policy.carrier);
        client.send_command(&format!("exchange {} 1", stack.id()))?;
        let (mut times, mut packets, mut octets) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..effort.rounds {
            let output = client.send_command(&format!("counted {} {EXCHANGES}", stack.id()))?;
            let each = |name| Ok::<_, crate::error::LabError>(value(&output, name)? / EXCHANGES as f64);
            times.push(each("seconds")? * 1e6);
            packets.push(each("packets")?);
            octets.push(each("octets")?);
        }
        let one_shots = client.one_shots(stack, ONE_SHOTS)?;
        let figure = |unit, samples: &[f64]| {
            min_figure("nodelay and window over SSH", PINNED.name, policy.name.into(), unit, samples)
        };
        let time = figure("µs", &times);
        let mut frames = figure("packets", &packets);
        let octets = figure("octets", &octets);
        let one_shot: Vec<f64> = one_shots.iter().map(|seconds| seconds * 1e3).collect();
        let one_shot = figure("ms of a one-shot", &one_shot);
        let first =
            figures.iter().find(|figure| figure.unit == "packets").map_or(frames.best, |first| first.best);
        frames.ratios = vec![("when-needed", frames.best / first)];
        frames.goal = policy.packets.map(|must| (must, must));
        table.add_row(vec![
            policy.name.into(),
            format!("{:.1}", time.best),
            format!("{:.2}", frames.best),
            format!("{:.0}", octets.best),
            format!("{:.2}", frames.best / first),
            policy.packets.map_or(String::new(), |must| format!("{must:.1}")),
            format!("{:.2}", one_shot.best),
        ]);
        figures.extend([time, frames, octets, one_shot]);
        drop(client);
        server.stop()?;
    }
    println!("{}", table.unwrapped());
    Ok(figures)
}

/// The use of `nodelay` and of window adjustments by both peers.
struct Policy {
    name: &'static str,
    /// The settings of the client.
    carrier: Carrier,
    agent: TrafficSettings,
    /// The required minimum ratio of this policy's packets to those of the first policy.
    packets: Option<f64>,
}

const POLICIES: [Policy; 3] = [
    Policy {
        name: "nodelay, window when needed",
        carrier: Carrier::Ssh,
        agent: TrafficSettings { nodelay: true, window: WindowPolicy::WhenNeeded },
        packets: None,
    },
    Policy {
        name: "nodelay, window after every message",
        carrier: Carrier::SshEveryMessage,
        agent: TrafficSettings { nodelay: true, window: WindowPolicy::EveryMessage },
        packets: Some(1.8),
    },
    Policy {
        name: "Nagle, window when needed",
        carrier: Carrier::SshNagle,
        agent: TrafficSettings { nodelay: false, window: WindowPolicy::WhenNeeded },
        packets: None,
    },
];

const EXCHANGES: usize = 200;
const ONE_SHOTS: usize = 10;
