//! Objects per second of the client's CPU time: our poller, as the program that users run and as a
//! library, compared with Net-SNMP's library, with a thousand agents.
//!
//! ```text
//! client, core 0 ──127.1.0.1, 127.1.0.2, …──▶ portreeve-simulate, core 1
//! ```
//! Each client is a process that polls all agents a number of times and exits. The cost of startup,
//! engine discovery and one poll is measured the same way and subtracted. The rounds of all clients
//! are interleaved. Net-SNMP's library is driven in two ways, as its manual describes and as fast
//! as we could make it ([`LEGEND`]). A bare exchange of the same datagrams is the lower bound for
//! every client. The program polls once, but more objects of each agent, because it waits for the
//! interval between two polls; it has as many requests and responses as the other clients, and
//! writes a line for each value to a file, which no other client does.

use std::fmt::Write as _;
use std::fs;
use std::net::{Ipv4Addr, UdpSocket};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use portreeve_sys::kill_with_parent;

use super::Effort;
use crate::error::{Context, Result};
use crate::process::{Server, is_installed, output, own_program};
use crate::skips::skip;
use crate::table::{Figure, Table, best_and_median, goal_cells, grouped};

/// Measures polling with a community and with a user.
pub(crate) fn run(scratch: &Path, effort: Effort) -> Result<Vec<Figure>> {
    let simulator = match own_program("portreeve-simulate") {
        Ok(simulator) => simulator,
        Err(error) => {
            skip("polling", error.message());
            return Ok(Vec::new());
        }
    };
    let port = UdpSocket::bind("127.0.0.1:0")?.local_addr()?.port();
    let _agents = start_agents(scratch, &simulator, port)?;
    let net_snmp = match compile(scratch) {
        Ok(program) => Some(program),
        Err(error) => {
            skip("Net-SNMP's library", error.message());
            None
        }
    };
    println!(
        "Polling: {AGENTS} agents, {OBJECTS} objects each, best and median of {} rounds of {POLLS_PER_ROUND} polls\n{LEGEND}",
        effort.rounds
    );
    let mut figures = Vec::new();
    for work in &WORKS {
        let plan = write_poll_file(scratch, work, port, 1)?;
        let mut clients = vec![Client::portreeve(&plan)?];
        match own_program("portreeve-poll") {
            Ok(program) => clients.push(Client::program(scratch, program, work, port)?),
            Err(error) => skip(PROGRAM, error.message()),
        }
        for (name, how) in [(NET_SNMP, "select"), (NET_SNMP_EPOLL, "epoll")] {
            clients.extend(net_snmp.as_ref().map(|program| Client::net_snmp(name, how, program, work, port)));
        }
        // The bare exchange is measured only with a community: the kernel's cost does not depend on
        // the content of the datagrams.
        if work.credentials.len() == 1 {
            clients.push(Client::bare(&plan)?);
        }
        figures.extend(measure(work, &clients, effort)?);
    }
    print_table(&figures);
    Ok(figures)
}

/// A program that polls a number of times and exits.
struct Client {
    name: &'static str,
    program: PathBuf,
    work: ClientWork,
}

/// The arguments that state the number of polls.
enum ClientWork {
    /// The number is an argument between these. The client prints the number of objects.
    Times { before: Vec<String>, after: Vec<String> },
    /// One file for a single poll and one for all, which our program polls once. The results are
    /// written to the last file.
    Files { single: PathBuf, all: PathBuf, results: PathBuf },
}

impl Client {
    fn new(name: &'static str, program: impl Into<PathBuf>, before: Vec<String>) -> Self {
        Self { name, program: program.into(), work: ClientWork::Times { before, after: Vec::new() } }
    }

    fn portreeve(plan: &Path) -> Result<Self> {
        let before = vec!["poll-rounds".into(), plan.display().to_string()];
        Ok(Self::new(OURS, std::env::current_exe()?, before))
    }

    fn program(scratch: &Path, program: PathBuf, work: &Work, port: u16) -> Result<Self> {
        let file = |polls| write_poll_file(scratch, work, port, polls);
        let (single, all) = (file(1)?, file(1 + POLLS_PER_ROUND)?);
        let work = ClientWork::Files { single, all, results: scratch.join("results.jsonl") };
        Ok(Self { name: PROGRAM, program, work })
    }

    fn bare(plan: &Path) -> Result<Self> {
        let before = vec!["bare-exchange".into(), plan.display().to_string()];
        Ok(Self::new(BARE, std::env::current_exe()?, before))
    }

    fn net_snmp(name: &'static str, how: &str, program: &Path, work: &Work, port: u16) -> Self {
        let numbers = [port.to_string(), AGENTS.to_string(), OBJECTS.to_string()];
        let before = [how.to_owned(), FIRST_ADDRESS.to_string()].into_iter().chain(numbers).collect();
        let after = work.credentials.iter().map(|word| (*word).to_owned()).collect();
        Self { name, program: program.into(), work: ClientWork::Times { before, after } }
    }

