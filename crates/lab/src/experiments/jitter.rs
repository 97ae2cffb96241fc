//! Unnecessary retransmissions: requests that are sent again while their response is delayed by up
//! to 200 ms.
//!
//! Sessions of several shapes run in parallel, each a client with its own socket. Nothing is lost
//! between clients and agent, so one request message per response is enough. All other request
//! messages were unnecessary.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use portreeve_snmp_manager::{
    Client, ClientStatistics, Credentials, Operation, Request, RetryPolicy, Secret, SessionOptions,
};

use super::Effort;
use crate::error::{Context, Result};
use crate::process::{Server, own_program};
use crate::requests::SYS_UP_TIME;
use crate::skips::skip;
use crate::table::{Figure, Table, grouped};

/// Runs every shape once. A higher number of rounds starts more sessions in parallel, but takes no
/// longer.
pub(crate) fn run(scratch: &Path, effort: Effort) -> Result<Vec<Figure>> {
    let simulator = match own_program("portreeve-simulate") {
        Ok(simulator) => simulator,
        Err(error) => {
            skip("retransmissions", error.message());
            return Ok(Vec::new());
        }
    };
    let agent = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
    let _server = start_agent(scratch, &simulator, agent)?;
    println!("Jitter: responses are delayed by 0 to {JITTER_MS} ms, and none is lost");
    let mut figures = Vec::new();
    for shape in &SHAPES {
        let sessions = shape.sessions * effort.rounds;
        let statistics = shape.run(agent, sessions)?;
        let needless = statistics.messages_out.saturating_sub(statistics.exchanges);
        let share = needless as f64 * 100.0 / statistics.exchanges.max(1) as f64;
        figures.push(Figure {
            experiment: "jitter",
            work: shape.to_string(),
            setting: "",
            subject: format!("{} requests, {} sent again", grouped(statistics.exchanges as f64), needless),
            unit: "% of requests sent again needlessly",
            best: share,
            median: share,
            n: sessions,
            ratios: Vec::new(),
            goal: None,
        });
    }
    print_table(&figures);
    Ok(figures)
}

/// The requests of a session.
struct Shape {
    /// Number of sessions per round.
    sessions: usize,
    /// Number of requests of one session.
    requests: usize,
    /// Maximum number of outstanding requests.
    window: usize,
}

impl Shape {
    /// Runs the sessions; returns the sum of their statistics.
    fn run(&self, agent: SocketAddr, sessions: usize) -> Result<ClientStatistics> {
        let all: Vec<_> = thread::scope(|scope| {
            let clients: Vec<_> = (0..sessions).map(|_| scope.spawn(|| self.session(agent))).collect();
            clients.into_iter().map(thread::ScopedJoinHandle::join).collect()
        });
        let mut sum = ClientStatistics::default();
        for statistics in all {
            let statistics = statistics.map_err(|_| "a client has panicked")??;
            sum.messages_out += statistics.messages_out;
            sum.exchanges += statistics.exchanges;
        }
        Ok(sum)
    }

    fn session(&self, agent: SocketAddr) -> Result<ClientStatistics> {
        let retry = RetryPolicy::adaptive(REQUEST_TIMEOUT);
        let options = SessionOptions { retry, ..SessionOptions::default() };
        let community = Credentials::V2c(Secret::from("public"));
        let mut client = Client::open(&agent.to_string().parse()?, community, &options)?;
        let request = Request::read(Operation::Get, [SYS_UP_TIME]);
        let mut to_send = self.requests;
        for _ in 0..self.window.min(to_send) {
            client.send(&request);
            to_send -= 1;
        }
        while let Some(event) = client.next_event()? {
            client.recycle(event.result?);
            if to_send > 0 {
                client.send(&request);
                to_send -= 1;
            }
        }
        Ok(client.statistics())
    }
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} requests, {} outstanding", self.requests, self.window)
    }
}

fn start_agent(scratch: &Path, simulator: &Path, at: SocketAddr) -> Result<Server> {
    let recording = scratch.join("jitter.snmprec");
    fs::write(&recording, "1.3.6.1.2.1.1.3.0|67|4200\n").context(recording.display())?;
    let mut command = Command::new(simulator);
    command.args(["--listen", &format!("udp:{at}"), "--jitter", &JITTER_MS.to_string()]).arg(recording);
    Server::start_ready("portreeve-simulate", &mut command, &scratch.join("jitter.log"))
}

fn print_table(figures: &[Figure]) {
    let mut table = Table::new(2, &["each session", "all sessions", "sessions", "unnecessary", "required"]);
    for figure in figures {
        let cells = [figure.n.to_string(), format!("{:.2} %", figure.best), "< 1 %".into()];
        table.add_row([figure.work.clone(), figure.subject.clone()].into_iter().chain(cells).collect());
    }
    println!("{}", table.unwrapped());
}

/// Short and long sessions, with one outstanding request and with many.
const SHAPES: [Shape; 4] = [
    Shape { sessions: 40, requests: 1, window: 1 },
    Shape { sessions: 40, requests: 10, window: 1 },
    Shape { sessions: 40, requests: 100, window: 1 },
    Shape { sessions: 10, requests: 1000, window: 32 },
];
const JITTER_MS: u32 = 200;
/// The total timeout of a request: far longer than any response takes.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(6);
