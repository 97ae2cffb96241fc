//! How often a request is sent again although its answer was on its way: an agent whose answers take up to 200 ms.
//!
//! Sessions of several shapes stand side by side, each a client with a socket of its own. Nothing is lost between them
//! and the agent, so whatever leaves beyond one message for each answer was not needed.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use portreeve_snmp_manager::{
    Client, Credentials, Operation, Request, RetryPolicy, Secret, SessionOptions, Statistics,
};

use super::Effort;
use crate::failure::{Context, Result};
use crate::process::{Server, sibling};
use crate::requests::SYS_UP_TIME;
use crate::table::{Figure, Table, grouped};

/// Every shape once; rounds add sessions, not time.
pub(crate) fn run(scratch: &Path, effort: Effort) -> Result<Vec<Figure>> {
    let simulator = match sibling("portreeve-simulate") {
        Ok(simulator) => simulator,
        Err(failure) => {
            println!("retransmissions are not measured: {}", failure.sentence());
            return Ok(Vec::new());
        }
    };
    let agent = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
    let _server = start_agent(scratch, &simulator, agent)?;
    println!("Jitter: answers take 0 to {JITTER_MS} ms, and none is lost");
    let mut figures = Vec::new();
    for shape in &SHAPES {
        let sessions = shape.sessions * effort.rounds;
        let seen = shape.ask(agent, sessions)?;
        let needless = seen.messages_out.saturating_sub(seen.exchanges);
        let share = needless as f64 * 100.0 / seen.exchanges.max(1) as f64;
        figures.push(Figure {
            experiment: "jitter",
            work: shape.to_string(),
            setting: "",
            subject: format!("{} requests, {} sent again", grouped(seen.exchanges as f64), needless),
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

/// What a session does from its beginning to its end.
struct Shape {
    /// For each round.
    sessions: usize,
    /// Requests of one session.
    requests: usize,
    /// How many of them are on their way at once.
    window: usize,
}

impl Shape {
    /// What all sessions together have sent and got.
    fn ask(&self, agent: SocketAddr, sessions: usize) -> Result<Statistics> {
        let all: Vec<_> = thread::scope(|scope| {
            let asking: Vec<_> = (0..sessions).map(|_| scope.spawn(|| self.session(agent))).collect();
            asking.into_iter().map(thread::ScopedJoinHandle::join).collect()
        });
        let mut sum = Statistics::default();
        for seen in all {
            let seen = seen.map_err(|_| "a client has panicked")??;
            sum.messages_out += seen.messages_out;
            sum.exchanges += seen.exchanges;
        }
        Ok(sum)
    }

    fn session(&self, agent: SocketAddr) -> Result<Statistics> {
        let retry = RetryPolicy::adaptive(PATIENCE);
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
        write!(f, "{} requests, {} at once", self.requests, self.window)
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
    let mut table = Table::new(2, &["each session", "all sessions", "sessions", "needless", "must"]);
    for figure in figures {
        let cells = [figure.n.to_string(), format!("{:.2} %", figure.best), "< 1 %".into()];
        table.row([figure.work.clone(), figure.subject.clone()].into_iter().chain(cells).collect());
    }
    println!("{}", table.whole());
}

/// Long and short conversations, with one request on its way and with many.
const SHAPES: [Shape; 4] = [
    Shape { sessions: 40, requests: 1, window: 1 },
    Shape { sessions: 40, requests: 10, window: 1 },
    Shape { sessions: 40, requests: 100, window: 1 },
    Shape { sessions: 10, requests: 1000, window: 32 },
];
const JITTER_MS: u32 = 200;
/// Far more than any answer takes.
const PATIENCE: Duration = Duration::from_secs(6);
