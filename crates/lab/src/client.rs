//! `session-client FILE`: the client of the experiments, controlled by commands on stdin, one per
//! line.
//!
//! ```text
//! {"run": JOB}          sessions with the same work in each   ▶ the phases of each session
//! {"edit": JOB}         an edit over NETCONF, in a session     ▶ its phases
//! {"attempt": …}        a job whose sessions may fail         ▶ the result of each session
//! {"hold": …}           open sessions and keep them open      ▶ the number of open sessions
//! {"exchange": …}       GETs in these sessions, in turn       ▶ the seconds
//! "release"             close these sessions                  ▶ the number of open sessions
//! {"churn": …}          short sessions, several in parallel   ▶ the seconds
//! ```
//! These commands and their responses are JSON ([`Job`], [`Phases`]); the experiments of `bench`
//! use words:
//!
//! ```text
//! one-shot STACK COUNT  connect, request and close, COUNT times   ▶ the seconds of each one-shot
//! frames STACK          one one-shot with its frames counted      ▶ packets=N octets=N
//! exchange STACK COUNT  COUNT requests in one open session        ▶ seconds=S
//! counted STACK COUNT   like exchange, with its frames counted    ▶ seconds=S packets=N octets=N
//! open STACK COUNT      open COUNT sessions, one request in each  ▶ seconds=S
//! ask                   one request in each session of open       ▶ answered=N seconds=S
//! drop                  close all sessions                        ▶ done
//! churn STACK COUNT     COUNT one-shots, several in parallel      ▶ seconds=S
//! ```
//! The client is a separate process, because it runs in its own namespace and on its own core. FILE
//! contains the agent's addresses and the credentials. Everything runs on one thread, as in the
//! broker, whose session types it uses; UDP and TCP run on the same thread and event loop, so that
//! the carriers differ only in their protocols.

mod attempts;
mod connection;
mod credentials_file;
mod edit;
mod frames;
mod held;
mod job;
mod manager;
mod process;
mod request_generator;
mod run_job;
mod stack;
mod target;

use std::{
    io::{self, Write},
    path::Path,
    time::{Duration, Instant},
};

use portreeve_snmp_manager::EngineId;
use tokio::{
    runtime::{Builder, LocalOptions, LocalRuntime},
    task::JoinSet,
    time::sleep,
};

use crate::error::{Context, Result};
use crate::less_protection;
use connection::Connection;
pub(crate) use credentials_file::{CredentialsFile, for_device};
use frames::Frames;
use held::HeldSession;
pub(crate) use held::MAX_IN_FLIGHT;
pub(crate) use job::{
    Attempt, AttemptJob, ClientCommand, ClientSetup, EditJob, EditKind, Job, Keys, Opener, Operation, Phases,
    Retransmission, WalkMethod,
};
use job::{BROKER_PERSIST, ClientResponse, SESSION_TIMEOUT};
pub(crate) use process::{ClientProcess, value};
use request_generator::RequestGenerator;
pub(crate) use stack::{Carrier, Message, ProtocolStack};
use target::Target;

/// Runs commands until the end of stdin.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let [file] = arguments else { return Err(crate::commands::usage_error("session-client")) };
    portreeve_sys::raise_descriptor_limit()?;
    less_protection::install()?;
    let mut client = Client::new(Path::new(file))?;
    for line in io::stdin().lines() {
        let line = line?;
        let output = if line.starts_with(['{', '"']) {
            serde_json::to_string(&client.respond(&line))?
        } else {
            let words: Vec<&str> = line.split_whitespace().collect();
            client.run_command(&words).context(&line)?
        };
        println!("{output}");
        io::stdout().flush()?;
    }
    Ok(())
}

struct Client {
    runtime: LocalRuntime,
    target: Target,
    /// Sessions for many consecutive requests, by protocol stack.
    open: Vec<(ProtocolStack, OpenSession)>,
    /// Sessions that are idle, in large numbers.
    idle: Vec<OpenSession>,
    /// Sessions that a command of the harness keeps open.
    held: Vec<HeldSession>,
    /// The agent's engine ID, if a job has discovered it to localize keys.
    engine_id: Option<EngineId>,
}

/// A session, and the manager that sends its requests.
struct OpenSession {
    connection: Connection,
    generator: RequestGenerator,
}

