//! `bench`: the figures of the README, in one run.

use std::path::Path;

use portreeve_usage::Flag;

use super::sessions::{self, Cost};
use super::{Effort, allocations, codec, jitter, loss, poll, simulate, throughput, walk};
use crate::failure::Result;
use crate::options::Options;
use crate::scratch::Scratch;
use crate::table::{Figure, write_json};

/// Something that is measured.
pub(crate) struct Experiment {
    /// Its own, or its group's and its own behind a slash.
    pub(crate) name: &'static str,
    /// What it finds out, for the manual.
    pub(crate) finds: &'static str,
    run: fn(&Path, Effort) -> Result<Vec<Figure>>,
}

impl Experiment {
    /// Whether that is its name or its group's.
    fn is_named(&self, name: &str) -> bool {
        let rest = self.name.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// Runs the chosen experiments, all by default.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let known: Vec<_> = OPTIONS.iter().filter_map(|flag| flag.long).collect();
    let options = Options::parse(arguments, &known)?;
    let effort = Effort { seconds: options.or("seconds", 1.0)?, rounds: options.or("rounds", 5)? };
    let chosen: Vec<&str> = options.all("only").collect();
    if let Some(unknown) = chosen.iter().find(|name| !EXPERIMENTS.iter().any(|one| one.is_named(name))) {
        return Err(format!("no experiment '{unknown}'; there are {}", NAMES.replace('|', ", ")).into());
    }
    let scratch = Scratch::new()?;
    let mut figures = Vec::new();
    for experiment in EXPERIMENTS {
        if chosen.is_empty() || chosen.iter().any(|name| experiment.is_named(name)) {
            figures.extend((experiment.run)(&scratch.0, effort)?);
        }
    }
    options.all("json").try_for_each(|path| write_json(path, &figures))
}

/// What may be said about a run.
pub(crate) const OPTIONS: &[Flag] = &[
    Flag::long("only", "one experiment, or a group of them; may be repeated").with(NAMES),
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
        name: "sessions/one-shot",
        finds: "One GET over SSH, TLS and DTLS from connecting to closing, in time, packets and octets, with OpenSSH's and \
                OpenSSL's clients beside ours.",
        run: |scratch, effort| sessions::run(Cost::OneShot, scratch, effort),
    },
    Experiment {
        name: "sessions/broker",
        finds: "The second command through the session broker, beside the same over UDP.",
        run: |scratch, effort| sessions::run(Cost::Broker, scratch, effort),
    },
    Experiment {
        name: "sessions/exchange",
        finds: "One GET in an open session, beside the same over TCP in clear just before or after it.",
        run: |scratch, effort| sessions::run(Cost::Exchange, scratch, effort),
    },
    Experiment {
        name: "sessions/memory",
        finds: "What an idle session keeps in the agent's memory.",
        run: |scratch, effort| sessions::run(Cost::Memory, scratch, effort),
    },
    Experiment {
        name: "sessions/rate",
        finds: "How many sessions are opened in a second of the agent's processor.",
        run: |scratch, effort| sessions::run(Cost::Rate, scratch, effort),
    },
    Experiment {
        name: "sessions/window",
        finds: "Nagle's algorithm and the window policies of SSH.",
        run: |scratch, effort| sessions::run(Cost::Window, scratch, effort),
    },
    Experiment {
        name: "sessions/crowd",
        finds: "Ten thousand sessions over SSH and as many over TLS that are idle for a minute, or for less where \
                --seconds is less than 1.",
        run: |scratch, effort| sessions::run(Cost::Crowd, scratch, effort),
    },
];

const NAMES: &str = "codec|allocations|throughput|walk|loss|jitter|poll|simulate|sessions|sessions/one-shot|sessions/broker|\
                     sessions/exchange|sessions/memory|sessions/rate|sessions/window|sessions/crowd";

#[cfg(test)]
mod tests {
    use super::{EXPERIMENTS, NAMES};

    #[test]
    fn experiments_are_chosen_by_their_own_name_or_their_groups() {
        let chosen = |name| EXPERIMENTS.iter().filter(|one| one.is_named(name)).count();
        assert_eq!(
            ["codec", "sessions/rate", "sessions", "sess", "", "sessions/"].map(chosen),
            [1, 1, 7, 0, 0, 0]
        );
    }

    #[test]
    fn help_names_every_experiment() {
        let mut names: Vec<_> = NAMES.split('|').collect();
        names.retain(|name| *name != "sessions");
        assert!(EXPERIMENTS.iter().map(|experiment| experiment.name).eq(names));
    }
}
