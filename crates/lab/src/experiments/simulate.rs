//! Requests per second on one core that simulates a thousand agents, compared with echo servers on
//! one socket.
//!
//! The client runs on core 0, the servers on core 1, in namespaces connected by a veth pair. Each
//! agent has its own port; requests are sent to the agents in rotation. The additional cost of a
//! thousand agents is that of their sockets and engines.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::Effort;
use crate::echo::EchoKind;
use crate::error::{Context, Result};
use crate::namespaces::{Namespaces, SERVER};
use crate::process::{Server, output, own_program};
use crate::requests;
use crate::skips::skip;
use crate::table::{Figure, Table, best_and_median, grouped};

/// Measures the echo servers, one agent, and a thousand agents.
pub(crate) fn run(scratch: &Path, effort: Effort) -> Result<Vec<Figure>> {
    let simulator = match own_program("portreeve-simulate") {
        Ok(simulator) => simulator,
        Err(error) => {
            skip("portreeve-simulate", error.message());
            return Ok(Vec::new());
        }
    };
    let bench = Bench { namespaces: Namespaces::new(0)?, request: scratch.join("simulate.ber") };
    fs::write(&bench.request, requests::get("public", requests::SYS_UP_TIME)?)?;
    let mut servers = Vec::new();
    let mut samples = Vec::new();
    for (agents, port) in AGENT_COUNTS {
        servers.push(bench.start_agents(scratch, &simulator, agents, port)?);
        samples.push(Vec::new());
    }
    let reply = bench.reply(scratch)?;
    for (kind, port) in ECHO_PORTS {
        servers.push(bench.start_echo(scratch, kind, port, reply)?);
    }
    let mut echoes = ECHO_PORTS.map(|_| Vec::new());
    for _ in 0..effort.rounds {
        for ((_, port), samples) in ECHO_PORTS.into_iter().zip(&mut echoes) {
            samples.push(bench.rate(port, 1, effort.seconds)?);
        }
        for ((agents, port), samples) in AGENT_COUNTS.into_iter().zip(&mut samples) {
            samples.push(bench.rate(port, agents, effort.seconds)?);
        }
    }
    servers.into_iter().try_for_each(|server| server.stop().map(drop))?;

    let mut figures = Vec::new();
    let mut ceilings = Vec::new();
    for ((kind, _), samples) in ECHO_PORTS.into_iter().zip(&echoes) {
        figures.push(figure(format!("{}, {reply} B", kind.name()), samples, &[]));
        ceilings.push((kind.name(), best_and_median(samples).0));
    }
    for ((agents, _), samples) in AGENT_COUNTS.into_iter().zip(&samples) {
        figures.push(figure(format!("portreeve-simulate, agents: {agents}"), samples, &ceilings));
    }
    println!("Simulated agents: v2c GET sysUpTime.0, best and median of {} rounds", effort.rounds);
    print_table(&figures);
    Ok(figures)
}

struct Bench {
    namespaces: Namespaces,
    request: PathBuf,
}

impl Bench {
    fn start_agents(&self, scratch: &Path, simulator: &Path, agents: usize, port: u16) -> Result<Server> {
        let recording = scratch.join("simulate.snmprec");
        fs::write(&recording, "1.3.6.1.2.1.1.3.0|67|4200\n").context(recording.display())?;
        let mut command = self.namespaces.in_server(Some(1), &simulator.display().to_string())?;
        command.args(["--listen", &format!("udp:{SERVER}:{port}"), "--agents", &agents.to_string()]);
        command.args(["--threads", "1"]).arg(recording);
        Server::start_ready("portreeve-simulate", &mut command, &scratch.join("simulate.log"))
    }

    fn start_echo(&self, scratch: &Path, kind: EchoKind, port: u16, reply: usize) -> Result<Server> {
        let lab = std::env::current_exe()?.display().to_string();
        let mut command = self.namespaces.in_server(Some(1), &lab)?;
        command.args(kind.arguments(format_args!("{SERVER}:{port}"), reply));
        let server = Server::start("the echo server", &mut command, &scratch.join("echo.log"))?;
        let deadline = Instant::now() + START_TIMEOUT;
        while let Err(error) = output(self.load(port)?.args(["--count", "1"])) {
            if Instant::now() > deadline {
                return Err(error);
            }
        }
        Ok(server)
    }

    /// Returns the length of an agent's response in octets.
    fn reply(&self, scratch: &Path) -> Result<usize> {
        let reply = scratch.join("simulate.reply");
        let [(_, port), _] = AGENT_COUNTS;
        output(self.load(port)?.arg("--reply").arg(&reply))?;
        Ok(fs::read(&reply).context(reply.display())?.len())
    }

    fn rate(&self, port: u16, ports: usize, seconds: f64) -> Result<f64> {
        let more = ["--seconds", &seconds.to_string(), "--ports", &ports.to_string()];
        let line = output(self.load(port)?.args(more))?;
        let field = |name: &str| -> Result<f64> {
            let value = line.split_whitespace().find_map(|word| word.strip_prefix(name));
            Ok(value.ok_or_else(|| format!("no {name} in '{line}'"))?.parse()?)
        };
        Ok(field("replies=")? / field("seconds=")?)
    }

    /// Returns the load generator in the client's namespace.
    fn load(&self, port: u16) -> Result<Command> {
        let lab = std::env::current_exe()?.display().to_string();
        let to = SocketAddr::from((SERVER, port)).to_string();
        let mut command = self.namespaces.in_client(Some(0), &lab)?;
        command.args(["load", "--to", &to, "--window", WINDOW, "--request"]).arg(&self.request);
        Ok(command)
    }
}

/// Returns the figure of a server, with its ratios to the rates of the echo servers.
fn figure(subject: String, samples: &[f64], ceilings: &[(&'static str, f64)]) -> Figure {
    let (best, median) = best_and_median(samples);
    Figure {
        experiment: "simulate",
        work: "v2c GET sysUpTime.0".into(),
        setting: "pinned",
        subject,
        unit: "requests",
        best,
        median,
        n: samples.len(),
        ratios: ceilings.iter().map(|(name, rate)| (*name, best / rate)).collect(),
        goal: None,
    }
}

fn print_table(figures: &[Figure]) {
    let mut table = Table::new(1, &["server", "best/s", "median/s", "n", "of echo", "of batched echo"]);
    for figure in figures {
        let numbers = [grouped(figure.best), grouped(figure.median), figure.n.to_string()];
        let ratios = EchoKind::ALL.map(|kind| figure.ratio_cell(kind.name()));
        table.add_row([figure.subject.clone()].into_iter().chain(numbers).chain(ratios).collect());
    }
    println!("{}", table.unwrapped());
}

/// The number of agents, and the port of the first.
const AGENT_COUNTS: [(usize, u16); 2] = [(1, 20_000), (1000, 21_000)];
const ECHO_PORTS: [(EchoKind, u16); 2] = [(EchoKind::Plain, 17_100), (EchoKind::Batched, 17_101)];
/// The number of outstanding requests, the same as in the experiment `throughput`.
const WINDOW: &str = "64";
const START_TIMEOUT: Duration = Duration::from_secs(10);
