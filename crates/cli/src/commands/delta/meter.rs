//! Computes the output line of a variable: its increase since the previous reading, rate, average
//! and peak.
//!
//! Rates have single precision, as in Net-SNMP, so that the same digits are printed.

use portreeve_smi::Value;

use super::clock;
use crate::{command_error::CommandError, flags::DeltaOptions};

/// The state of one variable, or of the sum of all variables.
#[derive(Debug)]
pub(super) struct Meter {
    pub(super) name: String,
    value: u64,
    amount: u32,
    /// The time of the previous reading; 0 before the first.
    time: u32,
    maximum: f32,
    peaks: Option<Peaks>,
}

/// The value of a variable, or the total increase of all variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    Number(u32),
    Number64(u64),
    Amount(u32),
}

impl Reading {
    /// Returns the reading of a numeric value; `None` for other types.
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

    /// Returns the last increase, for adding it to the sum. It is 0 for 64-bit counters, which are
    /// not part of the sum.
    pub(super) fn last_increase(&self) -> u32 {
        self.amount
    }

    /// Records a reading at `time`, in hundredths of a second, and returns the output line, if one
    /// is due. In a table, the line is one cell, preceded by a timestamp if `stamp` is true.
    pub(super) fn record(
        &mut self,
        time: u32,
        reading: Reading,
        options: &DeltaOptions,
        stamp: bool,
    ) -> Result<Option<String>, CommandError> {
        let increase = self.increase(reading);
        let elapsed = Some(time.wrapping_sub(self.time)).filter(|ticks| (1..1 << 31).contains(ticks));
        let is_first = std::mem::replace(&mut self.time, time) == 0;
        self.amount = 0;
        if is_first {
            return Ok(None);
        }
        if let Increase::Narrow(amount) = increase {
            self.amount = amount;
        }
        let is_rate = options.agent_time || options.table;
        let (number, shown) = match increase {
            Increase::Wide(_) if is_rate => {
                return Err(CommandError::Message(COUNTER64_UNSUPPORTED.to_owned()));
            }
            Increase::Wide(amount) => (to_f32(amount), amount.to_string()),
            Increase::Narrow(amount) if is_rate => {
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
                // The counter may have wrapped since the previous reading.
                Increase::Narrow(number.wrapping_sub((before & u64::from(u32::MAX)) as u32))
            }
            Reading::Number64(number) => {
                Increase::Wide(number.wrapping_sub(std::mem::replace(&mut self.value, number)))
            }
            Reading::Amount(amount) => Increase::Narrow(amount),
        }
    }

    fn line_prefix(&self, options: &DeltaOptions, stamp: bool) -> String {
        let with_timestamp = options.timestamps && (stamp || !options.table);
        let time = if with_timestamp { clock::timestamp(shows_seconds(options)) } else { String::new() };
        match (options.table, with_timestamp) {
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

/// The average and the peak of several periods.
#[derive(Debug, Default)]
struct Peaks {
    /// The number of periods counted so far; `None` until the first reporting interval starts.
    count: Option<u32>,
    total: f32,
    peak: f32,
}

impl Peaks {
    /// Adds the value of one period. At the end of a reporting interval, returns the text to print.
    fn add(&mut self, number: f32, options: &DeltaOptions) -> Option<String> {
        let periods = options.peaks.unwrap_or(1);
        let Some(count) = &mut self.count else {
            let reported = options.period.saturating_mul(periods);
            let begins = clock::seconds_to_the_hour().is_multiple_of(reported);
            self.count = begins.then_some(0);
            return None;
        };
        *count += 1;
        self.total += number;
        self.peak = self.peak.max(number);
        if *count < periods {
            return None;
        }
        let (average, peak, period) = (self.total / to_f32(u64::from(periods)), self.peak, options.period);
        *self = Self { count: Some(0), ..Self::default() };
        Some(if options.agent_time {
            format!(" /sec: {average:.2}\t({period} sec Peak: {peak:.2})")
        } else {
            format!(" /{period} sec: {average:.0}\t({period} sec Peak: {peak:.0})")
        })
    }
}

/// Returns true if timestamps include seconds. They are omitted if lines are printed at whole
/// minutes, unless `-Ck` is set.
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
/// The elapsed time that is assumed if the agent's time has not advanced, in hundredths of a
/// second.
const DEFAULT_ELAPSED: u32 = 100;