    /// Returns the seconds of CPU time for polling everything `times` times.
    fn cpu_seconds(&self, times: usize) -> Result<f64> {
        let lab = std::env::current_exe()?;
        let mut command = Command::new(lab);
        command.args(["on-core", "0"]).arg(&self.program).stdin(Stdio::null());
        match &self.work {
            ClientWork::Times { before, after } => {
                command.args(before).arg(times.to_string()).args(after).stdout(Stdio::piped());
            }
            ClientWork::Files { single, all, results } => {
                command.arg("--once").arg(if times == 1 { single } else { all });
                command.stdout(fs::File::create(results).context(results.display())?);
            }
        }
        let mut child = kill_with_parent(&mut command).spawn().context(self.name)?;
        let printed = child.stdout.take().map(std::io::read_to_string).transpose()?;
        // Waits for the child to end without reading its exit status, because its CPU time can no
        // longer be read after that.
        while !fs::read_to_string(format!("/proc/{}/stat", child.id()))?.contains(") Z ") {
            std::thread::sleep(Duration::from_millis(1));
        }
        let spent = fs::read_to_string(format!("/proc/{}/schedstat", child.id()))?;
        let status = child.wait()?;
        let expected = format!("objects={}", times * AGENTS * OBJECTS);
        let printed = match (&self.work, printed) {
            (ClientWork::Files { results, .. }, _) => format!("objects={}", count_values(results)?),
            (ClientWork::Times { .. }, printed) => printed.unwrap_or_default().trim().to_owned(),
        };
        if !status.success() || printed != expected {
            return Err(format!("{} printed '{printed}' instead of {expected}: {status}", self.name).into());
        }
        let nanoseconds: f64 = spent.split(' ').next().unwrap_or_default().parse()?;
        Ok(nanoseconds / 1e9)
    }

    /// Returns the objects per second of CPU time. The cost of startup is subtracted.
    fn rate(&self) -> Result<f64> {
        let (start, whole) = (self.cpu_seconds(1)?, self.cpu_seconds(1 + POLLS_PER_ROUND)?);
        Ok((POLLS_PER_ROUND * AGENTS * OBJECTS) as f64 / (whole - start))
    }
}

fn measure(work: &Work, clients: &[Client], effort: Effort) -> Result<Vec<Figure>> {
    let mut rates = vec![Vec::new(); clients.len()];
    for _ in 0..effort.rounds {
        for (client, rates) in clients.iter().zip(&mut rates) {
            rates.push(client.rate()?);
        }
    }
    let found: Vec<_> = rates.iter().map(|rates| best_and_median(rates)).collect();
    let best_of = |name| clients.iter().position(|client| client.name == name).and_then(|at| found.get(at));
    let figure = |(client, (best, median)): (&Client, &(f64, f64))| {
        let measures = [("net-snmp", NET_SNMP), ("net-snmp-epoll", NET_SNMP_EPOLL)].into_iter();
        let ratios = measures.filter_map(|(key, name)| Some((key, best / best_of(name)?.0)));
        Figure {
            experiment: "poll",
            work: work.name.into(),
            setting: "pinned",
            subject: client.name.into(),
            unit: "objects per CPU second",
            best: *best,
            median: *median,
            n: effort.rounds,
            ratios: ratios.collect(),
            goal: (client.name == OURS).then_some(work.goal),
        }
    };
    Ok(clients.iter().zip(&found).map(figure).collect())
}

/// Starts the agents, which all give the same responses to the community and the user.
fn start_agents(scratch: &Path, simulator: &Path, port: u16) -> Result<Server> {
    let (recording, users) = (scratch.join("agents.snmprec"), scratch.join("agents.users"));
    let mut text = "1.3.6.1.2.1.1.3.0|67|4200\n".to_owned();
    for row in 1..=OBJECTS * (1 + POLLS_PER_ROUND) {
        writeln!(text, "1.3.6.1.2.1.2.2.1.10.{row}|65|{}", 1_000_000_000 + row)?;
    }
    text.push_str("1.3.6.1.6.3.10.2.1.2.0|2|1\n");
    fs::write(&recording, text).context(recording.display())?;
    fs::write(&users, format!("{USER} SHA-256 {AUTH_PHRASE} AES {PRIV_PHRASE}\n"))
        .context(users.display())?;
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["on-core", "1"]).arg(simulator).args(["--by", "address", "--agents", &AGENTS.to_string()]);
    command.args(["--listen", &format!("udp:{FIRST_ADDRESS}:{port}"), "--community", COMMUNITY]);
    command.arg("--users").arg(users).arg(recording);
    Server::start_ready("portreeve-simulate", &mut command, &scratch.join("simulate.log"))
}

/// Compiles the client of Net-SNMP's library, whose source is part of this program.
fn compile(scratch: &Path) -> Result<PathBuf> {
    if !is_installed("gcc") {
        return Err("gcc is not installed".into());
    }
    let (source, program) = (scratch.join("net_snmp_poll.c"), scratch.join("net_snmp_poll"));
    fs::write(&source, include_str!("../../peers/net_snmp_poll.c")).context(source.display())?;
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-O2", "-o"]).arg(&program).arg(&source).arg("-lnetsnmp");
    output(&mut gcc)
        .map_err(|_| "a program with Net-SNMP's library cannot be compiled (Debian: libsnmp-dev)")?;
    Ok(program)
}

