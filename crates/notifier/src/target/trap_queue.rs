//! The traps that wait for one target while it is being connected.

use std::collections::VecDeque;

use crate::{OutgoingNotification, destination::TargetRows};

/// A trap that waits for its target.
pub(crate) struct WaitingTrap {
    pub(crate) rows: TargetRows,
    pub(crate) content: OutgoingNotification,
    /// True if another target did not accept the notification.
    pub(crate) is_fallback: bool,
}

/// The traps that wait for one target, in memory.
#[derive(Default)]
pub(crate) struct TrapQueue {
    traps: VecDeque<WaitingTrap>,
    octets: usize,
}

impl TrapQueue {
    /// Adds a trap; returns it if too many wait.
    pub(crate) fn push(&mut self, trap: WaitingTrap) -> Result<(), WaitingTrap> {
        let octets = trap.content.octets();
        if self.octets + octets > MAX_OCTETS {
            return Err(trap);
        }
        self.octets += octets;
        self.traps.push_back(trap);
        Ok(())
    }

    pub(crate) fn pop(&mut self) -> Option<WaitingTrap> {
        let trap = self.traps.pop_front()?;
        self.octets -= trap.content.octets();
        Some(trap)
    }

    /// Removes all traps.
    pub(crate) fn take(&mut self) -> VecDeque<WaitingTrap> {
        self.octets = 0;
        std::mem::take(&mut self.traps)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.traps.is_empty()
    }
}

/// The maximum memory of the traps that wait for a target.
const MAX_OCTETS: usize = 1 << 20;
