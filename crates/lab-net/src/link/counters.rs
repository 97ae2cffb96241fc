//! Numbers of frames that a link has lost.

use std::ops::AddAssign;

use crate::error::{NetError, Result};
use crate::place::Place;
use crate::program::Program;
use crate::topology::{AGENT_PORT, MANAGER_PORT};

/// Numbers of frames that a link has lost, at random or because a queue was full.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct LostFrames {
    /// From the manager to the agent.
    pub to_agent: u64,
    /// From the agent to the manager.
    pub to_manager: u64,
}

impl AddAssign for LostFrames {
    fn add_assign(&mut self, other: Self) {
        self.to_agent += other.to_agent;
        self.to_manager += other.to_manager;
    }
}

/// Reads the counters of the rules that drop frames.
pub(super) fn of_nftables(observer: &Place) -> Result<LostFrames> {
    let text = Program::Nft.run(observer, &["list", "table", "bridge", super::queueing::TABLE], "")?;
    let count = |port: &str| {
        let rule = text.lines().find(|line| line.contains(&format!("iifname \"{port}\"")));
        rule.map_or(Ok(0), |rule| number_after(rule, "packets"))
    };
    Ok(LostFrames { to_agent: count(MANAGER_PORT)?, to_manager: count(AGENT_PORT)? })
}

/// Reads the counters of the queueing disciplines. The outermost one counts the losses of those
/// inside.
pub(super) fn of_queues(observer: &Place) -> Result<LostFrames> {
    let count = |port: &str| {
        let text = Program::Tc.run(observer, &["-s", "qdisc", "show", "dev", port], "")?;
        let root =
            text.lines().skip_while(|line| !line.contains(" root ")).find(|line| line.contains("dropped"));
        root.map_or(Ok(0), |line| number_after(line, "(dropped"))
    };
    Ok(LostFrames { to_agent: count(AGENT_PORT)?, to_manager: count(MANAGER_PORT)? })
}

/// Returns the number after a word.
fn number_after(line: &str, word: &str) -> Result<u64> {
    let mut words = line.split_whitespace().skip_while(|candidate| *candidate != word);
    let number = words.nth(1).map(|text| text.trim_end_matches(',')).and_then(|text| text.parse().ok());
    number.ok_or_else(|| NetError::Failed(format!("no number of lost frames in: {line}")))
}
