//! One GET after the other in an open session, beside the same over TCP in clear.

use super::site::{PINNED, Setting, Site, UNPINNED};
use super::{Carrier, Way, least, usage::cpu};
use crate::experiments::Effort;
use crate::failure::Result;
use crate::table::{Figure, Table, goal_cells};

/// Pinned and unpinned.
pub(super) fn run(site: &Site<'_>, effort: Effort) -> Result<Vec<Figure>> {
    println!(
        "One GET in an open session, one after the other: µs of each, best and median of {} rounds of {}; CPU time of \
         both ends of the round with the least",
        effort.rounds,
        count(effort)
    );
    let head = [
        "session",
        "setting",
        "best µs",
        "median µs",
        "n",
        "of TCP",
        "must",
        "aim",
        "client CPU µs",
        "server CPU µs",
        "CPU of TCP's",
    ];
    let mut table = Table::new(2, &head);
    let mut figures = series(site, effort, PINNED, &mut table)?;
    figures.extend(series(site, effort, UNPINNED, &mut table)?);
    println!("{}", table.render());
    Ok(figures)
}

/// What one exchange took in one round, in microseconds.
#[derive(Clone, Copy)]
struct Taken {
    time: f64,
    client: f64,
    server: f64,
}

impl Taken {
    fn cpu(&self) -> f64 {
        self.client + self.server
    }
}

fn series(site: &Site<'_>, effort: Effort, setting: Setting, table: &mut Table) -> Result<Vec<Figure>> {
    let server = site.start(setting, |same| same)?;
    let mut client = site.client(setting)?;
    let mut taken = vec![Vec::new(); WORKS.len()];
    let count = count(effort);
    for (way, _) in WORKS {
        client.say(&format!("exchange {} {}", way.word(), count / 10))?;
    }
    for _ in 0..effort.rounds {
        for ((way, _), taken) in WORKS.iter().zip(&mut taken) {
            let before = (cpu(client.id())?, cpu(server.id())?);
            let seconds = client.number(&format!("exchange {} {count}", way.word()), "seconds")?;
            let each = |seconds: f64| seconds * 1e6 / count as f64;
            taken.push(Taken {
                time: each(seconds),
                client: each(cpu(client.id())? - before.0),
                server: each(cpu(server.id())? - before.1),
            });
        }
    }
    drop(client);
    server.stop()?;
    let mut figures: Vec<Figure> = Vec::new();
    let mut floor: Option<(f64, f64)> = None;
    for ((way, goal), taken) in WORKS.iter().zip(&taken) {
        let times: Vec<f64> = taken.iter().map(|taken| taken.time).collect();
        let thrifty = taken.iter().min_by(|one, other| one.cpu().total_cmp(&other.cpu()));
        let Some(thrifty) = thrifty else { continue };
        let mut figure = least("GET in an open session", setting.name, way.shown(), "µs", &times);
        let (time, work) = *floor.get_or_insert((figure.best, thrifty.cpu()));
        let goal = goal.filter(|_| setting.client_core.is_some());
        figure.ratios = vec![("tcp", figure.best / time), ("cpu-of-tcp", thrifty.cpu() / work)];
        figure.goal = goal;
        let mut cells = vec![
            figure.subject.clone(),
            setting.name.into(),
            format!("{:.1}", figure.best),
            format!("{:.1}", figure.median),
            figure.n.to_string(),
            format!("{:.2}", figure.best / time),
        ];
        cells.extend(goal_cells(goal, 2));
        cells.extend([thrifty.client, thrifty.server].map(|each| format!("{each:.1}")));
        cells.push(format!("{:.2}", thrifty.cpu() / work));
        table.row(cells);
        figures.push(figure);
    }
    Ok(figures)
}

fn count(effort: Effort) -> usize {
    (effort.seconds * PER_SECOND) as usize
}

/// The first is the measure of all.
const WORKS: [(Way, Option<(f64, f64)>); 9] = [
    (Way::v2c(Carrier::Tcp), None),
    (Way::v2c(Carrier::Ssh), Some((1.25, 1.15))),
    (Way::v2c(Carrier::Tls), Some((1.15, 1.08))),
    (Way::v2c(Carrier::Dtls12), Some((1.2, 1.1))),
    (Way::v2c(Carrier::Dtls13), Some((1.2, 1.1))),
    (Way::tsm(Carrier::Ssh), None),
    (Way::tsm(Carrier::Tls), None),
    (Way::tsm(Carrier::Dtls12), None),
    (Way::tsm(Carrier::Dtls13), None),
];

/// Exchanges of a round that is to take a second, with others: a quarter of that.
const PER_SECOND: f64 = 5000.0;
