//! Notifications per second that are in the receiver's file, from one sender on another core.
//!
//! A number of notifications is outstanding at any time: informs until their response arrives,
//! traps until they are in the file. Rounds of both receivers are interleaved. After each round of
//! informs, the file must contain all that were acknowledged.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use portreeve_snmp_message::PduType;

use super::messages::{community_message, operands};
use super::receivers::{COMMUNITY, Receiver, SNMPTRAPD, USER};
use crate::error::{Context, Result};
use crate::experiments::Effort;
use crate::experiments::usage::cpu;
use crate::namespaces::Namespaces;
use crate::process::{Server, output, own_program};
use crate::table::{Figure, Table, best_and_median, goal_cells, grouped};

/// Measures every workload on every receiver, pinned and unpinned.
pub(super) fn run(namespaces: &Namespaces, directory: &Path, effort: Effort) -> Result<Vec<Figure>> {
    let receivers = Receiver::all(directory)?;
    println!(
        "Notifications per second that are in the receiver's file, in rounds of {} s; best and median of {} \
         rounds. portreeve-trapd also syncs the file, before it acknowledges an inform; snmptrapd does not. The \
         files are in {}",
        effort.seconds,
        effort.rounds,
        directory.display()
    );
    let bench = Bench { namespaces, directory, receivers: &receivers, effort };
    let mut table = Table::new(
        3,
        &[
            "work",
            "setting",
            "receiver",
            "best/s",
            "median/s",
            "n",
            "CPU µs each",
            "lost",
            "times snmptrapd",
            "required",
            "target",
        ],
    );
    let mut figures = Vec::new();
    for setting in [PINNED, UNPINNED] {
        bench.series(setting, &mut figures, &mut table)?;
    }
    println!("{}", table.unwrapped());
    Ok(figures)
}

struct Bench<'a> {
    namespaces: &'a Namespaces,
    directory: &'a Path,
    receivers: &'a [Receiver],
    effort: Effort,
}

/// The result of one round.
#[derive(Clone, Copy)]
struct Round {
    rate: f64,
    /// The receiver's processor time for one notification, in microseconds.
    cpu: f64,
    lost: u64,
}