impl Client {
    /// Reads the agent's addresses and the credentials.
    fn new(file: &Path) -> Result<Self> {
        let mut builder = Builder::new_current_thread();
        let runtime = builder.enable_io().enable_time().build_local(LocalOptions::default())?;
        let target = Target::read(file)?;
        Ok(Self { runtime, target, open: Vec::new(), idle: Vec::new(), held: Vec::new(), engine_id: None })
    }

    /// Runs a command of the harness. A failure does not end the client.
    fn respond(&mut self, line: &str) -> ClientResponse {
        let response = match serde_json::from_str(line) {
            Ok(ClientCommand::Run(job)) => self.run_job(job).map(ClientResponse::Phases),
            Ok(ClientCommand::Attempt(job)) => self.attempt(job).map(ClientResponse::Attempts),
            Ok(ClientCommand::Edit(job)) => {
                edit::run(&self.target.file, job).map(|phases| ClientResponse::Phases(vec![phases]))
            }
            Ok(ClientCommand::Hold { stack, count, use_once }) => {
                self.hold(&stack, count, use_once).map(|()| ClientResponse::Open(self.held.len()))
            }
            Ok(ClientCommand::Release) => self.release().map(|()| ClientResponse::Open(0)),
            Ok(ClientCommand::Exchange { requests }) => {
                self.exchange_in_turn(requests).map(ClientResponse::Seconds)
            }
            Ok(ClientCommand::Churn { stack, count, use_once }) => {
                let seconds = stack.parse().and_then(|stack| self.churn(stack, count, use_once));
                seconds.map(ClientResponse::Seconds)
            }
            Err(error) => Err(error.into()),
        };
        response.unwrap_or_else(|error| ClientResponse::Failed(error.message().to_owned()))
    }

    fn run_command(&mut self, words: &[&str]) -> Result<String> {
        match words {
            ["one-shot", stack, count] => self.one_shots(stack.parse()?, count.parse()?),
            ["frames", stack] => self.frames(stack.parse()?),
            ["exchange", stack, count] => self.exchange(stack.parse()?, count.parse()?),
            ["counted", stack, count] => self.counted(stack.parse()?, count.parse()?),
            ["open", stack, count] => self.open(stack.parse()?, count.parse()?),
            ["ask"] => self.ask(),
            ["drop"] => self.drop_all(),
            ["churn", stack, count] => {
                Ok(format!("seconds={}", self.churn(stack.parse()?, count.parse()?, true)?))
            }
            _ => Err("unknown command".into()),
        }
    }

    fn one_shots(&mut self, stack: ProtocolStack, count: usize) -> Result<String> {
        let Self { runtime, target, .. } = self;
        let mut times = Vec::with_capacity(count);
        for _ in 0..count {
            let seconds = runtime.block_on(async {
                let prepared = target.prepare(stack.carrier)?;
                let begun = Instant::now();
                let mut session = OpenSession::open(target, stack, prepared).await?;
                session.ask().await?;
                session.connection.close().await;
                Ok::<_, crate::error::LabError>(begun.elapsed().as_secs_f64())
            })?;
            times.push(seconds.to_string());
        }
        Ok(times.join(" "))
    }

    fn frames(&mut self, stack: ProtocolStack) -> Result<String> {
        let before = Frames::read_when_quiet()?;
        self.one_shots(stack, 1)?;
        self.pause(CLOSE_DELAY);
        let after = Frames::read_when_quiet()?;
        Ok(format!("packets={} octets={}", after.packets - before.packets, after.octets - before.octets))
    }

    fn exchange(&mut self, stack: ProtocolStack, count: usize) -> Result<String> {
        let Self { runtime, target, open, .. } = self;
        let mut session = match open.iter().position(|(known, _)| *known == stack) {
            Some(index) => open.swap_remove(index).1,
            None => runtime.block_on(async {
                let prepared = target.prepare(stack.carrier)?;
                let mut session = OpenSession::open(target, stack, prepared).await?;
                session.ask().await?;
                Ok::<_, crate::error::LabError>(session)
            })?,
        };
        // Runs in a spawned task, because waking the task of `block_on` costs another poll of all
        // sockets.
        let asking = runtime.spawn_local(async move {
            let begun = Instant::now();
            for _ in 0..count {
                session.ask().await?;
            }
            Ok::<_, crate::error::LabError>((begun.elapsed().as_secs_f64(), session))
        });
        let (seconds, session) = runtime.block_on(asking)??;
        open.push((stack, session));
        Ok(format!("seconds={seconds}"))
    }

