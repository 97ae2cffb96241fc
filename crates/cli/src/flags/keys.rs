//! Keys and engine clocks that are given on the command line: `-3` and `-Z`.

use portreeve_secret::Secret;
use portreeve_smi::{ClockReading, EngineBoots};

use super::{FlagError, Settings};

/// A key from the command line.
pub(crate) enum GivenKey {
    /// A master key, not yet localized.
    Master(Secret),
    /// A key that is localized to the agent's engine.
    Localized(Secret),
}

/// Parses `-3m 0xHEX` and its variants: each letter takes the next word as its key.
pub(super) fn parse_keys(
    settings: &mut Settings,
    letters: &str,
    next_word: &mut dyn FnMut() -> Option<String>,
) -> Result<(), FlagError> {
    for letter in letters.chars() {
        if !"mMkK".contains(letter) {
            return Err(FlagError::Usage(format!("Unknown SNMPv3 option passed to -3: {letter}.")));
        }
        let missing = || FlagError::Usage(format!("Missing argument after SNMPv3 '-3{letter}' option."));
        let key = parse_hex(&Secret::from(next_word().ok_or_else(missing)?));
        let key = key.ok_or_else(|| FlagError::Usage(format!("Bad key value after -3{letter} flag.")))?;
        match letter {
            'm' => settings.auth_key = Some(GivenKey::Master(key)),
            'M' => settings.priv_key = Some(GivenKey::Master(key)),
            'k' => settings.auth_key = Some(GivenKey::Localized(key)),
            _ => settings.priv_key = Some(GivenKey::Localized(key)),
        }
    }
    Ok(())
}

/// Parses `-Z BOOTS,TIME` or `-Z BOOTS TIME`.
pub(super) fn parse_clock(
    settings: &mut Settings,
    text: &str,
    next_word: &mut dyn FnMut() -> Option<String>,
) -> Result<(), FlagError> {
    let (boots, time) = text.split_once(',').map_or((text, None), |(boots, time)| (boots, Some(time)));
    let boots = boots.parse().ok().and_then(EngineBoots::new);
    let boots = boots.ok_or_else(|| FlagError::usage("Need engine boots value after -3Z flag."))?;
    let (time, missing) = match time {
        Some(time) => (Some(time.to_owned()), "Need engine time after \"-3Z engineBoot,\"."),
        None => (next_word(), "Need engine time after \"-Z engineBoot\"."),
    };
    let time = time.and_then(|time| time.parse().ok()).filter(|time| *time <= MAX_ENGINE_TIME);
    let time = time.ok_or_else(|| FlagError::usage(missing))?;
    settings.agent_clock = Some(ClockReading { boots, time });
    Ok(())
}

/// Parses hexadecimal digits, with or without `0x`.
fn parse_hex(digits: &Secret) -> Option<Secret> {
    let digits = digits.expose();
    let digits = digits.strip_prefix(b"0x").or_else(|| digits.strip_prefix(b"0X")).unwrap_or(digits);
    let value = |digit: &u8| char::from(*digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    if digits.is_empty() {
        return None;
    }
    let octet = |pair: &[u8]| match pair {
        [high, low] => Some(value(high)? << 4 | value(low)?),
        _ => None,
    };
    digits.chunks(2).map(octet).collect::<Option<Vec<u8>>>().map(Secret::new)
}

/// The maximum value of snmpEngineTime.
const MAX_ENGINE_TIME: u32 = 0x7fff_ffff;
