//! Varying values: the variation modules of snmpsim that depend on the time only.

mod delay;
mod numeric;
mod settings;

use portreeve_smi::OwnedValue;

use super::SyntaxError;
pub use delay::DelayVariation;
pub use numeric::NumericVariation;
use settings::Settings;

/// The variation of an instance.
#[derive(Clone, Debug, PartialEq)]
pub enum Variation {
    /// The number changes with time.
    Numeric(NumericVariation),
    /// The response is delayed.
    Delay(DelayVariation),
    /// The response has the error-status genErr.
    Error,
}

/// Parses the text after `TAG:MODULE|`. `value_of` parses a value of the tag's type, written as
/// text or as hexadecimal digits. The returned value is the initial value of the instance.
pub(super) fn read(
    module: &str,
    tag: &str,
    text: &str,
    value_of: impl Fn(Notation, &str) -> Result<OwnedValue, SyntaxError>,
) -> Result<(OwnedValue, Variation), SyntaxError> {
    let constant = |settings: &mut Settings<'_>, default| {
        let (plain, hexadecimal) = (settings.take("value"), settings.take("hexvalue"));
        match (plain, hexadecimal) {
            (Some(text), None) => value_of(Notation::Plain, text),
            (None, Some(digits)) => value_of(Notation::Hexadecimal, digits),
            _ => Err(default),
        }
    };
    match module {
        "numeric" => {
            let numeric = Settings::read(text).and_then(|settings| NumericVariation::read(tag, settings));
            let numeric = numeric.ok_or(SyntaxError::Numeric)?;
            Ok((numeric.initial(), Variation::Numeric(numeric)))
        }
        "delay" => {
            let mut settings = Settings::read(text).ok_or(SyntaxError::Delay)?;
            let value = constant(&mut settings, SyntaxError::Delay)?;
            Ok((value, Variation::Delay(DelayVariation::read(settings).ok_or(SyntaxError::Delay)?)))
        }
        "error" => {
            let mut settings = Settings::read(text).ok_or(SyntaxError::Error)?;
            let status = settings.take("status").unwrap_or_default().to_ascii_lowercase();
            let operation = settings.take("op").unwrap_or("any");
            let value = match constant(&mut settings, SyntaxError::Error) {
                Ok(value) => value,
                // The instance always causes an error, so this value is never returned to a
                // manager.
                Err(_) => OwnedValue::Null,
            };
            let is_known = ["generror", "generr"].contains(&&*status) && ["get", "any"].contains(&operation);
            let is_all = is_known && settings.is_empty();
            is_all.then_some((value, Variation::Error)).ok_or(SyntaxError::Error)
        }
        _ => Err(SyntaxError::Variation),
    }
}

/// The notation in which a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    Plain,
    Hexadecimal,
}

/// Returns a pseudo-random number for each `seed` and `step`, uniformly distributed from -1 to 1.
/// It depends on nothing else.
fn pseudo_random(seed: u64, step: u64) -> f64 {
    let mixed = (seed ^ step.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let share = (mixed ^ (mixed >> 31)) >> 11;
    share as f64 / (1_u64 << 52) as f64 - 1.0
}

#[cfg(test)]
mod tests;
