//! How many sessions the agent opens, answers once and closes, in each second of its CPU.

use super::site::{PINNED, Site};
use super::{Carrier, Way, usage::cpu};
use crate::experiments::Effort;
use crate::failure::Result;
use crate::table::{Figure, Table, best_and_median, grouped};

/// Each way in turn, some handshakes side by side.
pub(super) fn run(site: &Site<'_>, effort: Effort) -> Result<Vec<Figure>> {
    let count = (effort.seconds * PER_SECOND) as usize;
    println!(
        "New sessions: opened, asked once and closed, some at a time; best and median of {} rounds of {count}, pinned",
        effort.rounds
    );
    let head = ["session", "best per CPU second of the agent", "median", "n", "best per second"];
    let mut table = Table::new(1, &head);
    let server = site.start(PINNED, |same| same)?;
    let mut client = site.client(PINNED)?;
    for way in WAYS {
        client.say(&format!("churn {} 10", way.word()))?;
    }
    let (mut by_cpu, mut by_clock) = (vec![Vec::new(); WAYS.len()], vec![Vec::new(); WAYS.len()]);
    for _ in 0..effort.rounds {
        for ((way, by_cpu), by_clock) in WAYS.iter().zip(&mut by_cpu).zip(&mut by_clock) {
            let before = cpu(server.id())?;
            let seconds = client.number(&format!("churn {} {count}", way.word()), "seconds")?;
            by_cpu.push(count as f64 / (cpu(server.id())? - before));
            by_clock.push(count as f64 / seconds);
        }
    }
    drop(client);
    server.stop()?;
    let mut figures = Vec::new();
    for ((way, by_cpu), by_clock) in WAYS.iter().zip(&by_cpu).zip(&by_clock) {
        let (best, median) = best_and_median(by_cpu);
        table.row(vec![
            way.shown(),
            grouped(best),
            grouped(median),
            by_cpu.len().to_string(),
            grouped(best_and_median(by_clock).0),
        ]);
        figures.push(Figure {
            experiment: "sessions",
            work: "new sessions".into(),
            setting: PINNED.name,
            subject: way.shown(),
            unit: "sessions per CPU second of the agent",
            best,
            median,
            n: by_cpu.len(),
            ratios: Vec::new(),
            goal: None,
        });
    }
    println!("{}", table.whole());
    Ok(figures)
}

const WAYS: [Way; 7] = [
    Way::v2c(Carrier::Ssh),
    Way::v2c(Carrier::SshMlKem),
    Way::v2c(Carrier::Tls),
    Way::v2c(Carrier::TlsResumed),
    Way::v2c(Carrier::Dtls12),
    Way::v2c(Carrier::Dtls13),
    Way::v2c(Carrier::Tcp),
];

/// Sessions of a round that is to take a second, with others.
const PER_SECOND: f64 = 300.0;