/// Returns the number of values in the lines of our program. Each line has a value or an error.
fn count_values(results: &Path) -> Result<usize> {
    let text = fs::read_to_string(results).context(results.display())?;
    match text.lines().find(|line| !line.contains("\"value\":")) {
        Some(line) => Err(format!("{PROGRAM} printed an error: {line}").into()),
        None => Ok(text.lines().count()),
    }
}

/// Writes a file with the objects of `polls` polls.
fn write_poll_file(scratch: &Path, work: &Work, port: u16, polls: usize) -> Result<PathBuf> {
    let file = scratch.join(format!("{}-{polls}.toml", work.file));
    fs::write(&file, poll_file(work, port, polls)).context(file.display())?;
    Ok(file)
}

fn poll_file(work: &Work, port: u16, polls: usize) -> String {
    let rows = 1..=OBJECTS * polls;
    let names: Vec<String> = rows.map(|row| format!("\"1.3.6.1.2.1.2.2.1.10.{row}\"")).collect();
    let mut text = format!(
        "[poll]\ntimeout-ms = {TIMEOUT_MS}\n[credentials.c]\n{}\n[objects.o]\nget = [{}]\n",
        work.toml,
        names.join(", ")
    );
    for agent in 0..AGENTS {
        let address = Ipv4Addr::from_bits(FIRST_ADDRESS.to_bits() + agent as u32);
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "[targets.agent{agent}]\naddress = \"{address}:{port}\"\ncredentials = \"c\"\nobjects = [\"o\"]\n"
        );
    }
    text
}

fn print_table(figures: &[Figure]) {
    let head = [
        "work",
        "client",
        "best objects/CPU s",
        "median",
        "n",
        "of select's",
        "required",
        "target",
        "of epoll's",
    ];
    let mut table = Table::new(2, &head);
    for figure in figures {
        let [must, aim] = goal_cells(figure.goal, 1);
        table.add_row(vec![
            figure.work.clone(),
            figure.subject.clone(),
            grouped(figure.best),
            grouped(figure.median),
            figure.n.to_string(),
            figure.ratio_cell("net-snmp"),
            must,
            aim,
            figure.ratio_cell("net-snmp-epoll"),
        ]);
    }
    println!("{}", table.unwrapped());
}

/// The credentials that the clients use in one comparison.
struct Work {
    name: &'static str,
    file: &'static str,
    toml: &'static str,
    credentials: &'static [&'static str],
    /// Required and target ratio to Net-SNMP's rate.
    goal: (f64, f64),
}

const WORKS: [Work; 2] = [
    Work {
        name: "v2c",
        file: "v2c",
        toml: "version = \"2c\"\ncommunity = \"public\"",
        credentials: &[COMMUNITY],
        goal: (3.0, 10.0),
    },
    Work {
        name: "USM SHA-256 AES-128",
        file: "usm",
        toml: "user = \"bench\"\nauth = \"SHA-256\"\nauth-pass = \"bench-auth-phrase\"\n\
               priv = \"AES\"\npriv-pass = \"bench-priv-phrase\"",
        credentials: &[USER, AUTH_PHRASE, PRIV_PHRASE],
        goal: (3.0, 8.0),
    },
];

/// Explains the rows of the table.
const LEGEND: &str = "\
portreeve poll     the program, from its file of targets to its lines of JSON in a file
portreeve-poll     its library, which only counts the values, as the clients below do
Net-SNMP, select   the library as used in its manual and its asynchronous example, with the large fd
                   sets that a thousand sockets need: snmp_select_info2, select, snmp_read2. The reference.
Net-SNMP, epoll    the same library as fast as we could make it: single-session functions, and epoll to find the
                   sockets with data
bare exchange      the same datagrams sent and received with our poller's system calls, without parsing:
                   the kernel's share, which is the lower bound for every client";

const OURS: &str = "portreeve-poll";
const PROGRAM: &str = "portreeve poll";
const NET_SNMP: &str = "Net-SNMP, select";
const NET_SNMP_EPOLL: &str = "Net-SNMP, epoll";
const BARE: &str = "bare exchange";
const COMMUNITY: &str = "public";
const USER: &str = "bench";
const AUTH_PHRASE: &str = "bench-auth-phrase";
const PRIV_PHRASE: &str = "bench-priv-phrase";
const AGENTS: usize = 1000;
const OBJECTS: usize = 50;
/// The number of polls that one round measures. `poll-rounds` documents the maximum for SNMPv3.
const POLLS_PER_ROUND: usize = 20;
/// The time after which a request fails: long enough for a slow build on a busy machine.
const TIMEOUT_MS: u32 = 60_000;
/// The address of the first agent. The other agents have the addresses after it.
const FIRST_ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 1, 0, 1);
