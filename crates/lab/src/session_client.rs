//! `session-client FILE`: the client of the experiment `sessions`, told on stdin what to do, one command a line.
//!
//! ```text
//! one-shot WAY COUNT   connect, ask, close, COUNT times          ▶ the seconds of each
//! frames WAY           one of them, counted at the interface     ▶ packets=N octets=N
//! exchange WAY COUNT   ask COUNT times in one open session       ▶ seconds=S
//! counted WAY COUNT    the same, counted at the interface        ▶ seconds=S packets=N octets=N
//! open WAY COUNT       COUNT more sessions that ask once and stay▶ seconds=S
//! ask                  ask once in each of these                 ▶ answered=N seconds=S
//! drop                 forget all sessions                       ▶ done
//! churn WAY COUNT      COUNT one-shots, a few at a time          ▶ seconds=S
//! ```
//! A process of its own, because it runs inside the client's namespace and on its core. FILE is the agent's
//! `credentials.env`. Everything runs on one thread, as in the broker, whose sessions these are.

mod asker;
mod frames;
mod line;
mod place;
mod way;

use std::{
    io::{self, Write},
    path::Path,
    time::{Duration, Instant},
};

use tokio::{
    runtime::{Builder, LocalOptions, LocalRuntime},
    task::JoinSet,
    time::sleep,
};

use crate::failure::{Context, Result};
use asker::Asker;
use frames::Frames;
use line::Line;
use place::Place;
pub(crate) use way::{Carrier, Message, Way};

/// Obeys until stdin ends.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let [file] = arguments else { return Err("session-client FILE".into()) };
    portreeve_sys::raise_descriptor_limit()?;
    let mut builder = Builder::new_current_thread();
    let runtime = builder.enable_io().enable_time().build_local(LocalOptions::default())?;
    let mut client =
        Client { runtime, place: Place::read(Path::new(file))?, open: Vec::new(), kept: Vec::new() };
    for line in io::stdin().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let said = client.obey(&words).context(&line)?;
        println!("{said}");
        io::stdout().flush()?;
    }
    Ok(())
}

struct Client {
    runtime: LocalRuntime,
    place: Place,
    /// Sessions in which one question follows the other.
    open: Vec<(Way, Conversation)>,
    /// Sessions that are there in numbers.
    kept: Vec<Conversation>,
}

/// A session, and the manager that asks in it.
struct Conversation {
    line: Line,
    asker: Asker,
}

impl Client {
    fn obey(&mut self, words: &[&str]) -> Result<String> {
        match words {
            ["one-shot", way, count] => self.one_shots(way.parse()?, count.parse()?),
            ["frames", way] => self.frames(way.parse()?),
            ["exchange", way, count] => self.exchange(way.parse()?, count.parse()?),
            ["counted", way, count] => self.counted(way.parse()?, count.parse()?),
            ["open", way, count] => self.open(way.parse()?, count.parse()?),
            ["ask"] => self.ask(),
            ["drop"] => self.drop_all(),
            ["churn", way, count] => self.churn(way.parse()?, count.parse()?),
            _ => Err("no such command".into()),
        }
    }

    fn one_shots(&mut self, way: Way, count: usize) -> Result<String> {
        let Self { runtime, place, .. } = self;
        let mut taken = Vec::with_capacity(count);
        for _ in 0..count {
            let seconds = runtime.block_on(async {
                let prepared = place.prepare(way.carrier)?;
                let begun = Instant::now();
                let mut conversation = Conversation::open(place, way, prepared).await?;
                conversation.ask().await?;
                conversation.line.close().await;
                Ok::<_, crate::failure::Failure>(begun.elapsed().as_secs_f64())
            })?;
            taken.push(seconds.to_string());
        }
        Ok(taken.join(" "))
    }

    fn frames(&mut self, way: Way) -> Result<String> {
        let before = Frames::settled()?;
        self.one_shots(way, 1)?;
        self.pause(LAST_WORDS);
        let after = Frames::settled()?;
        Ok(format!("packets={} octets={}", after.packets - before.packets, after.octets - before.octets))
    }

