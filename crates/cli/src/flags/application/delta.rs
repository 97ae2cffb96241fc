//! `-C` of `delta`.

use std::{fs, str::FromStr};

use super::{Letter, Value};
use crate::{
    flags::{Refused, Settings},
    verb::Verb,
};

pub(super) static LETTERS: &[Letter] = &[
    Letter {
        letter: 'l',
        value: Value::None,
        verbs: DELTA,
        help: "write into one file for each variable, named AGENT-VARIABLE",
        apply: |settings, _| switch(&mut settings.application.delta.files),
    },
    Letter {
        letter: 'F',
        value: Value::NextWord("FILE"),
        verbs: DELTA,
        help: "read names of variables from the lines of FILE",
        apply: names,
    },
    Letter {
        letter: 'p',
        value: Value::NextWord("SECONDS"),
        verbs: DELTA,
        help: "ask every SECONDS (default: 1)",
        apply: |settings, value| {
            settings.application.delta.period = positive('p', value)?;
            Ok(())
        },
    },
    Letter {
        letter: 'P',
        value: Value::NextWord("NUM"),
        verbs: DELTA,
        help: "print average and peak of NUM periods instead of each",
        apply: |settings, value| {
            settings.application.delta.peaks = Some(positive('P', value)?);
            Ok(())
        },
    },
    Letter {
        letter: 'v',
        value: Value::NextWord("NUM"),
        verbs: DELTA,
        help: "ask for NUM variables in one request (default: 60)",
        apply: |settings, value| {
            settings.application.delta.variables = positive('v', value)?;
            Ok(())
        },
    },
    Letter {
        letter: 'k',
        value: Value::None,
        verbs: DELTA,
        help: "keep seconds in timestamps of whole minutes",
        apply: |settings, _| switch(&mut settings.application.delta.keep_seconds),
    },
    Letter {
        letter: 'm',
        value: Value::None,
        verbs: DELTA,
        help: "print the largest value so far",
        apply: |settings, _| switch(&mut settings.application.delta.maximum),
    },
    Letter {
        letter: 'S',
        value: Value::None,
        verbs: DELTA,
        help: "print the sum of all variables",
        apply: |settings, _| switch(&mut settings.application.delta.sum),
    },
    Letter {
        letter: 's',
        value: Value::None,
        verbs: DELTA,
        help: "print timestamps",
        apply: |settings, _| switch(&mut settings.application.delta.timestamps),
    },
    Letter {
        letter: 't',
        value: Value::None,
        verbs: DELTA,
        help: "take the time that has passed from the agent, and print values per second",
        apply: |settings, _| switch(&mut settings.application.delta.agent_time),
    },
    Letter {
        letter: 'T',
        value: Value::None,
        verbs: DELTA,
        help: "print a table",
        apply: |settings, _| switch(&mut settings.application.delta.table),
    },
    Letter {
        letter: 'L',
        value: Value::NextWord("NAME"),
        verbs: DELTA,
        help: "call the sum NAME (default: Sum)",
        apply: |settings, value| {
            value.clone_into(&mut settings.application.delta.sum_name);
            Ok(())
        },
    },
];

/// These are set, not toggled, by each time they are given.
fn switch(switch: &mut bool) -> Result<(), Refused> {
    *switch = true;
    Ok(())
}

fn positive<T: FromStr + Default + PartialEq>(letter: char, text: &str) -> Result<T, Refused> {
    let number = text.parse().ok().filter(|number| *number != T::default());
    number.ok_or_else(|| Refused::Message(format!("-C{letter} needs a number above 0, not {text:?}")))
}

/// Names from a file, one in each line; lines that are empty or begin with `#` name nothing.
fn names(settings: &mut Settings, file: &str) -> Result<(), Refused> {
    let text = fs::read_to_string(file).map_err(|error| Refused::Message(format!("{file}: {error}")))?;
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    settings.application.delta.names.extend(lines.map(|line| line.trim().to_owned()));
    Ok(())
}

const DELTA: &[Verb] = &[Verb::Delta];
