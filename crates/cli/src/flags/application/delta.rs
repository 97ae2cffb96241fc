//! The letters of `-C` for `delta`.

use std::{fs, str::FromStr};

use super::{ApplicationLetter, LetterValue};
use crate::{
    flags::{FlagError, Settings},
    verb::Verb,
};

pub(super) static LETTERS: &[ApplicationLetter] = &[
    ApplicationLetter {
        letter: 'l',
        value: LetterValue::None,
        verbs: DELTA,
        help: "write each variable to its own file, named AGENT-VARIABLE",
        apply: |settings, _| switch(&mut settings.application.delta.files),
    },
    ApplicationLetter {
        letter: 'F',
        value: LetterValue::NextWord("FILE"),
        verbs: DELTA,
        help: "read names of variables from the lines of FILE",
        apply: names,
    },
    ApplicationLetter {
        letter: 'p',
        value: LetterValue::NextWord("SECONDS"),
        verbs: DELTA,
        help: "poll every SECONDS (default: 1)",
        apply: |settings, value| {
            settings.application.delta.period = positive('p', value)?;
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'P',
        value: LetterValue::NextWord("NUM"),
        verbs: DELTA,
        help: "print average and peak of NUM periods instead of each value",
        apply: |settings, value| {
            settings.application.delta.peaks = Some(positive('P', value)?);
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'v',
        value: LetterValue::NextWord("NUM"),
        verbs: DELTA,
        help: "request NUM variables at a time (default: 60)",
        apply: |settings, value| {
            settings.application.delta.variables = positive('v', value)?;
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'k',
        value: LetterValue::None,
        verbs: DELTA,
        help: "print seconds in timestamps even if the period is a whole number of minutes",
        apply: |settings, _| switch(&mut settings.application.delta.keep_seconds),
    },
    ApplicationLetter {
        letter: 'm',
        value: LetterValue::None,
        verbs: DELTA,
        help: "print the largest value so far",
        apply: |settings, _| switch(&mut settings.application.delta.maximum),
    },
    ApplicationLetter {
        letter: 'S',
        value: LetterValue::None,
        verbs: DELTA,
        help: "print the sum of all variables",
        apply: |settings, _| switch(&mut settings.application.delta.sum),
    },
    ApplicationLetter {
        letter: 's',
        value: LetterValue::None,
        verbs: DELTA,
        help: "print timestamps",
        apply: |settings, _| switch(&mut settings.application.delta.timestamps),
    },
    ApplicationLetter {
        letter: 't',
        value: LetterValue::None,
        verbs: DELTA,
        help: "measure elapsed time with the agent's clock, and print values per second",
        apply: |settings, _| switch(&mut settings.application.delta.agent_time),
    },
    ApplicationLetter {
        letter: 'T',
        value: LetterValue::None,
        verbs: DELTA,
        help: "print a table",
        apply: |settings, _| switch(&mut settings.application.delta.table),
    },
    ApplicationLetter {
        letter: 'L',
        value: LetterValue::NextWord("NAME"),
        verbs: DELTA,
        help: "call the sum NAME (default: Sum)",
        apply: |settings, value| {
            value.clone_into(&mut settings.application.delta.sum_name);
            Ok(())
        },
    },
];

/// Sets a switch. A repeated letter does not toggle the switch, unlike other letters of `-C`.
fn switch(switch: &mut bool) -> Result<(), FlagError> {
    *switch = true;
    Ok(())
}

fn positive<T: FromStr + Default + PartialEq>(letter: char, text: &str) -> Result<T, FlagError> {
    let number = text.parse().ok().filter(|number| *number != T::default());
    number.ok_or_else(|| {
        FlagError::Message(format!("-C{letter} expects a number greater than 0, not {text:?}"))
    })
}

/// Reads names from a file, one per line. Empty lines and lines that start with `#` are skipped.
fn names(settings: &mut Settings, file: &str) -> Result<(), FlagError> {
    let text = fs::read_to_string(file).map_err(|error| FlagError::Message(format!("{file}: {error}")))?;
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    settings.application.delta.names.extend(lines.map(|line| line.trim().to_owned()));
    Ok(())
}

const DELTA: &[Verb] = &[Verb::Delta];
