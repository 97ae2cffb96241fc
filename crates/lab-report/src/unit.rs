//! Units of values, and their text with a prefix and a few significant digits.

use crate::statistics::{Interval, Level};

/// The unit of a value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Unit {
    /// Seconds, written with a prefix: `31.2 µs`.
    Seconds,
    /// Octets of messages and frames, written as a whole number: `57 224`.
    Octets,
    /// Bytes of memory, written with a prefix: `7.20 kB`.
    Bytes,
    /// A number of messages, frames, rows or sessions.
    Count,
    /// A rate, for each second.
    PerSecond,
    /// A ratio of two values, written as `1.24`.
    Ratio,
    /// A share between 0 and 1, written in per cent.
    Share,
}

impl Unit {
    /// Formats a value with its unit: `31.2 µs`.
    pub fn text(self, value: f64) -> String {
        let scale = self.scale(value);
        scale.with_unit(&scale.number(value))
    }

    /// Formats an interval with its unit: `30.9–31.6 µs`.
    pub fn interval_text(self, interval: Interval) -> String {
        let scale = self.scale(interval.high.abs().max(interval.low.abs()));
        scale.with_unit(&format!("{}–{}", scale.number(interval.low), scale.number(interval.high)))
    }

    /// Formats a value with its interval: `31.2 µs (95 % 30.9–31.6 µs)`. With a wide interval, only
    /// two digits are written, because a third one has no meaning: `11 ms (95 % 3.1–36 ms)`.
    pub fn estimate_text(self, value: f64, interval: Option<Interval>, level: Level) -> String {
        let Some(interval) = interval else { return self.text(value) };
        if interval.low == interval.high {
            return self.text(value);
        }
        let is_wide = interval.high - interval.low > WIDE * value.abs();
        let text = |number: f64, scale: Scale| {
            if is_wide { scale.two_digits(number) } else { scale.number(number) }
        };
        let (of_value, of_interval) =
            (self.scale(value), self.scale(interval.high.abs().max(interval.low.abs())));
        let (low, high) = (text(interval.low, of_interval), text(interval.high, of_interval));
        format!(
            "{} ({} {})",
            of_value.with_unit(&text(value, of_value)),
            level.percent(),
            of_interval.with_unit(&format!("{low}–{high}"))
        )
    }

    /// Returns the scale that suits a value and others of about its size.
    pub fn scale(self, value: f64) -> Scale {
        let value = value.abs();
        let prefixed = |steps: &[(f64, &'static str)]| {
            let found = steps.iter().find(|(factor, _)| value >= *factor * ROUNDS_UP).or(steps.last());
            found.map_or(Scale { factor: 1.0, suffix: "", space: "" }, |(factor, suffix)| Scale {
                factor: *factor,
                suffix,
                space: NO_BREAK_SPACE,
            })
        };
        let plain = |factor, suffix, space| Scale { factor, suffix, space };
        match self {
            Self::Seconds if value == 0.0 => plain(1.0, "s", NO_BREAK_SPACE),
            Self::Seconds => prefixed(&[(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")]),
            Self::Bytes => prefixed(&[(1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B")]),
            Self::Octets | Self::Count | Self::Ratio => plain(1.0, "", ""),
            Self::PerSecond => plain(1.0, "/s", NARROW_SPACE),
            Self::Share => plain(0.01, "%", NO_BREAK_SPACE),
        }
    }

    /// Returns the name of the unit for the heading of a CSV column.
    pub fn name(self) -> &'static str {
        match self {
            Self::Seconds => "seconds",
            Self::Octets => "octets",
            Self::Bytes => "bytes",
            Self::Count => "count",
            Self::PerSecond => "per second",
            Self::Ratio => "ratio",
            Self::Share => "share",
        }
    }
}

/// A factor and the name of the scaled unit, such as 0.001 and `ms`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    factor: f64,
    suffix: &'static str,
    space: &'static str,
}

impl Scale {
    /// Formats a value on this scale, without the unit.
    pub fn number(&self, value: f64) -> String {
        significant(value / self.factor)
    }

    /// Formats a value on this scale with two significant digits, without the unit.
    fn two_digits(&self, value: f64) -> String {
        let value = value / self.factor;
        if value == 0.0 || !value.is_finite() {
            return significant(value);
        }
        let magnitude = value.abs().log10().floor();
        let step = 10_f64.powf(magnitude - 1.0);
        let decimals = (1.0 - magnitude).clamp(0.0, 12.0) as usize;
        group(&format!("{:.decimals$}", (value / step).round() * step))
    }

    /// Formats a value on this scale with a fixed number of decimals, without the unit.
    pub fn fixed(&self, value: f64, decimals: usize) -> String {
        group(&format!("{:.decimals$}", value / self.factor))
    }

    /// Appends the unit to a text.
    pub fn with_unit(&self, text: &str) -> String {
        format!("{text}{}{}", self.space, self.suffix)
    }

    /// Returns the size of one scaled unit.
    pub fn factor(&self) -> f64 {
        self.factor
    }

    /// Returns the name of the scaled unit. Empty for numbers without a unit.
    pub fn suffix(&self) -> &'static str {
        self.suffix
    }
}

/// Formats a number: three significant digits, all digits of a whole part, and whole numbers as
/// they are.
fn significant(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let size = value.abs();
    if size == 0.0 || (value.fract() == 0.0 && size < 1e15) {
        return group(&format!("{value:.0}"));
    }
    let decimals = if size >= 99.95 {
        0
    } else if size >= 9.995 {
        1
    } else if size >= 0.9995 {
        2
    } else if size >= 0.09995 {
        3
    } else {
        // Small numbers keep three digits down to the smallest unit.
        ((2.0 - size.log10().floor()) as usize).min(12)
    };
    group(&format!("{value:.decimals$}"))
}

/// Groups the whole part of a number in threes, from five digits on, and writes a minus sign.
fn group(number: &str) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("−", digits));
    let sign = if digits.chars().all(|digit| matches!(digit, '0' | '.')) { "" } else { sign };
    let (whole, fraction) =
        digits.split_once('.').map_or((digits, String::new()), |(whole, part)| (whole, format!(".{part}")));
    if whole.len() <= 4 {
        return format!("{sign}{whole}{fraction}");
    }
    let mut text = sign.to_owned();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push_str(NARROW_SPACE);
        }
        text.push(digit);
    }
    text.push_str(&fraction);
    text
}

/// An interval that is wider than this share of its value leaves no meaning for a third digit.
const WIDE: f64 = 0.2;

/// A value that rounds up to the next prefix is written with that prefix: 1.00 ms, not 1000 µs.
const ROUNDS_UP: f64 = 0.9995;

const NO_BREAK_SPACE: &str = "\u{a0}";
const NARROW_SPACE: &str = "\u{202f}";

#[cfg(test)]
mod tests;