    fn counted(&mut self, stack: ProtocolStack, count: usize) -> Result<String> {
        let before = Frames::read_when_quiet()?;
        let output = self.exchange(stack, count)?;
        self.pause(CLOSE_DELAY);
        let after = Frames::read_when_quiet()?;
        let (packets, octets) = (after.packets - before.packets, after.octets - before.octets);
        Ok(format!("{output} packets={packets} octets={octets}"))
    }

    fn open(&mut self, stack: ProtocolStack, count: usize) -> Result<String> {
        let mut target = self.target.clone();
        let begun = Instant::now();
        let opened = self.run_concurrently(count, MAX_CONCURRENT, move || {
            let prepared = target.prepare(stack.carrier);
            let target = target.clone();
            async move {
                let mut session = OpenSession::open(&target, stack, prepared?).await?;
                session.ask().await?;
                Ok(session)
            }
        })?;
        self.idle.extend(opened);
        Ok(format!("seconds={}", begun.elapsed().as_secs_f64()))
    }

    fn ask(&mut self) -> Result<String> {
        let mut waiting = std::mem::take(&mut self.idle).into_iter();
        let count = waiting.len();
        let begun = Instant::now();
        let answered = self.run_concurrently(count, MAX_CONCURRENT, move || {
            let session = waiting.next();
            async move {
                let mut session = session.ok_or("no session is open")?;
                // A lost session is not counted, and is not an error.
                Ok(session.ask().await.is_ok().then_some(session))
            }
        })?;
        self.idle.extend(answered.into_iter().flatten());
        Ok(format!("answered={} seconds={}", self.idle.len(), begun.elapsed().as_secs_f64()))
    }

    fn drop_all(&mut self) -> Result<String> {
        self.idle.clear();
        self.open.clear();
        self.pause(CLOSE_DELAY);
        Ok("done".into())
    }

    fn churn(&mut self, stack: ProtocolStack, count: usize, use_once: bool) -> Result<f64> {
        // A client sets up its end once, not for each session.
        let prepare = |_| self.target.prepare(stack.carrier);
        let mut prepared = (0..count).map(prepare).collect::<Result<Vec<_>>>()?.into_iter();
        let target = self.target.clone();
        let begun = Instant::now();
        self.run_concurrently(count, MAX_CONCURRENT, move || {
            let (prepared, target) = (prepared.next(), target.clone());
            async move {
                let prepared = prepared.ok_or("no connection is prepared")?;
                let mut session = OpenSession::open(&target, stack, prepared).await?;
                if use_once {
                    session.ask().await?;
                } else {
                    run_job::confirm(&mut session.connection, stack).await?;
                }
                session.connection.close().await;
                Ok(())
            }
        })?;
        Ok(begun.elapsed().as_secs_f64())
    }

    /// Runs `count` futures that `make` returns, at most `parallel` of them at the same time.
    fn run_concurrently<T: 'static, F: Future<Output = Result<T>> + 'static>(
        &mut self,
        count: usize,
        parallel: usize,
        mut make: impl FnMut() -> F,
    ) -> Result<Vec<T>> {
        let runtime = &self.runtime;
        runtime.block_on(async {
            let (mut running, mut started, mut done) = (JoinSet::new(), 0, Vec::with_capacity(count));
            while done.len() < count {
                while started < count && running.len() < parallel {
                    running.spawn_local(make());
                    started += 1;
                }
                let Some(result) = running.join_next().await else { break };
                done.push(result??);
            }
            Ok(done)
        })
    }

    /// Waits, so that closed connections can finish.
    fn pause(&mut self, time: Duration) {
        self.runtime.block_on(async { sleep(time).await });
    }
}

impl OpenSession {
    async fn open(
        target: &Target,
        stack: ProtocolStack,
        prepared: target::PreparedConnection,
    ) -> Result<Self> {
        let generator = RequestGenerator::new(target, stack.message)?;
        Ok(Self { connection: Target::connect(prepared).await?, generator })
    }

    async fn ask(&mut self) -> Result<()> {
        self.connection.send(self.generator.next_request()?).await?;
        while !self.generator.accept(self.connection.receive().await?)? {}
        Ok(())
    }
}

/// Maximum number of concurrent handshakes.
const MAX_CONCURRENT: usize = 8;

/// Time to wait for connections to close.
const CLOSE_DELAY: Duration = Duration::from_millis(50);
