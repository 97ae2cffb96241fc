//! The scale of an axis: its range, its ticks, and their labels.

use crate::document::{Axis, Scaling};
use crate::unit::Unit;

/// A scale from values to pixels.
pub(super) struct Scale {
    scaling: Scaling,
    low: f64,
    high: f64,
    start: f64,
    end: f64,
    /// Ticks from low to high.
    pub(super) ticks: Vec<Tick>,
    /// The label of the axis, with the unit of the ticks if these have none.
    pub(super) label: String,
}

/// A tick of an axis.
pub(super) struct Tick {
    pub(super) at: f64,
    /// Empty for a tick between two labelled ones.
    pub(super) label: String,
}

impl Scale {
    /// Creates the scale of an axis for these values, with about `count` ticks. Pixels are set
    /// with [`Self::place`]. A linear scale ends at a tick.
    pub(super) fn new(axis: &Axis, values: impl Iterator<Item = f64>, count: usize) -> Self {
        let usable = |value: &f64| value.is_finite() && (axis.scaling == Scaling::Linear || *value > 0.0);
        let (low, high) = values
            .filter(usable)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        match axis.scaling {
            Scaling::Linear => Self::linear(axis, low.min(0.0), high.max(0.0), count),
            Scaling::Log => Self::logarithmic(axis, low, high, count),
        }
    }

    /// Lets a linear scale end shortly after the largest value instead of at the next tick.
    pub(super) fn tighten(mut self, values: impl Iterator<Item = f64>) -> Self {
        let largest = values.filter(|value| value.is_finite()).fold(f64::NEG_INFINITY, f64::max);
        let end = largest + (self.high - self.low) * 0.02;
        if self.scaling == Scaling::Linear && end > self.low && end < self.high {
            self.high = end;
            self.ticks.retain(|tick| tick.at <= end);
        }
        self
    }

    /// Sets the pixels of the low and of the high end.
    pub(super) fn place(&mut self, start: f64, end: f64) {
        (self.start, self.end) = (start, end);
    }

    /// Returns the pixel of a value. `None` if it has none, such as 0 on a logarithmic axis.
    pub(super) fn at(&self, value: f64) -> Option<f64> {
        let share = match self.scaling {
            Scaling::Linear => (value - self.low) / (self.high - self.low),
            Scaling::Log if value > 0.0 => {
                (value.log10() - self.low.log10()) / (self.high.log10() - self.low.log10())
            }
            Scaling::Log => return None,
        };
        share.is_finite().then(|| self.start + share.clamp(0.0, 1.0) * (self.end - self.start))
    }

    /// Returns the low end of the range.
    pub(super) fn low(&self) -> f64 {
        self.low
    }

    fn linear(axis: &Axis, low: f64, high: f64, count: usize) -> Self {
        let is_drawable = high > low && high < MAX_VALUE && low > -MAX_VALUE;
        let (low, high) = if is_drawable { (low, high) } else { (0.0, 1.0) };
        let step = nice_step((high - low) / count as f64);
        let (first, last) = ((low / step).floor() as i64, (high / step - 1e-9).ceil() as i64);
        let biggest = (last as f64 * step).abs().max((first as f64 * step).abs());
        let format = TickFormat::new(axis.unit, biggest, step);
        let ticks = (first..=last).map(|index| index as f64 * step);
        let ticks = ticks.map(|at| Tick { at, label: format.text(at) }).collect();
        let label = format.axis_label(&axis.label);
        Self::over(Scaling::Linear, (first as f64 * step, last as f64 * step), ticks, label)
    }

