//! The number of rounds of each experiment, which follows from the time that the run may take.
//!
//! ```text
//! share  = time left / experiments left
//! rounds = share / duration of the first round, at least 3, at most 100
//! ```
//! Time that an experiment does not need is left for the experiments after it. If there are fewer
//! than 10 rounds, those after them measure the short variants alone, which cost little: see
//! [`short_variants`].

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use portreeve_lab_report::sample::{MIN_ROUNDS, Variant};

use crate::error::Result;

/// The user's choice of the number of rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Budget {
    /// The time for the whole run.
    Time(Duration),
    /// The number of rounds of each experiment.
    Rounds(usize),
}

/// Divides the budget among the experiments that begin in this process. Each has an equal share of
/// the time that the earlier ones have not used. Experiments that resume have their number of
/// rounds already, and use no time of the others.
pub(super) struct Shares {
    budget: Budget,
    total: usize,
    /// The experiments that begin in this process, and those that have not begun.
    new: usize,
    left: usize,
    /// The time that new experiments have used.
    used: Duration,
}

impl Shares {
    /// Divides the budget of a run with `total` experiments, of which `new` have not begun.
    pub(super) fn new(budget: Budget, new: usize, total: usize) -> Self {
        Self { budget, total, new, left: new, used: Duration::ZERO }
    }

    /// Returns the budget of the next experiment.
    pub(super) fn next(&self) -> Share {
        match self.budget {
            Budget::Rounds(rounds) => Share::Rounds(rounds),
            Budget::Time(time) => {
                let available = time.mul_f64(self.new as f64 / self.total.max(1) as f64);
                Share::Time(available.saturating_sub(self.used).div_f64(self.left.max(1) as f64))
            }
        }
    }

    /// Subtracts the time of an experiment that began in this process.
    pub(super) fn subtract(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(1);
        self.used = self.used.saturating_add(time);
    }
}

/// The budget of one experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    Time(Duration),
    Rounds(usize),
}

impl Share {
    /// Returns the number of rounds. `prepared` is the time that the preparation has taken,
    /// `first_round` the duration of the first round.
    pub(super) fn rounds(self, prepared: Duration, first_round: Duration) -> usize {
        match self {
            Self::Rounds(rounds) => rounds,
            Self::Time(share) => {
                let time = share.saturating_sub(prepared).as_secs_f64();
                let rounds = time / first_round.as_secs_f64().max(f64::EPSILON);
                (rounds as usize).clamp(MIN_ROUNDS, MAX_ROUNDS)
            }
        }
    }
}

/// Returns the variants that are measured in 10 rounds, if the others are measured in fewer: those
/// that take less than a quarter of the mean duration of all. `durations` has the seconds that each
/// variant takes.
pub(super) fn short_variants(durations: &BTreeMap<Variant, f64>) -> BTreeSet<&Variant> {
    let mean = durations.values().sum::<f64>() / durations.len().max(1) as f64;
    durations.iter().filter(|(_, duration)| **duration < mean / 4.0).map(|(variant, _)| variant).collect()
}

/// Parses a time such as `90s`, `15m`, `1h30m` or `600` (seconds).
pub(super) fn parse_time(text: &str) -> Result<Duration> {
    let invalid = || format!("invalid time '{text}': expected for example 90s, 15m or 1h30m");
    let (mut total, mut number) = (0_u64, None::<u64>);
    for letter in text.chars() {
        let unit = match letter {
            '0'..='9' => {
                let digit = u64::from(letter as u32 - '0' as u32);
                let longer = number.unwrap_or(0).checked_mul(10).and_then(|ten| ten.checked_add(digit));
                number = Some(longer.ok_or_else(invalid)?);
                continue;
            }
            's' => 1,
            'm' => 60,
            'h' => 3600,
            _ => return Err(invalid().into()),
        };
        let part = number.take().and_then(|number| number.checked_mul(unit)).ok_or_else(invalid)?;
        total = total.checked_add(part).ok_or_else(invalid)?;
    }
    // A number without a unit is a number of seconds, but not after another part.
    match number {
        Some(seconds) if total == 0 => total = seconds,
        Some(_) => return Err(invalid().into()),
        None => {}
    }
    if total == 0 { Err(invalid().into()) } else { Ok(Duration::from_secs(total)) }
}

/// The number of rounds in `--quick`.
pub(crate) const QUICK_ROUNDS: usize = 2;
/// The number of rounds of short variants, unless all have more.
pub(super) const SHORT_ROUNDS: usize = 10;
const MAX_ROUNDS: usize = 100;

#[cfg(test)]
mod tests;
