//! Requests per second on one server core, compared with an echo server and snmpd.
//!
//! ```text
//! client namespace, core 0  ──veth──  server namespace, core 1
//! ```
//! Rounds of all servers are interleaved, so that a disturbance affects all of them. The echo
//! servers return a reply of the same size as our agent without parsing the request. The plain one
//! is the upper bound of servers that receive and send one datagram with each system call, as snmpd
//! does; the batched one is that of servers that receive and send many, as our agent does. In a
//! second series the scheduler chooses the cores.

use std::fs;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use portreeve_snmp_message::{CommunityMessage, Pdu};

use super::Effort;
use crate::daemon::{self, Agent};
use crate::echo::EchoKind;
use crate::error::{Context, Result};
use crate::namespaces::{Namespaces, SERVER};
use crate::process::{Server, is_installed, output, own_program};
use crate::requests;
use crate::skips::skip;
use crate::table::{Figure, Table, best_and_median, goal_cells, grouped};

/// Measures every workload on every server, pinned and unpinned.
pub(crate) fn run(scratch: &Path, effort: Effort) -> Result<Vec<Figure>> {
    let namespaces = Namespaces::new(IF_TABLE_ROWS)?;
    let at = IpAddr::from(SERVER);
    let mut agents = Vec::new();
    match own_program("portreeved")
        .and_then(|program| daemon::portreeved(&program, &scratch.join("portreeved"), at))
    {
        Ok(agent) => agents.push(agent),
        Err(error) => skip("portreeved", error.message()),
    }
    if is_installed("snmpd") {
        agents.push(daemon::snmpd(&scratch.join("snmpd"), at)?);
    } else {
        skip(SNMPD, "it is not installed (Debian: snmpd)");
    }
    let bench = Bench { namespaces, agents, scratch: scratch.to_owned(), effort };
    println!(
        "Throughput with {WINDOW} outstanding requests and {IF_TABLE_ROWS} interfaces, in rounds of {} s; best and median of {} rounds",
        effort.seconds, effort.rounds
    );
    let mut figures = bench.series(PINNED)?;
    figures.extend(bench.series(UNPINNED)?);
    print_table(&figures);
    Ok(figures)
}

struct Bench {
    namespaces: Namespaces,
    agents: Vec<Agent>,
    scratch: PathBuf,
    effort: Effort,
}

/// A server and its request.
struct Subject {
    name: String,
    address: SocketAddr,
    request: PathBuf,
    /// The number that one reply adds to the result: 1, or for GETBULK the number of variables in
    /// the reply.
    worth: f64,
}

impl Bench {
    fn series(&self, setting: Setting) -> Result<Vec<Figure>> {
        let mut servers = Vec::new();
        for agent in &self.agents {
            let mut server =
                agent.start(|program| self.namespaces.in_server(setting.server_core, program))?;
            self.wait_for(agent, &mut server)?;
            servers.push(server);
        }
        let mut figures = Vec::new();
        for (index, work) in WORKS.iter().enumerate() {
            let mut subjects = Vec::new();
            let mut lengths = (0, 0);
            for agent in self.agents.iter().rev() {
                let (subject, request, reply) = self.prepare(agent, work, setting)?;
                lengths = (request, reply);
                subjects.insert(0, subject);
            }
            let _echoes = self.add_echoes(&mut subjects, lengths, setting, index)?;
            figures.extend(self.rounds(work, setting, &subjects)?);
            servers.iter_mut().try_for_each(Server::check)?;
        }
        for server in servers {
            server.stop()?;
        }
        Ok(figures)
    }

    fn wait_for(&self, agent: &Agent, server: &mut Server) -> Result<()> {
        let request = self.scratch.join("hello");
        fs::write(&request, requests::get(&agent.community, requests::SYS_UP_TIME)?)?;
        let deadline = Instant::now() + START_TIMEOUT;
        loop {
            server.check().context(agent.log().unwrap_or_default())?;
            match self.load(agent.address, &request, UNPINNED, &["--count", "1"]) {
                Err(error) if Instant::now() > deadline => return Err(error),
                Err(_) => std::thread::sleep(Duration::from_millis(50)),
                Ok(_) => return Ok(()),
            }
        }
    }

