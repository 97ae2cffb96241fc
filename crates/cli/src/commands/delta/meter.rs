//! What one variable's line says: the rise since the reading before, its rate, average and peaks.
//!
//! Rates are of single precision, as in Net-SNMP's command, so that the same digits are printed.

use portreeve_smi::Value;

use super::clock;
use crate::{command_error::CommandError, flags::DeltaOptions};

/// What is remembered of a variable, or of the sum of all.
#[derive(Debug)]
pub(super) struct Meter {
    pub(super) name: String,
    value: u64,
    amount: u32,
    /// The time of the reading before; 0 before the first.
    time: u32,
    maximum: f32,
    peaks: Option<Peaks>,
}

/// A variable's value, or how much all of them rose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    Number(u32),
    Number64(u64),
    Amount(u32),
}

impl Reading {
    /// Whatever is a number of some kind.
    pub(super) fn of(value: &Value<'_>) -> Option<Self> {
        match *value {
            Value::Integer(number) => Some(Self::Number(number.cast_unsigned())),
            Value::Counter32(number) | Value::Gauge32(number) | Value::TimeTicks(number) => {
                Some(Self::Number(number))
            }
            Value::Counter64(number) => Some(Self::Number64(number)),
            _ => None,
        }
    }
}

impl Meter {
    pub(super) fn new(name: String, options: &DeltaOptions) -> Self {
        let peaks = options.peaks.map(|_| Peaks::default());
        Self { name, value: 0, amount: 0, time: 0, maximum: 0.0, peaks }
    }

    /// By how much the last reading was higher, for the sum; 64-bit counters have no part in it.
    pub(super) fn last_increase(&self) -> u32 {
        self.amount
    }

    /// Takes a reading at `time`, in hundredths of a second, and makes a line of it unless there is none yet. In a
    /// table the line is one cell, with a timestamp before it if `stamp` says so.
    pub(super) fn record(
        &mut self,
        time: u32,
        reading: Reading,
        options: &DeltaOptions,
        stamp: bool,
    ) -> Result<Option<String>, CommandError> {
        let rise = self.increase(reading);
        let elapsed = Some(time.wrapping_sub(self.time)).filter(|ticks| (1..1 << 31).contains(ticks));
        let is_first = std::mem::replace(&mut self.time, time) == 0;
        self.amount = 0;
        if is_first {
            return Ok(None);
        }
        if let Increase::Narrow(amount) = rise {
            self.amount = amount;
        }
        let rated = options.agent_time || options.table;
        let (number, shown) = match rise {
            Increase::Wide(_) if rated => {
                return Err(CommandError::Message(COUNTER64_UNSUPPORTED.to_owned()));
            }
            Increase::Wide(amount) => (to_f32(amount), amount.to_string()),
            Increase::Narrow(amount) if rated => {
                let rate =
                    to_f32(u64::from(amount)) * 100.0 / to_f32(u64::from(elapsed.unwrap_or(DEFAULT_ELAPSED)));
                (rate, format!("{rate:.2}"))
            }
            Increase::Narrow(amount) => (to_f32(u64::from(amount)), amount.to_string()),
        };
        let mut line = self.line_prefix(options, stamp);
        let mut is_due = true;
        match &mut self.peaks {
            None if options.table => line += &format!("\t{shown}"),
            None if options.agent_time => line += &format!(" /sec: {shown}"),
            None => line += &format!(" /{} sec: {shown}", options.period),
            Some(peaks) => match peaks.add(number, options) {
                Some(text) => line += &text,
                None => is_due = false,
            },
        }
        if options.maximum {
            self.maximum = self.maximum.max(number);
            let digits = if options.agent_time { 2 } else { 0 };
            line += &format!("\t(Max: {:.digits$})", self.maximum);
        }
        Ok(is_due.then_some(line))
    }

    fn increase(&mut self, reading: Reading) -> Increase {
        match reading {
            Reading::Number(number) => {
                let before = std::mem::replace(&mut self.value, u64::from(number));
                // A counter may have wrapped.
                Increase::Narrow(number.wrapping_sub((before & u64::from(u32::MAX)) as u32))
            }
            Reading::Number64(number) => {
                Increase::Wide(number.wrapping_sub(std::mem::replace(&mut self.value, number)))
            }
            Reading::Amount(amount) => Increase::Narrow(amount),
        }
    }

    fn line_prefix(&self, options: &DeltaOptions, stamp: bool) -> String {
        let wanted = options.timestamps && (stamp || !options.table);
        let time = if wanted { clock::timestamp(shows_seconds(options)) } else { String::new() };
        match (options.table, wanted) {
            (true, _) => time,
            (false, true) => format!("{time} {}", self.name),
            (false, false) => self.name.clone(),
        }
    }
}

enum Increase {
    Narrow(u32),
    Wide(u64),
}

/// Average and peak of several periods.
#[derive(Debug, Default)]
struct Peaks {
    /// `None` until the first time that a reporting period begins.
    count: Option<u32>,
    total: f32,
    peak: f32,
}

impl Peaks {
    /// Counts one number; what to print at the end of a reporting period.
    fn add(&mut self, number: f32, options: &DeltaOptions) -> Option<String> {
        let wanted = options.peaks.unwrap_or(1);
        let Some(count) = &mut self.count else {
            let reported = options.period.saturating_mul(wanted);
            let begins = clock::seconds_to_the_hour().is_multiple_of(reported);
            self.count = begins.then_some(0);
            return None;
        };
        *count += 1;
        self.total += number;
        self.peak = self.peak.max(number);
        if *count < wanted {
            return None;
        }
        let (average, peak, period) = (self.total / to_f32(u64::from(wanted)), self.peak, options.period);
        *self = Self { count: Some(0), ..Self::default() };
        Some(if options.agent_time {
            format!(" /sec: {average:.2}\t({period} sec Peak: {peak:.2})")
        } else {
            format!(" /{period} sec: {average:.0}\t({period} sec Peak: {peak:.0})")
        })
    }
}

/// Where lines come at whole minutes, their seconds say nothing.
fn shows_seconds(options: &DeltaOptions) -> bool {
    let reported = options.peaks.map(|peaks| options.period.saturating_mul(peaks));
    options.keep_seconds
        || (!options.period.is_multiple_of(60) && reported.is_none_or(|seconds| !seconds.is_multiple_of(60)))
}

#[allow(clippy::cast_precision_loss, reason = "single precision is what is printed")]
fn to_f32(number: u64) -> f32 {
    number as f32
}

const COUNTER64_UNSUPPORTED: &str = "time delta and table form not supported for counter64s";
/// In hundredths of a second: where time does not go on, a reading stands for one second.
const DEFAULT_ELAPSED: u32 = 100;
