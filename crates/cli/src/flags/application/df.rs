//! `-C` of `df`.

use super::{Letter, Value, toggle};
use crate::verb::Verb;

pub(super) static LETTERS: &[Letter] = &[
    Letter {
        letter: 'u',
        value: Value::None,
        verbs: DF,
        help: "ask for dskTable of UCD-SNMP-MIB only",
        apply: |settings, _| toggle(&mut settings.application.df.ucd),
    },
    Letter {
        letter: 'h',
        value: Value::None,
        verbs: DF,
        help: "print sizes in MiB, GiB, TiB",
        apply: |settings, _| {
            settings.application.df.scale = Some(1024);
            Ok(())
        },
    },
    Letter {
        letter: 'H',
        value: Value::None,
        verbs: DF,
        help: "print sizes in MB, GB, TB",
        apply: |settings, _| {
            settings.application.df.scale = Some(1000);
            Ok(())
        },
    },
];

const DF: &[Verb] = &[Verb::Df];
