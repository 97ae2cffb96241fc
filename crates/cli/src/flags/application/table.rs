//! The letters of `-C` for `table`.

use super::{ApplicationLetter, LetterValue, toggle};
use crate::{flags::FlagError, verb::Verb};

pub(super) static LETTERS: &[ApplicationLetter] = &[
    ApplicationLetter {
        letter: 'b',
        value: LetterValue::None,
        verbs: TABLE,
        help: "print brief field names",
        apply: |settings, _| toggle(&mut settings.application.table.brief),
    },
    ApplicationLetter {
        letter: 'B',
        value: LetterValue::None,
        verbs: TABLE,
        help: "do not use GETBULK requests",
        apply: |settings, _| toggle(&mut settings.application.table.without_bulk),
    },
    ApplicationLetter {
        letter: 'c',
        value: LetterValue::NextWord("NUM"),
        verbs: TABLE,
        help: "print the table in columns NUM characters wide",
        apply: |settings, value| {
            let number = value.parse().ok().filter(|number| *number > 0);
            settings.application.table.column_width = Some(number.ok_or_else(|| FlagError::usage(""))?);
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'f',
        value: LetterValue::NextWord("STR"),
        verbs: TABLE,
        help: "print the table with columns separated by STR",
        apply: |settings, value| {
            settings.application.table.separator = Some(value.to_owned());
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'h',
        value: LetterValue::None,
        verbs: TABLE,
        help: "print only the column headers",
        apply: |settings, _| toggle(&mut settings.application.table.headers_only),
    },
    ApplicationLetter {
        letter: 'H',
        value: LetterValue::None,
        verbs: TABLE,
        help: "print no column headers",
        apply: |settings, _| toggle(&mut settings.application.table.no_headers),
    },
    ApplicationLetter {
        letter: 'i',
        value: LetterValue::None,
        verbs: TABLE,
        help: "print index values",
        apply: |settings, _| toggle(&mut settings.application.table.with_index),
    },
    ApplicationLetter {
        letter: 'l',
        value: LetterValue::None,
        verbs: TABLE,
        help: "left-justify output",
        apply: |settings, _| toggle(&mut settings.application.table.left_align),
    },
    ApplicationLetter {
        letter: 'r',
        value: LetterValue::NextWord("NUM"),
        verbs: TABLE,
        help: "set max-repetitions to NUM (default: 10)",
        apply: |settings, value| {
            let number = value.parse().ok().filter(|number| *number > 0);
            settings.application.max_repetitions = number.ok_or_else(|| FlagError::usage(""))?;
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'w',
        value: LetterValue::NextWord("NUM"),
        verbs: TABLE,
        help: "print the table in parts NUM characters wide (default: the width of the terminal)",
        apply: |settings, value| {
            let number = value.parse().ok().filter(|number| *number > 0);
            settings.application.table.width = Some(number.ok_or_else(|| FlagError::usage(""))?);
            Ok(())
        },
    },
];

const TABLE: &[Verb] = &[Verb::Table];
