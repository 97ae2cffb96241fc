//! A site whose link loses and delays frames, and its counters.

use std::time::{Duration, Instant};
use std::{fs, thread};

use portreeve_lab_net::{Link, LinkMethods, Loss, Topology};

use super::lines::{Line, Program, Timeout};
use crate::client::{Attempt, AttemptJob, Job, Message, Phases};
use crate::error::{Context, Result};
use crate::harness::Skipped;
use crate::peers::Site;

/// A site, and its link as it is set.
pub(super) struct LossySite {
    site: Site,
    link: Option<Link>,
}

/// The means by which this machine produces links.
pub(super) struct LinkMeans {
    /// The names of the means, for the report.
    pub(super) description: String,
    /// The reason why frames cannot be delayed.
    pub(super) no_delay: Option<Skipped>,
}

/// The results of walks over one link.
pub(super) struct Walks {
    pub(super) attempts: Vec<Attempt>,
    /// The number of frames that the link has lost.
    pub(super) lost: u64,
    /// The number of messages or TCP segments that were sent again, if it is known.
    pub(super) resent: Option<u64>,
}

impl LossySite {
    pub(super) fn new(site: Site) -> Self {
        Self { site, link: None }
    }

    /// Determines how this machine produces loss and delay.
    ///
    /// # Errors
    /// The reason why frames cannot be lost at random.
    pub(super) fn probe_link(&mut self) -> std::result::Result<LinkMeans, Skipped> {
        let link = Link { loss: Loss::both(0.01), delay: Some(Duration::ZERO), rate: None };
        let mut no_delay = None;
        let methods = match self.site.topology.set_link(&link) {
            Err(error) if error.is_unavailable() => {
                no_delay = Some(Skipped::from(error));
                self.site.topology.set_link(&Link { delay: None, ..link })?
            }
            result => result?,
        };
        Ok(LinkMeans { description: describe(methods), no_delay })
    }

    /// Checks that the programs support a line.
    pub(super) fn check(&self, line: Line, job: &Job) -> std::result::Result<(), Skipped> {
        match line.program {
            Program::Portreeve => self.site.check(line.stack),
            Program::NetSnmp => self.site.check_library(job),
        }
    }

    /// Walks over a link.
    pub(super) fn walk(
        &mut self,
        line: Line,
        link: &Link,
        job: AttemptJob,
    ) -> std::result::Result<Walks, Skipped> {
        if self.link != Some(*link) {
            self.link = None;
            self.site.topology.set_link(link)?;
            self.link = Some(*link);
        }
        let is_short = link.delay.is_none_or(|delay| delay.is_zero());
        if is_short && line.program == Program::Portreeve {
            // It is not measured, because its caches are cold after the other variants.
            self.site.attempt(AttemptJob { job: job.job.clone().times(1), ..job.clone() })?;
        }
        self.settle(link)?;
        let before = Counters::read(&self.site.topology)?;
        let attempts = match line.program {
            Program::Portreeve => self.site.attempt(job)?,
            // With loss, frames of a session that is not measured would be counted.
            Program::NetSnmp => {
                let is_lossless = link.loss == Loss::default();
                self.site.attempt_library(&job, usize::from(is_short && is_lossless))?
            }
        };
        self.settle(link)?;
        let after = Counters::read(&self.site.topology)?;
        let resent = match (line.timeout, line.program) {
            (Timeout::Tcp, _) => Some(after.segments_resent.saturating_sub(before.segments_resent)),
            (_, Program::Portreeve) => Some(messages_resent(line.stack.message, &attempts)),
            // Net-SNMP's library does not count them.
            (_, Program::NetSnmp) => None,
        };
        Ok(Walks { attempts, lost: after.lost.saturating_sub(before.lost), resent })
    }

    /// Waits until both ends have closed their connections and no frame is on its way, so that
    /// these frames are not counted with later walks. If a frame of a close is lost, the close can
    /// take longer.
    fn settle(&self, link: &Link) -> Result<()> {
        let begun = Instant::now();
        while Counters::read(&self.site.topology)?.open_connections > 0 && begun.elapsed() < MAX_SETTLING {
            thread::sleep(SETTLING_INTERVAL);
        }
        thread::sleep(2 * link.delay.unwrap_or_default() + SETTLING_INTERVAL);
        Ok(())
    }
}

/// Returns the number of messages that were sent again in walks that have not failed.
fn messages_resent(message: Message, attempts: &[Attempt]) -> u64 {
    // The discovery of the agent's engine, and of its clock, does not count as an exchange.
    let discovery = match message {
        Message::Usm(Some(_), _) => 2,
        Message::Usm(None, _) | Message::Tsm => 1,
        Message::V1 | Message::V2c => 0,
    };
    let resent = |phases: &Phases| phases.sent.saturating_sub(phases.exchanges + discovery);
    attempts.iter().flatten().map(resent).sum()
}

fn describe(methods: LinkMethods) -> String {
    let mut names: Vec<String> =
        [methods.loss, methods.delay].into_iter().flatten().map(|method| method.to_string()).collect();
    names.dedup();
    names.join(" and ")
}

/// Counters of the network.
struct Counters {
    lost: u64,
    segments_resent: u64,
    open_connections: u64,
}

impl Counters {
    fn read(topology: &Topology) -> Result<Self> {
        let lost = topology.lost_frames()?;
        let mut counters =
            Self { lost: lost.to_agent + lost.to_manager, segments_resent: 0, open_connections: 0 };
        for place in [topology.manager(), topology.agent()] {
            let text = place.run(|| fs::read_to_string(STATISTICS))?.context(STATISTICS)?;
            let of_tcp = |name| {
                tcp_counter(&text, name).ok_or_else(|| format!("{STATISTICS} has no counter {name} of TCP"))
            };
            counters.segments_resent += of_tcp("RetransSegs")?;
            counters.open_connections += of_tcp("CurrEstab")?;
        }
        Ok(counters)
    }
}

/// Returns a counter of TCP in `/proc/net/snmp`: one line has the names, the next one the numbers.
fn tcp_counter(text: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines().filter_map(|line| line.strip_prefix("Tcp: "));
    let (names, numbers) = (lines.next()?, lines.next()?);
    let position = names.split(' ').position(|known| known == name)?;
    numbers.split(' ').nth(position)?.parse().ok()
}

const STATISTICS: &str = "/proc/thread-self/net/snmp";
const MAX_SETTLING: Duration = Duration::from_secs(1);
const SETTLING_INTERVAL: Duration = Duration::from_millis(2);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_of_tcp_are_found_by_name() {
        let text = "Ip: Forwarding RetransSegs\nIp: 1 2\nTcp: RtoAlgorithm RetransSegs InErrs\nTcp: 1 34 5\n";
        assert_eq!(tcp_counter(text, "RetransSegs"), Some(34));
        assert_eq!(tcp_counter(text, "OutRsts"), None);
        assert_eq!(tcp_counter("", "RetransSegs"), None);
    }

    #[test]
    fn discovery_and_failed_walks_are_not_counted_as_sent_again() {
        let walk = |sent| Ok(Phases { sent, exchanges: 12, ..Phases::default() });
        let attempts = [walk(15), Err("no response".to_owned()), walk(13)];
        assert_eq!(messages_resent(Message::V2c, &attempts), 4);
        assert_eq!(messages_resent(Message::USM, &attempts), 2);
        assert_eq!(messages_resent(Message::USM_MD5_AES128, &attempts), 1);
        assert_eq!(messages_resent(Message::Tsm, &attempts), 2);
    }
}