    fn logarithmic(axis: &Axis, low: f64, high: f64, count: usize) -> Self {
        let is_drawable = low <= high && low > MIN_VALUE && high < MAX_VALUE;
        let (low, high) = if is_drawable { (low, high) } else { (1.0, 10.0) };
        let low_step =
            log_steps(low.log10().floor() as i32).into_iter().rfind(|step| *step <= low * NEARLY_ONE);
        let low = low_step.unwrap_or(low);
        let exponent = high.log10().floor() as i32;
        let mut above = log_steps(exponent).into_iter().chain(log_steps(exponent + 1));
        let high = above.find(|step| *step * NEARLY_ONE >= high && *step > low).unwrap_or(high);
        let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
        let decades = (last - first).unsigned_abs() as usize;
        let every = decades.div_ceil(count.max(2) + 1).max(1);
        let mut ticks = Vec::new();
        for exponent in first..=last {
            for (index, at) in log_steps(exponent).into_iter().enumerate() {
                if at < low / NEARLY_ONE || at > high * NEARLY_ONE {
                    continue;
                }
                let is_labelled = if index == 0 {
                    ((exponent - first).unsigned_abs() as usize).is_multiple_of(every)
                } else {
                    decades <= 2
                };
                if is_labelled || (index == 0 && decades <= 12) {
                    let label = if is_labelled { compact(axis.unit, at) } else { String::new() };
                    ticks.push(Tick { at, label });
                }
            }
        }
        Self::over(Scaling::Log, (low, high), ticks, axis.label.clone())
    }

    fn over(scaling: Scaling, (low, high): (f64, f64), ticks: Vec<Tick>, label: String) -> Self {
        Self { scaling, low, high, start: 0.0, end: 1.0, ticks, label }
    }
}

/// The format of all ticks of a linear axis.
struct TickFormat {
    unit: Unit,
    biggest: f64,
    decimals: usize,
}

impl TickFormat {
    fn new(unit: Unit, biggest: f64, step: f64) -> Self {
        let step = step / unit.scale(biggest).factor();
        // A step of 0.25 needs two decimals, one of 0.2 only one.
        let decimals = (0..9).find(|decimals| {
            let scaled = step * 10_f64.powi(*decimals);
            (scaled - scaled.round()).abs() < 1e-6 * scaled
        });
        Self { unit, biggest, decimals: decimals.unwrap_or(9) as usize }
    }

    fn text(&self, value: f64) -> String {
        match self.unit {
            Unit::Octets | Unit::Count | Unit::PerSecond if self.biggest >= 1e5 => compact(self.unit, value),
            _ => self.unit.scale(self.biggest).fixed(value, self.decimals),
        }
    }

    fn axis_label(&self, label: &str) -> String {
        let suffix = self.unit.scale(self.biggest).suffix();
        let separate = !suffix.is_empty() && suffix != "/s";
        if separate { format!("{label} ({suffix})") } else { label.to_owned() }
    }
}

/// Formats a tick that carries its own unit: `10 µs`, `100 k`.
fn compact(unit: Unit, value: f64) -> String {
    let plain = |value: f64| Unit::Ratio.text(value);
    match unit {
        Unit::Octets | Unit::Count | Unit::PerSecond | Unit::Ratio => {
            let steps: [(f64, f64, &str); 3] =
                [(1e9, 1e9, "\u{202f}G"), (1e6, 1e6, "\u{202f}M"), (1e4, 1e3, "\u{202f}k")];
            let step = steps.into_iter().find(|(from, ..)| value.abs() >= *from);
            step.map_or_else(|| plain(value), |(_, factor, suffix)| plain(value / factor) + suffix)
        }
        Unit::Seconds | Unit::Bytes | Unit::Share => {
            let scale = unit.scale(value);
            scale.with_unit(&plain((value / scale.factor() * 1e6).round() / 1e6))
        }
    }
}

/// The next larger step of 1, 2, 2.5 or 5 times a power of ten.
fn nice_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 2.5, 5.0].into_iter().find(|factor| step <= factor * power * NEARLY_ONE);
    factor.unwrap_or(10.0) * power
}

/// 1, 2 and 5 times a power of ten.
fn log_steps(exponent: i32) -> [f64; 3] {
    // Division gives the closest number for negative exponents; the power itself may not.
    let scaled = |factor: f64| {
        if exponent < 0 { factor / 10_f64.powi(-exponent) } else { factor * 10_f64.powi(exponent) }
    };
    [1.0, 2.0, 5.0].map(scaled)
}

/// Compensates for rounding in the last digits.
const NEARLY_ONE: f64 = 1.0 + 1e-9;

/// Values beyond these are not drawn to scale.
const MAX_VALUE: f64 = 1e30;
const MIN_VALUE: f64 = 1e-30;

#[cfg(test)]
mod tests;
