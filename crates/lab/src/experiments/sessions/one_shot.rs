//! One GET from connecting to closing, in process: milliseconds, packets and octets.

use std::path::Path;

use super::client::value;
use super::site::{PINNED, Site};
use super::{Carrier, Way, least, peers};
use crate::experiments::Effort;
use crate::failure::Result;
use crate::table::{Figure, Table, goal_cells};

/// Every way, and OpenSSH and OpenSSL beside ours.
pub(super) fn run(site: &Site<'_>, scratch: &Path, effort: Effort) -> Result<Vec<Figure>> {
    let server = site.start(PINNED, |same| same)?;
    let mut client = site.client(PINNED)?;
    let mut seconds = vec![Vec::new(); WORKS.len()];
    for work in &WORKS {
        // The first of each kind touches everything for the first time; it also fetches the ticket.
        client.one_shots(work.way, 1)?;
    }
    for _ in 0..effort.rounds {
        for (work, seconds) in WORKS.iter().zip(&mut seconds) {
            seconds.extend(client.one_shots(work.way, PER_ROUND)?);
        }
    }
    println!(
        "One GET from connecting to closing: best and median of {} in turn, pinned; packets and octets are whole \
         Ethernet frames",
        effort.rounds * PER_ROUND
    );
    let head =
        ["client", "best ms", "median ms", "n", "must", "aim", "packets", "must", "aim", "octets", "must"];
    let mut table = Table::new(1, &head);
    let mut figures = Vec::new();
    for (work, seconds) in WORKS.iter().zip(&seconds) {
        let (mut packets, mut octets) = (Vec::new(), Vec::new());
        for _ in 0..effort.rounds {
            let said = client.say(&format!("frames {}", work.way.word()))?;
            packets.push(value(&said, "packets")?);
            octets.push(value(&said, "octets")?);
        }
        let milliseconds: Vec<f64> = seconds.iter().map(|seconds| seconds * 1e3).collect();
        let figure = |unit, samples: &[f64], goal| Figure {
            goal,
            ..least("one-shot", PINNED.name, work.way.shown(), unit, samples)
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
        table.row(cells);
        figures.extend(row);
    }
    drop(client);
    for figure in peers::run(site, scratch, effort)? {
        table.row(vec![
            figure.subject.clone(),
            format!("{:.3}", figure.best),
            format!("{:.3}", figure.median),
            figure.n.to_string(),
        ]);
        figures.push(figure);
    }
    server.stop()?;
    println!("{}", table.whole());
    Ok(figures)
}

/// A way, and the most that it may take and should take.
struct Work {
    way: Way,
    milliseconds: Option<(f64, f64)>,
    packets: Option<(f64, f64)>,
    octets: Option<(f64, f64)>,
}

const fn report(way: Way) -> Work {
    Work { way, milliseconds: None, packets: None, octets: None }
}

const WORKS: [Work; 9] = [
    Work {
        milliseconds: Some((1.1, 0.8)),
        packets: Some((32.0, 24.0)),
        octets: Some((5400.0, f64::NAN)),
        ..report(Way::v2c(Carrier::Ssh))
    },
    report(Way::tsm(Carrier::Ssh)),
    report(Way::v2c(Carrier::SshMlKem)),
    report(Way::tsm(Carrier::SshMlKem)),
    Work { milliseconds: Some((0.6, 0.45)), ..report(Way::tsm(Carrier::Tls)) },
    Work { milliseconds: Some((0.45, 0.35)), ..report(Way::tsm(Carrier::TlsResumed)) },
    report(Way::tsm(Carrier::Dtls12)),
    report(Way::tsm(Carrier::Dtls13)),
    report(Way::v2c(Carrier::Tcp)),
];

const PER_ROUND: usize = 40;
