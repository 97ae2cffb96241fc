//! Sessions that a command of the harness keeps open, and requests in all of them.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Instant;

use tokio::task::JoinSet;

use super::job::{Keys, Retransmission};
use super::manager::{Access, Manager, retry_policy};
use super::run_job::{Login, confirm, open};
use super::{CLOSE_DELAY, Client, Connection, MAX_CONCURRENT, ProtocolStack};
use crate::error::{LabError, Result};
use crate::requests::SYS_UP_TIME;

/// An open session, and the manager that sends its requests.
pub(super) struct HeldSession {
    connection: Connection,
    manager: Manager,
}

impl Client {
    /// Opens sessions and keeps them open.
    pub(super) fn hold(&mut self, stack: &str, count: usize, use_once: bool) -> Result<()> {
        let stack: ProtocolStack = stack.parse()?;
        let mut login = Login::new(self, stack, Keys::Localized, Access::Read)?;
        let mut target = self.target.clone();
        let opened = self.run_concurrently(count, MAX_CONCURRENT, move || {
            let (prepared, login) = (target.prepare(stack.carrier), login.next());
            async move {
                let connection = open(prepared?).await?;
                let retry = retry_policy(Retransmission::Adaptive, stack.carrier.is_datagram());
                let mut session = HeldSession { connection, manager: Manager::new(login?, retry) };
                if use_once {
                    session.get().await?;
                } else {
                    confirm(&mut session.connection, stack).await?;
                }
                Ok(session)
            }
        })?;
        self.held.extend(opened);
        Ok(())
    }

    /// Closes the sessions that are kept open.
    pub(super) fn release(&mut self) -> Result<()> {
        let mut held = std::mem::take(&mut self.held).into_iter();
        self.run_concurrently(held.len(), MAX_CONCURRENT, move || {
            let session = held.next();
            async move {
                if let Some(session) = session {
                    session.connection.close().await;
                }
                Ok(())
            }
        })?;
        self.pause(CLOSE_DELAY);
        Ok(())
    }

    /// Sends GETs in the open sessions, in turn, with at most [`MAX_IN_FLIGHT`] in flight; returns
    /// the seconds.
    pub(super) fn exchange_in_turn(&mut self, requests: usize) -> Result<f64> {
        let work = Rc::new(RefCell::new(Work { sessions: self.held.drain(..).collect(), requests }));
        let in_flight = work.borrow().sessions.len().min(MAX_IN_FLIGHT);
        let runtime = &self.runtime;
        let begun = Instant::now();
        let result = runtime.block_on(async {
            let mut running = JoinSet::new();
            for _ in 0..in_flight {
                running.spawn_local(exchange(Rc::clone(&work)));
            }
            while let Some(result) = running.join_next().await {
                result??;
            }
            Ok::<_, LabError>(())
        });
        let seconds = begun.elapsed().as_secs_f64();
        self.held.extend(work.borrow_mut().sessions.drain(..));
        result.map(|()| seconds)
    }
}

/// The sessions that are idle, and the number of requests that have not been sent.
struct Work {
    sessions: VecDeque<HeldSession>,
    requests: usize,
}

/// Sends one request after the other, each in the session that has been idle for the longest time.
async fn exchange(work: Rc<RefCell<Work>>) -> Result<()> {
    loop {
        let next = {
            let mut work = work.borrow_mut();
            if work.requests == 0 {
                return Ok(());
            }
            work.requests -= 1;
            work.sessions.pop_front()
        };
        let mut session = next.ok_or("no session is open")?;
        session.get().await?;
        work.borrow_mut().sessions.push_back(session);
    }
}

impl HeldSession {
    async fn get(&mut self) -> Result<()> {
        self.manager.get(&mut self.connection, &[SYS_UP_TIME.to_vec()], 1).await
    }
}

/// Maximum number of requests in flight in all sessions: few enough for the socket buffer of an
/// agent that listens on UDP.
pub(crate) const MAX_IN_FLIGHT: usize = 64;