    /// Writes the request of `work` to a file and gets one reply; returns the lengths of both.
    fn prepare(&self, agent: &Agent, work: &Work, setting: Setting) -> Result<(Subject, usize, usize)> {
        let path = self.scratch.join(format!("{}-{}.ber", agent.name, work.name.replace(['/', ' '], "-")));
        let request = match work.request {
            Request::Get => requests::get(&agent.community, requests::SYS_UP_TIME)?,
            Request::GetBulk => requests::get_bulk(&agent.community, 50, requests::IF_DESCR)?,
            Request::UsmGet => daemon::capture_get(agent, SYS_UP_TIME, &path, |program| {
                self.namespaces.in_client(None, program)
            })?,
        };
        fs::write(&path, &request).context(path.display())?;
        let sample = self.scratch.join("reply");
        self.load(agent.address, &path, setting, &["--reply", &sample.display().to_string()])?;
        let reply = fs::read(&sample).context(sample.display())?;
        let worth = match work.request {
            Request::GetBulk => variables(&reply)? as f64,
            _ => 1.0,
        };
        if reply.len() > MAX_REPLY {
            return Err(format!(
                "{} sent a response of {} octets, more than {MAX_REPLY}",
                agent.name,
                reply.len()
            )
            .into());
        }
        let name = format!("{} {} → {} B", agent.name, request.len(), reply.len());
        Ok((Subject { name, address: agent.address, request: path, worth }, request.len(), reply.len()))
    }

    /// Starts the echo servers with the lengths of the first agent and inserts them before the
    /// other subjects.
    fn add_echoes(
        &self,
        subjects: &mut Vec<Subject>,
        (request, reply): (usize, usize),
        setting: Setting,
        index: usize,
    ) -> Result<Vec<Server>> {
        let Some(first) = subjects.first() else { return Ok(Vec::new()) };
        let (file, worth) = (first.request.clone(), first.worth);
        let mut echoes = Vec::new();
        for (port, kind) in (ECHO_PORT + 2 * index as u16..).zip(EchoKind::ALL) {
            let address = SocketAddr::new(SERVER.into(), port);
            let lab = std::env::current_exe()?.display().to_string();
            let mut command = self.namespaces.in_server(setting.server_core, &lab)?;
            command.args(kind.arguments(address, reply));
            echoes.push(Server::start("the echo server", &mut command, &self.scratch.join("echo.log"))?);
            let name = format!("{} {request} → {reply} B", kind.name());
            let deadline = Instant::now() + START_TIMEOUT;
            while let Err(error) = self.load(address, &file, UNPINNED, &["--count", "1"]) {
                if Instant::now() > deadline {
                    return Err(error);
                }
            }
            subjects.insert(echoes.len() - 1, Subject { name, address, request: file.clone(), worth });
        }
        Ok(echoes)
    }

    fn rounds(&self, work: &Work, setting: Setting, subjects: &[Subject]) -> Result<Vec<Figure>> {
        let mut samples = vec![Vec::new(); subjects.len()];
        let seconds = self.effort.seconds.to_string();
        for _ in 0..self.effort.rounds {
            for (subject, samples) in subjects.iter().zip(&mut samples) {
                let line = self.load(subject.address, &subject.request, setting, &["--seconds", &seconds])?;
                samples.push(field(&line, "replies")? / field(&line, "seconds")? * subject.worth);
            }
        }
        let bests: Vec<f64> = samples.iter().map(|samples| best_and_median(samples).0).collect();
        let of =
            |name: &str| subjects.iter().position(|subject| subject.name.starts_with(name)).map(|i| bests[i]);
        Ok(subjects
            .iter()
            .zip(&samples)
            .map(|(subject, samples)| {
                let (best, median) = best_and_median(samples);
                let is_echo = EchoKind::ALL.iter().any(|kind| subject.name.starts_with(kind.name()));
                let ratio = |other: &'static str| of(other).map(|reference| (other, best / reference));
                Figure {
                    experiment: "throughput",
                    work: work.name.into(),
                    setting: setting.name,
                    subject: subject.name.clone(),
                    unit: work.unit,
                    best,
                    median,
                    n: samples.len(),
                    ratios: REFERENCES.into_iter().filter(|_| !is_echo).filter_map(ratio).collect(),
                    goal: (subject.name.starts_with("portreeved") && setting.server_core.is_some())
                        .then_some(work.goal),
                }
            })
            .collect())
    }