    fn exchange(&mut self, way: Way, count: usize) -> Result<String> {
        let Self { runtime, place, open, .. } = self;
        let mut conversation = match open.iter().position(|(known, _)| *known == way) {
            Some(index) => open.swap_remove(index).1,
            None => runtime.block_on(async {
                let mut conversation = Conversation::open(place, way, place.prepare(way.carrier)?).await?;
                conversation.ask().await?;
                Ok::<_, crate::failure::Failure>(conversation)
            })?,
        };
        // A task among others: waking what the runtime was entered with would cost another look at all sockets.
        let asking = runtime.spawn_local(async move {
            let begun = Instant::now();
            for _ in 0..count {
                conversation.ask().await?;
            }
            Ok::<_, crate::failure::Failure>((begun.elapsed().as_secs_f64(), conversation))
        });
        let (seconds, conversation) = runtime.block_on(asking)??;
        open.push((way, conversation));
        Ok(format!("seconds={seconds}"))
    }

    fn counted(&mut self, way: Way, count: usize) -> Result<String> {
        let before = Frames::settled()?;
        let said = self.exchange(way, count)?;
        self.pause(LAST_WORDS);
        let after = Frames::settled()?;
        let (packets, octets) = (after.packets - before.packets, after.octets - before.octets);
        Ok(format!("{said} packets={packets} octets={octets}"))
    }

    fn open(&mut self, way: Way, count: usize) -> Result<String> {
        let place = self.place.clone();
        let begun = Instant::now();
        let opened = self.some_at_a_time(count, move || {
            let place = place.clone();
            async move {
                let mut conversation = Conversation::open(&place, way, place.prepare(way.carrier)?).await?;
                conversation.ask().await?;
                Ok(conversation)
            }
        })?;
        self.kept.extend(opened);
        Ok(format!("seconds={}", begun.elapsed().as_secs_f64()))
    }

    fn ask(&mut self) -> Result<String> {
        let mut waiting = std::mem::take(&mut self.kept).into_iter();
        let count = waiting.len();
        let begun = Instant::now();
        let answered = self.some_at_a_time(count, move || {
            let conversation = waiting.next();
            async move {
                let mut conversation = conversation.ok_or("they have run out")?;
                // One that has been lost is not counted, and no reason to stop.
                Ok(conversation.ask().await.is_ok().then_some(conversation))
            }
        })?;
        self.kept.extend(answered.into_iter().flatten());
        Ok(format!("answered={} seconds={}", self.kept.len(), begun.elapsed().as_secs_f64()))
    }

    fn drop_all(&mut self) -> Result<String> {
        self.kept.clear();
        self.open.clear();
        self.pause(LAST_WORDS);
        Ok("done".into())
    }

    fn churn(&mut self, way: Way, count: usize) -> Result<String> {
        let place = self.place.clone();
        let begun = Instant::now();
        self.some_at_a_time(count, move || {
            let place = place.clone();
            async move {
                let mut conversation = Conversation::open(&place, way, place.prepare(way.carrier)?).await?;
                conversation.ask().await?;
                conversation.line.close().await;
                Ok(())
            }
        })?;
        Ok(format!("seconds={}", begun.elapsed().as_secs_f64()))
    }

    /// Does it `count` times, [`AT_ONCE`] at a time.
    fn some_at_a_time<T: 'static, F: Future<Output = Result<T>> + 'static>(
        &mut self,
        count: usize,
        mut make: impl FnMut() -> F,
    ) -> Result<Vec<T>> {
        let runtime = &self.runtime;
        runtime.block_on(async {
            let (mut running, mut started, mut done) = (JoinSet::new(), 0, Vec::with_capacity(count));
            while done.len() < count {
                while started < count && running.len() < AT_ONCE {
                    running.spawn_local(make());
                    started += 1;
                }
                let Some(result) = running.join_next().await else { break };
                done.push(result??);
            }
            Ok(done)
        })
    }

    /// Lets connections that were given up end.
    fn pause(&mut self, time: Duration) {
        self.runtime.block_on(async { sleep(time).await });
    }
}

impl Conversation {
    async fn open(place: &Place, way: Way, prepared: place::Prepared) -> Result<Self> {
        let asker = Asker::new(place, way.message);
        Ok(Self { line: place.connect(prepared).await?, asker })
    }

    async fn ask(&mut self) -> Result<()> {
        self.line.send(self.asker.question()?).await?;
        while !self.asker.accept(self.line.receive().await?)? {}
        Ok(())
    }
}

/// Handshakes that go on side by side where many are made.
const AT_ONCE: usize = 8;

/// How long ends of connections are waited for.
const LAST_WORDS: Duration = Duration::from_millis(50);
