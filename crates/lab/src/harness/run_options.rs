//! The options of `lab run`.

use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;

use portreeve_usage::Flag;

use super::budget::{Budget, QUICK_ROUNDS, parse_time};
use super::{Effort, Experiment, Peer, selection};
use crate::error::{Context, Result};
use crate::options::Options;

/// The parsed command line of `lab run`.
pub(super) struct RunOptions {
    pub(super) experiments: Vec<&'static Experiment>,
    pub(super) peers: Vec<Peer>,
    pub(super) budget: Budget,
    pub(super) effort: Effort,
    /// The seed, if the user has chosen it.
    pub(super) seed: Option<u64>,
    pub(super) keep_pcap: bool,
    pub(super) against: Option<Against>,
    /// The run directory, if the user has chosen it.
    pub(super) out: Option<PathBuf>,
}

/// The user's device.
#[derive(Debug)]
pub(super) struct Against {
    /// The address as the user wrote it.
    pub(super) name: String,
    pub(super) address: IpAddr,
    pub(super) credentials: PathBuf,
}

impl RunOptions {
    /// Parses the arguments after `run`.
    pub(super) fn parse(arguments: &[String], known: &'static [&'static Experiment]) -> Result<Self> {
        let options = Options::parse_flags(arguments, OPTIONS)?;
        let effort = if options.has("quick") { Effort::Quick } else { Effort::Full };
        let experiments = selection::select(&options.plain, known)?;
        let repeat: Option<usize> = options.get("repeat")?;
        let time = options.get::<String>("budget")?.map(|text| parse_time(&text)).transpose()?;
        let budget = match (repeat, time) {
            (Some(_), Some(_)) => return Err("--repeat and --budget exclude each other".into()),
            (Some(0), None) => return Err("--repeat must be at least 1".into()),
            (Some(rounds), None) => Budget::Rounds(rounds),
            (None, Some(time)) => Budget::Time(time),
            (None, None) if effort == Effort::Quick => Budget::Rounds(QUICK_ROUNDS),
            (None, None) => Budget::Time(DEFAULT_TIME * experiments.len() as u32),
        };
        Ok(Self {
            experiments,
            peers: parse_peers(options.all("peer"))?,
            budget,
            effort,
            seed: options.get("seed")?,
            keep_pcap: options.has("keep-pcap"),
            against: parse_against(&options)?,
            out: options.get("out")?,
        })
    }

    /// Returns the arguments that repeat this run, in a fixed order and without the directory.
    pub(super) fn canonical(&self, seed: u64) -> Vec<String> {
        let mut words = vec!["run".to_owned()];
        words.extend(self.experiments.iter().map(|experiment| experiment.name.to_owned()));
        words.extend(self.peers.iter().flat_map(|peer| ["--peer".to_owned(), peer.name().to_owned()]));
        if self.effort == Effort::Quick {
            words.push("--quick".to_owned());
        }
        match self.budget {
            Budget::Rounds(QUICK_ROUNDS) if self.effort == Effort::Quick => {}
            Budget::Rounds(rounds) => words.extend(["--repeat".to_owned(), rounds.to_string()]),
            Budget::Time(time) => words.extend(["--budget".to_owned(), format!("{}s", time.as_secs())]),
        }
        words.extend(["--seed".to_owned(), seed.to_string()]);
        if self.keep_pcap {
            words.push("--keep-pcap".to_owned());
        }
        if let Some(against) = &self.against {
            words.extend(["--against".to_owned(), against.name.clone()]);
        }
        words
    }
}

fn parse_peers<'o>(names: impl Iterator<Item = &'o str>) -> Result<Vec<Peer>> {
    let mut peers = Vec::new();
    for name in names {
        let peer = Peer::ALL.into_iter().find(|peer| peer.name() == name);
        let peer = peer.ok_or_else(|| format!("unknown peer '{name}': expected net-snmp or netconfd"))?;
        if !peers.contains(&peer) {
            peers.push(peer);
        }
    }
    Ok(peers)
}

fn parse_against(options: &Options) -> Result<Option<Against>> {
    let (name, credentials) = (options.get::<String>("against")?, options.get::<PathBuf>("credentials")?);
    let (name, credentials) = match (name, credentials) {
        (None, None) => return Ok(None),
        (Some(name), Some(credentials)) => (name, credentials),
        _ => return Err("--against and --credentials are used together".into()),
    };
    let address = resolve(&name)?;
    Ok(Some(Against { name, address, credentials }))
}

/// Resolves the device's name once, so that all messages go to the same address.
fn resolve(name: &str) -> Result<IpAddr> {
    if let Ok(address) = name.parse() {
        return Ok(address);
    }
    let found = (name, 0).to_socket_addrs().context(name)?.next();
    Ok(found.map(|address: SocketAddr| address.ip()).ok_or_else(|| format!("{name} has no address"))?)
}

/// The options of `lab run`.
pub(crate) const OPTIONS: &[Flag] = &[
    Flag::long("peer", "also measure this reference program; may be repeated").with_value("net-snmp|netconfd"),
    Flag::long("repeat", "measure every variant in N rounds, instead of as often as the budget allows").with_value("N"),
    Flag::long("quick", "measure in two rounds with reduced parameters, for tests"),
    Flag::long("budget", "time for the whole run, for example 90m; the number of rounds follows from it (default: five minutes for each experiment)")
        .with_value("TIME"),
    Flag::long("seed", "seed of the order in which variants are measured").with_value("N"),
    Flag::long("keep-pcap", "keep the captured frames in the run directory"),
    Flag::long("against", "measure the device at ADDRESS, with the credentials of --credentials; nothing else is queried")
        .with_value("ADDRESS"),
    Flag::long("credentials", "addresses and credentials for --against, in the format of credentials.env of portreeved demo")
        .with_value("FILE"),
    Flag::long("out", "run directory; a run that was interrupted there resumes (default: portreeve-lab-TIME)")
        .with_value("DIR"),
];

/// The time for each experiment if no budget is given.
const DEFAULT_TIME: std::time::Duration = std::time::Duration::from_secs(300);

#[cfg(test)]
mod tests;
