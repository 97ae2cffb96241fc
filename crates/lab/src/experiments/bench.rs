//! `bench`: the figures of the README, in one run.

use std::path::Path;

use portreeve_usage::Flag;

use super::{Effort, allocations, codec, jitter, loss, poll, sessions, simulate, throughput, walk};
use crate::failure::Result;
use crate::options::Options;
use crate::scratch::Scratch;
use crate::table::{Figure, write_json};

/// Something that is measured.
pub(crate) struct Experiment {
    pub(crate) name: &'static str,
    /// What it finds out, for the manual.
    pub(crate) finds: &'static str,
    run: fn(&Path, Effort) -> Result<Vec<Figure>>,
}

/// Runs the chosen experiments, all by default.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let known: Vec<_> = OPTIONS.iter().filter_map(|flag| flag.long).collect();
    let options = Options::parse(arguments, &known)?;
    let effort = Effort { seconds: options.or("seconds", 1.0)?, rounds: options.or("rounds", 5)? };
    let chosen: Vec<&str> = options.all("only").collect();
    if let Some(unknown) =
        chosen.iter().find(|name| !EXPERIMENTS.iter().any(|experiment| experiment.name == **name))
    {
        return Err(format!("no experiment '{unknown}'; there are {}", NAMES.replace('|', ", ")).into());
    }
    let scratch = Scratch::new()?;
    let mut figures = Vec::new();
    for experiment in EXPERIMENTS {
        if chosen.is_empty() || chosen.contains(&experiment.name) {
            figures.extend((experiment.run)(&scratch.0, effort)?);
        }
    }
    options.all("json").try_for_each(|path| write_json(path, &figures))
}

/// What may be said about a run.
pub(crate) const OPTIONS: &[Flag] = &[
    Flag::long("only", "one experiment; may be repeated").with(NAMES),
    Flag::long("seconds", "length of one measurement, default 1").with("S"),
    Flag::long("rounds", "measurements per figure, default 5").with("N"),
    Flag::long("json", "the figures also as JSON").with("FILE"),
];

/// Every experiment, in the order in which they run.
pub(crate) static EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "codec",
        finds: "Our BER codec beside general ASN.1 libraries.",
        run: |_, effort| codec::run(effort),
    },
    Experiment {
        name: "allocations",
        finds: "Heap allocations of the agent for each request; it is built for that by `make bench`.",
        run: allocations::run,
    },
    Experiment {
        name: "throughput",
        finds: "Requests per second of one core, beside a bare echo server and snmpd.",
        run: throughput::run,
    },
    Experiment { name: "walk", finds: "Whole commands beside Net-SNMP's.", run: walk::run },
    Experiment { name: "loss", finds: "What a lost datagram costs a walk.", run: loss::run },
    Experiment {
        name: "jitter",
        finds: "How often something is sent again needlessly to an agent that takes its time.",
        run: jitter::run,
    },
    Experiment { name: "poll", finds: "Our poller beside Net-SNMP's library.", run: poll::run },
    Experiment {
        name: "simulate",
        finds: "One core that plays a thousand agents, beside a bare echo server.",
        run: simulate::run,
    },
    Experiment {
        name: "sessions",
        finds: "SSH, TLS and DTLS: one GET from connecting to closing, in time, packets and octets, with OpenSSH's and \
                OpenSSL's clients beside ours; the second command through the session broker; a GET in an open session \
                beside TCP in clear; what an idle session keeps in memory, and how many are opened in a second of CPU; \
                Nagle's algorithm and the window policies of SSH; and ten thousand sessions each over SSH and TLS that \
                are idle for a minute, or for less where --seconds is less than 1.",
        run: sessions::run,
    },
];

const NAMES: &str = "codec|allocations|throughput|walk|loss|jitter|poll|simulate|sessions";

#[cfg(test)]
mod tests {
    use super::{EXPERIMENTS, NAMES};

    #[test]
    fn help_names_every_experiment() {
        let names: Vec<_> = EXPERIMENTS.iter().map(|experiment| experiment.name).collect();
        assert_eq!(names.join("|"), NAMES);
    }
}
