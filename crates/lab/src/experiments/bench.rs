//! `bench`: all figures of the README in one run.

use std::path::Path;

use portreeve_lab_net::{Cleaner, ScratchDirectory};
use portreeve_usage::Flag;

use super::notifications::{self, NotificationExperiment};
use super::sessions::{self, SessionExperiment};
use super::{Effort, allocations, codec, jitter, loss, netconf, poll, sets, simulate, throughput, walk};
use crate::error::Result;
use crate::harness::file_system_warning;
use crate::options::Options;
use crate::skips;
use crate::table::{Figure, write_json};

/// An experiment that `bench` can run.
pub(crate) struct Experiment {
    /// The name, preceded by the name of the group and a slash if the experiment is in a group.
    pub(crate) name: &'static str,
    /// The description of the experiment in the manual.
    pub(crate) description: &'static str,
    run: fn(&Path, Effort) -> Result<Vec<Figure>>,
}

impl Experiment {
    /// Returns true if this is the experiment's name or its group's name.
    fn matches_name(&self, name: &str) -> bool {
        let rest = self.name.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// Runs the selected experiments, by default all.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let known: Vec<_> = OPTIONS.iter().filter_map(|flag| flag.long).collect();
    let options = Options::parse(arguments, &known)?;
    let effort = Effort { seconds: options.or("seconds", 1.0)?, rounds: options.or("rounds", 5)? };
    let chosen: Vec<&str> = options.all("only").collect();
    if let Some(unknown) = chosen.iter().find(|name| !EXPERIMENTS.iter().any(|one| one.matches_name(name))) {
        return Err(format!(
            "unknown experiment '{unknown}'; the experiments are {}",
            NAMES.replace('|', ", ")
        )
        .into());
    }
    let scratch = ScratchDirectory::new(&Cleaner::start_own()?)?;
    if let Some(warning) = file_system_warning() {
        println!("Warning: {warning}\n");
    }
    let (mut figures, mut skipped) = (Vec::new(), Vec::new());
    for experiment in EXPERIMENTS {
        if chosen.is_empty() || chosen.iter().any(|name| experiment.matches_name(name)) {
            figures.extend((experiment.run)(scratch.path(), effort)?);
            skipped.extend(skips::take().into_iter().map(|skip| (experiment.name, skip)));
        }
    }
    options.all("json").try_for_each(|path| write_json(path, &figures, &skipped))
}

/// The options of `bench`.
pub(crate) const OPTIONS: &[Flag] = &[
    Flag::long("only", "run only this experiment or group; may be repeated").with_value(NAMES),
    Flag::long("seconds", "duration of one measurement in seconds (default: 1)").with_value("S"),
    Flag::long("rounds", "measurements per figure (default: 5)").with_value("N"),
    Flag::long("json", "also write the figures, and the parts that are not measured, to FILE as JSON")
        .with_value("FILE"),
];

/// All experiments, in the order in which they run.
pub(crate) static EXPERIMENTS: &[Experiment] = &[
    Experiment {
        name: "codec",
        description: "Portreeve's BER codec compared with other Rust libraries; needs a special build by `make bench`.",
        run: |_, effort| codec::run(effort),
    },
    Experiment {
        name: "allocations",
        description: "Heap allocations of the agent per request; needs a special build by `make bench`.",
        run: allocations::run,
    },
    Experiment {
        name: "throughput",
        description: "Requests per second on one core, compared with two echo servers, of which one receives and sends in batches, and with snmpd.",
        run: throughput::run,
    },
    Experiment {
        name: "walk",
        description: "The run times of whole commands, compared with those of Net-SNMP.",
        run: walk::run,
    },
    Experiment { name: "loss", description: "The time that a lost datagram adds to a walk.", run: loss::run },
    Experiment {
        name: "jitter",
        description: "Unnecessary retransmissions to an agent with delayed responses.",
        run: jitter::run,
    },
    Experiment {
        name: "poll",
        description: "Portreeve's poller compared with Net-SNMP's library.",
        run: poll::run,
    },
    Experiment {
        name: "simulate",
        description: "One core that simulates a thousand agents, compared with echo servers.",
        run: simulate::run,
    },
    Experiment {
        name: "sets/few-rows",
        description: "Durable SETs on few rows with 1 and 16 outstanding requests, compared with a loop that only writes \
                and calls fdatasync.",
        run: sets::run_few_rows,
    },
    Experiment {
        name: "sets/many-rows",
        description: "The same with SETs of 100 000 different variables in 25 002 rows.",
        run: sets::run_many_rows,
    },
    Experiment {
        name: "netconf",
        description: "Edits of 1000 to 100 000 leafs over NETCONF, compared with a bare fdatasync and netconfd, and with SETs of the \
                same objects: time, memory, and the delay of GETs.",
        run: netconf::run,
    },
    Experiment {
        name: "notifications/rate",
        description: "Notifications per second on the receiver's disk, compared with snmptrapd, which does not sync its file.",
        run: |scratch, effort| notifications::run(NotificationExperiment::Rate, scratch, effort),
    },
    Experiment {
        name: "notifications/link",
        description: "The time from the change of a link to the arrival of its linkDown, over UDP and in an SSH session.",
        run: |scratch, effort| notifications::run(NotificationExperiment::Link, scratch, effort),
    },
    Experiment {
        name: "notifications/inform",
        description: "One inform over a new and an open session of each transport, compared with snmpinform over UDP.",
        run: |scratch, effort| notifications::run(NotificationExperiment::Inform, scratch, effort),
    },
    Experiment {
        name: "notifications/memory",
        description: "The agent's memory for 1000 targets, idle and with queues of informs.",
        run: |scratch, effort| notifications::run(NotificationExperiment::Memory, scratch, effort),
    },
    Experiment {
        name: "sessions/one-shot",
        description: "One GET over SSH, TLS and DTLS from connect to close: time, packets and octets, compared with OpenSSH's and \
                OpenSSL's clients.",
        run: |scratch, effort| sessions::run(SessionExperiment::OneShot, scratch, effort),
    },
    Experiment {
        name: "sessions/broker",
        description: "A command in a session that the broker keeps open, compared with the same command over UDP.",
        run: |scratch, effort| sessions::run(SessionExperiment::Broker, scratch, effort),
    },
    Experiment {
        name: "sessions/exchange",
        description: "One GET in an open session, compared with a GET over cleartext TCP just before or after it.",
        run: |scratch, effort| sessions::run(SessionExperiment::Exchange, scratch, effort),
    },
    Experiment {
        name: "sessions/memory",
        description: "The agent's memory for an idle session.",
        run: |scratch, effort| sessions::run(SessionExperiment::Memory, scratch, effort),
    },
    Experiment {
        name: "sessions/rate",
        description: "New sessions per second of the agent's CPU time.",
        run: |scratch, effort| sessions::run(SessionExperiment::Rate, scratch, effort),
    },
    Experiment {
        name: "sessions/window",
        description: "The costs of Nagle's algorithm and of two policies for SSH window adjustments.",
        run: |scratch, effort| sessions::run(SessionExperiment::Window, scratch, effort),
    },
    Experiment {
        name: "sessions/many",
        description: "Ten thousand sessions over SSH and as many over TLS. They are idle for a minute, or for less if \
                --seconds is below 1.",
        run: |scratch, effort| sessions::run(SessionExperiment::Many, scratch, effort),
    },
];

const NAMES: &str = "codec|allocations|throughput|walk|loss|jitter|poll|simulate|sets|sets/few-rows|sets/many-rows|netconf|notifications|notifications/rate|notifications/link|\
                     notifications/inform|notifications/memory|sessions|sessions/one-shot|sessions/broker|\
                     sessions/exchange|sessions/memory|sessions/rate|sessions/window|sessions/many";

#[cfg(test)]
mod tests {
    use super::{EXPERIMENTS, NAMES};

    #[test]
    fn experiments_are_selected_by_their_own_or_group_name() {
        let chosen = |name| EXPERIMENTS.iter().filter(|one| one.matches_name(name)).count();
        assert_eq!(
            ["codec", "sessions/rate", "sessions", "sess", "", "sessions/"].map(chosen),
            [1, 1, 7, 0, 0, 0]
        );
    }

    #[test]
    fn list_of_experiment_names_is_complete_and_in_order() {
        let mut names: Vec<_> = NAMES.split('|').collect();
        names.retain(|name| !["notifications", "sessions", "sets"].contains(name));
        assert!(EXPERIMENTS.iter().map(|experiment| experiment.name).eq(names));
    }
}
