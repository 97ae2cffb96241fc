//! Jobs whose sessions may fail, for links that lose frames.

use std::{panic, thread};

use super::Site;
use crate::client::{Attempt, AttemptJob};
use crate::error::Result;
use crate::harness::Skipped;
use crate::peers::net_snmp;

impl Site {
    /// Runs a job whose sessions may fail; returns the result of each.
    pub(crate) fn attempt(&mut self, job: AttemptJob) -> Result<Vec<Attempt>> {
        self.client.attempt(job)
    }

    /// Like [`Self::attempt`], with Net-SNMP's library: each of the sessions that are open at the
    /// same time has a process of its own, which first opens `warm_up` sessions that are not
    /// measured.
    pub(crate) fn attempt_library(
        &self,
        job: &AttemptJob,
        warm_up: usize,
    ) -> std::result::Result<Vec<Attempt>, Skipped> {
        let parallel = job.parallel.clamp(1, job.job.sessions.max(1));
        let each = job.job.clone().times(job.job.sessions.div_ceil(parallel));
        let words = self.library_words(&each, warm_up)?;
        let texts: Result<Vec<String>> = thread::scope(|scope| {
            let start = |_| scope.spawn(|| self.read_command(&words));
            let processes: Vec<_> = (0..parallel).map(start).collect();
            let join = |process: thread::ScopedJoinHandle<'_, Result<String>>| {
                process.join().unwrap_or_else(|reason| panic::resume_unwind(reason))
            };
            processes.into_iter().map(join).collect()
        });
        let mut attempts = Vec::new();
        for text in texts? {
            attempts.extend(net_snmp::parse_attempts(&text)?);
        }
        let deadline = job.deadline.as_secs_f64();
        let in_time = |attempt: Attempt| match attempt {
            Ok(phases) if phases.total > deadline => {
                Err(format!("the session has taken more than {deadline} s"))
            }
            other => other,
        };
        Ok(attempts.into_iter().map(in_time).collect())
    }
}
