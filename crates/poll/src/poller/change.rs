//! Changes since the last response to the same query: counter increases and agent restarts.
//!
//! Counters restart at zero after their maximum (RFC 2578 §7.1.6, §7.1.10) and after a restart of
//! the agent. Only sysUpTime or snmpEngineBoots in the same response can distinguish the two.
//! sysUpTime itself wraps after 497 days.

use std::time::Duration;

use portreeve_smi::{Timestamp, Value};

/// The last response to one query.
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

/// The changes that a response shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// True if the agent has restarted since the last response.
    pub rebooted: bool,
    /// The time since the last response, by the agent's clock if known; `None` in the first
    /// response and after a restart.
    pub elapsed: Option<Duration>,
    /// The increase of each object; `None` if it is not a counter or the increase is unknown.
    pub deltas: Vec<Option<Delta>>,
}

/// The increase of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delta {
    /// The number by which the counter increased.
    pub by: u64,
    /// True if the counter passed its maximum.
    pub wrapped: bool,
}

impl History {
    /// Rearranges the history for a response of `count` values; `from` returns the previous
    /// position of each.
    pub(super) fn rearrange(&mut self, count: usize, from: impl Fn(usize) -> Option<usize>) {
        let endpoint = |index| self.counters.get(from(index)?).copied().flatten();
        self.counters = (0..count).map(endpoint).collect();
    }

    /// Adds a response received at `now`: the agent's sysUpTime and boots, if included, and the
    /// values of the objects.
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
    // If sysUpTime had wrapped, its increase would be about the elapsed time.
    let counted = Duration::from_millis(u64::from(now.wrapping_sub(then)) * 10);
    counted.abs_diff(passed) > passed / 10 + CLOCK_TOLERANCE
}

fn delta32(before: u64, now: u32) -> Option<Delta> {
    let before = u32::try_from(before).ok()?;
    Some(Delta { by: u64::from(now.wrapping_sub(before)), wrapped: now < before })
}

/// Returns the increase of a 64-bit counter. A decrease counts as a wrap only if the counter was
/// near its maximum; otherwise the result is `None`.
fn delta64(before: u64, now: u64) -> Option<Delta> {
    let (by, wrapped) = (now.wrapping_sub(before), now < before);
    (!wrapped || by < 1 << 62).then_some(Delta { by, wrapped })
}

/// The tolerance for inaccurate clocks and for transit times.
const CLOCK_TOLERANCE: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests;
