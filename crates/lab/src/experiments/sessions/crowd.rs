//! Ten thousand sessions over SSH and as many over TLS, open at the same time: idle, then asked once more each.
//!
//! The limits of open files that systems have by default leave one process room for little more than ten thousand, so
//! each transport has an agent and a client of its own. Both agents share core 1, both clients core 0.

use std::thread;
use std::time::Duration;

use super::client::value;
use super::site::{PINNED, Site};
use super::{Carrier, Way, usage::memory};
use crate::experiments::Effort;
use crate::failure::Result;
use crate::table::{Figure, Table, grouped};

/// Opens, waits, asks. Rounds of less than a second make the pause shorter.
pub(super) fn run(ssh: &Site<'_>, tls: &Site<'_>, effort: Effort) -> Result<Vec<Figure>> {
    let idle = IDLE.mul_f64(effort.seconds.min(1.0));
    println!(
        "{} sessions over SSH and as many over TLS at the same time: idle for {} s, then one GET in each, pinned",
        grouped(SESSIONS as f64),
        idle.as_secs()
    );
    let mut ends = Vec::new();
    for (site, way) in [(ssh, Way::v2c(Carrier::SshMlKem)), (tls, Way::v2c(Carrier::Tls))] {
        let server = site.start(PINNED, |same| same)?;
        let mut client = site.client(PINNED)?;
        let opening = client.number(&format!("open {} {SESSIONS}", way.word()), "seconds")?;
        ends.push((way, server, client, opening));
    }
    thread::sleep(idle);
    let mut table = Table::new(1, &["session", "opened in s", "answered", "must", "in s", "agent MB"]);
    let mut figures = Vec::new();
    for (way, server, client, opening) in &mut ends {
        let said = client.say("ask")?;
        let answered = value(&said, "answered")?;
        table.row(vec![
            way.shown(),
            format!("{opening:.1}"),
            grouped(answered),
            grouped(SESSIONS as f64),
            format!("{:.2}", value(&said, "seconds")?),
            grouped(memory(server.id())? / 1e6),
        ]);
        figures.push(Figure {
            experiment: "sessions",
            work: format!("{SESSIONS} sessions, then one GET in each"),
            setting: PINNED.name,
            subject: way.shown(),
            unit: "answered",
            best: answered,
            median: answered,
            n: SESSIONS,
            ratios: Vec::new(),
            goal: Some((SESSIONS as f64, SESSIONS as f64)),
        });
    }
    println!("{}", table.whole());
    Ok(figures)
}

const SESSIONS: usize = 10_000;
const IDLE: Duration = Duration::from_secs(60);
