//! The time from the change of a link to the arrival of its linkDown.
//!
//! ```text
//! flags of the interface ─ netlink ─ agent ──veth── receiver ─ pipe ─ this process
//! ```
//! The clock starts before this process sets an interface down, and stops when it reads the line
//! that the receiver prints. An inform is written to the agent's disk while it is sent.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc::{Receiver as Lines, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::site::{COMMUNITY, Site};
use super::{min_figure, quantile};
use crate::error::{Context, Result};
use crate::experiments::Effort;
use crate::process::{Server, output};
use crate::table::{Figure, Table};

/// Measures a trap over UDP and an inform in an open session over SSH.
pub(super) fn run(site: &Site<'_>, effort: Effort) -> Result<Vec<Figure>> {
    let count = effort.rounds * PER_ROUND;
    println!(
        "Time from the change of a link until its receiver has printed the linkDown, {count} changes; the \
         requirement for sending it is 100 ms"
    );
    let ip = |words: &[&str]| output(site.namespaces()?.in_server(None, "ip")?.args(words)).map(drop);
    ip(&["link", "set", LINK, "up"])?;
    let mut table = Table::new(1, &["notification", "best ms", "p50 ms", "p99 ms", "n"]);
    let mut figures = Vec::new();
    let ssh = site.env("SSH")?;
    let user = site.env("SSH_USER")?;
    let targets = [
        (
            "v2c trap over UDP",
            format!(
                "to = \"udp:{}\"\nkind = \"trap\"\nversion = \"v2c\"\nview = \"all\"\ncommunity = \"{COMMUNITY}\"\n",
                site.env("UDP")?
            ),
        ),
        (
            "v3 inform over SSH, open session",
            format!(
                "to = \"ssh:{user}@{ssh}\"\nview = \"all\"\nssh-key = \"id_ed25519\"\nknown-hosts = \"known_hosts\"\n"
            ),
        ),
    ];
    for (subject, target) in targets {
        let seconds = measure(site, &target, count).context(subject)?;
        let milliseconds: Vec<f64> = seconds.iter().map(|seconds| seconds * 1e3).collect();
        let figure = min_figure("linkDown", "unpinned", subject, "ms", &milliseconds);
        let late = Figure {
            best: quantile(&milliseconds, 0.99),
            median: quantile(&milliseconds, 0.99),
            ..min_figure("linkDown, 99th percentile", "unpinned", subject, "ms", &milliseconds)
        };
        table.add_row(vec![
            subject.into(),
            format!("{:.2}", figure.best),
            format!("{:.2}", figure.median),
            format!("{:.2}", late.median),
            figure.n.to_string(),
        ]);
        figures.extend([figure, late]);
    }
    println!("{}", table.unwrapped());
    Ok(figures)
}

/// Returns the seconds of each change to down.
fn measure(site: &Site<'_>, target: &str, count: usize) -> Result<Vec<f64>> {
    let (receiver, lines) = start_receiver(site)?;
    let agent = site.start_agent(&format!("[[notify]]\nname = \"noc\"\n{target}"))?;
    let link = Link::of(&agent);
    let mut seconds = Vec::with_capacity(count);
    // The session is open after the coldStart. The first changes are not measured.
    await_line(&lines, COLD_START)?;
    for number in 0..WARM_UP + count {
        link.set_up(true)?;
        await_line(&lines, LINK_UP)?;
        thread::sleep(PAUSE);
        let started = Instant::now();
        link.set_up(false)?;
        let arrived = await_line(&lines, LINK_DOWN)?;
        if number >= WARM_UP {
            seconds.push((arrived - started).as_secs_f64());
        }
    }
    agent.stop()?;
    receiver.stop()?;
    Ok(seconds)
}

/// Starts a receiver that prints lines; returns them with the time at which each was read.
fn start_receiver(site: &Site<'_>) -> Result<(Server, Lines<(Instant, String)>)> {
    let pipe = site.directory.join("pipe");
    if !pipe.exists() {
        output(Command::new("mkfifo").arg(&pipe))?;
    }
    let (sender, lines) = channel();
    let path = pipe.clone();
    // Opening the pipe waits until the receiver opens it, too.
    thread::spawn(move || -> Option<()> {
        for line in BufReader::new(fs::File::open(path).ok()?).lines() {
            sender.send((Instant::now(), line.ok()?)).ok()?;
        }
        None
    });
    let receiver = site.start_receiver(&["-On", "-F", "%v\\n", &format!("-Lf{}", pipe.display())])?;
    Ok((receiver, lines))
}

/// Returns the time of the next line with this notification.
fn await_line(lines: &Lines<(Instant, String)>, notification: &str) -> Result<Instant> {
    let deadline = Instant::now() + ARRIVAL_TIMEOUT;
    loop {
        let (arrived, line) = lines
            .recv_timeout(deadline.saturating_duration_since(Instant::now()))
            .context(format_args!("no notification {notification}"))?;
        if line.contains(&format!("OID: {notification}\t")) || line.ends_with(&format!("OID: {notification}"))
        {
            return Ok(arrived);
        }
    }
}

/// The interface, whose flags are a file in the agent's mount namespace.
struct Link {
    flags: PathBuf,
}

impl Link {
    fn of(agent: &Server) -> Self {
        Self { flags: format!("/proc/{}/root/sys/class/net/{LINK}/flags", agent.id()).into() }
    }

    fn set_up(&self, is_up: bool) -> Result<()> {
        let flags = if is_up { "0x1003" } else { "0x1002" };
        fs::write(&self.flags, flags).context(self.flags.display())
    }
}

/// The number of interfaces in the server's namespace, so that it has the one end of [`LINK`]; the
/// other one is in the agent's namespace.
pub(super) const INTERFACES: usize = 3;
const LINK: &str = "odd";

const COLD_START: &str = ".1.3.6.1.6.3.1.1.5.1";
const LINK_DOWN: &str = ".1.3.6.1.6.3.1.1.5.3";
const LINK_UP: &str = ".1.3.6.1.6.3.1.1.5.4";

const PER_ROUND: usize = 40;
const WARM_UP: usize = 5;
/// The time after an arrival until the next change, in which the agent finishes its work.
const PAUSE: Duration = Duration::from_millis(10);
const ARRIVAL_TIMEOUT: Duration = Duration::from_secs(10);
