//! What Nagle's algorithm and a window that is opened after every message cost over SSH: the same work, counted.

use super::client::value;
use super::site::{PINNED, Site};
use super::{Carrier, Way, least};
use crate::experiments::Effort;
use crate::failure::Result;
use crate::table::{Figure, Table};

/// One session for each policy of both ends.
pub(super) fn run(site: &Site<'_>, effort: Effort) -> Result<Vec<Figure>> {
    println!(
        "Nagle's algorithm and the window over SSH: {EXCHANGES} GETs in an open session and {ONE_SHOTS} one-shots, pinned; \
         the least of {} rounds, packets and octets of whole Ethernet frames",
        effort.rounds
    );
    let head = [
        "both ends",
        "µs each",
        "packets each",
        "octets each",
        "of the first's packets",
        "must",
        "one-shot ms",
    ];
    let mut table = Table::new(1, &head);
    let mut figures: Vec<Figure> = Vec::new();
    for policy in &POLICIES {
        let server = site.start(PINNED, |text| (policy.change)(text))?;
        let mut client = site.client(PINNED)?;
        let way = Way::v2c(policy.carrier);
        client.say(&format!("exchange {} 1", way.word()))?;
        let (mut times, mut packets, mut octets) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..effort.rounds {
            let said = client.say(&format!("counted {} {EXCHANGES}", way.word()))?;
            let each = |name| Ok::<_, crate::failure::Failure>(value(&said, name)? / EXCHANGES as f64);
            times.push(each("seconds")? * 1e6);
            packets.push(each("packets")?);
            octets.push(each("octets")?);
        }
        let one_shots = client.one_shots(way, ONE_SHOTS)?;
        let figure = |unit, samples: &[f64]| {
            least("nodelay and window over SSH", PINNED.name, policy.name.into(), unit, samples)
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
        table.row(vec![
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
    println!("{}", table.whole());
    Ok(figures)
}

/// How both ends are told to behave.
struct Policy {
    name: &'static str,
    carrier: Carrier,
    change: fn(String) -> String,
    /// How many times the first one's packets there are at least.
    packets: Option<f64>,
}

const POLICIES: [Policy; 3] = [
    Policy { name: "nodelay, window when needed", carrier: Carrier::Ssh, change: |same| same, packets: None },
    Policy {
        name: "nodelay, window after every message",
        carrier: Carrier::SshEveryMessage,
        change: |text| text.replace(SSH, &format!("{SSH}window = \"every-message\"\n")),
        packets: Some(1.8),
    },
    Policy {
        name: "Nagle, window when needed",
        carrier: Carrier::SshNagle,
        change: |text| text.replace(SSH, &format!("{SSH}nodelay = false\n")),
        packets: None,
    },
];

/// How the listener for SSH begins.
const SSH: &str = "transport = \"ssh\"\n";

const EXCHANGES: usize = 200;
const ONE_SHOTS: usize = 10;