impl Bench<'_> {
    fn series(&self, setting: Setting, figures: &mut Vec<Figure>, table: &mut Table) -> Result<()> {
        let mut servers = Vec::new();
        for receiver in self.receivers {
            servers.push(receiver.start(self.namespaces, setting.receiver_core)?);
        }
        for work in &WORKS {
            let mut rounds: Vec<Vec<Round>> = self.receivers.iter().map(|_| Vec::new()).collect();
            for _ in 0..self.effort.rounds {
                for ((receiver, server), rounds) in self.receivers.iter().zip(&mut servers).zip(&mut rounds) {
                    rounds.push(self.measure(work, setting, receiver, server)?);
                    server.check()?;
                }
            }
            self.report(work, setting, &rounds, figures, table);
        }
        servers.into_iter().try_for_each(|server| server.stop().map(drop))
    }

    fn measure(&self, work: &Work, setting: Setting, receiver: &Receiver, server: &Server) -> Result<Round> {
        let octets = self.octets_of_one(receiver)?;
        let message = self.message(work.kind, receiver)?;
        receiver.empty_file()?;
        let before = cpu(server.id())?;
        let (window, seconds) = (work.window.to_string(), self.effort.seconds.to_string());
        let (rate, lost, all) = if work.kind == Kind::Trap {
            let line = self.trap_load(receiver, &message, octets, setting, &window, &seconds)?;
            let lost = field(&line, "lost")?;
            let sent = field(&line, "sent")?;
            if lost > MAX_LOSS * sent {
                return Err(format!("{} lost {lost} of {sent} traps", receiver.name).into());
            }
            (field(&line, "written")? / field(&line, "seconds")?, lost, sent)
        } else {
            let words = ["--window", &window, "--seconds", &seconds];
            let line = self.load(receiver, &message, setting, &words)?;
            let (replies, lost) = (field(&line, "replies")?, field(&line, "lost")?);
            await_octets(receiver, (replies * octets as f64) as u64)?;
            (replies / field(&line, "seconds")?, lost, receiver.octets()? as f64 / octets as f64)
        };
        let round = Round { rate, cpu: (cpu(server.id())? - before) / all * 1e6, lost: lost as u64 };
        receiver.empty_file()?;
        Ok(round)
    }

    /// Writes the message of a kind to a file. An SNMPv3 message is valid for 150 seconds.
    fn message(&self, kind: Kind, receiver: &Receiver) -> Result<PathBuf> {
        let path = self.directory.join(format!("{}.ber", receiver.name));
        match kind {
            Kind::Trap => fs::write(&path, community_message(COMMUNITY, PduType::TrapV2)?),
            Kind::Inform => fs::write(&path, community_message(COMMUNITY, PduType::InformRequest)?),
            Kind::InformV3 => {
                let lab = std::env::current_exe()?.display().to_string();
                let mut command = self.namespaces.in_client(None, &lab)?;
                command.args(["capture", "--to", &receiver.address.to_string(), "--out"]).arg(&path);
                command.arg("--").arg(own_program("portreeve")?).arg("inform").args(USER);
                command.args(["-t", "2", "@ADDRESS@"]).args(operands());
                return output(&mut command).map(|_| path);
            }
        }
        .context(path.display())?;
        Ok(path)
    }

    /// Returns the number of octets that one notification adds to the file. The line of a trap is
    /// that of an inform with the same variables, and all ports of senders have five digits.
    fn octets_of_one(&self, receiver: &Receiver) -> Result<u64> {
        let inform = self.message(Kind::Inform, receiver)?;
        receiver.empty_file()?;
        self.load(receiver, &inform, UNPINNED, &["--window", "1", "--count", "1"])?;
        await_octets(receiver, 1)?;
        receiver.octets()
    }

    /// Runs the load generator for informs in the client's namespace.
    fn load(&self, receiver: &Receiver, message: &Path, setting: Setting, more: &[&str]) -> Result<String> {
        let mut command = self.sender(setting, "load", receiver, message)?;
        output(command.args(more))
    }

    /// Runs the load generator for traps, which share the receiver's file system.
    fn trap_load(
        &self,
        receiver: &Receiver,
        message: &Path,
        octets: u64,
        setting: Setting,
        window: &str,
        seconds: &str,
    ) -> Result<String> {
        let mut command = self.sender(setting, "trap-load", receiver, message)?;
        command.args(["--octets", &octets.to_string(), "--window", window, "--seconds", seconds, "--file"]);
        output(command.arg(&receiver.file))
    }

    fn sender(&self, setting: Setting, load: &str, receiver: &Receiver, message: &Path) -> Result<Command> {
        let lab = std::env::current_exe()?.display().to_string();
        let mut command = self.namespaces.in_client(setting.sender_core, &lab)?;
        command.args([load, "--to", &receiver.address.to_string(), "--request"]).arg(message);
        Ok(command)
    }

    fn report(
        &self,
        work: &Work,
        setting: Setting,
        rounds: &[Vec<Round>],
        figures: &mut Vec<Figure>,
        table: &mut Table,
    ) {
        let rates: Vec<(f64, f64)> = rounds
            .iter()
            .map(|rounds| best_and_median(&rounds.iter().map(|round| round.rate).collect::<Vec<_>>()))
            .collect();
        let reference = self.receivers.iter().position(|receiver| receiver.name == SNMPTRAPD);
        let reference = reference.and_then(|index| rates.get(index)).map(|(best, _)| *best);
        for ((receiver, rounds), (best, median)) in self.receivers.iter().zip(rounds).zip(rates) {
            let is_ours = receiver.name != SNMPTRAPD;
            let figure = Figure {
                experiment: "notifications",
                work: work.name(),
                setting: setting.name,
                subject: receiver.name.into(),
                unit: "notifications/s",
                best,
                median,
                n: rounds.len(),
                ratios: reference
                    .filter(|_| is_ours)
                    .map(|other| (SNMPTRAPD, best / other))
                    .into_iter()
                    .collect(),
                goal: (is_ours && setting.receiver_core.is_some()).then_some(GOAL),
            };
            let cpu = rounds.iter().map(|round| round.cpu).fold(f64::INFINITY, f64::min);
            let lost: u64 = rounds.iter().map(|round| round.lost).sum();
            let mut cells = vec![
                figure.work.clone(),
                setting.name.into(),
                figure.subject.clone(),
                grouped(best),
                grouped(median),
                figure.n.to_string(),
                format!("{cpu:.1}"),
                lost.to_string(),
                figure.ratio_cell(SNMPTRAPD),
            ];
            cells.extend(goal_cells(figure.goal, 1));
            table.add_row(cells);
            figures.push(figure);
        }
    }
}

/// Waits until the receiver's file has this length.
fn await_octets(receiver: &Receiver, octets: u64) -> Result<()> {
    let deadline = Instant::now() + WRITE_TIMEOUT;
    while receiver.octets()? < octets {
        if Instant::now() > deadline {
            return Err(format!("acknowledged informs are not in the file of {}", receiver.name).into());
        }
        thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

fn field(line: &str, name: &str) -> Result<f64> {
    let value = line.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    Ok(value.ok_or_else(|| format!("no {name} in '{line}'"))?.parse()?)
}

/// A kind of notification, and the number that is outstanding.
struct Work {
    kind: Kind,
    window: u32,
}

impl Work {
    fn name(&self) -> String {
        let kind = match self.kind {
            Kind::Trap => "v2c trap",
            Kind::Inform => "v2c inform",
            Kind::InformV3 => "v3 inform, SHA-256 AES-128",
        };
        format!("{kind}, {} outstanding", self.window)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Trap,
    Inform,
    InformV3,
}

#[derive(Clone, Copy)]
struct Setting {
    name: &'static str,
    sender_core: Option<usize>,
    receiver_core: Option<usize>,
}

const PINNED: Setting = Setting { name: "pinned", sender_core: Some(0), receiver_core: Some(1) };
const UNPINNED: Setting = Setting { name: "unpinned", sender_core: None, receiver_core: None };

const WORKS: [Work; 5] = [
    Work { kind: Kind::Trap, window: 64 },
    Work { kind: Kind::Trap, window: 256 },
    Work { kind: Kind::Inform, window: 256 },
    Work { kind: Kind::InformV3, window: 64 },
    Work { kind: Kind::InformV3, window: 256 },
];

/// The required and the target ratio to snmptrapd.
const GOAL: (f64, f64) = (1.0, 3.0);
/// The maximum part of traps that may be lost.
const MAX_LOSS: f64 = 0.01;
/// A long time, because a file that is not synced is written at any time.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);
