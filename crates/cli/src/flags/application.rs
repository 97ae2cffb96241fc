//! The letters of `-C`, each defined once.

mod administration;
mod delta;
mod df;
mod netstat;
mod table;

use super::{Refused, Settings};
use crate::verb::Verb;

/// One letter.
pub(super) struct Letter {
    pub(super) letter: char,
    pub(super) value: Value,
    pub(super) verbs: &'static [Verb],
    pub(super) help: &'static str,
    pub(super) apply: fn(&mut Settings, &str) -> Result<(), Refused>,
}

/// What follows a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    None,
    /// A number in the same word: `-Cr25`.
    Number,
    /// The next word, called so in the help: `-CE OID`.
    NextWord(&'static str),
    /// The rest of the word, or the next one if there is none.
    Word(&'static str),
}

/// Every letter that a verb knows.
pub(super) fn letters(verb: Verb) -> impl Iterator<Item = &'static Letter> {
    let all = LETTERS.iter().chain(table::LETTERS).chain(administration::LETTERS);
    let all = all.chain(delta::LETTERS).chain(df::LETTERS).chain(netstat::LETTERS);
    all.filter(move |letter| letter.verbs.contains(&verb))
}

static LETTERS: &[Letter] = &[
    Letter {
        letter: 'f',
        value: Value::None,
        verbs: &[Verb::Get, Verb::GetNext, Verb::Status, Verb::Delta],
        help: "do not fix errors and do not retry the request",
        apply: |settings, _| toggle(&mut settings.application.keep_errors),
    },
    Letter {
        letter: 'p',
        value: Value::None,
        verbs: WALKING,
        help: "print the number of variables found",
        apply: |settings, _| toggle(&mut settings.application.print_count),
    },
    Letter {
        letter: 'i',
        value: Value::None,
        verbs: WALKING,
        help: "include given OID in the search range",
        apply: |settings, _| toggle(&mut settings.application.include_given),
    },
    Letter {
        letter: 'I',
        value: Value::None,
        verbs: &[Verb::Walk],
        help: "don't include the given OID, even if no results are returned",
        apply: |settings, _| toggle(&mut settings.application.exclude_given),
    },
    Letter {
        letter: 'c',
        value: Value::None,
        verbs: WALKING,
        help: "do not check returned OIDs are increasing",
        apply: |settings, _| toggle(&mut settings.application.unchecked_order),
    },
    Letter {
        letter: 't',
        value: Value::None,
        verbs: &[Verb::Walk],
        help: "display wall-clock time to complete the walk",
        apply: |settings, _| toggle(&mut settings.application.print_total_time),
    },
    Letter {
        letter: 'T',
        value: Value::None,
        verbs: &[Verb::Walk],
        help: "display wall-clock time to complete each request",
        apply: |settings, _| toggle(&mut settings.application.print_each_time),
    },
    Letter {
        letter: 'E',
        value: Value::NextWord("OID"),
        verbs: &[Verb::Walk],
        help: "end the walk at the specified OID",
        apply: |settings, value| {
            settings.application.end = Some(value.to_owned());
            Ok(())
        },
    },
    Letter {
        letter: 'n',
        value: Value::Number,
        verbs: BULK,
        help: "set non-repeaters to NUM",
        apply: |settings, value| number(&mut settings.application.non_repeaters, value),
    },
    Letter {
        letter: 'r',
        value: Value::Number,
        verbs: BULK,
        help: "set max-repetitions to NUM (default: 10)",
        apply: |settings, value| number(&mut settings.application.max_repetitions, value),
    },
    Letter {
        letter: 'q',
        value: Value::None,
        verbs: &[Verb::Set],
        help: "don't print results on success",
        apply: |settings, _| toggle(&mut settings.application.quiet),
    },
];

/// Applies the letters of one word. `more` hands over the next word to a letter that wants it.
pub(super) fn apply(
    settings: &mut Settings,
    verb: Verb,
    word: &str,
    mut more: impl FnMut() -> Option<String>,
) -> Result<(), Refused> {
    let mut rest = word;
    while let Some(written) = rest.chars().next() {
        rest = rest.get(written.len_utf8()..).unwrap_or_default();
        let Some(letter) = letters(verb).find(|letter| letter.letter == written) else {
            return Err(unknown(verb, written));
        };
        match letter.value {
            Value::None => (letter.apply)(settings, "")?,
            Value::Number => {
                let end = rest.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(rest.len());
                let (digits, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
                (letter.apply)(settings, digits)?;
                rest = after;
            }
            Value::NextWord(_) => {
                let value = more().ok_or_else(|| Refused::usage(""))?;
                (letter.apply)(settings, &value)?;
            }
            Value::Word(_) if !rest.is_empty() => return (letter.apply)(settings, rest),
            Value::Word(_) => {
                let value = more().ok_or_else(|| Refused::usage(""))?;
                (letter.apply)(settings, &value)?;
            }
        }
    }
    Ok(())
}

fn unknown(verb: Verb, written: char) -> Refused {
    match verb {
        Verb::Table => Refused::Usage(format!("Bad option after -C: {written}")),
        Verb::Delta => Refused::Message(format!("Bad -C options: {written}")),
        Verb::Netstat => netstat::unknown(written),
        _ => Refused::Message(format!("Unknown flag passed to -C: {written}")),
    }
}

fn toggle(switch: &mut bool) -> Result<(), Refused> {
    *switch = !*switch;
    Ok(())
}

/// A number that is missing or too large gets the usage and nothing else.
fn number(place: &mut i32, digits: &str) -> Result<(), Refused> {
    *place = digits.parse().map_err(|_| Refused::usage(""))?;
    Ok(())
}

const WALKING: &[Verb] = &[Verb::Walk, Verb::BulkWalk];
const BULK: &[Verb] = &[Verb::BulkGet, Verb::BulkWalk];
