//! The letters of `-C`, each defined in one place.

mod administration;
mod delta;
mod df;
mod netstat;
mod table;

use super::{FlagError, Settings};
use crate::verb::Verb;

/// The definition of one letter of `-C`.
pub(super) struct ApplicationLetter {
    pub(super) letter: char,
    pub(super) value: LetterValue,
    pub(super) verbs: &'static [Verb],
    pub(super) help: &'static str,
    pub(super) apply: fn(&mut Settings, &str) -> Result<(), FlagError>,
}

/// The argument of a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LetterValue {
    None,
    /// A number that follows the letter in the same word: `-Cr25`.
    Number,
    /// The next word, with its name in the help: `-CE OID`.
    NextWord(&'static str),
    /// The rest of the word, or the next word if the rest is empty.
    Word(&'static str),
}

/// Returns every letter of a verb.
pub(super) fn letters(verb: Verb) -> impl Iterator<Item = &'static ApplicationLetter> {
    let all = LETTERS.iter().chain(table::LETTERS).chain(administration::LETTERS);
    let all = all.chain(delta::LETTERS).chain(df::LETTERS).chain(netstat::LETTERS);
    all.filter(move |letter| letter.verbs.contains(&verb))
}

static LETTERS: &[ApplicationLetter] = &[
    ApplicationLetter {
        letter: 'f',
        value: LetterValue::None,
        verbs: &[Verb::Get, Verb::GetNext, Verb::Status, Verb::Delta],
        help: "if the agent rejects an OID, do not repeat the request without it",
        apply: |settings, _| toggle(&mut settings.application.keep_errors),
    },
    ApplicationLetter {
        letter: 'p',
        value: LetterValue::None,
        verbs: WALK_VERBS,
        help: "print the number of variables found",
        apply: |settings, _| toggle(&mut settings.application.print_count),
    },
    ApplicationLetter {
        letter: 'i',
        value: LetterValue::None,
        verbs: WALK_VERBS,
        help: "include the given OID in the search range",
        apply: |settings, _| toggle(&mut settings.application.include_given),
    },
    ApplicationLetter {
        letter: 'I',
        value: LetterValue::None,
        verbs: &[Verb::Walk],
        help: "don't include the given OID, even if no results are returned",
        apply: |settings, _| toggle(&mut settings.application.exclude_given),
    },
    ApplicationLetter {
        letter: 'c',
        value: LetterValue::None,
        verbs: WALK_VERBS,
        help: "do not check that returned OIDs are increasing",
        apply: |settings, _| toggle(&mut settings.application.unchecked_order),
    },
    ApplicationLetter {
        letter: 't',
        value: LetterValue::None,
        verbs: &[Verb::Walk],
        help: "display wall-clock time to complete the walk",
        apply: |settings, _| toggle(&mut settings.application.print_total_time),
    },
    ApplicationLetter {
        letter: 'T',
        value: LetterValue::None,
        verbs: &[Verb::Walk],
        help: "display wall-clock time to complete each request",
        apply: |settings, _| toggle(&mut settings.application.print_each_time),
    },
    ApplicationLetter {
        letter: 'E',
        value: LetterValue::NextWord("OID"),
        verbs: &[Verb::Walk],
        help: "end the walk at the specified OID",
        apply: |settings, value| {
            settings.application.end = Some(value.to_owned());
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'n',
        value: LetterValue::Number,
        verbs: BULK_VERBS,
        help: "set non-repeaters to NUM",
        apply: |settings, value| number(&mut settings.application.non_repeaters, value),
    },
    ApplicationLetter {
        letter: 'r',
        value: LetterValue::Number,
        verbs: BULK_VERBS,
        help: "set max-repetitions to NUM (default: 10)",
        apply: |settings, value| number(&mut settings.application.max_repetitions, value),
    },
    ApplicationLetter {
        letter: 'i',
        value: LetterValue::None,
        verbs: &[Verb::Trap],
        help: "send an inform: wait until the receiver confirms the notification",
        apply: |settings, _| toggle(&mut settings.application.inform),
    },
    ApplicationLetter {
        letter: 'q',
        value: LetterValue::None,
        verbs: &[Verb::Set],
        help: "don't print results on success",
        apply: |settings, _| toggle(&mut settings.application.quiet),
    },
];

/// Applies the letters of one word. `next_word` returns the next word of the command line, for
/// letters with an argument.
pub(super) fn apply(
    settings: &mut Settings,
    verb: Verb,
    word: &str,
    mut next_word: impl FnMut() -> Option<String>,
) -> Result<(), FlagError> {
    let mut rest = word;
    while let Some(name) = rest.chars().next() {
        rest = rest.get(name.len_utf8()..).unwrap_or_default();
        let Some(letter) = letters(verb).find(|letter| letter.letter == name) else {
            return Err(unknown(verb, name));
        };
        match letter.value {
            LetterValue::None => (letter.apply)(settings, "")?,
            LetterValue::Number => {
                let end = rest.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(rest.len());
                let (digits, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
                (letter.apply)(settings, digits)?;
                rest = after;
            }
            LetterValue::NextWord(_) => {
                let value = next_word().ok_or_else(|| FlagError::usage(""))?;
                (letter.apply)(settings, &value)?;
            }
            LetterValue::Word(_) if !rest.is_empty() => return (letter.apply)(settings, rest),
            LetterValue::Word(_) => {
                let value = next_word().ok_or_else(|| FlagError::usage(""))?;
                (letter.apply)(settings, &value)?;
            }
        }
    }
    Ok(())
}

fn unknown(verb: Verb, name: char) -> FlagError {
    match verb {
        Verb::Table => FlagError::Usage(format!("Bad option after -C: {name}")),
        Verb::Delta => FlagError::Message(format!("Bad -C options: {name}")),
        Verb::Netstat => netstat::unknown(name),
        _ => FlagError::Message(format!("Unknown flag passed to -C: {name}")),
    }
}

fn toggle(switch: &mut bool) -> Result<(), FlagError> {
    *switch = !*switch;
    Ok(())
}

/// Parses a number into `target`. If it is missing or too large, only the usage is printed.
fn number(target: &mut i32, digits: &str) -> Result<(), FlagError> {
    *target = digits.parse().map_err(|_| FlagError::usage(""))?;
    Ok(())
}

const WALK_VERBS: &[Verb] = &[Verb::Walk, Verb::BulkWalk];
const BULK_VERBS: &[Verb] = &[Verb::BulkGet, Verb::BulkWalk];
