//! What has changed since the last answer to the same question: how much counters have grown, and whether the agent
//! has restarted meanwhile.
//!
//! Counters go on from zero after their greatest value (RFC 2578 §7.1.6, §7.1.10) and after a restart, and only
//! sysUpTime or snmpEngineBoots of the same answer can tell which it was. sysUpTime itself wraps after 497 days.

use std::time::Duration;

use portreeve_smi::{Timestamp, Value};

/// What one question was answered last time.
#[derive(Default)]
pub(super) struct History {
    last: Option<LastResponse>,
    counters: Vec<Option<u64>>,
}

struct LastResponse {
    at: Timestamp,
    up_time: Option<u32>,
    boots: Option<i32>,
}

/// What an answer changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Whether the agent has restarted since the last answer.
    pub rebooted: bool,
    /// How long it is since that, by the agent's clock where that can be told; `None` for the first and after a restart.
    pub elapsed: Option<Duration>,
    /// How each object's counter has grown; `None` for what is no counter, and where that cannot be told.
    pub deltas: Vec<Option<Delta>>,
}

/// How a counter has grown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delta {
    /// By how much.
    pub by: u64,
    /// Whether it has passed its greatest value.
    pub wrapped: bool,
}

impl History {
    /// Makes the next answer one of `count` values, of which `from` says where each stood in the last.
    pub(super) fn rearrange(&mut self, count: usize, from: impl Fn(usize) -> Option<usize>) {
        let endpoint = |index| self.counters.get(from(index)?).copied().flatten();
        self.counters = (0..count).map(endpoint).collect();
    }

    /// Takes in an answer of `now`: the agent's sysUpTime and boots, where it tells them, and the objects' values.
    pub(super) fn update<'v>(
        &mut self,
        now: Timestamp,
        up_time: Option<u32>,
        boots: Option<i32>,
        values: impl Iterator<Item = Value<'v>>,
    ) -> Change {
        let mut change = Change::default();
        if let Some(last) = &self.last {
            let passed = now.since(last.at);
            change.rebooted = rebooted(last, passed, up_time, boots);
            if !change.rebooted {
                let by_agent = up_time.zip(last.up_time).map(|(now, then)| now.wrapping_sub(then));
                let by_agent = by_agent.map(|ticks| Duration::from_millis(u64::from(ticks) * 10));
                change.elapsed = Some(by_agent.filter(|time| !time.is_zero()).unwrap_or(passed));
            }
        }
        let comparable = change.elapsed.is_some();
        change.deltas.reserve_exact(self.counters.len());
        for (index, value) in values.enumerate() {
            if self.counters.len() <= index {
                self.counters.push(None);
            }
            let Some(before) = self.counters.get_mut(index) else { break };
            let (counter, delta) = match value {
                Value::Counter32(count) => (Some(u64::from(count)), before.and_then(|b| delta32(b, count))),
                Value::Counter64(count) => (Some(count), before.and_then(|b| delta64(b, count))),
                _ => (None, None),
            };
            *before = counter;
            change.deltas.push(delta.filter(|_| comparable));
        }
        self.last = Some(LastResponse { at: now, up_time, boots });
        change
    }
}

fn rebooted(last: &LastResponse, passed: Duration, up_time: Option<u32>, boots: Option<i32>) -> bool {
    if let (Some(then), Some(now)) = (last.boots, boots) {
        return now != then;
    }
    let (Some(then), Some(now)) = (last.up_time, up_time) else { return false };
    if now >= then {
        return false;
    }
    // Had it wrapped, the agent would have counted about as much as has passed here.
    let counted = Duration::from_millis(u64::from(now.wrapping_sub(then)) * 10);
    counted.abs_diff(passed) > passed / 10 + CLOCK_TOLERANCE
}

fn delta32(before: u64, now: u32) -> Option<Delta> {
    let before = u32::try_from(before).ok()?;
    Some(Delta { by: u64::from(now.wrapping_sub(before)), wrapped: now < before })
}

/// Nothing counts so fast that 64 bits wrap unless they were near their end: another fall is a fault of the agent's.
fn delta64(before: u64, now: u64) -> Option<Delta> {
    let (by, wrapped) = (now.wrapping_sub(before), now < before);
    (!wrapped || by < 1 << 62).then_some(Delta { by, wrapped })
}

/// How far the clocks of agents, and the ways to them, may differ.
const CLOCK_TOLERANCE: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests;