    /// Runs the load generator in the client's namespace.
    fn load(&self, to: SocketAddr, request: &Path, setting: Setting, more: &[&str]) -> Result<String> {
        let lab = std::env::current_exe()?.display().to_string();
        let mut command: Command = self.namespaces.in_client(setting.client_core, &lab)?;
        command
            .args(["load", "--to", &to.to_string(), "--window", &WINDOW.to_string(), "--request"])
            .arg(request);
        output(command.args(more))
    }
}

fn print_table(figures: &[Figure]) {
    let mut table = Table::new(
        3,
        &[
            "work",
            "setting",
            "server",
            "best/s",
            "median/s",
            "n",
            "of echo",
            "of batched echo",
            "of snmpd",
            "required",
            "target",
        ],
    );
    for figure in figures {
        let [must, aim] = goal_cells(figure.goal, 2);
        table.add_row(vec![
            format!("{}, {}", figure.work, figure.unit),
            figure.setting.into(),
            figure.subject.clone(),
            grouped(figure.best),
            grouped(figure.median),
            figure.n.to_string(),
            figure.ratio_cell(EchoKind::Plain.name()),
            figure.ratio_cell(EchoKind::Batched.name()),
            figure.ratio_cell(SNMPD),
            must,
            aim,
        ]);
    }
    println!("{}", table.unwrapped());
}

/// Returns the number of variables in a v2c response.
fn variables(reply: &[u8]) -> Result<usize> {
    let mut message = CommunityMessage::parse(reply).map_err(|_| "the reply is not an SNMPv2c message")?;
    Ok(Pdu::parse(&mut message.pdu).map_err(|_| "the reply has no PDU")?.var_binds.len())
}

fn field(line: &str, name: &str) -> Result<f64> {
    let value = line.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    Ok(value.ok_or_else(|| format!("no {name} in '{line}'"))?.parse()?)
}

/// A workload, one row of the table.
struct Work {
    name: &'static str,
    request: Request,
    unit: &'static str,
    /// Required and target ratio to the plain echo rate; for GETBULK, to snmpd's rate.
    goal: (f64, f64),
}

enum Request {
    Get,
    UsmGet,
    GetBulk,
}

/// The cores of client and server; without a core, the scheduler chooses one.
#[derive(Clone, Copy)]
pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) client_core: Option<usize>,
    pub(super) server_core: Option<usize>,
}

pub(super) const PINNED: Setting = Setting { name: "pinned", client_core: Some(0), server_core: Some(1) };
pub(super) const UNPINNED: Setting = Setting { name: "unpinned", client_core: None, server_core: None };

const WORKS: [Work; 3] = [
    Work { name: "v2c GET sysUpTime.0", request: Request::Get, unit: "requests", goal: (0.60, 0.85) },
    Work {
        name: "USM SHA-256 AES-128 GET sysUpTime.0",
        request: Request::UsmGet,
        unit: "requests",
        goal: (0.45, 0.65),
    },
    Work { name: "v2c GETBULK 50 ifDescr", request: Request::GetBulk, unit: "variables", goal: (4.0, 8.0) },
];

/// The table of the 2006 measurements had 107 rows.
const IF_TABLE_ROWS: usize = 107;

const WINDOW: u32 = 64;

/// The longest UDP payload in one Ethernet frame, in octets.
const MAX_REPLY: usize = 1472;

/// The port of the first echo server.
const ECHO_PORT: u16 = 17_000;

const SNMPD: &str = "snmpd";

/// The subjects that the agents are compared with.
const REFERENCES: [&str; 3] = [EchoKind::Plain.name(), EchoKind::Batched.name(), SNMPD];

const SYS_UP_TIME: &str = ".1.3.6.1.2.1.1.3.0";

/// A long time, because a daemon derives its users' keys before it listens.
const START_TIMEOUT: Duration = Duration::from_secs(30);
