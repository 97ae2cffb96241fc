//! One GET after the other in an open session, beside the same over TCP in clear.
//!
//! What else a machine does changes from one second to the next. So each round of a session is a pair with one over TCP,
//! and the middle of all pairs' ratios is told. A round is long enough that what it begins with, in caches that the one
//! before has filled, does not count. Where in memory a program lies is luck that lasts until it ends: both ends are
//! started anew several times.

use super::site::{PINNED, Setting, Site, UNPINNED};
use super::{Carrier, Client, Way, least, usage::cpu};
use crate::experiments::Effort;
use crate::failure::Result;
use crate::table::{Figure, Table, goal_cells};

/// Pinned and unpinned.
pub(super) fn run(site: &Site<'_>, effort: Effort) -> Result<Vec<Figure>> {
    let work = Work { count: (effort.seconds * PER_SECOND) as usize, starts: effort.rounds };
    println!(
        "One GET in an open session, one after the other: µs of each in rounds of {}; {} rounds of each session, each \
         beside one over TCP: the middle of the pairs' ratios, and between which the middle half of them are",
        work.count,
        work.starts * PAIRS
    );
    let head = [
        "session",
        "setting",
        "best µs",
        "median µs",
        "n",
        "of TCP",
        "middle half",
        "must",
        "aim",
        "client CPU µs",
        "server CPU µs",
        "CPU of TCP's",
    ];
    let mut table = Table::new(2, &head);
    let mut figures = series(site, work, PINNED, &mut table)?;
    figures.extend(series(site, work, UNPINNED, &mut table)?);
    println!("{}", table.whole());
    Ok(figures)
}

#[derive(Clone, Copy)]
struct Work {
    /// Exchanges of a round.
    count: usize,
    /// How often both ends are started anew.
    starts: usize,
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

/// A round in a session, and the one over TCP next to it.
struct Pair {
    session: Taken,
    tcp: Taken,
}

fn series(site: &Site<'_>, work: Work, setting: Setting, table: &mut Table) -> Result<Vec<Figure>> {
    let mut pairs: Vec<Vec<Pair>> = WAYS.iter().map(|_| Vec::new()).collect();
    for _ in 0..work.starts {
        measure(site, work, setting, &mut pairs)?;
    }
    let tcp: Vec<Taken> = pairs.iter().flatten().map(|pair| pair.tcp).collect();
    let mut figures = vec![row(TCP, setting, &tcp, &[], None, table)];
    for ((way, goal), pairs) in WAYS.iter().zip(&pairs) {
        let sessions: Vec<Taken> = pairs.iter().map(|pair| pair.session).collect();
        let goal = goal.filter(|_| setting.client_core.is_some());
        figures.push(row(*way, setting, &sessions, pairs, goal, table));
    }
    Ok(figures)
}

/// Starts both ends, and adds some pairs for each way.
fn measure(site: &Site<'_>, work: Work, setting: Setting, pairs: &mut [Vec<Pair>]) -> Result<()> {
    let server = site.start(setting, |same| same)?;
    let mut client = site.client(setting)?;
    for way in WAYS.iter().map(|(way, _)| *way).chain([TCP]) {
        client.say(&format!("exchange {} {}", way.word(), work.count))?;
    }
    let mut round = |way: Way| exchanges(&mut client, server.id(), way, work.count);
    for turn in 0..PAIRS {
        for ((way, _), pairs) in WAYS.iter().zip(&mut *pairs) {
            // Each of the two is the first as often as the other.
            pairs.push(if turn % 2 == 0 {
                let tcp = round(TCP)?;
                Pair { session: round(*way)?, tcp }
            } else {
                Pair { session: round(*way)?, tcp: round(TCP)? }
            });
        }
    }
    drop(client);
    server.stop().map(drop)
}

/// One round, and what it took of both ends' processors.
fn exchanges(client: &mut Client, server: u32, way: Way, count: usize) -> Result<Taken> {
    let before = (cpu(client.id())?, cpu(server)?);
    let seconds = client.number(&format!("exchange {} {count}", way.word()), "seconds")?;
    let each = |seconds: f64| seconds * 1e6 / count as f64;
    Ok(Taken {
        time: each(seconds),
        client: each(cpu(client.id())? - before.0),
        server: each(cpu(server)? - before.1),
    })
}

/// The figure of one way, and its row in the table; TCP itself is beside nothing.
fn row(
    way: Way,
    setting: Setting,
    taken: &[Taken],
    pairs: &[Pair],
    goal: Option<(f64, f64)>,
    table: &mut Table,
) -> Figure {
    let each = |of: fn(&Taken) -> f64| taken.iter().map(of).collect::<Vec<f64>>();
    let mut figure =
        least("GET in an open session", setting.name, way.shown(), "µs", &each(|taken| taken.time));
    let mut cells = vec![
        figure.subject.clone(),
        setting.name.into(),
        format!("{:.1}", figure.best),
        format!("{:.1}", figure.median),
        figure.n.to_string(),
    ];
    let cpu = [each(|taken| taken.client), each(|taken| taken.server)].map(|each| quartiles(each)[1]);
    let cpu = cpu.map(|each| format!("{each:.1}"));
    if !pairs.is_empty() {
        let ratios = |of: fn(&Taken) -> f64| {
            quartiles(pairs.iter().map(|pair| of(&pair.session) / of(&pair.tcp)).collect())
        };
        let [low, middle, high] = ratios(|taken| taken.time);
        let [_, work, _] = ratios(Taken::cpu);
        figure.ratios = vec![("tcp", middle), ("cpu-of-tcp", work)];
        figure.goal = goal;
        cells.extend([format!("{middle:.2}"), format!("{low:.2}–{high:.2}")]);
        cells.extend(goal_cells(goal, 2));
    }
    cells.resize(9, String::new());
    cells.extend(cpu);
    cells.push(figure.ratio_cell("cpu-of-tcp"));
    table.row(cells);
    figure
}

/// The values a quarter, a half and three quarters of `samples` do not exceed.
fn quartiles(mut samples: Vec<f64>) -> [f64; 3] {
    samples.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| samples.get(samples.len() * quarter / 4).copied().unwrap_or_default())
}

const TCP: Way = Way::v2c(Carrier::Tcp);

/// With what each ratio must be, and aims at.
const WAYS: [(Way, Option<(f64, f64)>); 9] = [
    (Way::v2c(Carrier::Udp), None),
    (Way::v2c(Carrier::Ssh), Some((1.25, 1.15))),
    (Way::v2c(Carrier::Tls), Some((1.15, 1.08))),
    (Way::v2c(Carrier::Dtls12), Some((1.2, 1.1))),
    (Way::v2c(Carrier::Dtls13), Some((1.2, 1.1))),
    (Way::tsm(Carrier::Ssh), None),
    (Way::tsm(Carrier::Tls), None),
    (Way::tsm(Carrier::Dtls12), None),
    (Way::tsm(Carrier::Dtls13), None),
];

/// Exchanges of a round that is to take a second, with others: a sixth of that.
const PER_SECOND: f64 = 2500.0;
/// Pairs of rounds between two starts.
const PAIRS: usize = 4;
