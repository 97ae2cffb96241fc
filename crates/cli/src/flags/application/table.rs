//! `-C` of `table`.

use super::{Letter, Value, toggle};
use crate::{flags::Refused, verb::Verb};

pub(super) static LETTERS: &[Letter] = &[
    Letter {
        letter: 'b',
        value: Value::None,
        verbs: TABLE,
        help: "brief field names",
        apply: |settings, _| toggle(&mut settings.application.table.brief),
    },
    Letter {
        letter: 'B',
        value: Value::None,
        verbs: TABLE,
        help: "do not use GETBULK requests",
        apply: |settings, _| toggle(&mut settings.application.table.without_bulk),
    },
    Letter {
        letter: 'c',
        value: Value::NextWord("NUM"),
        verbs: TABLE,
        help: "print table in columns of NUM chars width",
        apply: |settings, value| {
            let number = value.parse().ok().filter(|number| *number > 0);
            settings.application.table.column_width = Some(number.ok_or_else(|| Refused::usage(""))?);
            Ok(())
        },
    },
    Letter {
        letter: 'f',
        value: Value::NextWord("STR"),
        verbs: TABLE,
        help: "print table delimited with STR",
        apply: |settings, value| {
            settings.application.table.separator = Some(value.to_owned());
            Ok(())
        },
    },
    Letter {
        letter: 'h',
        value: Value::None,
        verbs: TABLE,
        help: "print only the column headers",
        apply: |settings, _| toggle(&mut settings.application.table.headers_only),
    },
    Letter {
        letter: 'H',
        value: Value::None,
        verbs: TABLE,
        help: "print no column headers",
        apply: |settings, _| toggle(&mut settings.application.table.no_headers),
    },
    Letter {
        letter: 'i',
        value: Value::None,
        verbs: TABLE,
        help: "print index values",
        apply: |settings, _| toggle(&mut settings.application.table.with_index),
    },
    Letter {
        letter: 'l',
        value: Value::None,
        verbs: TABLE,
        help: "left justify output",
        apply: |settings, _| toggle(&mut settings.application.table.left),
    },
    Letter {
        letter: 'r',
        value: Value::NextWord("NUM"),
        verbs: TABLE,
        help: "set max-repetitions to NUM (default: 10)",
        apply: |settings, value| {
            let number = value.parse().ok().filter(|number| *number > 0);
            settings.application.max_repetitions = number.ok_or_else(|| Refused::usage(""))?;
            Ok(())
        },
    },
    Letter {
        letter: 'w',
        value: Value::NextWord("NUM"),
        verbs: TABLE,
        help: "print table in parts of NUM chars width (default on a terminal: its own)",
        apply: |settings, value| {
            let number = value.parse().ok().filter(|number| *number > 0);
            settings.application.table.width = Some(number.ok_or_else(|| Refused::usage(""))?);
            Ok(())
        },
    },
];

const TABLE: &[Verb] = &[Verb::Table];
