//! The variation `numeric`: a number that changes with the time since the agent's start.
//!
//! The number depends on the time only, not on the number of requests: polling twice as often gives
//! twice as many points of the same line. With `cumulative` the number is the sum of the increments
//! of all seconds. If the increments without noise are positive, the number never decreases,
//! whatever `deviation` is.

use std::{f64::consts::PI, time::Duration};

use portreeve_smi::{OwnedValue, Value};

use super::{Settings, pseudo_random};

/// A line or a wave, with noise.
#[derive(Clone, Debug, PartialEq)]
pub struct NumericVariation {
    kind: Kind,
    min: i128,
    max: i128,
    initial: i128,
    wave: Option<Wave>,
    /// The growth of the function's argument per second.
    rate: f64,
    /// The factor for the function's value.
    scale: f64,
    offset: f64,
    deviation: f64,
    cumulative: bool,
    wrap: bool,
}

/// The type of the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Integer,
    Counter32,
    Gauge32,
    TimeTicks,
    Counter64,
}

/// A periodic function. Without one, the value is a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wave {
    Sine,
    Cosine,
}

impl NumericVariation {
    pub(super) fn read(tag: &str, mut settings: Settings<'_>) -> Option<Self> {
        let kind = Kind::of(tag)?;
        let (type_min, type_max) = kind.range();
        let min = settings.integer("min", 0)?.clamp(type_min, type_max);
        let max = settings.integer("max", type_max)?.clamp(type_min, type_max);
        let wave = match settings.take("function") {
            None => None,
            Some("sin") => Some(Wave::Sine),
            Some("cos") => Some(Wave::Cosine),
            Some(_) => return None,
        };
        let counts = matches!(kind, Kind::Counter32 | Kind::Counter64 | Kind::TimeTicks);
        let numeric = Self {
            kind,
            min,
            max,
            initial: settings.integer("initial", min)?,
            wave,
            rate: settings.number("rate", 1.0)?,
            scale: settings.number("scale", 1.0)?,
            offset: settings.number("offset", 0.0)?,
            deviation: settings.number("deviation", 0.0)?.abs(),
            cumulative: settings.flag("cumulative", counts)?,
            wrap: settings.flag("wrap", counts)?,
        };
        (settings.is_empty() && min <= max).then_some(numeric)
    }

    /// Returns the value at the time `time` since the agent's start. The noise depends on `seed`.
    pub fn at(&self, time: Duration, seed: u64) -> Value<'static> {
        let seconds = time.as_secs_f64();
        let grown = if self.cumulative {
            self.sum(self.shifted_time(seconds, seed))
        } else {
            self.now(seconds, seed)
        };
        // The conversion to an integer saturates; `floor` has already removed the fraction.
        self.kind.value(self.bound(self.initial.saturating_add(grown.floor() as i128)))
    }

    /// Returns the value at the agent's start, without noise.
    pub(super) fn initial(&self) -> OwnedValue {
        self.kind.value(self.bound(self.initial)).into()
    }

    fn now(&self, seconds: f64, seed: u64) -> f64 {
        let argument = seconds * self.rate;
        let value = match self.wave {
            None => argument,
            Some(Wave::Sine) => argument.sin(),
            Some(Wave::Cosine) => argument.cos(),
        };
        value * self.scale + self.offset + self.deviation * noise(seconds, seed)
    }

    /// Returns the sum at `seconds`. For a wave this is the area between the wave and zero, counted
    /// as positive.
    fn sum(&self, seconds: f64) -> f64 {
        let swept = match self.wave {
            None => return seconds * (self.rate * self.scale + self.offset),
            Some(Wave::Sine) => absolute_sine_integral(seconds * self.rate),
            Some(Wave::Cosine) => {
                absolute_sine_integral(seconds * self.rate + PI / 2.0) - absolute_sine_integral(PI / 2.0)
            }
        };
        let still = if self.wave == Some(Wave::Cosine) { seconds } else { 0.0 };
        let area = if self.rate == 0.0 { still } else { swept / self.rate };
        area * self.scale + seconds * self.offset
    }

    /// Returns `seconds` shifted by the noise. The sum at the shifted time is the sum with noise.
    /// It never decreases, because the shifted time never decreases.
    fn shifted_time(&self, seconds: f64, seed: u64) -> f64 {
        let mean = if self.wave.is_some() { 2.0 / PI } else { self.rate };
        let pace = (mean * self.scale + self.offset).abs();
        let shift = if pace > 0.0 { (self.deviation / pace).min(MAX_TIME_SHIFT) } else { 0.0 };
        seconds + shift * noise(seconds, seed)
    }

    fn bound(&self, number: i128) -> i128 {
        if self.wrap && !(self.min..=self.max).contains(&number) {
            return self.min + (number.saturating_sub(self.min)).rem_euclid(self.max - self.min + 1);
        }
        number.clamp(self.min, self.max)
    }
}

impl Kind {
    fn of(tag: &str) -> Option<Self> {
        Some(match tag {
            "2" => Self::Integer,
            "65" => Self::Counter32,
            "66" => Self::Gauge32,
            "67" => Self::TimeTicks,
            "70" => Self::Counter64,
            _ => return None,
        })
    }

    fn range(self) -> (i128, i128) {
        match self {
            Self::Integer => (i32::MIN.into(), i32::MAX.into()),
            Self::Counter32 | Self::Gauge32 | Self::TimeTicks => (0, u32::MAX.into()),
            Self::Counter64 => (0, u64::MAX.into()),
        }
    }

    /// Creates a value of this type. `number` must be within the range of the type.
    fn value(self, number: i128) -> Value<'static> {
        let unsigned = u32::try_from(number).unwrap_or(u32::MAX);
        match self {
            Self::Integer => Value::Integer(i32::try_from(number).unwrap_or(i32::MAX)),
            Self::Counter32 => Value::Counter32(unsigned),
            Self::Gauge32 => Value::Gauge32(unsigned),
            Self::TimeTicks => Value::TimeTicks(unsigned),
            Self::Counter64 => Value::Counter64(u64::try_from(number).unwrap_or(u64::MAX)),
        }
    }
}

/// Returns the noise, from -1 to 1. It is zero at first, a new random number at every full second,
/// and linearly interpolated in between.
fn noise(seconds: f64, seed: u64) -> f64 {
    // The conversion to an integer saturates.
    let (second, part) = (seconds.floor() as u64, seconds.fract());
    let at = |second| if second == 0 { 0.0 } else { pseudo_random(seed, second) };
    at(second) * (1.0 - part) + at(second.saturating_add(1)) * part
}

/// Returns the area between zero and the sine from 0 to `argument`; negative for a negative
/// argument.
fn absolute_sine_integral(argument: f64) -> f64 {
    let half_waves = (argument.abs() / PI).floor();
    let area = 2.0 * half_waves + 1.0 - (argument.abs() - half_waves * PI).cos();
    area.copysign(argument)
}

/// The maximum time shift in seconds. The noise changes by at most two per second, so the shift
/// changes by less than a second per second.
const MAX_TIME_SHIFT: f64 = 0.4;
