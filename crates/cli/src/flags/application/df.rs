//! The letters of `-C` for `df`.

use super::{ApplicationLetter, LetterValue, toggle};
use crate::verb::Verb;

pub(super) static LETTERS: &[ApplicationLetter] = &[
    ApplicationLetter {
        letter: 'u',
        value: LetterValue::None,
        verbs: DF,
        help: "read only dskTable of UCD-SNMP-MIB",
        apply: |settings, _| toggle(&mut settings.application.df.ucd),
    },
    ApplicationLetter {
        letter: 'h',
        value: LetterValue::None,
        verbs: DF,
        help: "print sizes in MiB, GiB, TiB",
        apply: |settings, _| {
            settings.application.df.scale = Some(1024);
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'H',
        value: LetterValue::None,
        verbs: DF,
        help: "print sizes in MB, GB, TB",
        apply: |settings, _| {
            settings.application.df.scale = Some(1000);
            Ok(())
        },
    },
];

const DF: &[Verb] = &[Verb::Df];
